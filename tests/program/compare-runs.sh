#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop compare --run A --run B: two commands run in turn.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

# race STATUS NAME OPTION...: the result goes to $out.
race() {
	race_status=$1 race_name=$2
	shift 2
	"$tiptop" compare -S software "$@" >"$out" 2>"$err" </dev/null
	is "$race_name: exit status" $? "$race_status"
}

race 2 "one command" --run true
is "one command: the sentence" "$(cat "$err")" \
	"tiptop: compare: two commands or more are compared: --run 'COMMAND' --run 'COMMAND'"
race 2 "nine commands" --run 1 --run 2 --run 3 --run 4 --run 5 --run 6 --run 7 --run 8 --run 9
is "nine commands: the sentence" "$(cat "$err")" "tiptop: compare: at most 8 commands are compared"
race 2 "no such format" --run true --run true --format xml
matches "no such format: the sentence" "$(cat "$err")" "tiptop: --format: there is no format 'xml': text, csv, json or html"
race 2 "no words" --run ' ' --run true
is "no words: the sentence" "$(cat "$err")" "tiptop: --run: the text has no words: ' '"

race 0 "in turns" --repeat 3 --warmup 1 --run "sh -c 'echo A >>$dir/order'" --run="sh -c 'echo B >>$dir/order'"
is "in turns: A B, B A, one to warm up" "$(tr -d '\n' <"$dir/order")" ABBAABBA
# Of three and four, each has each place, and each other one before it in its round, equally often.
set -- --run "sh -c 'echo A >>$dir/many'" --run "sh -c 'echo B >>$dir/many'" --run "sh -c 'echo C >>$dir/many'"
race 0 "three in turns" --repeat 6 "$@"
is "three in turns: the order" "$(tr -d '\n' <"$dir/many")" ABCBCACABCBAACBBAC
rm "$dir/many"
race 0 "four in turns" --repeat 4 "$@" --run "sh -c 'echo D >>$dir/many'"
is "four in turns: the order" "$(tr -d '\n' <"$dir/many")" ABDCBCADCDBADACB
race 0 "three" --repeat 3 --format csv --run "sh -c 'true; true'" --run true --run "sh -c 'true; $work touch=20000'"
is "three: a row for each measure and further side" "$(awk -F, 'NR > 1 { print $1, $NF }' "$out" | head -n 4 | tr '\n' ' ')" \
	"wall b wall c CPU b CPU c "
is "three: the header" "$(head -n 1 "$out")" \
	measure,unit,mean_a,sd_a,mean_b,sd_b,rounds,difference,margin,change_pct,margin_pct,chance,result,side
matches "three: only C touches more pages" "$(awk -F, '$1 == "page-faults" { print $(NF - 1) }' "$out" | tr '\n' ' ')" \
	"(less|noise) more "
race 0 "prepared" --repeat 2 --run "sh -c 'echo A >>$dir/prepared'" --run "sh -c 'echo B >>$dir/prepared'" \
	--prepare "sh -c 'echo p >>$dir/prepared'"
is "prepared: before each" "$(tr -d '\n' <"$dir/prepared")" pApBpBpA

race 0 "no shell" --repeat 1 --show-output --run 'echo $HOME >x | y' --run 'echo "two  words"'
is "no shell: words" "$(head -n 2 "$out")" '$HOME >x | y
two  words'
race 0 "a shell" --repeat 1 --shell --show-output --run 'echo $((1 + 1)) | sed s/2/two/' --run 'exit 0'
is "a shell" "$(head -n 1 "$out")" two
race 0 "what they print" --repeat 1 --run 'echo loud' --run 'cat'
is "what they print is thrown away, and there is no input" "$(grep -c '^loud' "$out")" 0
race 3 "one fails" --repeat 5 --run true --run "sh -c 'exit 3'"
matches "one fails: it is named" "$(cat "$err")" "tiptop: 'sh': run 1 of 5 ended with status 3 .*"
race 0 "one fails, and is passed over" --repeat 2 --ignore-failure --run true --run false
matches "one fails, and is passed over: it is named" "$(sed -n 2p "$out")" \
	"B  false: 2 runs, of which 2 failed: run 1 ended with status 1, run 2 ended with status 1"
race 127 "no such command" --repeat 2 --run true --run "$dir/none"

# One sleeps ten times as long as the other, and touches more pages.
race 0 "who is faster" --repeat 6 --run "sh -c 'sleep 0.5; $work touch=20000'" --run "sh -c 'sleep 0.02'"
matches "who is faster" "$(sed -n 4p "$out")" "B is faster: it takes [0-9.]+ % \+- [0-9.]+ % less time"
matches "the time is the first row" "$(grep -A 1 '^MEASURE' "$out" | tail -n 1)" "wall, s +6 +.* less"
if reason=$("$work" can-count); then
	matches "and why" "$(sed -n 5p "$out")" "what (else )?differs: B has .*[0-9.]+ % fewer page-faults.*"
else
	skip "and why" "$reason"
fi
race 0 "two rounds" --repeat 2 --run true --run true
matches "two rounds are too few" "$(sed -n 4p "$out")" "too few rounds to find a difference \(--repeat 3\): .*"

race 0 "csv" --repeat 3 --format csv --run "sh -c 'sleep 0.3'" --run true
is "csv: a header" "$(head -n 1 "$out")" \
	measure,unit,mean_a,sd_a,mean_b,sd_b,rounds,difference,margin,change_pct,margin_pct,chance,result
# Beside busy programs, times differ more from run to run than between the sides; faults of pages do not.
matches "csv: a line for each measure" "$(sed -n 2p "$out")" "wall,s,[0-9.,e-]*,3,-?[0-9.,e-]*,(less|noise|more)"
matches "csv: its result" "$(grep ^page-faults "$out")" "page-faults,count,[0-9.,e-]*,3,-[0-9.,e-]*,less"
is "csv: nothing else" "$(sed -n '3,$p' "$out" | grep -cv '^[^,]*,[^,]*\(,[^,]*\)\{11\}$')" 0
if command -v python3 >"$dir/text"; then
	race 0 "json" --repeat 5 --format json --run "sh -c 'sleep 0.3'" --run true
	is "json: an object" "$(python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))
rows = {row["measure"]: row["result"] for row in o["rows"]}
wall = next(iter(rows))
print(o["type"], o["a"]["runs"]["n"], wall, rows["page-faults"], {"less": "b", "more": "a", "noise": None}[rows[wall]] == o["faster"])' "$out")" "contest 5 wall less True"
else
	skip "json" "python3 is missing"
fi

# Reports of commands, of several runs or of one each.
# reports STATUS NAME OPTION...: the result goes to $out.
reports() {
	reports_status=$1 reports_name=$2
	shift 2
	"$tiptop" compare "$@" >"$out" 2>"$err" </dev/null
	is "$reports_name: exit status" $? "$reports_status"
}
"$tiptop" -S software --repeat 5 --format json -o "$dir/slow.json" -- sh -c 'sleep 0.1' >"$out" 2>"$err"
for run in 1 2 3; do
	"$tiptop" -b -S software --format json -o "$dir/quick$run.json" -- true >"$out" 2>"$err"
done
reports 0 "reports" --format csv "$dir/slow.json" "$dir/quick1.json,$dir/quick2.json,$dir/quick3.json"
matches "reports: the time, of no rounds" "$(sed -n 2p "$out")" "wall,s,[0-9.,e-]*,,-?[0-9.,e-]*,(less|noise|more)"
matches "reports: the faults of pages" "$(grep ^page-faults "$out")" "page-faults,count,[0-9.,e-]*,,-[0-9.,e-]*,less"
is "reports: the header of commands" "$(head -n 1 "$out")" \
	measure,unit,mean_a,sd_a,mean_b,sd_b,rounds,difference,margin,change_pct,margin_pct,chance,result
reports 0 "reports in pairs" --paired --format csv "$dir/slow.json" "$dir/slow.json"
is "reports in pairs: their number" "$(sed -n '2s/^\(wall\),s,[^,]*,[^,]*,[^,]*,[^,]*,\([0-9]*\),.*,\([a-z]*\)$/\1 \2 \3/p' "$out")" "wall 5 noise"
reports 2 "unequal runs" --paired "$dir/slow.json" "$dir/quick1.json,$dir/quick2.json,$dir/quick3.json"
is "unequal runs: the sentence" "$(cat "$err")" \
	"tiptop: compare: --paired: the sides must have as many runs as each other, but A has 5, and B 3"
reports 0 "three reports" --format csv --rows 1 "$dir/slow.json" "$dir/slow.json" "$dir/quick1.json,$dir/quick2.json,$dir/quick3.json"
is "three reports: as many rows of each side" "$(awk -F, 'NR > 1 { print $1, $NF }' "$out" | tr '\n' ' ')" "wall b wall c "
reports 0 "text of reports" "$dir/slow.json" "$dir/quick1.json,$dir/quick2.json,$dir/quick3.json"
is "text of reports: their runs" "$(sed -n '1,2s/.*: //p' "$out")" "5 runs, all ended with status 0
3 runs, all ended with status 0"
reports 0 "a selection" --rows 2 --sort measure --fields measure,result --format csv "$dir/slow.json" "$dir/slow.json"
is "a selection: two rows" "$(cat "$out")" "measure,result
CPU,noise
context-switches,noise"
"$tiptop" -b -n 1 -d 0.05 --format json -o "$dir/none.json" 2>"$err"
reports 2 "columns of commands" -c cpu "$dir/slow.json" "$dir/slow.json"
matches "columns of commands: the sentence" "$(cat "$err")" "tiptop: compare: --columns is not for reports of commands: .*"
reports 2 "a screen for commands" -S software "$dir/slow.json" "$dir/slow.json"
matches "a screen for commands: the sentence" "$(cat "$err")" "tiptop: compare: --screen is not for reports of commands: .*"
reports 1 "no command" "$dir/slow.json" "$dir/none.json"
matches "no command: the sentence" "$(cat "$err")" "tiptop: .*/none.json: it has no summary of a command: .*"

# A disk that is full: the result is kept elsewhere.
TMPDIR=$dir "$tiptop" compare -S software --repeat 1 --run true --run true --format csv -o /dev/full >"$out" 2>"$err" </dev/null
matches "a full disk: the sentence" "$? $(cat "$err")" \
	"1 tiptop: cannot write '/dev/full': No space left on device; the result is in '$dir/tiptop-report\.[a-zA-Z0-9]*' instead"
is "a full disk: the result" "$(head -n 1 "$dir"/tiptop-report.* | cut -d, -f 1,2)" measure,unit

# Ctrl-C: what was measured is said.
mkfifo "$dir/held"
"$work" ended="$dir/ended" "$tiptop" compare -S software --repeat 5 --run true \
	--run "sh -c 'echo >>$dir/int; [ \$(wc -l <$dir/int) -lt 4 ] || { echo x >$dir/at; read x <$dir/held; }'" >"$out" 2>"$err" &
worker=$!
await test -s "$dir/at"
kill -INT "$(sed -n 's/^pid //p' "$dir/ended")"
wait $worker
worker=''
is "Ctrl-C: tiptop ends by it" "$(sed -n 2p "$dir/ended")" "signal 2"
matches "Ctrl-C: what was measured" "$(sed -n 2p "$out")" "B  .*: 3 runs of the 5 that were wanted, all ended with status 0"

finish
