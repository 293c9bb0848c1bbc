#!/bin/bash
# A Slurm epilog (Epilog= in slurm.conf; runs as root on each node of a job that has ended).
# Viewers end by themselves when their job does. Where processes can leave their job, as
# with proctrack/linuxproc, this ends what is left of one: a viewer whose environment has
# the job's number, and the cluster's name, since a machine may be a node of two. (Names and
# directories of jobs are told to epilogs by newer releases only, and asking the controller
# for them would cost it a call for each job.)
set -u
[ -n "${SLURM_JOB_ID:-}" ] && [ -n "${SLURM_JOB_UID:-}" ] || exit 0

has() { tr '\0' '\n' <"$1/environ" 2>/dev/null | grep -qx "$2"; }

for cmdline in /proc/[0-9]*/cmdline; do
	process=${cmdline%/cmdline}
	args=$(tr '\0' '\n' <"$cmdline" 2>/dev/null | tail -n 3 | paste -sd' ') || continue
	if [[ $args == "viewer --dir "* ]] &&
		[ "$(stat -c %u "$process" 2>/dev/null)" = "$SLURM_JOB_UID" ] &&
		has "$process" "SLURM_JOB_ID=$SLURM_JOB_ID" &&
		{ [ -z "${SLURM_CLUSTER_NAME:-}" ] || has "$process" "SLURM_CLUSTER_NAME=$SLURM_CLUSTER_NAME"; }; then
		kill "${process#/proc/}" 2>/dev/null
	fi
done
exit 0 # a failing epilog would drain the node
