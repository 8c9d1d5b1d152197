#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop compare: comparisons of recordings of this machine; the numbers agree with those of --replay.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

name=cmp$$
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# compare NAME STATUS WORD...
compare() {
	compare_name=$1 compare_status=$2
	shift 2
	"$tiptop" compare "$@" >"$out" 2>"$err" </dev/null
	is "$compare_name: status" $? "$compare_status"
}
# refuses NAME STATUS PATTERN WORD...
refuses() {
	refused=$1 wanted=$2 pattern=$3
	shift 3
	compare "$refused" "$wanted" "$@"
	matches "$refused: a sentence" "$(tail -n 1 "$err")" "$pattern"
}

# record FILE: a process that waits, and then uses a part of a CPU.
record() {
	work_start name="$name" wait duty=30:1500 wait
	"$tiptop" -b -S software -d 0.05 -n 30 -i -p "$name" --record "$1" -o "$dir/shown" >"$out" 2>"$err" 3>&- &
	monitor=$!
	await grep -qs "$name" "$dir/shown"
	feed
	wait "$monitor"
	monitor=''
	work_end
}
record "$dir/a.db"
record "$dir/b.db"

compare "the same twice" 0 "$dir/a.db" "$dir/a.db" --format csv
is "nothing differs" "$(awk -F, 'NR > 1 && $15 != "noise" && $15 != "too-few" && $15 != "unknown"' "$out")" ""
is "its %CPU" "$(awk -F, -v name="$name" '$1 == name && $3 == "cpu" { print $11, $13, $15 }' "$out")" "0 0 noise"
compare "two recordings" 0 "$dir/a.db" "$dir/b.db" -c cpu,nvcsw_s --format csv
is "only these columns" "$(awk -F, 'NR > 1 { print $3 }' "$out")" "cpu
nvcsw_s"
cp "$out" "$dir/csv"
for side in a b; do
	"$tiptop" -b -i --group program --format csv --fields name,cpu --replay "$dir/$side.db" >"$out" 2>"$err"
	mean=$(awk -F, -v name="$name" '$1 == name && $2 != "" { s += $2; n++ } END { printf "%d %.9g", n, s / n }' "$out")
	is "N and mean of $side are those of what --replay shows" \
		"$(awk -F, -v name="$name" -v at="$([ $side = a ] && echo 5 || echo 8)" \
			'$1 == name && $3 == "cpu" { printf "%d %.9g", $at, $(at + 1) }' "$dir/csv")" "$mean"
done
compare "text" 0 "$dir/a.db" "$dir/b.db" -c %CPU
matches "its first side" "$(head -n 2 "$out" | tr '\n' ' ')" "A  $dir/a.db: .* to .*, +[0-9]+ intervals of [0-9.]+ s on .*"
is "no line but that of a path is wider than a terminal of 80 columns" "$(grep -v "$dir" "$out" | awk 'length > 80')" ""
is "one program, one column" "$(grep -c '^  %CPU' "$out")" 1
half=$("$tiptop" -b -i --format csv --fields mono_s --replay "$dir/a.db" |
	awk 'NR == 2 { first = $1 } { last = $1 } END { print (last - first) / 2 }')
compare "two parts of one" 0 "$dir/a.db,to=+$half" "from=-$half,pid=$name" --format json
if command -v jq >"$dir/text"; then
	is "from one to the other" "$(jq -r '.b.recording, .rows[0].program_a' "$out")" "from=-$half,pid=$name
$name"
	is "each has its intervals" "$(jq '[.a, .b] | all(.intervals > 0 and .intervals < 28)' "$out")" true
else
	skip "each has its intervals" "jq is not installed"
fi
compare "another screen, of which nothing was counted" 0 "$dir/a.db" "$dir/b.db" -S branch --format csv
is "is unknown" "$(awk -F, 'NR > 1 && $3 != "cpu" { print $15, $16, $6 }' "$out" | sort -u)" "unknown not-counted "
compare "the same as text" 0 "$dir/a.db" "$dir/b.db" -S branch
is "the reason stands once below its rows, and no wider" "$(grep -v "$dir" "$out" | awk 'length > 80')" ""
matches "and that is said" "$(head -n 1 "$err")" ".*: the recording lacks counters of the screen 'branch'.*"
printf '<tiptop><screen name="mine"><column header=" two" format="%%4.1f" expr="2 * CPU_TOT"/></screen></tiptop>' >"$dir/conf"
compare "a screen of one's own" 0 "$dir/a.db" "$dir/b.db" -W "$dir/conf" -S mine --format csv
is "has its column" "$(awk -F, 'NR > 1 { print $3 }' "$out")" two
compare "no programs" 0 "$dir/a.db" "$dir/b.db" --rows 1 --format csv
is "as many as are wanted" "$(awk -F, 'NR > 1 { print $1 }' "$out" | uniq | wc -l | tr -d ' ')" 1

if "$tiptop" system --record "$dir/cpus.db" 0.05 14 >"$out" 2>"$err" &&
	"$tiptop" --replay "$dir/cpus.db" -b -n 1 --format csv --fields kind | grep -q '^CPU$'; then
	compare "CPUs" 0 "$dir/cpus.db" "$dir/cpus.db" --format csv
	is "are one machine" "$(cut -d, -f 1,2 "$out" | uniq)" "machine_a,machine_b
all,all"
	is "that is as busy as it is" "$(awk -F, '$3 == "busy" { print $11, $15 }' "$out")" "0 noise"
	refuses "CPUs and programs" 2 "tiptop: '.*/a.db' has rows of tasks, '.*/cpus.db' of CPUs: .*" "$dir/a.db" "$dir/cpus.db"
else
	skip "CPUs" "$(tail -n 1 "$err")"
fi

# Reports of refreshes: of groups they have the numbers of the recording.
"$tiptop" --replay "$dir/a.db" -b -i --group program --format json -o "$dir/a.json" 2>"$err"
"$tiptop" --replay "$dir/b.db" -b -i --group program --format json -o "$dir/b.json" 2>"$err"
"$tiptop" --replay "$dir/b.db" -b -i --group program --format json --values rate -o "$dir/rate.json" 2>"$err"
compare "a recording and its report" 0 "$dir/a.db" "$dir/a.json" --format csv
is "have the same numbers" "$(awk -F, 'NR > 1 && ($5 != $8 || $6 != $9 || $7 != $10)' "$out")" ""
matches "of all columns" "$(awk -F, 'NR > 1 { printf "%s ", $3 }' "$out")" "cpu .*nvcsw_s .*"
"$tiptop" compare "$dir/a.db" "$dir/b.db" --format csv >"$dir/recordings"
compare "two reports" 0 "$dir/a.json" "$dir/b.json" --format csv
is "are compared as the recordings are" "$(cat "$out")" "$(cat "$dir/recordings")"
compare "a report of rates" 0 "$dir/a.json" "$dir/rate.json" --format csv
is "is the same, too" "$(cat "$out")" "$(cat "$dir/recordings")"
compare "a selection" 0 "$dir/a.json" "$dir/b.json" -c nvcsw_s,cpu --fields column,n_a --sort column --format csv
is "of columns, fields and order" "$(cut -d, -f 1 "$out" | tr '\n' ' ')" "column cpu nvcsw_s "
# Several runs of a side, recordings or reports: each is one number.
ln -s a.db "$dir/a2.db"
ln -s b.db "$dir/b2.db"
compare "runs" 0 "$dir/a.db,$dir/b.json,$dir/a2.db" "$dir/b.db,$dir/a.json,$dir/b2.db" -c cpu --format csv
is "runs: their number" "$(awk -F, 'NR > 1 { print $5, $8 }' "$out")" "3 3"
is "runs: the mean of their means" "$(awk -F, -v ok=no 'NR == FNR && $3 == "cpu" { a = $6; b = $9 }
	NR > FNR && $3 == "cpu" { d = $6 - (2 * a + b) / 3; if (d < 1e-9 && d > -1e-9) ok = "yes" }
	END { print ok }' "$dir/recordings" "$out")" yes
compare "parts as runs" 0 "$dir/a.db,to=+$half,$dir/b.db,to=+$half" "$dir/a.db,from=-$half" -c cpu
matches "parts as runs: their number" "$(sed -n 2p "$out")" " +2 runs with [0-9]+ intervals of .*"
# More sides than two: each further one is compared with the first.
compare "three sides" 0 "$dir/a.db" "$dir/b.json" "$dir/a2.db" -c cpu,nvcsw_s --format csv
is "three sides: the last column" "$(awk -F, '{ print $3, $NF }' "$out" | tr '\n' ' ')" \
	"column side cpu b cpu c nvcsw_s b nvcsw_s c "
is "three sides: the numbers are those of two" "$(grep ',b$' "$out" | cut -d, -f 5-11)" \
	"$(grep -E '^[^,]*,[^,]*,(cpu|nvcsw_s),' "$dir/recordings" | cut -d, -f 5-11)"
is "three sides: the same twice" "$(awk -F, '$NF == "c" { print $11, $15 }' "$out" | uniq)" "0 noise"
refuses "nine sides" 2 "tiptop: compare: at most 8 sides are compared" 1 2 3 4 5 6 7 8 9
compare "three sides as text" 0 "$dir/a.db" "$dir/b.db" "$dir/a2.db" -c %CPU
is "three sides as text: no line is wider" "$(grep -v "$dir" "$out" | awk 'length > 80')" ""
matches "three sides as text: a row for each" "$(awk '$1 == "%CPU" { print $2 }' "$out" | tr '\n' ' ')" "B C "
# Pairs of runs: B is the same as A in all of them.
compare "pairs" 0 --paired "$dir/a.db,$dir/b.json,$dir/a.json" "$dir/a2.db,$dir/b.db,$dir/a.db" -c cpu --format csv
is "pairs: no difference, whatever the runs differ by" "$(awk -F, 'NR > 1 { print $11 + 0, $12 + 0, $15 }' "$out")" "0 0 noise"
refuses "pairs of single runs" 2 "tiptop: compare: --paired is for several runs of each side: .*" --paired "$dir/a.db" "$dir/b.db"
refuses "unequal runs" 2 "tiptop: compare: --paired: .*, but A has 2, and B 3" \
	--paired "$dir/a.db,$dir/b.db" "$dir/a.db,$dir/b.db,$dir/a2.db"
refuses "a run that is not there" 1 "tiptop: cannot read the recording '$dir/none.db': .*" "$dir/a.db,$dir/none.db" "$dir/b.db"

refuses "a part of a report" 2 "tiptop: compare: 'from=1' names no recording: .*" "$dir/a.json" from=1
refuses "a screen for reports" 2 "tiptop: compare: --screen is for recordings: .*" "$dir/a.json" "$dir/b.json" -S 1

refuses "one side" 2 "tiptop: compare: a second recording, or part of the first, is missing: .*" "$dir/a.db"
refuses "no such file" 1 "tiptop: cannot read the recording .*" "$dir/a.db" "$dir/none.db"
refuses "a part that is wrong" 2 "tiptop: 'noon' is not a time: .*" "$dir/a.db" to=noon
refuses "a part that is empty" 2 "tiptop: compare: 'pid=' is empty" "$dir/a.db" "$dir/b.db,pid="
refuses "no such task" 1 "tiptop: '.*' has no interval of such tasks: .*" "$dir/a.db" pid=nobody-of-this-name
echo '{"type":"locks","pid":1}' >"$dir/locks.json"
for option in --screen=1 --columns=cpu; do
	refuses "${option%=*} for reports of locks" 2 "tiptop: compare: ${option%=*} is for columns of screens, which these reports lack: .*" \
		"$dir/locks.json" "$dir/locks.json" "$option"
done
refuses "no such column" 2 "tiptop: there is no column 'x' in the screen 'software': it has .*" "$dir/a.db" "$dir/b.db" -c x
refuses "an event" 2 "tiptop: compare: --event is for reports of tiptop locks, of tiptop calls and of regions; .*" "$dir/a.db" "$dir/b.db" -e cycles
refuses "no such format" 2 "tiptop: --format: there is no format 'xml': text, csv, json or html" "$dir/a.db" "$dir/b.db" --format xml
refuses "no such screen" 2 "tiptop: there is no screen with 'none' in its name: .*" "$dir/a.db" "$dir/b.db" -S none
head -c 20000 "$dir/a.db" >"$dir/cut.db"
compare "a damaged one" 1 "$dir/cut.db" "$dir/b.db"
matches "is told" "$(tail -n 1 "$err")" "tiptop: .*cut.db.*"
echo "a diary" >"$dir/diary"
refuses "another file" 1 "tiptop: the recording '.*': it is not a recording" "$dir/a.db" "$dir/diary"

# Two runs in one recording, each with a description of its machine.
compare "text of one run" 0 "$dir/a.db" "$dir/b.db" -c %CPU
host=$(sed -n '1s/.* on //p' "$out")
record "$dir/a.db"
compare "of two runs" 0 "$dir/a.db" "$dir/b.db" -c %CPU
is "the machine of the first one is told" "$(sed -n '1s/.* on //p' "$out")" "$host"
finish
