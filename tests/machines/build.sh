# shellcheck shell=bash disable=SC2034,SC2154 # sourced by scripts that have the variables
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh - sourced by scripts that build tiptop for other machines: the table of machines, and the build of one of them, with
# Debian's cross compiler and libraries.
#
# Used variables: srcdir; machine, compiler, libraries and suite, from the table; folder, where the machine has its sysroot and
# its build; JOBS: how many processes at a time.
jobs=${JOBS:-$(nproc)}
# i386: its instructions are those of x86-64, whose kernel runs its programs.
#
# machine  compiler                 libraries              suite     emulator
machine_table='
i386       i686-linux-gnu           i386-linux-gnu         bookworm  -
s390x      s390x-linux-gnu          s390x-linux-gnu        bookworm  qemu-s390x
armhf      arm-linux-gnueabihf      arm-linux-gnueabihf    bookworm  qemu-arm
arm64      aarch64-linux-gnu        aarch64-linux-gnu      bookworm  qemu-aarch64
ppc64el    powerpc64le-linux-gnu    powerpc64le-linux-gnu  bookworm  qemu-ppc64le
riscv64    riscv64-linux-gnu        riscv64-linux-gnu      trixie    qemu-riscv64
'

# loader: prints where the programs of this machine have the loader.
loader() {
	echo 'int main(void) { return 0; }' | $cc -x c - -o "$folder/empty" &&
		readelf -l "$folder/empty" | sed -n 's/.*program interpreter: \(.*\)]$/\1/p'
}

# The programs find the loader and the libraries of the sysroot by themselves: the emulator needs no option, and i386's are
# run as they are.
build() {
	local cc="$compiler-gcc --sysroot=$folder/sysroot" flags line

	. "$folder/cross.env" && mkdir -p "$folder/build" && cd "$folder/build" || return
	flags="-Wl,--dynamic-linker=$folder/sysroot$(loader) -Wl,-rpath,$folder/sysroot/usr/lib/$libraries -Wl,--disable-new-dtags"
	line="$srcdir/configure --host=$compiler --enable-werror CC='$cc' CFLAGS=-O2 LDFLAGS='$flags'"
	if [ "$(cat .configured 2>/dev/null)" != "$line" ]; then
		eval "$line" && make -s clean && echo "$line" >.configured || return
	fi
	make -s -j"$jobs" all && make -s -j"$jobs" check TESTS=
}
