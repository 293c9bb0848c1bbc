#!/bin/bash
# Installs Python where there is none: the tests of the Python package need it.
set -euo pipefail

command -v python3 >/dev/null && exit 0
echo "installing python3"
root=()
if [ "$(id -u)" -ne 0 ]; then
	root=(sudo env DEBIAN_FRONTEND=noninteractive)
fi
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -qq
"${root[@]}" apt-get install -y -qq --no-install-recommends python3
