# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A command that creates 2,000 children: its counts with them, without them, and those of each child.
. ./lib.sh

# The kernel of Debian 12 does not tell what each of them has counted: one row has all of it. A newer one tells it of each.
tiptop -b $exact -d 1000 --children -- ./brood >"$out" 2>"$err" 3>&-
is "brood: status" $? 0
sum_of_all() {
	awk '/^# .* HARDWARE INSTRUCTIONS$/ { print $2; exit }' "$out"
}
first=$(awk '!/^#/ && / brood/ { if (!first || $1 + 0 < first) first = $1 + 0 } END { print first }' "$out")
is "brood: the sum of all is exact" "$(sum_of_all)" "$brood_all"
is "brood: that of the first process" "$(last "$first" 3)" "$brood_root"
if grep -q '^# of that, 2000 tasks that have ended, as the kernel reported' "$out"; then
	is "brood: and the rest is that of its children" \
		"$(awk '/^# of that/ { ended = 1 } ended && /HARDWARE INSTRUCTIONS/ { print $2; exit }' "$out")" \
		"$(calc "2000 * $brood_child")"
	is "brood: each has a row of its own" \
		"$(awk '/ brood DEAD \(status 0,/ && $3 == want' want="$brood_child" "$out" | wc -l)" 2000
else
	is "brood: and the rest is that of its children" "$(last 0 3)" "$(calc "$brood_all - $brood_root")"
fi

# With refreshes, some are seen; the rows are the whole all the same.
tiptop -b $exact -d 0.1 --children -- ./brood >"$out" 2>"$err" 3>&-
is "brood: with refreshes: the sum of all" "$(sum_of_all)" "$brood_all"
is "brood: with refreshes: the rows are the whole" \
	"$(awk '!/^#/ && /brood|seen one by one/ { sub(/[+-]$/, "", $1); last[$1] = $3 } END { for (i in last) sum += last[i]; printf "%.0f\n", sum }' "$out")" "$brood_all"

# Stopped at their ends, each is known.
tiptop -b $exact --exact -d 1000 --children -- ./brood >"$out" 2>"$err" 3>&-
is "brood: --exact: status" $? 0
is "brood: --exact: the sum of all" "$(sum_of_all)" "$brood_all"
is "brood: --exact: each child has all of its own" \
	"$(awk '/ brood DEAD \(status 0,/ && $3 == want' want="$brood_child" "$out" | wc -l)" 2000
is "brood: --exact: those that have ended" "$(awk '/followed to its end/ { print $4 }' "$out")" 2000
tiptop follow -T 0 -f -c instructions -o "$out" -- ./brood 2>"$err" 3>&-
is "brood: followed: status" $? 0
is "brood: followed: the ends of children" "$(awk '$3 == "exit" && $4 == want' want="$brood_child" "$out" | wc -l)" 2000
