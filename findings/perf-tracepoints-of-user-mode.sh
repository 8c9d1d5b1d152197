#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# perf 6.1.192-3 (Debian 12) on Linux 6.18: tracepoints with the modifier u (exclude_kernel).
#
# A tracepoint is hit in the kernel, so one expects that without the kernel either all tracepoints count nothing, or that
# the modifier is refused. But those of single system calls, such as syscalls:sys_enter_write, count with u what they
# count without it, since the kernel gives them the registers of the user program; this is how an ordinary user at
# kernel.perf_event_paranoid 2 can trace his own system calls. raw_syscalls:sys_enter, which is hit at the same moment by
# the same system call, counts 0, and so do sched:sched_switch and sched:sched_process_exec. All of them are opened
# without an error, and perf marks none of the zeros.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package linux-perf 6.1.192-3

# counts MODIFIER: prints the counts of four tracepoints of a shell that writes twice, sleeps, and executes one program.
counts() {
	"$dir/root/usr/bin/perf" stat -x , -o "$dir/counts" \
		-e "syscalls:sys_enter_write$1,raw_syscalls:sys_enter$1,sched:sched_switch$1,sched:sched_process_exec$1" \
		-- sh -c 'echo a >/dev/null; echo b >/dev/null; sleep 0.01' || exit 1
	awk -F , '!/^#/ && /:/ { printf "%s%s", (n++ ? " " : ""), ($1 == 0 ? 0 : ($3 ~ /write/ ? $1 : "some")) }' "$dir/counts"
}
[ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || { echo "this needs root, who may read tracefs" >&2 && exit 1; }
seen "of the user and the kernel, all four count" "$(counts '')" "2 some some some"
seen "of the user alone, only the tracepoint of one system call does, and the others are 0" "$(counts :u)" "2 0 0 0"
