#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libproc2 4.0.2-3 (Debian 12), procps_pids_get(3) and procps_pids_reap(3).
#
# With items of the folder alone (PIDS_ID_PID, PIDS_ID_EUID), neither function opens a file of a process, as one expects.
# But procps_pids_get() opens, reads and closes /proc/uptime for each process that it returns, although no item is a
# time: a walk of a thousand processes makes three thousand system calls more than their folders need.
# procps_pids_reap() reads it once a walk. So a program that reads the files of processes itself, and wants only the list
# of them, pays for a file that nothing is taken from.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || { echo "this needs strace" >&2 && exit 1; }
package libproc2-0 2:4.0.2-3
package libproc2-dev 2:4.0.2-3
cat >"$dir/walk.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <libproc2/pids.h>

int main(int argc, char **argv)
{
	enum pids_item items[] = {PIDS_ID_PID, PIDS_ID_EUID};
	struct pids_info *info = NULL;
	int n = 0;

	if (argc < 2 || procps_pids_new(&info, items, 2))
		return 1;
	if (!strcmp(argv[1], "get"))
		while (n < 5 && procps_pids_get(info, PIDS_FETCH_TASKS_ONLY))
			n++;
	else if (procps_pids_reap(info, PIDS_FETCH_TASKS_ONLY))
		n = 1;
	printf("%d\n", n);
	procps_pids_unref(&info);
	return 0;
}
C
lib=$(dirname "$(find "$dir/root" -name 'libproc2.so.0')")
gcc -I"$dir/root/usr/include" -o "$dir/walk" "$dir/walk.c" "$lib/libproc2.so.0" || exit 1
# opens HOW PATTERN: prints how often a walk opens such files; "get" walks over five processes.
opens() {
	LD_LIBRARY_PATH="$lib" strace -qq -e trace=openat -o "$dir/trace" "$dir/walk" "$1" >"$dir/out" || exit 1
	grep -c "\"/proc/$2\"" "$dir/trace"
}
seen "get: no file of a process is opened" "$(opens get '[0-9][0-9]*/.*')" 0
seen "get: five processes, and /proc/uptime five times" "$(opens get uptime)" 5
seen "reap: no file of a process is opened" "$(opens reap '[0-9][0-9]*/.*')" 0
seen "reap: all processes, and /proc/uptime once" "$(opens reap uptime)" 1
