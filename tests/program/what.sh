#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop what: the story of a recording of this machine agrees with --replay.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

name=wht$$
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# what NAME STATUS WORD...
what() {
	what_name=$1 what_status=$2
	shift 2
	"$tiptop" what "$@" >"$out" 2>"$err" </dev/null
	is "$what_name: status" $? "$what_status"
}
# refuses NAME STATUS PATTERN WORD...
refuses() {
	refused=$1 wanted=$2 pattern=$3
	shift 3
	what "$refused" "$wanted" "$@"
	matches "$refused: a sentence" "$(tail -n 1 "$err")" "$pattern"
}
# seconds WHAT: of the line of CPU time that ends so, or begins its third word so.
cpu_of() {
	awk -v name="$1" '$3 == name { print $1; exit }' "$out"
}

work_start name="$name" wait spin=1500 wait
"$tiptop" -b -S why -d 0.2 -n 12 -i -p "$name" --record "$dir/a.db" -o "$dir/shown" >"$out" 2>"$err" 3>&- &
monitor=$!
await grep -qs "$name" "$dir/shown"
feed
wait "$monitor"
monitor=''
work_end

what "a recording" 0 "$dir/a.db"
matches "its title" "$(head -n 1 "$out")" 'What happened from [0-9-]+ [0-9:]+ to [0-9-]+ [0-9:]+'
is "its parts" "$(grep '^[A-Z]' "$out" | tail -n +2)" "What ran
The biggest consumers
Why they were no faster
What is not known"
matches "what ran" "$(grep 'CPU time used' "$out")" ' *CPU time used: (at least )?[0-9.]+ s in [0-9.]+ s, [0-9.]+ % of the CPUs; 1[012] intervals'
# The worker waits for a CPU, or does not: the sum is that of what --replay shows, and no part of the CPU time.
matches "time waited is separate" "$(grep -c 'time waited for a CPU: .*[0-9.]* s, ready to run' "$out") $(grep -c 'time waited for I/O: ' "$out")" "1 1"
is "who" "$(awk -v name="$name" '$3 == name { print $4 }' "$out")" 1
"$tiptop" -b -i -S why --format csv --fields interval_s,name,cpu --replay "$dir/a.db" >"$dir/csv" 2>"$err"
told=$(cpu_of "$name")
shown=$(awk -F, -v name="$name" '$2 == name && $3 != "" { s += $1 * $3 / 100 } END { print s }' "$dir/csv")
awk -v told="$told" -v shown="$shown" 'BEGIN { exit !(told > 0 && told > shown - 0.02 && told < shown + 0.02) }'
ok "its CPU time is that of what --replay shows: $told s, $shown s" $?
# What it did, or what kept it from it.
sum=$(awk '/^Why/ { on = 1; next } /^[A-Z]/ { on = 0 } on && $1 + 0 > 0 { s += $1 } END { print s }' "$out")
all=$(awk '/CPU time used/ { for (i = 1; i < NF; i++) if ($i == "s") { print $(i - 1); exit } }' "$out")
awk -v sum="$sum" -v all="$all" 'BEGIN { exit !(sum > all - 0.05 && sum < all + 0.05) }'
ok "verdicts and what was not judged are all of it: $sum s of $all s" $?
# On a busy machine it may have had too little of a CPU in each interval.
judged=$(awk -F, -v name="$name" '$2 == name && $1 * $3 > 1.1 { judged = 1 } END { print judged + 0 }' "$dir/csv")
grep -Eq "^ +[0-9.]+ +[0-9.]+  (on CPU|kernel|computes|waits for CPU)\\b.* $name " "$out" ||
	{ [ "$judged" -eq 0 ] && grep -q ' not judged: less than 10 ms of CPU' "$out"; }
ok "it ran, or waited for a CPU" $?
longest=$(awk '{ if (length > n) n = length } END { print n }' "$out")
[ "$longest" -le 100 ]
ok "no line is longer than 100 characters: $longest" $?

# Samples that are joined: the same times and tasks in fewer intervals.
joined() {
	"$tiptop" what "$dir/a.db" --format json --step "$1" |
		grep -Eo '"(intervals|step_s|measured_s|tasks|began|ended|cpu_s|cpu_wait_s)": *[^,]*' | tr -d ' ' | head -n 8
}
joined 0 >"$dir/each"
joined 1 >"$dir/steps"
is "each sample" "$(grep step_s "$dir/each")" '"step_s":null'
is "steps of 1 s" "$(grep step_s "$dir/steps")" '"step_s":1'
is "with the same times and tasks" "$(grep -v -e intervals -e step_s "$dir/steps")" "$(grep -v -e intervals -e step_s "$dir/each")"
fewer=$(cat "$dir/steps" "$dir/each" | awk -F: '/intervals/ { n[NR > 8] = $2 } END { print (n[0] > 0 && n[0] < n[1]) }')
is "and fewer intervals" "$fewer" 1
"$tiptop" what "$dir/a.db" --step 1 >"$dir/text"
matches "which the page says" "$(tr -s '\n ' ' ' <"$dir/text")" '.* intervals? of up to 1 s or one sample .*verdicts, IPC, phases and names of programs are of whole intervals of up to 1 s or one sample: .*'
refuses "no negative step" 2 '.*--step.*' "$dir/a.db" --step -1

# What is read of a terminal of 40 columns.
terminal=$builddir/tests/program/terminal
# shellcheck disable=SC2016 # the inner shell has them
"$terminal" size=40x24 "copy=$dir/raw" 'type=go^M' 'show=What is not known' end -- \
	sh -c 'read -r go; exec "$0" what "$1"' "$tiptop" "$dir/a.db" >"$out" 2>"$err"
is "to a terminal" "$(tail -n 1 "$out")" "exit 0"
tr -d '\r' <"$dir/raw" | sed -n '/^The biggest/,/^What is not/p' >"$dir/narrow"
longest=$(awk '{ if (length > n) n = length } END { print n + 0 }' "$dir/narrow")
[ "$longest" -gt 20 ] && [ "$longest" -le 40 ]
ok "the tables have room in 40 columns: $longest" $?
matches "its task stands below" "$(grep -A 1 " $name" "$dir/narrow" | sed -n 2p)" " +tasks 1, IPC .*"

# What is written to a file does not depend on the terminal.
"$terminal" size=40x24 end -- "$tiptop" what "$dir/a.db" -o "$dir/narrow" >"$out" 2>"$err"
is "to a file beside a terminal" "$(tail -n 1 "$out")" "exit 0"
"$tiptop" what "$dir/a.db" >"$out" 2>"$err"
cmp "$dir/narrow" "$out" >"$dir/text"
ok "to a file beside a terminal: as wide as without one" $?

# A part from the middle: a busy machine has made its intervals as long as it liked.
refreshes_of() {
	"$tiptop" -b -i --format csv --fields mono_s --replay "$dir/a.db" "$@" 2>"$err" | sed 1d | uniq
}
refreshes_of >"$dir/times"
from=$(awk '{ t[NR] = $1 } END { print t[4] - t[NR] }' "$dir/times")
to=$(awk '{ t[NR] = $1 } END { print t[8] - t[NR] }' "$dir/times")
what "a part of it" 0 "$dir/a.db" --from="$from" --to="$to"
n=$(refreshes_of --from="$from" --to="$to" | wc -l)
within "has fewer intervals" "$n" 1 5
matches "as many as --replay shows" "$(grep 'CPU time used' "$out")" ".*; $n intervals?"
cp "$out" "$dir/part"
what "the same, by its word" 0 "$dir/a.db,from=$from,to=$to"
is "tells the same" "$(cat "$out")" "$(cat "$dir/part")"
what "an option beside such a word" 0 "$dir/a.db,from=+100000,to=$to" --from="$from"
is "takes its place" "$(cat "$out")" "$(cat "$dir/part")"
what "a filter" 0 "$dir/a.db" --filter "cpu >= 0"
is "that all pass" "$(cpu_of "$name")" "$told"

"$tiptop" -b -S software -d 0.1 --record "$dir/c.db" -o "$dir/shown" -- sh -c 'sleep 3; exit 9' 2>"$err" </dev/null
what "a command" 0 "$dir/c.db"
matches "how it has ended" "$(grep '^ *Command' "$out")" ' *Command sh -c sleep 3; exit 9: ended with status 9 after [0-9.]+ s'
what "a part that ends before it does" 0 "$dir/c.db" --to +2
matches "does not tell" "$(grep '^ *Command' "$out")" ' *Command sh -c .*: its end is not known'
# Its children, where the kernel tells how they ended: see children.sh. One may be seen before it has its name.
"$tiptop" -b -S software -d 0.1 --children --record "$dir/d.db" -o "$dir/shown" -- sh -c \
	'"$0" name=bad exit=5; "$0" name=bad spin=200 exit=5; "$0" name=good; "$0" name=killed spin=200 kill=9; exit 0' \
	"$work" 2>"$err" </dev/null
what "its children" 0 "$dir/d.db"
sed -n '/^What ended badly/,/^$/p' "$out" | grep ': ended ' >"$dir/ends"
# ended HOW: the number that did.
ended() {
	awk -v how="$1" 'index($0, ": ended " how) { n += 1 + (/ more did so$/ ? $(NF - 3) : 0) } END { print n + 0 }' "$dir/ends"
}
if grep -q . "$dir/ends"; then
	is "its children: with a status" "$(ended "with status 5")" 2
	is "its children: by a signal" "$(ended "by signal 9 (SIGKILL)")" 1
	is "its children: no others" "$(ended "")" 3
else
	grep -q 'the kernel ended is not known: the kernel reports' "$out"
	ok "it says that only their parents know how they ended" $?
fi

# All that a command made is in its recording, whatever is shown: children that were seen, and those that were not.
# made OPTION...: the CPU time that the story has, in ms, that of the summary, and how many tasks there were.
made() {
	rm -f "$dir/e.db"
	"$tiptop" -b -S software -d 0.1 --record "$dir/e.db" -o "$dir/shown" "$@" -- sh -c \
		'"$0" name=long spin=350; "$0" name=short spin=20; "$0" name=short spin=20; exit 0' "$work" 2>"$err" </dev/null
	"$tiptop" what "$dir/e.db" --format json >"$out" 2>"$err"
	grep -o '"tasks":[0-9]*,"began":[0-9]*,"ended":[0-9]*,"cpu_s":[0-9.e-]*' "$out" |
		tr ':,' '  ' | awk '{ print "tasks", $2; print "cpu", $8 }' >"$dir/told"
	awk '/^# wall/ { sub(/.*CPU /, ""); print "whole", $1 }' "$dir/shown" >>"$dir/told"
	awk '{ v[$1] = $2 } END { printf "%d %d %d\n", 1000 * v["cpu"], 1000 * v["whole"], v["tasks"] }' "$dir/told"
}
for option in "" -H "-e page-faults"; do
	# shellcheck disable=SC2086 # several words
	made $option >"$dir/made"
	read -r cpu whole tasks <"$dir/made"
	if grep -q 'as the kernel reported' "$dir/shown"; then
		within "all that it made${option:+ ($option)}: CPU time" "$cpu" $((whole - whole / 20 - 2)) $((whole + whole / 20 + 2))
		within "its tasks" "$tasks" 4 20
		if command -v sqlite3 >"$dir/text"; then
			sum=$(sqlite3 "$dir/e.db" "SELECT round(1000 * sum(cpu_s)) FROM process" 2>&1)
			within "SQL tells the same" "${sum%.*}" $((cpu - 1)) $((cpu + 1))
		else
			skip "SQL tells the same" "there is no sqlite3"
		fi
	else
		skip "all that it made" "the kernel does not tell what each task has counted"
	fi
	is "the text has the command alone" "$(awk '$1 ~ /^[0-9]+$/ { print $1 }' "$dir/shown" | sort -u | wc -l | tr -d ' ')" 1
done
made --no-children >"$dir/made"
read -r cpu whole tasks <"$dir/made"
is "--no-children: the command alone" "$tasks" 1
within "has none of that" "$cpu" 0 $((whole / 2))

what "a command in JSON" 0 "$dir/c.db" --format json
matches "the same" "$(cat "$out")" '.*"command":{"words":\["sh","-c",.*\],"status":9,"ran_s":[0-9.]+}.*'

what "JSON" 0 "$dir/a.db" --format json
if command -v jq >"$dir/text"; then
	is "its type" "$(jq -r '"\(.type) \(.schema) \(.tasks) \(.programs[0].program)"' "$out")" "story 1 1 $name"
	is "its time" "$(jq -r '.programs[0].cpu_s * 100 | round / 100' "$out")" "$(awk -v x="$told" 'BEGIN { print x + 0 }')"
	is "the sum of its verdicts" "$(jq '([.verdicts[].cpu_s] | add // 0) - .judged_s | fabs < 1e-6' "$out")" true
else
	skip "its type" "jq is not installed"
fi

what "a page" 0 "$dir/a.db" --format html -o "$dir/page.html"
is "a page: it is in its file alone" "$(wc -c <"$out") $(head -c 15 "$dir/page.html")" "0 <!DOCTYPE html>"
is "a page: a table of verdicts" "$(grep -c '"busiest_interval"' "$dir/page.html")" 1
what "text to a file" 0 "$dir/a.db" -o "$dir/text.txt"
is "text to a file: the first words" "$(head -c 18 "$dir/text.txt")" "What happened from"

refuses "no recording" 2 "tiptop: what: a recording is missing: 'tiptop --record FILE' writes one .*, and 'tiptop what FILE' reads it"
is "no recording: one sentence" "$(wc -l <"$err")" 1
# The commands that the sentence names are commands.
named=$(grep -o "'tiptop --record FILE -- [^']*'" "$err" | tr -d "'" | sed "s|^tiptop|'$tiptop' -b|; s|FILE|'$dir/named.db'|; s|COMMAND|sleep 0.3|")
eval "$named" >"$out" 2>"$err"
what "a recording that is made as the sentence says" 0 "$dir/named.db"
refuses "no such file" 1 "tiptop: cannot read the recording .*" "$dir/none.db"
refuses "a time that is none" 2 "tiptop: 'noon' is not a time.*" "$dir/a.db" --from noon
refuses "a format that is none" 2 "tiptop: --format: there is no format 'csv': text, json or html" "$dir/a.db" --format csv
refuses "no such task" 1 "tiptop: '.*' has no interval of such tasks: .*" "$dir/a.db" -p "nobody$$"
refuses "an end before the beginning" 2 "tiptop: the end '1980-01-01 00:00' \(--to\) is before the beginning \(--from\)" \
	"$dir/a.db" --from +1 --to '1980-01-01 00:00'
refuses "a time without an interval" 1 "tiptop: '.*' has no interval in this time: give another --from or --to" "$dir/a.db" --from +100000
if command -v sqlite3 >"$dir/text"; then
	cp "$dir/a.db" "$dir/short.db"
	sqlite3 "$dir/short.db" "DELETE FROM sample WHERE id > 1"
	refuses "a recording of one sample" 1 "tiptop: '.*' has no interval, as it ended before a second sample .*" "$dir/short.db"
	# why_no_ipc SQL: of a recording of the screen software, changed so. Metrics that this CPU lacks may follow.
	why_no_ipc() {
		cp "$dir/d.db" "$dir/other.db"
		sqlite3 "$dir/other.db" "$1"
		"$tiptop" what "$dir/other.db" | tr -s '\n ' ' ' | sed -n 's/.* IPC, [^:]*: \(.*\) details of tasks.*/\1/p'
	}
	no_core="DELETE FROM machine_pmu WHERE kind = 'core'"
	matches "no IPC, as the machine had no PMU" "$(why_no_ipc "$no_core")" "the recorded machine has no hardware counters( .*)?"
	matches "no IPC, as no screen had its events" \
		"$(why_no_ipc "$no_core; INSERT INTO machine_pmu SELECT id, 'core', 0, 'cpu' FROM machine")" \
		"its event is not among those that were counted( .*)?"
else
	skip "a recording of one sample" "there is no sqlite3"
	skip "why there is no IPC" "there is no sqlite3"
fi
if "$tiptop" system --record "$dir/cpus.db" 0.1 1 >"$out" 2>"$err" 3>&-; then
	refuses "rows that are no tasks" 1 "tiptop: '.*' is a recording of CPUs, and tiptop what describes tasks only: .*" "$dir/cpus.db"
else
	skip "rows that are no tasks" "CPUs cannot be counted here"
fi
# Whatever the screen: "on CPU" would be wrong for a task that lacked CPU time.
"$tiptop" -b -S tasks -d 0.1 -n 2 --record "$dir/tasks.db" >"$out" 2>"$err"
what "of a screen without times waited" 0 "$dir/tasks.db"
is "no word about a column that is left out" "$(grep 'the recording has no event' "$err")" ""
if [ -e /proc/self/schedstat ]; then
	matches "they are recorded" "$(grep 'time waited for a CPU' "$out")" ' *time waited for a CPU: .*[0-9.]+ s, ready to run.*'
else
	skip "they are recorded" "the kernel has no /proc/PID/schedstat"
fi
# What is read is not written to, by any command.
cp "$dir/tasks.db" "$dir/read.svg"
ln "$dir/read.svg" "$dir/link.svg"
while read -r words; do
	# shellcheck disable=SC2086 # words
	(cd "$dir" && "$tiptop" $words) >"$out" 2>"$err" </dev/null
	matches "$words: a sentence" "$(tail -n 1 "$err")" \
		"tiptop: ('read.svg' is read, and would be overwritten: name another file to write|.* would (overwrite|replace) the recording that is replayed \(--replay\), 'read.svg': name another file)"
	cmp -s "$dir/tasks.db" "$dir/read.svg"
	ok "$words: nothing is written" $?
done <<END
what read.svg -o read.svg
what read.svg -o link.svg
report read.svg -o read.svg
plot -c cpu read.svg -o read.svg
compare read.svg,to=+1 read.svg,from=+1 -o read.svg
follow --replay read.svg -o read.svg
-b --replay read.svg -o read.svg
-b --replay read.svg --metrics read.svg
-b --replay read.svg -E read.svg
--replay read.svg --screenshot read.svg
END
"$tiptop" help what >"$out" 2>"$err"
matches "its help" "$(head -n 1 "$out")" "Usage: tiptop what \[option\]... recording"

finish
