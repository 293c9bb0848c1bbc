#!/bin/bash
# Installs the browsers that the tests drive, where none is found: Debian's
# packages chromium and firefox-esr.
set -euo pipefail

missing=()
command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null || missing+=(chromium)
command -v firefox-esr firefox >/dev/null || missing+=(firefox-esr)
if [ ${#missing[@]} -eq 0 ]; then
	exit 0
fi

echo "installing ${missing[*]}"
root=()
if [ "$(id -u)" -ne 0 ]; then
	root=(sudo env DEBIAN_FRONTEND=noninteractive)
fi
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -qq
"${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
