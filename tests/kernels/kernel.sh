#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel.sh FOLDER NAME SUITE PACKAGE [ARCHITECTURE] - puts a kernel of Debian into FOLDER, for amd64 or another architecture;
# see README in this folder.
#
# Afterwards FOLDER/NAME/vmlinuz is the newest kernel of the suite, FOLDER/NAME/package the name of its package, and
# FOLDER/NAME/apt the private state of apt with the package. If the registry cannot be reached, the kernel of an earlier
# run remains.
#
# Exit status: 0 the kernel is ready, 77 there is none (one sentence on standard error says why), 1 a fault of this script.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../apt.sh
. "$here/../apt.sh"

cannot() {
	[ ! -e "$folder/vmlinuz" ] || exit 0
	echo "kernel: $1" >&2
	exit 77
}

# first_fault FILE: what apt said.
first_fault() {
	sed -n 's/^[EW]: //p' "$1" | head -n 1
}

# image PACKAGE: the package that has the kernel: the newest suites keep it apart from its modules.
image() {
	local name

	name=$(apt-cache depends "$1" | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$name" ] || return
	apt-cache depends "$name" | sed -n 's/.*Depends: \(linux-binary-[0-9].*\)/\1/p' | grep . || echo "$name"
}

# The archives of other suites are signed by keys that older keyrings do not have, but also by keys that they have.
fetch() {
	local name uri

	uri=$(apt-cache policy 2>/dev/null | awk '/^ +[0-9]+ http/ { uri = $2 } /l=Debian,/ { print uri; exit }')
	[ -n "$uri" ] || cannot "the package sources of this host are not those of Debian"
	apt_private "$folder/apt" "$architecture" "$uri" "$suite"
	apt-get -qq update >"$folder/apt/log" 2>&1 || cannot "the package registry cannot be reached: $(first_fault "$folder/apt/log")"
	name=$(image "$package") || cannot "$suite has no kernel ($package)"
	[ "$(cat "$folder/package" 2>/dev/null)" != "$name" ] || exit 0
	rm -f "$folder/apt/cache/archives"/*.deb
	(cd "$folder/apt/cache/archives" && apt-get -qq download "$name") >"$folder/apt/log" 2>&1 ||
		cannot "$name cannot be downloaded: $(first_fault "$folder/apt/log")"
	rm -rf "$folder/unpacked"
	dpkg-deb -x "$folder/apt/cache/archives/"*.deb "$folder/unpacked"
	find "$folder/unpacked" -name 'vmlinu[xz]*' -type f -exec mv {} "$folder/vmlinuz" \;
	rm -rf "$folder/unpacked"
	echo "$name" >"$folder/package"
}

[ $# -ge 4 ] || { echo "usage: kernel.sh FOLDER NAME SUITE PACKAGE [ARCHITECTURE]" >&2; exit 1; }
mkdir -p "$1/$2"
folder=$(realpath "$1/$2") suite=$3 package=$4 architecture=${5:-amd64}
for tool in apt-get dpkg-deb; do
	command -v "$tool" >/dev/null || cannot "$tool is missing on this machine"
done
fetch
