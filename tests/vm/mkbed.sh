#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# mkbed.sh BED - builds the counter test bed in the folder BED; see README in this folder.
#
# Afterwards BED holds
#   cross.env   to be sourced: the compiler and pkg-config for arm64
#   sysroot/    Debian's arm64 headers and libraries, for the cross compiler
#   vmlinuz     Debian's arm64 kernel
#   base.cpio   the initramfs: busybox, the shared libraries of tiptop, init
#   apt/        the private state of apt, with all downloaded packages
#
# Needs no root and does not change the host's packages. A second run does nothing, unless this script or its sources have
# changed: then it rebuilds from the packages in BED/apt.
#
# Exit status: 0 the bed is ready, 77 it cannot be built on this machine (one sentence on standard error says why),
# 1 a fault of this script.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
packages=(libc6-dev libncurses-dev libpfm4-dev libxml2-dev libjson-c-dev libpcre2-dev libsqlite3-dev busybox-static ncurses-base)
kernel_package=linux-image-cloud-arm64
linked=(libc.so.6 libm.so.6 libncursesw.so libpfm.so libxml2.so libjson-c.so libpcre2-8.so libsqlite3.so)

# shellcheck source=../apt.sh
. "$here/../apt.sh"

cannot() {
	echo "mkbed: $1" >&2
	exit 77
}

# --- the packages ---

# What cannot be reached is left in the log: the rest may do.
apt_update() {
	if apt-get -qq update >"$bed/apt/update.log" 2>&1 && [ ! -s "$bed/apt/update.log" ]; then
		touch "$bed/apt/updated"
	fi
	apt-get -qq autoclean >/dev/null
}

# The image is fetched by name: "install" would pull in what a kernel needs to boot from a disk.
apt_download() {
	local image

	image=$(apt-cache depends "$kernel_package" 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$image" ] || return 1
	apt-get -qq -y --download-only install "${packages[@]}" >"$bed/apt/log" 2>&1 || return 1
	(cd "$bed/apt/cache/archives" && { ls "$image"_*.deb || apt-get -qq download "$image"; } >>"$bed/apt/log" 2>&1)
}

# Lists that are older than the registry name packages that are no longer there: look once more.
apt_fetch() {
	local fault

	apt_private "$bed/apt" arm64
	[ -e "$bed/apt/updated" ] && apt_download && return
	apt_update
	apt_download && return
	fault=$(sed -n 's/^[EW]: //p' "$bed/apt/update.log" | head -n 1)
	[ -z "$fault" ] || cannot "the package registry cannot be reached: $fault"
	[ -n "$(apt-cache --names-only search "^$kernel_package\$")" ] ||
		cannot "the package sources of this host offer no arm64 kernel ($kernel_package)"
	cannot "the arm64 packages cannot be downloaded: $(sed -n 's/^[EW]: //p' "$bed/apt/log" | head -n 1)"
}

# --- what is made of them ---

# One tree as on a system with /lib in /usr. Absolute links would lead out of it.
make_sysroot() {
	local deb link target

	rm -rf "$bed/sysroot" "$bed/kernel"
	mkdir -p "$bed/sysroot/usr/lib" "$bed/sysroot/usr/bin" "$bed/sysroot/usr/sbin" "$bed/kernel"
	ln -s usr/lib usr/bin usr/sbin "$bed/sysroot/"
	for deb in "$bed"/apt/cache/archives/*.deb; do
		case ${deb##*/} in
		linux-image-*) dpkg-deb -x "$deb" "$bed/kernel" ;;
		*) dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$bed/sysroot" --keep-directory-symlink ;;
		esac
	done
	find "$bed/sysroot" -type l -lname '/*' | while read -r link; do
		target=$(readlink "$link")
		ln -snf "$(realpath -ms --relative-to="$(realpath "$(dirname "$link")")" "$bed/sysroot$target")" "$link"
	done
	find "$bed/kernel/boot" -name 'vmlinuz-*' -exec mv {} "$bed/vmlinuz" \;
	rm -r "$bed/kernel"
}

make_cross_env() {
	cat >"$bed/cross.env" <<-END
		export PKG_CONFIG_LIBDIR='$bed/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$bed/sysroot/usr/share/pkgconfig'
		export PKG_CONFIG_SYSROOT_DIR='$bed/sysroot' PKG_CONFIG_PATH=
		export CC='aarch64-linux-gnu-gcc --sysroot=$bed/sysroot'
	END
}

# Copies a shared library and all that it needs.
copy_library() {
	local from=$bed/sysroot/usr/lib/aarch64-linux-gnu/$1 soname needed

	[ -e "$from" ] || return 0 # the loader, which libc names too, is put in its own place
	soname=$(aarch64-linux-gnu-objdump -p "$from" 2>/dev/null | awk '$1 == "SONAME" { print $2 }')
	[ -e "$root/lib/aarch64-linux-gnu/${soname:=$1}" ] && return
	cp -L "$from" "$root/lib/aarch64-linux-gnu/$soname"
	for needed in $(aarch64-linux-gnu-objdump -p "$from" | awk '$1 == "NEEDED" { print $2 }'); do
		copy_library "$needed"
	done
}

make_initramfs() {
	local root=$bed/root name

	rm -rf "$root"
	mkdir -p "$root"/{bin,sbin,dev,proc,sys,tmp,etc,lib/aarch64-linux-gnu,lib/terminfo,test}
	cp "$bed/sysroot/usr/bin/busybox" "$root/bin/"
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$root/lib/"
	cp -L "$bed/sysroot/usr/lib/ld-linux-aarch64.so.1" "$root/lib/aarch64-linux-gnu/"
	for name in "${linked[@]}"; do
		# What is named .so may be a text for the linker that names the library.
		[ "${name%.so}" = "$name" ] || name=$(cd "$bed/sysroot/usr/lib/aarch64-linux-gnu" && set -- "$name".* && echo "$1")
		copy_library "$name"
	done
	cp -a "$bed/sysroot/usr/lib/terminfo/." "$root/lib/terminfo/"
	printf '%s\n' root:x:0:0::/:/bin/sh user1:x:1001:1001::/:/bin/sh user2:x:1002:1002::/:/bin/sh >"$root/etc/passwd"
	printf '%s\n' root:x:0: user1:x:1001: user2:x:1002: >"$root/etc/group"
	(. "$bed/cross.env" && $CC -O2 -Wall -Werror -static -o "$root/bin/semi" "$here/semi.c")
	install -m 755 "$here/init" "$root/init"
	(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$bed/base.cpio"
	rm -r "$root"
}

[ $# -eq 1 ] || { echo "usage: mkbed.sh BED" >&2; exit 1; }
for tool in apt-get dpkg-deb cpio flock aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump; do
	command -v "$tool" >/dev/null || cannot "$tool is missing on this machine"
done
mkdir -p "$1"
bed=$(realpath "$1")
exec 9>"$bed/lock"
flock 9

key=$(cat "$0" "$here/../apt.sh" "$here/init" "$here/semi.c" | cksum)
[ "$(cat "$bed/ready" 2>/dev/null)" != "$key" ] || exit 0
rm -f "$bed/ready"
apt_fetch
make_sysroot
make_cross_env
make_initramfs
echo "$key" >"$bed/ready"
