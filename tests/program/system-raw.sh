#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop system --raw: rows like those of cpustat, with software events, which any machine has.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# raw ARGUMENT...: its output, but for what a busy machine has it say about turns that are late.
raw() {
	"$tiptop" system --raw "$@" >"$dir/raw" 2>"$err" </dev/null
	raw_status=$?
	grep -v '^# late: ' "$dir/raw" >"$out"
	return $raw_status
}
# refuses NAME SENTENCE ARGUMENT...
refuses() {
	refuses_name=$1 refuses_text=$2
	shift 2
	raw "$@"
	is "$refuses_name: exit status" $? 2
	matches "$refuses_name: the sentence" "$(cat "$err")" "$refuses_text"
}

refuses "nothing to count" "tiptop: system --raw: there is nothing to count: -c cycles,instructions" 1 1
refuses "an idle soaker" "tiptop: -s: there is no thread that soaks idle time up: .*" -s -c cs 1 1
refuses "a debug mode" "tiptop: -D: there is no debug mode: .*" -D -c cs 1 1
refuses "a stamp that is none" "tiptop: -T: 'x' is neither u .* nor d .*" -T x -c cs 1 1
refuses "a format that is none" "tiptop: --format: there is no format 'jso' .*" --format jso -c cs 1 1
refuses "a stamp between records" "tiptop: -T: a line with the time stands in text only: .*" --format csv -T u -c cs 1 1
refuses "no such event" "tiptop: -c: .*'bogus'.*--list-events.*" -c bogus 1 1
refuses "an interval that is none" "tiptop: the interval must be a number, not .x." -c cs x
refuses "a count that is none" "tiptop: the count must be from 1 to .*" -c cs 1 0
refuses "a list of CPUs that is none" "tiptop: --cpus: 'a' is not a list of CPUs, such as 0-3,8" --cpus a -c cs 1 1
"$tiptop" system --ra -c cs >"$out" 2>"$err"
is "half the option is another form's" $? 2
raw -h
is "its help: exit status" $? 0
is "its help: options, and events" "$(grep -c '^  -p, --period\|^page-faults ' "$out")" 2

nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 0)" -ge 1 ] &&
	cp "$tiptop" "$dir/tiptop" && chmod 755 "$dir/tiptop" && $nobody "$dir/tiptop" --version >/dev/null 2>&1; then
	$nobody "$dir/tiptop" system --raw -c cs 0.1 1 >"$out" 2>"$err"
	is "an ordinary user: exit status, and no rows" "$? $(wc -c <"$out")" "1 0"
	matches "an ordinary user: the sentence" "$(cat "$err")" "tiptop: CPUs may not be counted, .*"
else
	skip "an ordinary user" "any user may count CPUs here, or the test cannot change its user"
fi

# The rest needs the right.
if ! raw -c cs 0.1 1; then
	skip "rows" "CPUs may not be counted here"
	finish
	exit
fi
n_cpus=$(grep -c '^cpu[0-9]' /proc/stat)

raw -c pic0=page-faults,pic1=task-clock -c cs,sys 0.1 3
is "sets take turns" "$(awk '$3 == "tick" && $2 == 0 { printf "%s ", $NF }' "$out")" \
	"pic0=page-faults,pic1=task-clock pic0=cs,sys pic0=page-faults,pic1=task-clock "
is "each CPU has a row, in their order" "$(awk '$3 == "tick" { print $2 }' "$out" | head -n "$n_cpus" | sort -nc 2>&1)" ""
is "the header" "$(head -n 1 "$out" | tr -s ' ')" " time cpu event pic0 pic1"
is "a total is the sum of its ticks, of all CPUs, at the time of the last one" "$(awk -v n="$n_cpus" '
	$3 == "tick" { sum[$NF] += $4; last[$NF] = $1 }
	$3 == "total" { print ($4 == sum[$NF] && $2 == n && $1 == last[$NF]) }' "$out" | tr '\n' ' ')" "1 1 "
raw -n -c page-faults:u,page-faults:k --cpus 0 0.1 1
is "one CPU, no header, one set" "$(awk '{ printf "%s %s %d, ", $2, $3, NF }' "$out")" "0 tick 5, 1 total 5, "
raw -c page-faults:u,page-faults:k 0.1 1
is "one set: the header names its counters" "$(head -n 1 "$out" | tr -s ' ')" " time cpu event page-faults:u page-faults:k"
raw -n -c cs -p 0.2 0.05 2
is "a period: cycles are counted, and begin with it" "$(awk '$3 == "tick" && $2 == 0 { n++; late = $1 }
	END { print n, (late >= 0.25) }' "$out")" "2 1"
raw -n -T u -c cs --cpus 0 0.1 2
is "stamps: seconds, before each tick" "$(awk '{ printf "%s ", NF == 1 ? ($1 > 1600000000) : $3 }' "$out")" "1 tick 1 tick total "
raw -n -T d -c cs --cpus 0 0.1 1
is "stamps: as date(1)" "$(date -d "$(head -n 1 "$out")" +%Y)" "$(date +%Y)"
raw -t -c cs --cpus 0 0.1 1
is "cycles come first" "$(head -n 1 "$out" | tr -s ' ')" " time cpu event %tick cs"
raw --format csv -c page-faults -c cs,sys --cpus 0 0.1 2
is "CSV: a header, ticks, and totals of all CPUs" "$(awk -F , '{ printf "%s %s %s %d, ", $2, $3, $4, NF }' "$out")" \
	"cpu cpus event 7, 0  tick 7, 0  tick 8,  1 total 7,  1 total 8, "
raw --format json -c page-faults -c cs,nouser,sys --cpus 0 0.1 2
if command -v jq >"$dir/text"; then
	is "JSON: by the names of counters, in their modes" \
		"$(jq -r '[.type, .cpu // "-", .cpus // "-", .event, (.modes | join("+")), (.counts | keys[0])] | join(" ")' "$out" |
			tr '\n' ';')" \
		"raw 0 - tick user page-faults;raw 0 - tick kernel cs;raw - 1 total user page-faults;raw - 1 total kernel cs;"
	is "JSON: a total is that of its tick" "$(jq -s '.[0].counts == .[2].counts' "$out")" true
else
	skip "JSON is read by jq" "there is no jq"
fi
cat >"$dir/own.xml" <<'XML'
<tiptop>
  <event name="ic-ref" desc="an event of the user's own"><for event="page-faults"/></event>
</tiptop>
XML
cat >"$dir/bad.xml" <<'XML'
<tiptop>
  <event name="ic-ref" desc="of a model that could not be read"><for model="06_" event="page-faults"/></event>
</tiptop>
XML
raw -W "$dir/bad.xml" -c cs --cpus 0 0.1 1
matches "what is left out of a file is said" "$? $(cat "$err")" "0 tiptop: .*/bad.xml:2: <for 'page-faults'>: .*"
echo '<tiptop><event' >"$dir/broken.xml"
raw -W "$dir/broken.xml" -c cs --cpus 0 0.1 1
is "a file that is none: exit status, and no rows" "$? $(wc -c <"$out") $(grep -c 'broken.xml' "$err")" "1 0 1"
raw -W "$dir/none.xml" -c cs --cpus 0 0.1 1
is "a file that is not there" "$? $(grep -c 'none.xml' "$err")" "1 1"
raw -W "$dir/own.xml" -o "$dir/rows" -c ic-ref --cpus 0 0.1 1
is "events of one's own file, to a file" "$? $(wc -c <"$out") $(head -n 1 "$dir/rows" | tr -s ' ')" "0 0  time cpu event ic-ref"

# Its end by a signal: the totals come all the same.
"$tiptop" system --raw -n -c cs --cpus 0 0.1 >"$out" 2>"$err" </dev/null &
monitor=$!
until grep -q tick "$out"; do
	sleep 0.05
done
kill -TERM "$monitor"
wait "$monitor"
is "a signal: its status, and the total" "$? $(tail -n 1 "$out" | awk '{ print $3 }')" "143 total"
monitor=
"$tiptop" system --raw -c cs 0.05 1000 2>"$err" </dev/null | head -n 1 >/dev/null
is "a reader that goes: nothing to say" "$(cat "$err")" ""

finish
