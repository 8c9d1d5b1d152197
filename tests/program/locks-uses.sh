#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: of waits whose objects say by their names what they are used as (labelled.c), at least 90 % are found, and none
# for work is said to be for a lock with the highest certainty.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

report=$dir/report
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
labelled=$builddir/tests/program/labelled

# measure [OPTION...]: the name, use and certainty of each object are in $dir/uses then.
measure() {
	"$tiptop" locks --format csv --fields name,idle,certainty -o "$report" "$@" -- "$labelled" >"$out" 2>"$err"
	sed -n 's/^\(\(lock\|work\)_.*\)/\1/p' "$report" | LC_ALL=C sort -u >"$dir/uses"
}

measure
is "the program ends well" "$? $(cat "$err")" "0 "
# An object for which no thread happened to wait has no row.
ok "at least 40 objects" "$(awk 'END { print NR < 40 }' "$dir/uses")"
awk -F, '(/^lock/ && $2) || (/^work/ && !$2)' "$dir/uses" >"$dir/wrong"
[ $(($(wc -l <"$dir/wrong") * 10)) -le "$(wc -l <"$dir/uses")" ]
ok "at least 90 % of them are right: all but $(tr '\n' ' ' <"$dir/wrong")" $?
is "work is not taken for a lock that is sure" "$(grep '^work.*,0,sure$' "$dir/wrong")" ""
is "what only a lock can be is sure" "$(grep '^lock_futex_pi,' "$dir/uses")" "lock_futex_pi,0,sure"
is "so is what only time ends" "$(grep -c '^work_timer_.*,1,sure$' "$dir/uses")" 3

# --- rules of the user ---
echo 'lock maybe barrier waits>=1' >"$dir/rules"
measure --rules "$dir/rules"
is "rules of a file come first" "$(grep '^work_barrier,' "$dir/uses")" "work_barrier,0,maybe"
echo 'lock' >"$dir/rules"
"$tiptop" locks --rules "$dir/rules" -- echo started >"$out" 2>"$err"
is "a fault in them ends tiptop before the command starts" "$? $(cat "$out" "$err")" \
	"2 tiptop: $dir/rules: line 1: a certainty is missing"
finish
