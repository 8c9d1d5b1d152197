#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# initramfs.sh FILE - writes the guest's system into FILE, a cpio archive: programs and libraries of this machine, which is
# one of Debian, tiptop as it was built in builddir, and the tests of srcdir; see README in this folder.
#
# From the environment: srcdir, builddir.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
srcdir=${srcdir:?} builddir=${builddir:?}
# The tests compile some of their programs.
compiler=$(gcc -dumpversion)
packages=(dash bash libc-bin hostname coreutils grep sed mawk findutils procps diffutils util-linux mount libcap2-bin sqlite3 jq xz-utils ncurses-base
	gcc "gcc-$compiler" "cpp-$compiler" "libgcc-$compiler-dev" binutils binutils-x86-64-linux-gnu libc6-dev linux-libc-dev)
# What these programs, and those that the tests compile, load by name.
loaded=(libpfm.so.4 libdw.so.1 libgcc_s.so.1 libgomp.so.1)
libraries=/usr/lib/x86_64-linux-gnu

# files: of the packages, what the tests may use.
files() {
	dpkg -L "${packages[@]}" | grep -E '^/(usr/)?(bin|sbin|lib|lib64|libexec|include)/|^/etc/terminfo' |
		grep -vE '/lto1$|/lto-wrapper$|san(_preinit)?\.(a|o|so)|/gold$|\.gold$|/dwp$|/cmake/|/systemd/'
}

# copy: into the root, the files of standard input under their own names, and what links lead to.
copy() {
	sort -u >"$scratch/files"
	{ cat "$scratch/files" && xargs -d '\n' realpath <"$scratch/files"; } | sort -u |
		while IFS= read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || echo "${file#/}"; done |
		tar -C / -c --no-recursion -T - | tar -C "$root" -x --keep-directory-symlink
}

# needed FILE...: the libraries that these programs and libraries need, and the loader. Some are linked statically.
needed() {
	{ ldd "$@" 2>/dev/null || true; } | sed -nE 's/^\t(.* => )?(\/[^ ]+) \(0x.*/\2/p'
}

copy_system() {
	local names

	mkdir -p "$root"/{dev,proc,sys,tmp,run,etc,root,usr/bin,usr/sbin,usr/lib,usr/lib64,var/lib}
	ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root/"
	{ files && printf '%s\n' "${loaded[@]/#/$libraries/}" && find /usr/lib/locale/C.utf8; } | copy
	mapfile -t names < <(find "$root/usr" -type f -perm /111)
	needed "${names[@]}" "${loaded[@]/#/$libraries/}" "$builddir"/tiptop* | copy
	ln -sf mawk "$root/usr/bin/awk" && ln -sf dash "$root/usr/bin/sh" && ln -sf gcc "$root/usr/bin/cc"
	printf '%s\n' root:x:0:0::/root:/bin/sh user:x:1001:1001::/tmp:/bin/sh nobody:x:65534:65534::/:/bin/sh >"$root/etc/passwd"
	printf '%s\n' root:x:0: user:x:1001: nogroup:x:65534: >"$root/etc/group"
}

# The tests, with srcdir=/src and builddir=/build.
copy_tests() {
	mkdir -p "$root/src/tests" "$root/build/tests" "$root/test"
	cp -a "$srcdir/tests/program" "$root/src/tests/"
	cp -a "$srcdir/include" "$srcdir/config" "$root/src/"
	cp -aL "$builddir"/tiptop "$builddir"/tiptop-*.so "$builddir/libtiptop.so.0" "$root/build/"
	cp -a "$builddir/tests/program" "$root/build/tests/"
	cp -R "$here/guest/." "$root/test/"
	install -m 755 "$here/guest/init" "$root/init"
	chmod -R a+rX "$root"
}

[ $# -eq 1 ] || { echo "usage: initramfs.sh FILE" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
mkdir "$root"
copy_system
copy_tests
(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$1"
