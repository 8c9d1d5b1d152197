#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# boot.sh KERNEL INITRAMFS DIR - boots the kernel, the initramfs and DIR's contents in /test, where init runs
# /test/run; relays its output.
#
# Exit status: that of /test/run; 99 if the guest did not finish (panic, hang, or TMO seconds have passed).
#
# From the environment:
#   ACCEL     kvm, with the CPU of the host; or tcg, the default: emulation
#   EMULATOR  the emulator of another machine, with its options, in place of qemu-system-x86_64 with ACCEL
#   CONSOLE   the device of the kernel's console there
#   TMO       seconds until the emulator is killed (default 1200)
set -uo pipefail

[ $# -eq 3 ] || { echo "usage: boot.sh KERNEL INITRAMFS DIR" >&2; exit 99; }
dir=$(realpath "$3") initramfs=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
x86=(qemu-system-x86_64 -smp 2)
case ${EMULATOR:+board}${ACCEL:-tcg} in
board*) read -ra machine <<<"$EMULATOR" ;;
kvm) machine=("${x86[@]}" -accel kvm -cpu host) ;;
# One thread for both CPUs: perf switches jump labels of the kernel, and with two threads, QEMU 7.2 lets a CPU run into the
# breakpoint of such a change after it has been made, which the kernel takes for a fault.
*) machine=("${x86[@]}" -accel "tcg,thread=single" -cpu Nehalem) ;;
esac

# The kernel unpacks both archives, one after the other.
mkdir "$scratch/root"
cp -a "$dir" "$scratch/root/test"
(cd "$scratch/root" && find . | cpio -o -H newc -R 0:0 --quiet) | cat "$initramfs" - >"$scratch/initrd" || exit 99

# no_timer_check: on a busy host, the emulated timer may be too late for the test that the kernel makes at its start.
# What firmware says is left out.
timeout "${TMO:-1200}" "${machine[@]}" -m 1536 -nodefaults -nographic -no-reboot -monitor none -serial stdio \
	-kernel "$1" -initrd "$scratch/initrd" \
	-append "console=${CONSOLE:-ttyS0} quiet panic=-1 no_timer_check rdinit=/init" \
	</dev/null 2>"$scratch/err" | sed -u 's/\r$//; 1,/Booting from ROM\|Booting Linux via\|Boot HART MEDELEG/d; s,^.*\x1b\[2J,,' | tee "$scratch/log"

status=$(sed -n 's/^@@STATUS \([0-9]*\)$/\1/p' "$scratch/log")
if [ -z "$status" ]; then
	echo "the guest did not come to its end: $(tail -n 1 "$scratch/err")" >&2
	exit 99
fi
exit "$status"
