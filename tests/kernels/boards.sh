# shellcheck shell=bash disable=SC2034,SC2154 # sourced by run.sh, which has the variables
# SPDX-License-Identifier: GPL-2.0-or-later
#
# boards.sh - sourced by run.sh: the machines of the table "boards", with tiptop as tests/machines builds it. The guest's
# system is made of Debian's packages for the machine.
machines=${MACHINES:-$bed/machines}
# shellcheck source=../machines/build.sh
. "$srcdir/tests/machines/build.sh"
board_packages=(dash coreutils grep sed mawk findutils procps diffutils util-linux mount hostname jq sqlite3 libc-bin ncurses-base
	libpfm4 libxml2 libdw1 libjson-c5 libpcre2-8-0 libncursesw6)

# build_machine MACHINE: sets its variables, and builds tiptop; fails with the reason in $why.
build_machine() {
	local emulator

	read -r machine compiler libraries suite emulator < <(grep "^$1 " <<<"$machine_table")
	folder=$machines/$machine why="$compiler-gcc is missing on this machine"
	command -v "$compiler-gcc" >/dev/null || return 77
	mkdir -p "$folder"
	"$srcdir/tests/machines/sysroot.sh" "$folder" "$machine" "$libraries" "$suite" >"$folder/sysroot.log" 2>&1 ||
		{ why=$(tail -n 1 "$folder/sysroot.log") && return 77; }
	why="tiptop cannot be built: $folder/build.log has the reason"
	(build) >"$folder/build.log" 2>&1
}

# make_root ROOT PACKAGES: the guest's system, of the unpacked packages. The build has the loader and the libraries in the
# sysroot of the host: in the guest, that is the root (guest/run).
make_root() {
	local root=$1

	mkdir -p "$root" && cp -a "$2/." "$root/" && rm -rf "$root"/usr/share/{doc,man,locale,i18n,info,perl} "$root/usr/lib/$libraries/perl"
	mkdir -p "$root"/{dev,proc,sys,tmp,run,etc,root,test,build/tests/program,src/tests}
	ln -sf mawk "$root/usr/bin/awk" && ln -sf dash "$root/usr/bin/sh"
	printf '%s\n' root:x:0:0::/root:/bin/sh user:x:1001:1001::/tmp:/bin/sh nobody:x:65534:65534::/:/bin/sh >"$root/etc/passwd"
	printf '%s\n' root:x:0: user:x:1001: nogroup:x:65534: >"$root/etc/group"
	cp -a "$srcdir/tests/program" "$root/src/tests/" && install -m 755 "$here/guest/init" "$root/init" &&
		cp -aL "$folder/build"/tiptop "$folder/build"/tiptop-*.so "$folder/build/libtiptop.so.0" "$root/build/" &&
		find "$folder/build/tests/program" -maxdepth 1 -type f -perm /111 -exec cp -t "$root/build/tests/program" {} + &&
		chmod -R a+rX "$root"
}

# make_board FOLDER: the initramfs, and what runs there.
make_board() {
	"$srcdir/tests/machines/sysroot.sh" "$1/system" "$machine" "$libraries" "$suite" "${board_packages[@]}" >"$1/system.log" 2>&1 ||
		{ why=$(tail -n 1 "$1/system.log") && return 77; }
	why="the guest's system cannot be made"
	rm -rf "$scratch/root" "$scratch/test"
	make_root "$scratch/root" "$1/system/sysroot" && (cd "$scratch/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$1/initramfs" &&
		cp -R "$here/guest" "$scratch/test" && cp "$scratch/structure.host" "$scratch/test/" &&
		echo "$folder/sysroot" >"$scratch/test/sysroot" &&
		"$compiler-gcc" -nostdlib -static -o "$scratch/test/loop" "$here/loop.S" &&
		"$compiler-gcc" --sysroot="$folder/sysroot" -O1 -static -o "$scratch/test/sleeps" "$here/guest/sleeps.c"
	rm -rf "$scratch/root"
}

# run_board NAME MACHINE SUITE PACKAGE RELEASE LEVEL MODES CONSOLE EMULATOR
run_board() {
	local name=$1 begun=$SECONDS status

	why="${9%% *} is missing on this machine"
	command -v "${9%% *}" >/dev/null || { results "$name" 77 && return; }
	build_machine "$2" && why=$("$here/kernel.sh" "$bed" "$name" "$3" "$4" "$machine" 2>&1) && make_board "$bed/$name"
	status=$?
	[ $status -eq 0 ] || { results "$name" $status && return; }
	echo "# $name: $(cat "$bed/$name/package"), with ${9%% *}"
	echo "$5 $6 1 $7" >"$scratch/test/expected"
	sed '/^#/d; /^$/d' "$here/board-scripts" >"$scratch/test/tests"
	initramfs=$bed/$name/initramfs EMULATOR=$9 CONSOLE=$8 boot "$name" "$bed/$name/vmlinuz"
	echo "# $name: $((SECONDS - begun)) s"
}
