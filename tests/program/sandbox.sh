#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls with a seccomp filter that a program sets itself: it behaves as without tiptop, and the
# report says since when it was not measured.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
own_tables
sandbox=$builddir/tests/program/sandbox
sentence='#   measuring stopped after [0-9]+\.[0-9]{3} s: the program set a filter of system calls that does not allow'

# run COMMAND ACTION [DEED]: with and without tiptop, the same output and the same status.
run() {
	"$sandbox" "$2" ${3:+"$3"} >"$dir/without" 2>"$err"
	set -- "$1" "$2" "${3:-}" "$?$(cat "$dir/without" "$err")"
	case $4 in 7*) ;; *)
		skip "$1: $2 $3" "the program cannot do that here: $4"
		return 1
		;;
	esac
	"$tiptop" "$1" -o "$dir/report" -- "$sandbox" "$2" ${3:+"$3"} >"$dir/with" 2>"$err"
	is "$1: $2 $3: as without tiptop" "$?$(cat "$dir/with" "$err")" "$4"
	sed -n '/measuring stopped/p' "$dir/report" >"$out"
}

# count COMMAND: acquisitions, or calls of strtol(), that the report has.
count() {
	if [ "$1" = locks ]; then
		sed -nE 's/^# +([0-9]+) acquisitions? of .*/\1/p' "$dir/report"
	else
		awk '$1 == "strtol" { print $3; exit }' "$dir/report"
	fi
}

for command in locks calls; do
	for action in kill errno trap strict; do
		run $command $action || continue
		matches "$command: $action: since when" "$(cat "$out")" "$sentence rt_sigprocmask"
		is "$command: $action: what was before is counted" "$(count $command)" 3000
	done
	if run $command kill call; then
		matches "$command: by seccomp(2)" "$(cat "$out")" "$sentence rt_sigprocmask"
	fi
	if run $command kill forks; then
		matches "$command: with a child" "$(cat "$out")" "$sentence rt_sigprocmask"
		is "$command: with a child: what was before is counted" "$(count $command)" 3000
	fi
	if run $command kill threads; then
		matches "$command: with threads" "$(cat "$out")" "$sentence gettid"
		within "$command: with threads: what was before is counted" "$(count $command)" 3000 6000
	fi
	if run $command kill enough; then
		is "$command: what it needs is allowed: measuring goes on" "$(cat "$out")" ""
		is "$command: what it needs is allowed: all is counted" "$(count $command)" 15000
		"$tiptop" $command -e page-faults -o "$dir/report" -- "$sandbox" kill enough >"$out" 2>"$err"
		is "$command: and so it is with events" "$?$(cat "$out") $(count $command)" "7before
behind 15000"
	fi
	if [ $command = locks ] && run locks kill enough; then
		"$tiptop" locks -e task-clock -o "$dir/report" -- "$sandbox" kill enough >"$out" 2>"$err"
		is "locks: with the CPU clock: as without tiptop" "$?$(cat "$out")" "7before
behind"
		matches "locks: which needs one more call" "$(sed -n '/measuring stopped/p' "$dir/report")" "$sentence clock_gettime"
	fi
	for action in loose bad code lost null; do
		run $command $action || continue
		is "$command: $action: measuring goes on" "$(cat "$out")" ""
		is "$command: $action: all is counted" "$(count $command)" 6000
		[ $command = calls ] || is "$command: $action: each lock by itself" "$(grep -c '^other ' "$dir/report")" 0
	done
	if run $command loose forks; then
		is "$command: a child is not measured, and does what it does" "$(count $command)" 6000
	fi
	if run $command kill vfork; then
		is "$command: a child by vfork(2) sets it for itself" "$(cat "$out")" ""
		is "$command: its parent goes on" "$(count $command)" 6000
	fi
	if run $command kill dlclose; then
		matches "$command: a library is closed behind it" "$(cat "$out")" "$sentence rt_sigprocmask"
		is "$command: what was before is counted" "$(count $command)" 3000
	fi
	"$tiptop" $command --folded "$dir/folded" -o "$dir/report" -- "$sandbox" kill >"$out" 2>"$err"
	is "$command: with stacks" "$?$(cat "$out" "$err") $(count $command)" "7before
behind 3000"
	matches "$command: which are of what was before" "$command $(grep -c strtol "$dir/folded")" 'locks 0|calls 1'
	sentence=${sentence#'#   '}
	"$tiptop" $command --format csv -o "$dir/report" -- "$sandbox" kill >"$out" 2>"$err"
	matches "$command: beside CSV" "$? $(cat "$err")" "7 tiptop: $command: process [0-9]+: $sentence rt_sigprocmask"
	"$tiptop" $command --live -b -d 0.2 -- "$sandbox" kill >"$out" 2>"$err"
	matches "$command: while it runs" "$(grep 'measuring stopped' "$err")" "tiptop: $sentence rt_sigprocmask"
	sentence="#   $sentence"
	"$tiptop" $command --format json -o "$dir/report" -- "$sandbox" kill >"$out" 2>"$err"
	matches "$command: in JSON" "$(sed -n 1p "$dir/report")" \
		'.*"stopped_after": ?[0-9.e+]+, ?"stopped_for": ?"rt_sigprocmask".*'
done
finish
