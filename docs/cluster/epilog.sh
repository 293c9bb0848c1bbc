#!/bin/bash
# A Slurm epilog (Epilog= in slurm.conf; runs as root on each node of a job that has ended).
# Viewers end by themselves when their job does. Where processes can leave their job, as
# with proctrack/linuxproc, this ends what is left of one: those whose folder is that of
# the job.
set -u
[ "${SLURM_JOB_NAME:-}" = tensorbored ] || exit 0
[ -n "${SLURM_JOB_WORK_DIR:-}" ] || exit 0

for cmdline in /proc/[0-9]*/cmdline; do
	pid=${cmdline#/proc/}
	pid=${pid%/cmdline}
	args=$(tr '\0' '\n' <"$cmdline" 2>/dev/null) || continue
	if [ "$(tail -n 3 <<<"$args" | paste -sd' ')" = "viewer --dir $SLURM_JOB_WORK_DIR" ] &&
		[ "$(stat -c %u "/proc/$pid" 2>/dev/null)" = "${SLURM_JOB_UID:-}" ]; then
		kill "$pid" 2>/dev/null
	fi
done
exit 0 # a failing epilog would drain the node
