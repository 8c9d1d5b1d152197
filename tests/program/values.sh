#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --values: the meaning of counts. In the rows of `counters`, field 2 is declared as a total, and field 4 is the count that
# --values changes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

N=700
work_start name=values$$ wait touch=$N wait touch=$N wait touch=$N wait touch=$N wait
if "$work" can-count >"$dir/text" 2>&1; then
	# shellcheck disable=SC2086 # several options
	watch $counters -d 0.1 -i -p "$worker" --values total
	feed
	look
	faults "total: what was counted" "$(last "$worker" 4)" $N 1
	feed
	look
	watch_end
	faults "total: of both times" "$(last "$worker" 4)" $((2 * N)) 2
	is "total: as the total is written" "$(rows "$worker" | awk '$2 != $4' | wc -l)" 0
	is "total: it says so" "$(grep -c '^values: total$' "$out")" 1
else
	skip "totals of counters" "$(cat "$dir/text")"
fi

# In batch mode the mark is the start of the first refresh.
if "$work" can-count >"$dir/text" 2>&1; then
	# shellcheck disable=SC2086 # several options
	watch $counters -d 0.1 -i -p "$worker" --values since-mark
	is "since a mark: nothing yet" "$(last "$worker" 4)" 0
	feed
	look
	faults "since a mark: what was counted" "$(last "$worker" 4)" $N 1
	feed
	look
	watch_end
	faults "since a mark: of both times" "$(last "$worker" 4)" $((2 * N)) 2
	is "since a mark: the head says since when" "$(grep -c '^values: since-mark, ..:..:..$' "$out")" 1
else
	skip "counts since a mark" "$(cat "$dir/text")"
fi

# A count of the last refresh before the worker goes on is 0, of any kind but the total.
for kind in interval rate; do
	# shellcheck disable=SC2086 # several options
	"$tiptop" -b $counters -d 0.1 -n 3 -i -p "$worker" --values $kind >"$out" 2>"$err" 3>&-
	is "$kind: nothing happened" "$(last "$worker" 4)" "$(last "$worker" 5 | sed 's/\..*//')"
	is "$kind: what the head says" "$(grep -c '^values: ' "$out")" "$([ $kind = interval ]; echo $?)"
done
work_end

"$tiptop" -b -n 1 --values often >"$out" 2>"$err"
is "others: status" $? 2
is "others: the message" "$(cat "$err")" "tiptop: there are no values 'often': name one of interval, rate, total, since-mark"
finish
