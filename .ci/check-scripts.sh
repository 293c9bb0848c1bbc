#!/bin/bash
# Checks all scripts that are ours: types and names by TypeScript, each world of scripts by its
# own globals (static/check/*.json), and what a linter finds.
set -euo pipefail
cd "$(dirname "$0")/.."

bin="$(.ci/install-checkers.sh)/node_modules/.bin"
failed=0
for world in page worker frame service notebook editor; do
	"$bin/tsc" -p "static/check/$world.json" --pretty false || failed=1
done
"$bin/eslint" --config static/check/eslint.config.mjs . || failed=1
exit $failed
