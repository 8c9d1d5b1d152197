#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The summary of a command behind "--": its counts with all of its descendants.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

N=1000 # pages

# summary OPTION... -- COMMAND...: the lines of the summary go to $text, an object in JSON to $json; $status.
text=$dir/summary json=$dir/json
summary() {
	stolen_before=$(stolen)
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
matches "text: who has ended how" "$(head -n 1 "$text")" "# summary: sh -c .*touch=10.*, and its descendants: ended with status 3"
matches "text: its times" "$(sed -n 2p "$text")" \
	"# wall [0-9.]+ s, CPU [0-9.?]+( s \([0-9.]+ %\))?: user [0-9.]+ s, system [0-9.]+ s( since the fork)?"
# What the command did before its execve(2) is in two of them only, which is said where it is seen.
sed -n 2p "$text" | awk '{ for (i = 1; i < NF; i++) v[$i] = $(i + 1)
	said = /since the fork/; more = v["user"] + v["system"] - v["CPU"]
	exit !(said ? more > -0.001 : more < 0.003) }'
ok "text: where its times begin: $(sed -n 2p "$text")" $?
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
stolen_s=$(calc "$(stolen_ms) / 1000")
within "user and system are about that, but for what the host has kept" \
	"$(calc "$(number user_s) + $(number system_s)")" "$(calc "0.5 * $(number cpu_s) - $stolen_s")" "$(calc "2 * $(number cpu_s)")"

if reason=$("$work" can-count); then
	summary -- "$work" exit=0
	base=$(number page-faults)
	summary -- sh -c '"$0" touch='$N'; "$0" touch='$N' & wait; "$0" fork touch='$N'' "$work"
	within "faults of three children and a grandchild" "$(number page-faults)" $((3 * N)) $((4 * N))
	summary -- sh -c 'i=0; while [ $i -lt 100 ]; do "$0" touch=100; i=$((i + 1)); done' "$work"
	within "faults of children that live for ms" "$(number page-faults)" $((100 * (100 + base / 2))) 200000
	summary -- sh -c '("$0" touch='$N' &) ; "$0" spin=100; "$0" spin=100' "$work"
	within "of one that is never waited for, too" "$(calc "$(number page-faults) - 4 * $base")" $((N / 2)) 100000
	summary -- "$work" pool=20 each-touch=100 end-pool
	within "faults of threads" "$(number page-faults)" 2000 4000
	summary -- sh -c '(("$0" spin=2000; : >"$1") &); until [ -e "$1" ]; do sleep 0.1; done' "$work" "$dir/spun"
	matches "what was not waited for is in the counters only" "$(cat "$json")" \
		'.*"conflict":"user and system lack [0-9.]* s of the CPU time that was counted: .*'
	summary -- sh -c '"$0" spin=300; "$0" children=300' "$work"
	is "without that, there is no conflict" "$(grep -c '"conflict"' "$json")" 0
	summary -S events -e page-faults -- "$work" touch=$N
	is "an event that the screen has, too, is one" "$(sed 's/"level".*//' "$json" | grep -o '"page-faults":{' | wc -l)" 1
else
	skip "counts" "$reason"
fi

# Recorded and replayed, it stands there again as it was.
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip "the summary in a recording" "$(cat "$dir/text")"
else
	for format in text json; do
		"$tiptop" -b --format $format -S software -d 0.1 --record "$dir/$format.db" -o "$out" -- \
			sh -c '"$0" touch=300; "$0" pool=3 spin=20 end-pool; exit 5' "$work" 2>"$err" </dev/null
		"$tiptop" -b --format $format --replay "$dir/$format.db" -o "$dir/again" 2>"$err"
		is "recorded as $format: status of the replay" $? 0
		grep '^# \|"type":"summary"' "$out" >"$dir/then"
		[ -s "$dir/then" ] && grep '^# \|"type":"summary"' "$dir/again" | cmp - "$dir/then"
		ok "recorded as $format: the same summary" $?
		is "recorded as $format: at the end" "$(tail -n 1 "$dir/again")" "$(tail -n 1 "$dir/then")"
		is "recorded as $format: nothing is said of it" "$(cat "$err")" ""
	done
	"$tiptop" -b -S software -d 0.1 --record "$dir/text.db" -o "$out" -- sh -c 'exit 6' 2>"$err" </dev/null
	"$tiptop" -b --replay "$dir/text.db" -o "$dir/again" 2>"$err"
	is "each run has its own" "$(sed -n 's/^# summary: .* ended with status //p' "$dir/again" | tr '\n' ' ')" "5 6 "
	"$tiptop" -b --replay "$dir/text.db" --to +0 -o "$dir/again" 2>"$err"
	matches "--to: the end of the command was not reached" "$(grep -c '^# ' "$dir/again") $(cat "$err")" "0 tiptop: '.*' has no interval in this time: .*"
	"$tiptop" -b --replay "$dir/text.db" --record "$dir/copy.db" -o "$dir/again" 2>"$err"
	"$tiptop" -b --replay "$dir/copy.db" -o "$out" 2>"$err"
	is "recorded once more, the last one is there" "$(sed -n 's/^# summary: .* ended with status //p' "$out")" 6
	"$tiptop" -b -S software -d 0.1 --record "$dir/cut.db" -o "$dir/cut" -- sleep 60 2>"$err" </dev/null 3>&- &
	monitor=$!
	await grep -qs '^ *[0-9].* sleep' "$dir/cut"
	kill -KILL "$monitor"
	wait "$monitor" 2>/dev/null
	monitor=''
	kill "$(awk '$NF == "sleep" { print $1; exit }' "$dir/cut")"
	"$tiptop" -b --replay "$dir/cut.db" -o "$dir/again" 2>"$err"
	is "one that was cut off says so" "$? $(cat "$err")" \
		"0 tiptop: how 'sleep' has ended is not in the recording, which was ended before: there is no summary"
fi

# Where the kernel reports each end: these, and what the first task has counted itself by the counters of its row, are
# the whole, to the last fault.
of_ended() {
	sed -n 's/.*"ended":{\(.*\)/\1/p' "$json" | sed -n "s/.*\"$1\":\({\"value\":\)\{0,1\}\([-0-9]*\).*/\2/p"
}
of_row() {
	grep '^{"type":"exit"' "$out" | sed -n 's/.*"page_faults":\([0-9]*\).*/\1/p'
}
of_whole() {
	sed -n 's/.*"events":{\([^]]*\)"level".*/\1/p' "$json" | sed -n 's/.*"page-faults":{"value":\([0-9]*\).*/\1/p'
}
# adds_up NAME TASKS COMMAND...: it makes TASKS tasks, or (+) an unknown number.
adds_up() {
	adds_up_name=$1 adds_up_tasks=$2
	shift 2
	rm -f "$out"
	"$tiptop" -b --format json -o "$out" --values total -e page-faults -d 1000 -- "$@" >"$dir/printed" 2>"$err" </dev/null
	grep '^{"type":"summary"' "$out" >"$json"
	lost=$(of_ended lost)
	[ "$adds_up_tasks" = + ] ||
		is "$adds_up_name: ends that were told, and that were lost" $(($(of_ended tasks) + lost)) "$adds_up_tasks"
	if [ "$lost" -gt 0 ]; then
		skip "$adds_up_name: all counts" "$lost ends were lost on this busy machine"
	else
		is "$adds_up_name: all counts" "$(($(of_row) + $(of_ended page-faults)))" "$(of_whole)"
	fi
}
ns() {
	awk '{ sum += $1 * 1e9 } END { printf "%d\n", sum + 0.5 }'
}
sum_of_programs() {
	sed -n 's/.*"programs":\[\(.*\),"names_lost".*/\1/p' "$json" | grep -o 'cpu_s":[0-9.e-]*' | sed 's/.*://' | ns
}
summary -- true
case $(sed -n 's/.*"level":"\([a-z]*\)".*/\1/p' "$json") in
each)
	is "an end is told" "$(of_ended tasks) $(of_ended lost)" "0 0"
	summary -- sh -c '"$0" name=first spin=100; "$0" name=second spin=300 fork; seq 10 | sort; true' "$work"
	is "programs, the busiest first" "$(sed -n 's/.*"programs":\[\(.*\)\],"rest_cpu_s".*/\1/p' "$json" | grep -o '"name":"[a-z]*","processes":[0-9]*' |
		head -n 2)" '"name":"second","processes":2
"name":"first","processes":1'
	matches "a program: its CPU time" "$(cat "$json")" '.*"name":"second","processes":2,"cpu_s":0\.[3-9].*'
	is "all programs and the rest are the whole" "$(sum_of_programs)" "$(sed -n '/"type":"summary"/s/.*"wall_s":[0-9.]*,"cpu_s":\([0-9.]*\),.*/\1/p' "$json" | ns)"
	matches "programs of a pipeline" "$(cat "$json")" '.*"name":"sort","processes":1,.*'
	# The rows of a shell alone show nothing of what its children do.
	for option in '' --children; do
		"$tiptop" -b -S software -o "$dir/$option.text" $option -- sh -c '"$0" touch=1; "$0" touch=1' "$work" 2>"$err"
	done
	is "--children is named if it adds rows" "$(sed -n 's/^# \(programs by .*\)/\1/p' "$dir/.text" "$dir/--children.text")" \
		"programs by CPU time; --children adds rows of these processes:
programs by CPU time:"
	"$tiptop" -b -S software -o "$out" -- "$work" pool=2 each-touch=1 end-pool 2>"$err"
	is "but not for threads" "$(sed -n 's/^# \(programs by .*\)/\1/p' "$out")" "programs by CPU time:"
	# A kernel may not tell how processes end; then that is unknown, and not 0.
	failing='i=0; while [ $i -lt 7 ]; do "$0" name=bad exit=$((i % 4)); i=$((i + 1)); done; exit 3'
	summary -- sh -c "$failing" "$work"
	of_bad=$(sed -n 's/.*"name":"bad","processes":7,"cpu_s":[0-9.e-]*,"failed":\([0-9a-z]*\)[,}].*/\1/p' "$json")
	if grep -q '"failed_quality"' "$json"; then
		skip "how many of a program failed" "it is not reported for each here: $of_bad"
	else
		is "how many of a program failed" "$of_bad" 5
		"$tiptop" -b -d 1000 -S software -- sh -c "$failing" "$work" >"$out" 2>"$err"
		matches "in words, as far as it is known" "$(grep ' 7 bad' "$out")" "#  .* 7 bad, (5|\?|[1-5] or more) failed"
	fi
	adds_up "20,000 children" 20000 "$work" children=20000
	adds_up "a pipeline of five" 6 sh -c 'seq 20000 | sort -r | uniq | tail -n 5000 | wc -l; "$0" touch='$N'' "$work"
	adds_up "threads of a child" 601 sh -c '"$0" pool=600 each-touch=3 end-pool; true' "$work"
	summary -- "$work" pool=1 each-touch=9 end-pool pool=1 each-touch=9 end-pool pool=1 end-pool
	is "threads one after the other: status, and their ends" "$status $(($(of_ended tasks) + $(of_ended lost)))" "0 3"
	adds_up "a leader that ends before its threads" + sh -c '"$0" pool=3 each-touch=50 leave touch=200; true' "$work"
	adds_up "a parallel sort" + sh -c 'seq 200000 | sort --parallel=4 -S 1M -T "$0" -r | tail -n 1; true' "$dir"
	# Another monitor counts the threads of a child meanwhile: its events change nothing, and ours nothing of its.
	adds_up "threads that another process counts, too" + sh -c '"$0" pool=4 each-spin=100 hand-over each-spin=100 hand-over each-spin=100 end-pool &
"$1" -b -n 8 -d 0.05 -e page-faults,task-clock -p $! >"$2"; wait' "$work" "$tiptop" "$dir/text"
	within "threads that another process counts: faults are faults" "$(of_whole)" 100 50000
	if command -v make >"$dir/text"; then
		printf 'all: a b c d e f\n%%:\n\t@"%s" touch=50 fork touch=50\n' "$work" >"$dir/Makefile"
		adds_up "make -j2" + sh -c 'make -s -j2 -f "$0"; true' "$dir/Makefile"
	else
		skip "make -j2" "there is no make"
	fi
	if command -v python3 >"$dir/text"; then
		adds_up "multiprocessing" + sh -c 'python3 -c "
import multiprocessing
if __name__ == \"__main__\":
    with multiprocessing.get_context(\"fork\").Pool(3) as pool:
        print(sum(pool.map(abs, range(1000))))
        pool.close()
        pool.join()"; true'
		adds_up "vfork and posix_spawn" + sh -c 'python3 -c "
import os, subprocess
subprocess.run([\"true\"])
os.waitpid(os.posix_spawnp(\"true\", [\"true\"], os.environ), 0)"; true'
	else
		skip "multiprocessing" "there is no python3"
	fi
	;;
*)
	skip "ends of tasks" "this kernel does not tell of them, or this user may not count"
	;;
esac

# A child that outlives the command is not waited for.
mkfifo "$dir/held"
summary -- sh -c "(read x <'$dir/held' &); exit 4"
is "a child that stays is not waited for" "$status $(number status)" "4 4"
echo go >"$dir/held"

# What the command does to make itself ready is left out. tiptop has taken the signal once it does not wait any more,
# and has counted once it sleeps.
taken() {
	! sed -n 's/^ShdPnd:[^0-9a-f]*//p' "/proc/$1/status" | grep -q '[89a-f]..$' && grep -q '^State:.*S' "/proc/$1/status"
}
matches "--start-after needs a command" "$("$tiptop" -b -n 1 --start-after 1 2>&1)" "tiptop: --start-after is for a command: .*"
summary --start-after 1000 -- sh -c 'exit 6'
is "it ends before: its status, and all that it did" "$status $(number status) $(grep -c counted_from_s "$json")" "6 6 0"
is "it ends before: which is said" "$(cat "$err")" \
	"tiptop: the command ended before --start-after: its summary is of all that it did"
# The fourth refresh comes after the moment at which it begins to count, however slow the machine is.
summary --start-after 0.1 -- sh -c 'i=0
	until [ "$(grep -cs "^{\"type\":\"refresh\"" "$0")" -ge 4 ] || [ $((i += 1)) -gt 1200 ]; do sleep 0.05; done' "$out"
within "--start-after: when the count began" "$(number counted_from_s)" 0.1 60
is "--start-after: what is unknown" "$(number user_s) $(grep -c '"user_s":null' "$json")" " 1"
if reason=$("$work" can-count); then
	mkfifo "$dir/ready"
	rm -f "$out"
	: >"$dir/printed"
	"$tiptop" -b --format json -o "$out" -S software -d 1000 -- "$work" touch=20000 wait touch=500 \
		<"$dir/ready" >"$dir/printed" 2>"$err" &
	monitor=$!
	exec 3>"$dir/ready"
	await grep -q '# wait' "$dir/printed"
	kill -USR2 $monitor
	await taken $monitor
	printf x >&3
	wait $monitor
	monitor=''
	exec 3>&-
	grep '^{"type":"summary"' "$out" >"$json"
	within "SIGUSR2: faults after it alone" "$(number page-faults)" 500 5000
	is "SIGUSR2: single ends are not told" "$(sed -n 's/.*"level":"\([a-z]*\)".*/\1/p' "$json") $(grep -c '"ended"' "$json")" "sum 0"
else
	skip "SIGUSR2" "$reason"
fi

# On the live screen it comes once the screen has been left.
case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*)
	skip "the live screen" "built without ncurses"
	;;
*)
	TERM=xterm "$builddir/tests/program/terminal" 'show=ended with status 5' type=q end \
		'rest=summary: sh -c exit 5, and its descendants: ended with status 5' -- \
		"$tiptop" -d 0.1 -- sh -c 'exit 5' >"$dir/steps" 2>&1
	is "live: it stays" "$(cat "$dir/steps")" "show ended with status 5: yes
exit 5
rest summary: sh -c exit 5, and its descendants: ended with status 5: yes"
	;;
esac

finish
