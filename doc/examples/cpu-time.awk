# SPDX-License-Identifier: GPL-2.0-or-later
#
# CPU time by program, in seconds. The name is the last field: what is in it, commas too, is the rest of the line.
#
#   tiptop --format csv --fields interval_s,cpu,name -n 60 | awk -f cpu-time.awk
BEGIN { FS = "," }
NR == 1 { next }
{
	name = $0
	sub(/^[^,]*,[^,]*,/, "", name)
	if ($2 != "") # unknown is empty, and not 0
		time[name] += $1 * $2 / 100
}
END {
	for (name in time)
		printf "%10.3f %s\n", time[name], name | "sort -rn"
}
