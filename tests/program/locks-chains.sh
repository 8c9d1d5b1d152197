#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --chains: the chains of waits of the program chainer.c, which are known.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

chainer=${builddir:?}/tests/program/chainer
report=$dir/report folded=$dir/folded
rounds=3

# measure FORMAT OPTION...: the rows are in $report then.
measure() {
	format=$1
	shift
	"$tiptop" locks --chains --format "$format" -o "$report" "$@" -- "$chainer" $what >"$out" 2>"$err"
}

# chains COLUMN...: these columns of each chain, with the chain at the end, sorted.
chains() {
	awk -F, -v names="$*" '
	NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ for (i = 1; i <= n; i++) printf "%s ", $at[name[i]]; print $at["chain"] }' "$report" | LC_ALL=C sort -k "$(($# + 1))"
}

# time_of STACK: in the file of --folded.
time_of() {
	awk -v stack="$1" '{ sub(/^process [0-9]*;/, ""); ns = $NF; sub(/ [0-9]*$/, "") } $0 == stack { print ns }' "$folded"
}

what=''
measure csv --folded "$folded"
is "the program ends well" $? 0
is "all chains, each with its waits, locks and holder" "$(chains waits length holder)" \
	"$rounds 2 third a (get_a) > b (get_b)
$rounds 3 main a (get_a) > b (get_b) > c (get_c)
$rounds 2 main b (get_b) > c (get_c)"
ok "the longest one takes as long as the program says" "$(awk -v said="$(cat "$out")" -v ns="$(chains wait_ns | awk '/get_a.*get_c/ { print $1 }')" \
	'BEGIN { split(said, bound, " "); print !(ns >= bound[2] && ns <= bound[3]) }')"
is "the longest time comes first" "$(cut -d, -f2 "$report" | tail -n +2)" "$(cut -d, -f2 "$report" | tail -n +2 | sort -nr)"
is "a part of a wait is in one chain only: what b takes without c is the same for both that wait" \
	"$(time_of '[held by third];[lock b];get_b;[lock a];get_a')" "$(time_of '[held by third];[lock b];get_b')"
ok "of waits that began later, less is in common" "$(awk -v a="$(time_of '[held by main];[lock c];get_c;[lock b];get_b;[lock a];get_a')" \
	-v b="$(time_of '[held by main];[lock c];get_c;[lock b];get_b')" -v c="$(time_of '[held by main];[lock c];get_c')" \
	'BEGIN { print !(a < b && b < c) }')"
ok "folded lines have the times of the rows" "$([ "$(time_of '[held by main];[lock c];get_c;[lock b];get_b;[lock a];get_a')" = \
	"$(chains wait_ns | awk '/get_a.*get_c/ { print $1 }')" ]; echo $?)"
is "and waits without a chain" "$(grep -c '\[held by second\];\[lock a\];get_a [1-9]' "$folded")" 1

what='sleep'
measure csv
is "a chain may end at a condition variable" "$(chains waits length holder | grep bell)" \
	"$rounds 3  a (get_a) > b (get_b) > bell (sleep_on)
$rounds 2  b (get_b) > bell (sleep_on)"

what=''
measure text --rows 1
is "--rows limits them" "$(grep -c 'get_.*>' "$report")" 1
measure json --sample 1000
is "sampling does not change chains" "$(grep -c '"type":"chain".*"locks":\["a","b","c"\],"callers":\["get_a","get_b","get_c"\]' "$report")" 1
"$tiptop" compare "$report" "$report" >"$out" 2>"$err"
is "chains are not compared" "$? $(cat "$err")" \
	"2 tiptop: $report:2: this report has chains of waits instead of locks to compare: write it without --chains"
"$tiptop" locks -o "$report" -- "$chainer" >"$out" 2>"$err"
ok "without --chains there are rows of locks" "$(grep -q '^a  *mutex' "$report"; echo $?)"
for option in --threads --group=kind; do
	"$tiptop" locks --chains $option -- "$chainer" >"$out" 2>"$err"
	is "$option is refused" $? 2
done
ok "with the reason" "$(grep -q -- '--chains and --group exclude each other: a chain has several' "$err"; echo $?)"
finish
