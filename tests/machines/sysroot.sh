#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sysroot.sh FOLDER ARCHITECTURE TRIPLET SUITE [PACKAGE]... - makes FOLDER/sysroot: headers and libraries of Debian's SUITE for
# another machine, for cross compilers and qemu-user; and FOLDER/cross.env, to be sourced: the compiler and pkg-config for it.
# With names of packages, these are in the sysroot, and what they need.
#
# The state of apt is private (FOLDER/apt, with all downloaded packages), and nothing is installed on the host, which knows
# no foreign architecture. Packages come from where the host has Debian's from. Needs no root. A second run does nothing,
# unless this script has changed.
#
# Exit status: 0 the sysroot is ready, 77 it cannot be made on this machine (one sentence on standard error says why).
set -euo pipefail

# shellcheck source=../apt.sh
. "$(dirname "$0")/../apt.sh"

# libc-bin has the locale C.UTF-8, which is of a byte order, too.
packages=(libc6-dev libc-bin libncurses-dev libpfm4-dev libxml2-dev libjson-c-dev libpcre2-dev libsqlite3-dev libdw-dev)

cannot() {
	echo "sysroot: $1" >&2
	exit 77
}

apt_prepare() {
	local mirror

	mirror=$(apt-cache policy 2>/dev/null | awk '/^ +[0-9]+ http/ { uri = $2 } /l=Debian,/ { print uri; exit }')
	[ "$mirror" ] || cannot "apt has no source of Debian's packages on this machine"
	apt_private "$folder/apt" "$architecture" "$mirror" "$suite"
}

# Lists that are older than the mirror name packages that are no longer there: look once more.
apt_fetch() {
	local log=$folder/apt/log

	apt_prepare
	for _ in old new; do
		apt-get -qq -y --download-only install "${packages[@]}" >"$log" 2>&1 && return
		apt-get -qq update >"$log" 2>&1 || break
	done
	cannot "packages of $suite for $architecture cannot be downloaded: $(sed -n 's/^[EW]: //p' "$log" | head -n 1)"
}

# One tree as on a system with /lib in /usr. Absolute links would lead out of it.
make_tree() {
	local root=$folder/sysroot deb link target

	rm -rf "$root"
	mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/usr/sbin"
	ln -s usr/lib usr/bin usr/sbin "$root/"
	for deb in "$folder"/apt/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" --keep-directory-symlink
	done
	find "$root" -type l -lname '/*' | while read -r link; do
		target=$(readlink "$link")
		ln -snf "$(realpath -ms --relative-to="$(realpath "$(dirname "$link")")" "$root$target")" "$link"
	done
}

make_cross_env() {
	cat >"$folder/cross.env" <<-END
		export PKG_CONFIG_LIBDIR='$folder/sysroot/usr/lib/$triplet/pkgconfig:$folder/sysroot/usr/share/pkgconfig'
		export PKG_CONFIG_SYSROOT_DIR='$folder/sysroot' PKG_CONFIG_PATH=
	END
}

[ $# -ge 4 ] || { echo "usage: sysroot.sh FOLDER ARCHITECTURE TRIPLET SUITE [PACKAGE]..." >&2; exit 1; }
for tool in apt-get dpkg-deb; do
	command -v "$tool" >/dev/null || cannot "$tool is missing on this machine"
done
mkdir -p "$1"
folder=$(realpath "$1") architecture=$2 triplet=$3 suite=$4
key=$(cat "$0" "$(dirname "$0")/../apt.sh" - <<<"$*" | cksum)
[ "$(cat "$folder/ready" 2>/dev/null)" != "$key" ] || exit 0
[ $# -eq 4 ] || packages=("${@:5}")
rm -f "$folder/ready"
apt_fetch
make_tree
make_cross_env
echo "$key" >"$folder/ready"
