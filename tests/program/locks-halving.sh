#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: how much halving a hold time would save, of programs that sleep while they hold a lock, and with half of the hold
# time; and nothing of programs that are not within the bounds of the model.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
${CC:-cc} -O2 -pthread -o "$dir/halving" "${srcdir:?}/doc/studies/halving.c" -lm 2>"$err" || skip_all "there is no compiler"

# of KEY: its value in the line about the process.
of() {
	sed -n '1s/.*"'"$1"'":"*\([^",]*\).*/\1/p' "$dir/report"
}

# measure OPTION...: runs the program under tiptop.
measure() {
	"$tiptop" locks -o "$dir/report" "$@" >"$out" 2>"$err"
}

# On a busy machine, threads may have waited for a CPU too long for a prediction: it is tried some times.
for _ in 1 2 3 4 5; do
	measure --format json -- "$dir/halving" taken 30000 11
	[ "$(of halving_reason)" ] || break
done
took=$(cut -d " " -f 1 "$out")
saved=$(sed -n 's/.*"name":"lock",.*"halving_saves":\([0-9]*\).*/\1/p' "$dir/report")
if [ "$saved" ]; then
	within "a lock that is always held: half of the time, in per cent" "$(awk -v s="$saved" -v t="$(of halving_time)" 'BEGIN { printf "%.0f", 100 * s / t }')" 45 51
	half=$("$dir/halving" taken 15000 11 | cut -d " " -f 1)
	within "with half of the hold time, it takes as long as predicted, in per cent" \
		"$(awk -v s="$saved" -v t="$took" -v half="$half" 'BEGIN { printf "%.0f", 100 * (t - s / 1e9) / half }')" 90 110
else
	is "or threads waited for a CPU" "$(of halving_reason)" "threads waited for a CPU"
fi
for case in nested:5000:15 readers:5000:15 busy:3000:12; do
	rest=${case#*:}
	measure --format json -- "$dir/halving" "${case%%:*}" "${rest%:*}" "${rest#*:}"
	is "${case%%:*}: no prediction" "$(of halving_reason | grep -c .) $(grep -c halving_saves "$dir/report")" "1 0"
done
measure --format json --sample 3 -- "$dir/halving" taken 3000 12
matches "with --sample: no prediction" "$(of halving_reason)" "not all acquisitions were timed|threads do not run at the same time"
finish
