#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study D: what halving a hold time saves. tiptop locks predicts it for programs whose hold time is a parameter
# (halving.c), and then they run with half of it. It says nothing of programs that are not within the bounds of its model.
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"

${CC:-cc} -O2 -pthread -o "$dir/halving" "$srcdir/doc/studies/halving.c" -lm 2>"$err" || skip_all "there is no compiler"
need jq
say_machine halving.c

busy="threads waited for a CPU"

# predict PROGRAM HOLD_US: runs it under tiptop locks, and sets took (seconds), predicted (with half of the hold time; null: no
# prediction), reason, and waited: how long its threads waited for a CPU, in % of that time. Within a hold, all of this is a
# delay for all threads.
predict() {
	took=$("$tiptop" locks --format json -o "$dir/report" -- "$dir/halving" "$1" "$2" 2>"$err")
	waited=$(calc "100 * ${took#* } / ${took% *}") took=${took% *}
	predicted=$(jq -s --argjson took "$took" 'map(select(.halving_saves and .name == "lock").halving_saves) |
		if length > 0 then $took - .[0] / 1e9 else null end' "$dir/report")
	reason=$(jq -r 'select(.type == "locks") | .halving_reason // "-"' "$dir/report")
	keep "$dir/report"
}

for run in $runs; do
	for case in taken:12000 taken:3000 constant:6000 constant:10000 exponential:4000 exponential:8000 sequence:6000 \
		condition:6000 steps:10000; do
		program=${case%:*} hold_us=${case#*:}
		predict "$program" "$hold_us"
		if [ "$predicted" = null ]; then
			[ "$reason" != - ]
			ok "run $run: $program, $hold_us us: no prediction, but a reason: $reason" $?
			continue
		fi
		before=$took before_predicted=$predicted before_waited=$waited
		predict "$program" $((hold_us / 2))
		half=$took took=$before predicted=$before_predicted
		if [ "$reason" = "$busy" ]; then
			say "run $run: $program, $hold_us us: with half of it, $busy: the times are of two machines"
			continue
		fi
		off=$(awk -v p="$predicted" -v half="$half" 'BEGIN { printf "%.1f", 100 * (p / half - 1) }')
		printf '%s\t%s\t%.3f\t%.3f\t%.3f\t%s\n' "$program" "$hold_us" "$took" "$predicted" "$half" "$off" >>"$dir/table"
		within "run $run: $program, $hold_us us: the prediction differs by at most 10 %, and the waits for a CPU" "$off" \
			"$(calc "-10 - $waited")" "$(calc "10 + $before_waited")"
		echo "$program" >>"$dir/predicted"
	done
	for program in readers nested busy; do
		predict "$program" 6000
		is "run $run: $program: no prediction ($reason)" "$predicted" null
	done
done
[ -e "$dir/predicted" ] || { skip "predictions" "$busy" && finish; }
if [ "$(LC_ALL=C sort -u "$dir/predicted" | tr '\n' ' ')" = "condition constant exponential sequence steps taken " ]; then
	ok "each program had predictions" 0
else
	skip "each program had predictions" "$busy"
fi
{ printf 'program\thold, us\ttook, s\tpredicted, s\twith half, s\toff, %%\n' && cat "$dir/table"; } | say_table
finish
