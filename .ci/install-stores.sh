#!/bin/bash
# Installs the object stores of make stores into bin/stores, where they are not yet: servers
# that others have written, so that what we believe of stores is not tested by ourselves alone.
# Needs Go, and node with npm, which install-checkers.sh installs.
set -euo pipefail
cd "$(dirname "$0")/.."

versitygw=v1.8.0 # speaks S3, of files on a disk
fakegcs=v1.56.1  # speaks as Google does
azurite=3.35.0   # of Microsoft itself

to="$PWD/bin/stores"
want="$versitygw $fakegcs $azurite"
if [ "$(cat "$to/versions" 2>/dev/null)" = "$want" ]; then
	exit 0
fi
echo "installing versitygw $versitygw, fake-gcs-server $fakegcs, azurite $azurite"
.ci/install-checkers.sh >/dev/null
mkdir -p "$to"
for try in 1 2 3; do # a mirror may fail for a moment
	GOBIN="$to" go install "github.com/versity/versitygw/cmd/versitygw@$versitygw" &&
		GOBIN="$to" go install "github.com/fsouza/fake-gcs-server@$fakegcs" &&
		npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$to/azurite" "azurite@$azurite" && break
	if [ "$try" = 3 ]; then
		echo "The object stores could not be fetched: make stores cannot run." >&2
		exit 1
	fi
	sleep $((try * 5))
done
echo "$want" >"$to/versions"
