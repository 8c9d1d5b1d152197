#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh BED - builds tiptop for arm64, boots the test bed a few times and relays the results as TAP.
#
# BED is a folder for everything that is built; the next run reuses it. The tests are guest/*.sh; the end of this file
# assigns them to boots. If the bed cannot be built, the only line is "1..0 # SKIP why".
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
count=0 failed=0

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

bail_out() {
	echo "Bail out! $1"
	exit 1
}

# relay: gives the guest's results their numbers.
relay() {
	local line

	while IFS= read -r line; do
		case $line in
		'ok - '*) echo "ok $((++count)) ${line#ok }" ;;
		'not ok - '*) echo "not ok $((++count)) ${line#not ok }" && failed=$((failed + 1)) ;;
		*) echo "# ${line#\# }" ;;
		esac
	done
}

# --- what runs in the guest ---

# program NAME SOURCE ITERATIONS: a static program, and its absolute symbols as lines of expected.sh.
program() {
	local name=${1//-/_} value kind symbol

	$CC -nostdlib -static -DITERATIONS="$3" -o "$work/$1" "$here/guest/$2" || return
	aarch64-linux-gnu-nm "$work/$1" | while read -r value kind symbol; do
		[ "$kind" != A ] || echo "${name}_${symbol%_instructions}=$((16#$value))"
	done >>"$work/expected.sh"
}

build_programs() {
	local flags="-std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static"

	# shellcheck disable=SC2086 # flags are words
	program loop-short loop.S 1000000 && program loop-tenth loop.S 50000000 &&
		program loop-half loop.S 250000000 && program loop-long loop.S 1000000000 &&
		program brood brood.S 1000 && program wait-short wait.S 1000000 && program wait-long wait.S 750000000 &&
		$CC $flags -o "$work/count" "$here/guest/count.c" &&
		$CC $flags -o "$work/hold" "$here/guest/hold.c" &&
		$CC $flags -o "$work/pty" "$here/guest/pty.c" &&
		$CC $flags -pthread -o "$work/threads" "$here/guest/threads.c" &&
		$CC $flags -pthread -o "$work/futexes" "$here/guest/futexes.c" &&
		$CC ${flags% -static} -pthread -fno-plt -I "$top/include" -o "$work/reads" "$here/guest/reads.c" "$bed/build/libtiptop.so.0" &&
		$CC ${flags% -static} -pthread -fno-plt -I "$top/include" -o "$work/many" "$here/guest/many.c" "$bed/build/libtiptop.so.0" -lm &&
		$CC ${flags% -static} -pthread -fno-plt -I "$top/include" -o "$work/pairs" "$here/guest/pairs.c" "$bed/build/libtiptop.so.0" &&
		$CC ${flags% -static} -fno-plt -fno-builtin -o "$work/asks" "$here/guest/asks.c"
}

# The files of the source tree may be read-only, and readable by the owner alone.
build_work() {
	rm -rf "$work"
	mkdir -p "$work"
	cp -R "$here/guest/." "$work/" && chmod -R u+w "$work" && build_programs && cp "$bed/build/tiptop" "$bed/build/libtiptop.so.0" "$bed/build/tiptop-calls.so" "$bed/build/tiptop-locks.so" "$work/" &&
		chmod -R a+rX "$work" && chmod a+x "$work/run"
}

# What was built of another source tree is of no use.
build_tiptop() {
	grep -qsFx "srcdir='$top'" "$bed/build/config.status" || rm -rf "$bed/build"
	mkdir -p "$bed/build" && cd "$bed/build" || return
	if [ ! -e config.status ] || [ "$top/configure" -nt config.status ]; then
		"$top/configure" --host=aarch64-linux-gnu --enable-werror || return
	fi
	make -s -j"$(nproc)" tiptop libtiptop.so.0 tiptop-calls.so tiptop-locks.so
}

# --- the boots ---

# once NAME: one boot: the guest's results, and whether it came to its end.
once() {
	if "$here/vmtest.sh" "$bed" "$work" 2>"$bed/vmtest.err"; then
		echo "ok - $1: the guest came to its end"
	else
		echo "not ok - $1: $(cat "$bed/vmtest.err")"
	fi
}

# boot NAME TEST...: runs these tests in one boot; in a second one, if something failed. What passes then is unsteady.
boot() {
	local name=$1

	shift
	printf '%s\n' "$@" >"$work/tests"
	echo "# boot: $name"
	once "$name" >"$bed/guest.log"
	if grep -q '^not ok - ' "$bed/guest.log"; then
		sed 's/^/# at first: /' "$bed/guest.log"
		mv "$bed/guest.log" "$bed/first.log"
		once "$name" >"$bed/guest.log"
		grep '^not ok - ' "$bed/first.log" | grep -vxFf "$bed/guest.log" | sed 's/^not ok - /# UNSTEADY: /'
	fi
	relay <"$bed/guest.log"
}

boot_shift() {
	sed -i '/^ns_shift=/d' "$work/expected.sh"
	echo "ns_shift=$1" >>"$work/expected.sh"
	SHIFT=$1 boot "1 instruction in $((1 << $1)) ns" "${@:2}"
}

[ $# -eq 1 ] || bail_out "usage: run.sh BED"
for tool in qemu-system-aarch64 make pkg-config; do
	command -v "$tool" >/dev/null || skip_all "$tool is missing on this machine"
done
mkdir -p "$1" || bail_out "the folder $1 cannot be made"
bed=$(realpath "$1") work=$(realpath "$1")/work
why=$("$here/mkbed.sh" "$bed" 2>&1)
case $? in
0) ;;
77) skip_all "${why##*mkbed: }" ;;
*) bail_out "the test bed cannot be built: ${why##*$'\n'}" ;;
esac
[ -e "$top/configure" ] || bail_out "there is no configure in the top folder: run autoreconf -i first"

. "$bed/cross.env"
if ! (build_tiptop) >"$bed/build.log" 2>&1; then
	sed 's/^/# /' "$bed/build.log" | tail -n 30
	bail_out "tiptop cannot be built for arm64"
fi
build_work || bail_out "the programs for the guest cannot be built"

boot_shift 0 bed ipc counts dead command brood threads paranoid users files record
boot_shift 0 events sixteen groups held modes list check screens live system
boot_shift 0 library regions locks locks-kernel calls
boot_shift 1 bed ipc system
boot_shift 2 bed ipc system
SHIFT='' CPU=neoverse-n1,pmu=off boot "no PMU" no-pmu
SHIFT='' SMP=2 boot "two CPUs" hotplug

echo "1..$count"
[ $failed -eq 0 ]
