#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# perf 6.1.192-3 (Debian 12) on Linux 6.18, in a time namespace (time_namespaces(7)).
#
# "perf record -k CLOCK_BOOTTIME" stamps its records with the clock by which a program can find them among times of its
# own: outside of a time namespace, they lie between two readings of /proc/uptime around the command, as one expects.
# In a time namespace, clock_gettime(2), /proc/uptime and the start times of /proc/PID/stat have the offset of the
# namespace, but the kernel stamps the records without it: by the clock of the namespace, the command ran long before it
# was started, or after it has ended. perf says nothing. So a reader that merges records with what /proc says has to add
# the offset of /proc/self/timens_offsets itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

unshare -T --boottime 1 true 2>/dev/null || { echo "this needs the right to make a time namespace" >&2 && exit 1; }
package linux-perf 6.1.192-3
perf=$dir/root/usr/bin/perf

# place OFFSET: records the page faults of a command in a time namespace whose clock is ahead by OFFSET seconds, and
# prints where the first and the last record lie: "between" the readings of the clock around it, "before" or "after" them.
place() {
	# shellcheck disable=SC2016 # for the inner shell
	unshare -T --boottime "$1" --monotonic "$1" sh -c 'cut -d " " -f 1 /proc/uptime
		"$0" record -q -k CLOCK_BOOTTIME -e page-faults:u -c 1 -o "$1" -- /bin/true >/dev/null 2>&1
		cut -d " " -f 1 /proc/uptime' "$perf" "$dir/data" >"$dir/clock" || exit 1
	"$perf" script -i "$dir/data" -F time 2>"$dir/err" | tr -d ' :' | sed -n '1p;$p' | awk -v clock="$(tr '\n' ' ' <"$dir/clock")" '
		BEGIN { split(clock, at, " ") }
		{ printf "%s%s", (NR > 1 ? ", " : ""), ($1 + 0.02 < at[1] ? "before" : ($1 - 0.02 > at[2] ? "after" : "between")) }'
}
seen "without an offset, the records lie between two readings of the clock" "$(place 0)" "between, between"
seen "1000 seconds ahead, they lie before both" "$(place 1000)" "before, before"
