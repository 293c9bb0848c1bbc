#!/bin/bash
# Writes the commit that all tests passed for to bin/tested: `tested.sh begin` before them,
# `tested.sh end` after them. It writes nothing where files differ from the commit, before
# or after, or where another commit was checked out meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p bin
commit() {
	if [ -z "$(git status --porcelain 2>/dev/null || echo none)" ]; then
		git rev-parse HEAD
	fi
}
case "${1:-}" in
begin)
	rm -f bin/tested
	commit >bin/testing
	;;
end)
	begun=$(cat bin/testing)
	rm -f bin/testing
	if [ -n "$begun" ] && [ "$(commit)" = "$begun" ]; then
		echo "$begun" >bin/tested
	fi
	;;
*)
	echo "usage: tested.sh begin|end" >&2
	exit 2
	;;
esac
