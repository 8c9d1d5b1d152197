# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# libtiptop: counters of the calling thread, read in user space, or by system calls if that is not allowed.
. ./lib.sh

# relayed COMMAND...: the results of a program, and that it came to its end.
relayed() {
	LD_LIBRARY_PATH=/test "$@" >"$out" 2>"$err"
	ok "library: '$*' came to its end" $?
	cat "$out"
	rm -f "$out"
}

echo 1 >/proc/sys/kernel/perf_user_access
relayed ./reads cost
relayed ./reads region 10
TIPTOP_REGIONS=instructions,cycles,r8,r11 TIPTOP_REPORT=/dev/null relayed ./reads region 520
paranoid 2
relayed su user1 -c 'cd /test && exec ./reads 0'
echo 0 >/proc/sys/kernel/perf_user_access
relayed su user1 -c 'cd /test && exec ./reads 1' | sed 's/ - library:/ - library, by system calls:/'
echo 1 >/proc/sys/kernel/perf_user_access
# A thousand threads: pages run out first, and with fewer descriptors these.
four=instructions,cycles,page-faults,context-switches
ulimit -l 64
ulimit -n 8192
relayed su user1 -c "cd /test && exec ./many $four maps"
ulimit -n 1024
relayed su user1 -c "cd /test && exec ./many $four files" | sed 's/ - library:/ - library, 1,024 descriptors:/'
