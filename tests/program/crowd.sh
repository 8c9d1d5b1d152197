#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Among thousands of processes a refresh takes long: two tasks with equal shares of a CPU still show equal %CPU, whether
# they are read early or late in it.
# shellcheck source=lib.sh disable=SC2086 # options are several words
. "$(dirname "$0")/lib.sh"

N=3000
SHARE=10 # percent of a CPU
DELAY=3  # seconds

# The two begin with a byte of their input, and all workers end with it.
mkfifo "$dir/early" "$dir/late" "$dir/end"
"$work" wait share=$SHARE <"$dir/early" >"$dir/first" &
first=$!
exec 4>"$dir/early"
"$work" crowd=$N wait <"$dir/end" >"$dir/crowd" 2>"$err" 4>&- &
crowd=$!
exec 3>"$dir/end"
worker="$first $crowd"
gathered() {
	[ -s "$dir/crowd" ] || ! kill -0 $crowd 2>/dev/null
}
await gathered
[ -s "$dir/crowd" ] || skip_all "$N processes cannot be started here: $(cat "$err")"
"$work" wait share=$SHARE <"$dir/late" >"$dir/second" 3>&- 4>&- &
second=$!
worker="$worker $second"
exec 5>"$dir/late"
printf x >&4
printf x >&5

"$tiptop" -b -n 2 -d $DELAY $counters >"$out" 2>"$err" 3>&- 4>&- 5>&-
is "exit status" $? 0
"$tiptop" -b -H -n 1 -d $DELAY $counters >"$dir/by-threads" 2>"$err" 3>&- 4>&- 5>&-
is "-H: exit status" $? 0
exec 4>&- 5>&-
wait $first $second
exec 3>&-
worker=$crowd

# What the workers could not help: the longest time that one was kept from its CPU, as a part of the interval.
lag_ns=$(cat "$dir/first" "$dir/second" | awk '$1 == "lag" && $2 > n { n = $2 } END { printf "%d", n }')
slack=$(calc "0.03 + 2 * $lag_ns / ($DELAY * 1e9)")
echo "# kept waiting for up to $((lag_ns / 1000000)) ms"

# shares NAME ROW: %CPU of both tasks, in that refresh.
shares() {
	a=$(rows $first | awk -v n="$2" 'NR == n { print $6 }') b=$(rows $second | awk -v n="$2" 'NR == n { print $6 }')
	within "$1: who is read early" "$a" "$(calc "$SHARE * (1 - $slack)")" "$(calc "$SHARE * (1 + $slack)")"
	within "$1: who is read late" "$b" "$(calc "$SHARE * (1 - $slack)")" "$(calc "$SHARE * (1 + $slack)")"
}
if [ "$(calc "$slack < 0.25")" = 1.000000 ]; then
	shares "first interval" 1
	shares "second interval" 2
	out=$dir/by-threads
	shares "-H, first interval" 1
else
	skip "shares of a CPU" "the workers were kept from theirs for $((lag_ns / 1000000)) ms"
fi
finish
