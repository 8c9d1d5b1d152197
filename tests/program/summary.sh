#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The summary of a command behind "--": what it has done with all that it made.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

N=1000 # pages

# summary OPTION... -- COMMAND...: the lines of the summary go to $text, an object in JSON to $json; $status.
text=$dir/summary json=$dir/json
summary() {
	rm -f "$out"
	"$tiptop" -b --format json -o "$out" -S software -d 0.1 "$@" >"$dir/printed" 2>"$err" </dev/null
	status=$?
	grep -s '^{"type":"summary"' "$out" >"$json"
}
# number KEY: of the object; of events, their values.
number() {
	sed -n "s/.*\"$1\":\({\"value\":\)\{0,1\}\([-0-9.e+]*\).*/\2/p" "$json"
}

"$tiptop" -b -S software -d 0.1 -o "$out" -- sh -c '"$0" touch=10; exit 3' "$work" 2>"$err"
is "text: the status is that of the command" $? 3
grep '^# ' "$out" >"$text"
matches "text: who has ended how" "$(head -n 1 "$text")" "# summary: sh -c .*touch=10.*, and all that it made, ended with status 3"
matches "text: its times" "$(sed -n 2p "$text")" \
	"# wall [0-9.]+ s, CPU [0-9.?]+( s \([0-9.]+ %\))?: user [0-9.]+ s, system [0-9.]+ s"
matches "text: the columns of the screen, over the whole run" "$(tail -n 2 "$text" | head -n 1)" "# +PID \[ %CPU\] .*"
matches "text: and their values" "$(tail -n 1 "$text")" "# +[0-9]+ .* sh"
is "text: it stands at the end" "$(tail -n 1 "$out")" "$(tail -n 1 "$text")"
"$tiptop" -b --format csv -S software -d 0.1 -o "$out" -- true 2>"$err"
is "csv: has rows alone" "$(grep -vc '^timestamp,\|^[-0-9T:.+]*,' "$out")" 0

summary -- sh -c 'exit 7'
is "json: one object, the last one" "$(tail -n 1 "$out")" "$(cat "$json")"
is "json: the status" "$(number status)" 7
matches "json: the command" "$(cat "$json")" '.*"command":\["sh","-c","exit 7"\].*'
summary -n 1 -- "$work" spin=50
is "-n: what is not shown any more is in it all the same" "$(wc -l <"$json")" 1
within "-n: the whole time" "$(number cpu_s)" 0.05 50
summary -- sh -c 'kill -TERM $$'
is "a signal: the status, as of a shell" "$(number status)" 143
summary -- "$dir/none"
is "what could not be run has none" "$status $(cat "$json")" "127 "

# rusage, and the task clock where it can be counted.
summary -- sh -c '"$0" spin=400; true' "$work"
within "CPU time of a child" "$(number cpu_s)" 0.4 20
within "no more than the time that CPUs had" "$(calc "$(number cpu_s) / $(number wall_s)")" 0 "$(nproc)"
within "user and system are about that" "$(calc "($(number user_s) + $(number system_s)) / $(number cpu_s)")" 0.5 2

if reason=$("$work" can-count); then
	summary -- "$work" exit=0
	base=$(number page-faults)
	summary -- sh -c '"$0" touch='$N'; "$0" touch='$N' & wait; "$0" fork touch='$N'' "$work"
	within "faults of three children and a grandchild" "$(number page-faults)" $((3 * N)) $((4 * N))
	summary -- sh -c 'i=0; while [ $i -lt 100 ]; do "$0" touch=100; i=$((i + 1)); done' "$work"
	within "faults of children that live for ms" "$(number page-faults)" $((100 * (100 + base / 2))) 200000
	summary -- sh -c '("$0" touch='$N' &) ; "$0" spin=100; "$0" spin=100' "$work"
	within "of one that nobody waits for, too" "$(calc "$(number page-faults) - 4 * $base")" $((N / 2)) 100000
	summary -- "$work" pool=20 each-touch=100 end-pool
	within "faults of threads" "$(number page-faults)" 2000 4000
	summary -e page-faults -- "$work" touch=$N
	is "an event that the screen has, too, is one" "$(grep -o '"page-faults":{' "$json" | wc -l)" 1
else
	skip "counts" "$reason"
fi

# A child that outlives the command is not waited for.
mkfifo "$dir/held"
summary -- sh -c "(read x <'$dir/held' &); exit 4"
is "a child that stays is not waited for" "$status $(number status)" "4 4"
echo go >"$dir/held"

# On the live screen it comes once the screen has been left.
case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*)
	skip "the live screen" "built without ncurses"
	;;
*)
	TERM=xterm "$builddir/tests/program/terminal" 'show=ended with status 5' type=q end \
		'rest=summary: sh -c exit 5, and all that it made, ended with status 5' -- \
		"$tiptop" -d 0.1 -- sh -c 'exit 5' >"$dir/steps" 2>&1
	is "live: it stays" "$(cat "$dir/steps")" "show ended with status 5: yes
exit 5
rest summary: sh -c exit 5, and all that it made, ended with status 5: yes"
	;;
esac

finish
