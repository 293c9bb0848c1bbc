#!/bin/bash
# Installs the browsers that the tests drive, where none is found: Debian's
# packages chromium and firefox-esr. Beside Debian's chromium comes its shell without a
# window, where there is one: most tests run in it, in two thirds of the time.
set -euo pipefail

missing=()
command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null || missing+=(chromium)
command -v firefox-esr firefox >/dev/null || missing+=(firefox-esr)
shell=()
if [ "${missing[0]:-}" = chromium ] || [ -x /usr/lib/chromium/chromium ]; then
	[ -x /usr/lib/chromium/chromium-headless-shell ] || shell=(chromium-headless-shell)
fi
if [ ${#missing[@]} -eq 0 ] && [ ${#shell[@]} -eq 0 ]; then
	exit 0
fi

root=()
if [ "$(id -u)" -ne 0 ]; then
	root=(sudo env DEBIAN_FRONTEND=noninteractive)
fi
export DEBIAN_FRONTEND=noninteractive
install() {
	echo "installing $*"
	"${root[@]}" apt-get install -y -qq --no-install-recommends "$@"
}
"${root[@]}" apt-get update -qq
[ ${#missing[@]} -eq 0 ] || install "${missing[@]}"
[ ${#shell[@]} -eq 0 ] || install "${shell[@]}" || echo "there is none: the tests run in the whole browser"
