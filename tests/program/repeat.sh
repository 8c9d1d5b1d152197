#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --repeat: a command that runs several times, and the statistics of its runs.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

# repeat OPTION... -- COMMAND...: the summary goes to $out, what the command prints to $dir/printed; $status.
repeat() {
	rm -f "$out"
	"$tiptop" -o "$out" -S software "$@" >"$dir/printed" 2>"$err" </dev/null
	status=$?
}
# python TEXT: of the object o in $out; nothing where there is no python3.
python() {
	python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))
m = {x["name"]: x for x in o["runs"]["measures"]}
print('"$1"')' "$out"
}
has_python() {
	command -v python3 >"$dir/text"
}

# Options that do not go together.
refused() {
	refused_name=$1 refused_text=$2
	shift 2
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null
	is "$refused_name: exit status, and nothing ran" "$? $(cat "$out")" "2 "
	matches "$refused_name: the sentence" "$(cat "$err")" "$refused_text"
}
refused "no command" "tiptop: --repeat is for a command: put it after '--', .*" --repeat 3
refused "no number of runs" "tiptop: --warmup is for --repeat: add that" -b --warmup 3 -- true
refused "rows that are not there" "tiptop: --repeat shows the summary .*: --record-screens does not go with it" \
	--repeat 2 --record "$dir/db" --record-screens all -- true
refused "a format without a summary" "tiptop: --repeat: the format csv has no summary: text or json" \
	--repeat 2 --format csv -- true
for format in text json; do
	for run in 1 2; do
		"$tiptop" --repeat 2 --format $format -o "$dir/appended" --append -S software -- true >"$out" 2>"$err" </dev/null
		is "$format: appended, run $run" "$? $(grep -c '^# summary: \|^{"type":"summary",' "$dir/appended")" "0 $run"
	done
	rm "$dir/appended"
done
refused "words without an end" "tiptop: --prepare: a quote has no end: .*" --repeat 2 --prepare "echo 'x" -- true
refused "no run" "tiptop: the number of runs .* 1 .*" --repeat 0 -- true

repeat --repeat 4 --warmup 2 -- sh -c 'echo run >>"$0"; echo said; "$1" touch=100 spin=5' "$dir/ran" "$work"
is "all runs: status" $status 0
is "all runs: as many as were wanted, after those to warm up" "$(wc -l <"$dir/ran")" 6
is "all runs: what they print is theirs" "$(sort -u "$dir/printed")" said
matches "text: the head" "$(head -n 1 "$out")" \
	"# summary: sh -c .*, and its descendants: 4 runs after 2 to warm up, all ended with status 0"
matches "text: the table" "$(sed -n 2p "$out")" "# +MEAN +\+- +SD +LEAST +MOST +RUNS"
matches "text: the time" "$(sed -n 3p "$out")" "#( +[0-9.e-]+){5} +4 s wall"
is "text: measures" "$(sed -n 's/^#.* 4 s \([a-zA-Z]*\).*/\1/p' "$out" | tr '\n' ' ')" "wall CPU user system "
is "text: the columns over all runs" "$(grep -A 1 'all runs together:' "$out" | tail -n 1 | grep -c '\[ %CPU\]')" 1

repeat --repeat 3 --prepare "sh -c 'echo prepared >>$dir/order'" -- sh -c 'echo ran >>"$0"' "$dir/order"
is "prepared before each run" "$status $(tr '\n' ' ' <"$dir/order")" "0 prepared ran prepared ran prepared ran "
repeat --repeat 3 --prepare false -- sh -c 'echo ran >"$0"' "$dir/never"
is "what cannot be prepared does not run" "$status $(ls "$dir/never" 2>/dev/null)" "1 "
matches "the sentence" "$(cat "$err")" "tiptop: --prepare: 'false' ended with status 1 before a run"
# A second signal ends the wait: what continues is the program of --prepare, not the command.
"$tiptop" -o "$out" -S software --repeat 2 --prepare \
	"sh -c 'trap \"echo >$dir/got\" TERM; echo >$dir/ready; until [ -e $dir/go ]; do sleep 0.05; done'" -- true 2>"$err" </dev/null &
monitor=$!
await [ -e "$dir/ready" ]
kill "$monitor"
await [ -e "$dir/got" ]
kill "$monitor"
wait "$monitor" 2>"$dir/text"
is "a second signal while a run is prepared: what continues is named" "$? $(cat "$err")" \
	"143 tiptop: 'sh' is still running, without tiptop"
monitor=''
echo >"$dir/go"

# The third run fails, by a status or by a signal.
fails='echo >>"$0"; [ $(wc -l <"$0") -ne 3 ] || '
repeat --repeat 5 -- sh -c "$fails exit 7" "$dir/fails"
is "a failure ends it: status, and runs" "$status $(wc -l <"$dir/fails")" "7 3"
matches "a failure ends it: the sentence" "$(cat "$err")" \
	"tiptop: 'sh': run 3 of 5 ended with status 7 \(--ignore-failure goes on\)"
matches "a failure ends it: what was measured" "$(head -n 1 "$out")" \
	".*: 2 runs of the 5 that were wanted, all ended with status 0; run 3 of 5 ended with status 7"
rm "$dir/fails"
repeat --repeat 5 --ignore-failure -- sh -c "$fails kill -SEGV \$\$" "$dir/fails"
is "a failure is passed over: status, and runs" "$status $(wc -l <"$dir/fails")" "0 5"
matches "a failure is passed over: it is named" "$(head -n 1 "$out")" \
	".*: 5 runs, of which 1 failed: run 3 ended by signal 11"
repeat --repeat 2 -- false
is "the first one fails: nothing was measured" "$status $(cat "$out" 2>/dev/null)" "1 "
repeat --repeat 2 -- "$dir/none"
matches "no such command" "$status $(cat "$err")" "127 tiptop: cannot run '.*/none': No such file or directory"
echo "old" >"$dir/kept"
"$tiptop" -o "$dir/kept" -S software --repeat 2 -- "$dir/none" >"$out" 2>"$err"
is "no such command: the file is as before" "$? $(cat "$dir/kept")" "127 old"
"$tiptop" -o "$dir/kept" -S software --repeat 2 -- "$dir/kept" >"$out" 2>"$err"
is "a file that cannot be executed: the file is as before" "$? $(cat "$dir/kept")" "126 old"
"$tiptop" -o "$dir/fresh" -S software --repeat 2 -- "$dir/kept" >"$out" 2>"$err"
is "a file that cannot be executed: no new file" "$? $(ls "$dir/fresh" 2>/dev/null)" "126 "
repeat --repeat 2 --prepare "ln -sf /bin/true $dir/late" -- "$dir/late"
is "a command that --prepare makes" "$status" 0

repeat --repeat 2 --start-after 1000 -- true
matches "each run ends before its count began" "$status $(cat "$err")" \
	"1 tiptop: 'true' ended before --start-after 1000, so that it was not counted"
repeat --repeat 2 --start-after 0.1 -- sleep 0.5
is "each run counts from then on" "$status $(sed -n 's/^#.* 2 s \(wall\).*/\1/p' "$out")" "0 wall"

if has_python; then
	repeat --repeat 5 --format json -- "$work" touch=500 spin=20
	is "json: a summary, of all runs" "$(python 'o["type"], o["status"], o["runs"]["n"], len(m["wall"]["values"])')" \
		"summary 0 5 5"
	is "json: the whole is the sum" \
		"$(python 'all(abs(sum(m[k]["values"]) - o[k + "_s"]) < 1e-6 for k in ("wall", "user", "system"))')" True
	is "json: means and their margins" \
		"$(python 'all(x["least"] <= x["mean"] <= x["most"] and x["margin"] >= 0 for x in m.values() if x["n"])')" True
	within "json: each run takes its time" "$(python 'm["wall"]["least"]')" 0.02 60
	is "json: a single run is as before" "$("$tiptop" -b --format json -S software -d 0.1 -- true | grep -c '"runs"')" 0
	if reason=$("$work" can-count); then
		within "json: faults of a run" "$(python 'm["page-faults"]["least"]')" 500 5000
		is "json: their sum" "$(python 'sum(m["page-faults"]["values"]) == o["events"]["page-faults"]["value"]')" True
		# One of nine runs does a thousand times more.
		repeat --repeat 9 --format json -- sh -c 'echo >>"$0"; [ $(wc -l <"$0") -ne 5 ] || "$1" touch=90000' "$dir/lines" "$work"
		is "json: what stands out" "$(python 'm["page-faults"]["outliers"]')" "[5]"
	else
		skip "counts of runs" "$reason"
	fi
else
	skip "json" "python3 is missing"
fi

# Each run that counts is one of the recording: the first is to warm up, the fourth fails.
if "$tiptop" --build-info | grep -q ' SQLite [0-9]'; then
	repeat --repeat 4 --warmup 1 --ignore-failure --record "$dir/runs.db" -- \
		sh -c 'echo >>"$0"; [ $(wc -l <"$0") -ne 4 ] || exit 3' "$dir/recorded"
	is "record: status, and runs" "$status $(wc -l <"$dir/recorded")" "0 5"
	"$tiptop" -b --replay "$dir/runs.db" >"$out" 2>"$err"
	is "replay: the screen" "$(grep ^Screen "$out" | sed 's/.*: //')" software
	is "replay: each run has its row" "$(grep -c '^ *[0-9][0-9]*.* sh$' "$out")" 4
	is "replay: and its summary" "$(sed -n 's/^# summary:.* ended with status //p' "$out" | tr '\n' ' ')" "0 0 3 0 "
	is "replay: nothing more" "$(cat "$err")" ""
	repeat --repeat 3 --record "$dir/runs.db" -- sh -c 'exit 0'
	"$tiptop" -b --replay "$dir/runs.db" >"$out" 2>"$err"
	is "a recording goes on" "$(grep -c '^# summary: sh -c exit 0, .* status 0' "$out") $(grep -c '^# summary' "$out")" "3 7"
	"$tiptop" compare "$dir/runs.db" "$dir/runs.db" >"$out" 2>"$err"
	matches "compare: an interval for each" "$(head -n 2 "$out" | tr '\n' ' ' | sed -n 's/^A .* \([0-9]* intervals\).*/\1/p')" "7 intervals"
else
	skip "runs in a recording" "this tiptop was built without SQLite"
fi

# Ctrl-C: what was measured is said, and tiptop ends by the signal.
mkfifo "$dir/held"
"$work" ended="$dir/ended" "$tiptop" --repeat 5 -o "$out" -S software -- \
	sh -c 'echo >>"$0"; [ $(wc -l <"$0") -lt 3 ] || { echo $$ >"$0.pid"; read x <"$1"; }' "$dir/int" "$dir/held" 2>"$err" &
worker=$!
await test -s "$dir/int.pid"
kill -INT "$(sed -n 's/^pid //p' "$dir/ended")"
wait $worker
worker=''
is "Ctrl-C: tiptop ends by it" "$(sed -n 2p "$dir/ended")" "signal 2"
matches "Ctrl-C: what was measured" "$(head -n 1 "$out")" ".*: 2 runs of the 5 that were wanted, all ended with status 0"
await sh -c '! kill -0 "$(cat "$0")" 2>/dev/null' "$dir/int.pid"
ok "Ctrl-C: the command has ended, too" $?

finish
