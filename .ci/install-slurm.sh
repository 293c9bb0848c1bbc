#!/bin/bash
# Installs what the tests of viewers on a cluster need, where it is missing, of Debian's
# packages: Slurm's controller, node daemon and programs; munge, which signs what they say
# to each other; slurmdbd with a MariaDB, which keep its accounts; ip, for a node on a
# machine of its own; and what reads the examples for administrators: systemd-analyze, and
# ruby for templates of Open OnDemand. The tests start daemons of their own and end them;
# those of the packages are neither needed nor begun.
set -euo pipefail

PATH=$PATH:/usr/sbin:/sbin
missing=()
command -v munged >/dev/null || missing+=(munge)
command -v slurmctld >/dev/null || missing+=(slurmctld)
command -v slurmd >/dev/null || missing+=(slurmd)
command -v sbatch >/dev/null || missing+=(slurm-client)
command -v slurmdbd >/dev/null || missing+=(slurmdbd)
command -v mariadbd >/dev/null || missing+=(mariadb-server-core)
command -v ip >/dev/null || missing+=(iproute2)
command -v systemd-analyze >/dev/null || missing+=(systemd)
command -v ruby >/dev/null || missing+=(ruby)
if [ ${#missing[@]} -eq 0 ]; then
	exit 0
fi

echo "installing ${missing[*]}"
root=()
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "The tests of viewers on a cluster need the packages ${missing[*]}, and neither root nor sudo is here to install them." >&2
		exit 1
	fi
	root=(sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1)
fi
# RUNLEVEL=1 keeps the packages from starting services, where a system would.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
for try in 1 2 3; do # a mirror may fail for a moment
	"${root[@]}" apt-get update -qq -o DPkg::Lock::Timeout=600 &&
		"${root[@]}" apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 "${missing[@]}" && break
	if [ "$try" = 3 ]; then
		echo "Slurm could not be installed: the tests of viewers on a cluster cannot run." >&2
		exit 1
	fi
	sleep $((try * 5))
done
