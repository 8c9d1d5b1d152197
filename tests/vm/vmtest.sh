#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# vmtest.sh BED DIR - boots the test bed with DIR's contents in /test, runs /test/run there as root, relays its output.
#
# Exit status: that of /test/run; 99 if the guest did not finish (panic, hang, or TMO seconds have passed).
#
# From the environment:
#   SHIFT  one instruction takes 2^SHIFT ns and 2^SHIFT cycles, so IPC is 1/2^SHIFT; empty: the guest follows the host's
#          clock and has no instructions event (default 0)
#   CPU    the emulated processor (default neoverse-n1: 6 counters and one for cycles)
#   SMP    the number of processors (default 1)
#   MEM    memory in MB (default 512)
#   KERNEL the kernel (default: that of the bed)
#   TMO    seconds until the emulator is killed (default 600)
#
# With more than one processor, the emulator's instruction counts are wrong. sleep=off: idle time passes at once.
set -uo pipefail

[ $# -eq 2 ] || { echo "usage: vmtest.sh BED DIR" >&2; exit 99; }
bed=$(realpath "$1") dir=$(realpath "$2") shift_=${SHIFT-0}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The kernel unpacks both archives, one after the other.
mkdir "$scratch/root"
cp -a "$dir" "$scratch/root/test"
(cd "$scratch/root" && find . | cpio -o -H newc -R 0:0 --quiet) | cat "$bed/base.cpio" - >"$scratch/initrd" || exit 99

timeout "${TMO:-600}" qemu-system-aarch64 -M virt -cpu "${CPU:-neoverse-n1}" -smp "${SMP:-1}" -m "${MEM:-512}" -accel tcg \
	${shift_:+-icount "shift=$shift_,sleep=off"} -nodefaults -nographic -no-reboot -monitor none -serial stdio \
	-semihosting-config enable=on,userspace=on,target=native \
	-kernel "${KERNEL:-$bed/vmlinuz}" -initrd "$scratch/initrd" -append "console=ttyAMA0 quiet panic=-1 rdinit=/init" \
	</dev/null | tr -d '\r' | tee "$scratch/log"
status=${PIPESTATUS[0]}

# After a panic the emulator ends with 0, too: the guest's own last word is needed.
if ! grep -qx "@@STATUS $status" "$scratch/log"; then
	echo "vmtest: the guest did not come to its end (the emulator's exit status is $status)" >&2
	exit 99
fi
exit "$status"
