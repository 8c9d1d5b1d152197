#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh FOLDER [KERNEL]... - boots Debian's kernels in a virtual machine with two CPUs, machines of another kind with their
# own PMU, and the counter test bed (tests/vm) with Debian's newest kernel (arm64-newest), and runs tests of the program there:
# what tiptop counts, and what it says of what it cannot count, must not depend on the kernel. Prints TAP. With names from the
# tables (table, boards), or arm64-newest, only these.
#
# Kernels are downloaded into FOLDER, once for each version. If none can be, or this is not Debian on x86-64, the only line is
# "1..0 # SKIP why". Scripts in which something fails run once more, in a second boot; what passes then is unsteady.
#
# From the environment: srcdir, and builddir, a build with the programs of "make check TESTS="; MACHINES: the folder of
# tests/machines/run.sh, whose builds are used for other machines (default: FOLDER/machines); BED: the folder of
# tests/vm/run.sh (default: FOLDER/bed).
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
srcdir=${srcdir:-$(cd "$here/../.." && pwd)}
builddir=${builddir:?}
export srcdir builddir
count=0 failed=0

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

bail_out() {
	echo "Bail out! $1"
	exit 1
}

# relay NAME: gives the results of a guest their numbers.
relay() {
	local line

	while IFS= read -r line; do
		case $line in
		'ok - '*) echo "ok $((++count)) - $1: ${line#ok - }" ;;
		'not ok - '*) echo "not ok $((++count)) - $1: ${line#not ok - }" && failed=1 ;;
		'@@STATUS '*) ;;
		*) echo "# ${line#\# }" ;;
		esac
	done
}

# --- the accelerator ---

# KVM is used if a guest boots with it: nested, it may stop before the kernel's first line.
choose_accelerator() {
	accelerator=tcg
	[ -w /dev/kvm ] || return 0
	mkdir -p "$scratch/probe" && echo 'echo up' >"$scratch/probe/run"
	if ACCEL=kvm TMO=20 "$here/boot.sh" "$1" "$initramfs" "$scratch/probe" >"$scratch/probe.log" 2>&1 && grep -qx up "$scratch/probe.log"; then
		accelerator=kvm
	else
		echo "# /dev/kvm is there, but no guest boots with it: $(tail -n 1 "$scratch/probe.log" | cut -c 1-200)"
	fi
}

# --- the boots ---

# write_tests: the scripts, as guest/run reads them.
write_tests() {
	local user=user

	[ "$(id -u)" -ne 0 ] || user=root
	echo "$user /test same"
	sed '/^#/d; /^$/d' "$here/scripts"
}

# once NAME KERNEL: one boot: the guest's results, and whether it came to its end.
once() {
	if ACCEL=$accelerator "$here/boot.sh" "$2" "$initramfs" "$scratch/test" 2>"$scratch/err"; then
		echo "ok - the guest came to its end"
	else
		echo "not ok - $(tail -n 1 "$scratch/err")"
	fi
}

# again LOG: leaves, of the scripts, those in which something failed, if the guest came to its end.
again() {
	grep -q '^ok - the guest came to its end' "$1" || return 0
	awk 'FNR == NR { if (/^not ok - /) { sub(/^not ok - /, ""); sub(/:.*/, ""); failed[$0] } next } $1 "/" $3 in failed' \
		"$1" "$scratch/test/tests" >"$scratch/left"
	mv "$scratch/left" "$scratch/test/tests"
}

# boot NAME KERNEL: runs the scripts, and those that fail once more.
boot() {
	local log=$bed/$1/log

	once "$1" "$2" >"$log"
	if grep -q '^not ok - ' "$log"; then
		sed 's/^/# at first: /' "$log" | grep -E '^# at first: (not ok|#)'
		mv "$log" "$log.first"
		again "$log.first"
		once "$1" "$2" >"$log"
		grep '^not ok - ' "$log.first" | grep -vxFf "$log" | sed "s/^not ok - /# UNSTEADY: $1: /"
		# What passed at first and did not run again.
		grep -E '^ok - ' "$log.first" | grep -vxFf <(sed 's/^not //' "$log") >>"$log"
	fi
	relay "$1" <"$log"
}

# results NAME STATUS: a result in place of all of its tests: what is missing, or a fault, in $why.
results() {
	count=$((count + 1))
	[ "$2" -ne 77 ] || { echo "ok $count - $1 # SKIP ${why##*: }" && return; }
	failed=1
	echo "not ok $count - $1: ${why##*$'\n'}"
}

run_kernel() {
	local name=$1 suite=$2 package=$3 expected=$4 begun=$SECONDS

	why=$("$here/kernel.sh" "$bed" "$name" "$suite" "$package" 2>&1)
	set -- $?
	[ "$1" -eq 0 ] || { results "$name" "$1" && return; }
	[ "$accelerator" ] || choose_accelerator "$bed/$name/vmlinuz"
	echo "# $name: $(cat "$bed/$name/package"), with $accelerator"
	echo "$expected 2" >"$scratch/test/expected"
	write_tests >"$scratch/test/tests"
	boot "$name" "$bed/$name/vmlinuz"
	echo "# $name: $((SECONDS - begun)) s"
}

# run_bed NAME SUITE PACKAGE: all tests of the bed with this kernel.
run_bed() {
	local name=$1 begun=$SECONDS

	why=$("$here/kernel.sh" "$bed" "$1" "$2" "$3" arm64 2>&1)
	set -- $?
	[ "$1" -eq 0 ] || { results "$name" "$1" && return; }
	echo "# $name: $(cat "$bed/$name/package")"
	KERNEL=$bed/$name/vmlinuz "$srcdir/tests/vm/run.sh" "${BED:-$bed/bed}" >"$bed/$name/log" 2>&1
	if grep -qE '^(not )?ok ' "$bed/$name/log"; then
		relay "$name" < <(sed -E '/^1\.\./d; s/^((not )?ok) [0-9]+ /\1 /' "$bed/$name/log")
	else
		why=$(tail -n 1 "$bed/$name/log")
		results "$name" "$([[ $why = *SKIP* ]] && echo 77 || echo 1)"
	fi
	echo "# $name: $((SECONDS - begun)) s"
}

# is_wanted NAME: in a row of a table, which may be a comment.
is_wanted() {
	[[ $1 && $1 != \#* && ($wanted = "  " || $wanted = *" $1 "*) ]]
}

[ $# -gt 0 ] || { echo "usage: tests/kernels/run.sh FOLDER [KERNEL]..." >&2 && exit 2; }
[ "$(uname -m)" = x86_64 ] || skip_all "the guests have the programs of this machine, which is not x86-64"
for tool in apt-get dpkg-deb qemu-system-x86_64 cpio gcc; do
	command -v "$tool" >/dev/null || skip_all "$tool is missing on this machine"
done
mkdir -p "$1" && bed=$(realpath "$1") || bail_out "the folder $1 cannot be made"
shift
wanted=" $* "
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/files" && cp -R "$here/guest" "$scratch/test"
TIPTOP=$builddir/tiptop sh "$here/guest/structure" "$scratch/files" >"$scratch/structure.host"
cp "$scratch/structure.host" "$scratch/test/"
initramfs=$bed/initramfs accelerator=
why=$("$here/initramfs.sh" "$initramfs" 2>&1) || bail_out "the guest's system cannot be made: ${why##*$'\n'}"
while read -r name suite package expected; do
	is_wanted "$name" || continue
	run_kernel "$name" "$suite" "$package" "$expected" </dev/null
done <"$here/table"
# shellcheck source=boards.sh
. "$here/boards.sh"
while read -r name machine suite package release level modes console emulator; do
	is_wanted "$name" || continue
	run_board "$name" "$machine" "$suite" "$package" "$release" "$level" "$modes" "$console" "$emulator" </dev/null
done <"$here/boards"
! is_wanted arm64-newest || run_bed arm64-newest sid linux-image-cloud-arm64
echo "1..$count"
exit $failed
