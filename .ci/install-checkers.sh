#!/bin/bash
# Installs what checks the scripts, of the versions and hashes in static/check/package-lock.json,
# where it is not yet, and prints the folder it is in. It needs node and npm, and installs
# Debian's where there are none.
set -euo pipefail
cd "$(dirname "$0")/../static/check"

lock=$(sha256sum package.json package-lock.json | sha256sum | cut -c1-12)
to="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/tensorbored-static/checkers-$lock"
if [ -e "$to/node_modules/.bin/tsc" ] && command -v node >/dev/null; then
	echo "$to"
	exit 0
fi

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
	echo "installing ${missing[*]}" >&2
	root=()
	if [ "$(id -u)" -ne 0 ]; then
		root=(sudo env DEBIAN_FRONTEND=noninteractive)
	fi
	export DEBIAN_FRONTEND=noninteractive
	"${root[@]}" apt-get update -qq >&2
	"${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

# It is there as a whole or not at all, also where two install it at once.
mkdir -p "$(dirname "$to")"
new=$(mktemp -d "$to.XXXXXX")
trap 'rm -rf "$new"' EXIT
cp package.json package-lock.json "$new/"
(cd "$new" && npm ci --silent --ignore-scripts --no-audit --no-fund >&2) || {
	echo "The scripts cannot be checked: npm could not fetch what static/check/package-lock.json names." >&2
	exit 1
}
mv -T "$new" "$to" 2>/dev/null || [ -e "$to/node_modules/.bin/tsc" ]
echo "$to"
