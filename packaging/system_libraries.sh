#!/usr/bin/env bash
# Installs the system libraries that Qt and its tests need, where this is Debian and we are root.
set -euo pipefail

packages=(libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libdbus-1-3 fontconfig xvfb)

command -v dpkg >/dev/null || exit 0

missing=()
for package in "${packages[@]}"; do
    dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "These system libraries are missing; install them with:"
    echo "    sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
    exit 0
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
