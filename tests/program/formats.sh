#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --format csv and json: readable by other programs (python, sqlite3, jq), with the kernel's numbers; --fields and --rows;
# the end of the output.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

name="a,\"b$$"
work_start "name=$name" wait touch=300 wait
other=$$

# run FORMAT OPTION...: two refreshes, of our own tasks.
run() {
	format=$1
	shift
	"$tiptop" --format "$format" -S software -d 0.2 -n 2 -i -c "$@" >"$out" 2>"$err" 3>&-
}

run csv -p "$worker"
ok "csv implies batch mode" $?
is "one header" "$(grep -c '^timestamp,' "$out")" 1
is "a line for each row" "$(wc -l <"$out")" 3
is "the fields" "$(head -n 1 "$out")" \
	"timestamp,interval_s,kind,pid,tid,name,user,command,cpu,sys,chld,p,vcsw_s,nvcsw_s,migr_s,minfl_s,majfl_s,waitms_s,quality"
if command -v python3 >/dev/null; then
	python3 - "$out" >"$dir/text" 2>"$err" <<'PY'
import csv, datetime, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True))
for row in rows:
    assert None not in row and None not in row.values(), row
    datetime.datetime.fromisoformat(row["timestamp"])
    assert float(row["interval_s"]) > 0
    float(row["cpu"])
print(rows[-1]["pid"], rows[-1]["name"], rows[-1]["user"], rows[-1]["kind"])
PY
	is "python reads it" "$(cat "$dir/text")" "$worker $name $(id -un) process"
else
	skip "python reads it" "there is no python3"
fi
if command -v sqlite3 >/dev/null; then
	sqlite3 :memory: ".import --csv $out t" "select count(*), pid, name, typeof(cpu + 0.0) from t group by pid" >"$dir/text" 2>"$err"
	is "sqlite3 reads it" "$(cat "$dir/text")" "2|$worker|$name|real"
else
	skip "sqlite3 reads it" "there is no sqlite3"
fi

run json -p "$worker"
is "an object for each refresh" "$(grep -c '^{"type":"refresh","schema":1,.*}$' "$out")" 2
is "and nothing else" "$(wc -l <"$out")" 2
if command -v jq >/dev/null; then
	is "jq reads it" "$(jq -r '.rows[] | "\(.kind) \(.pid) \(.name) \(.user)"' "$out" | uniq -c | sed 's/^ *//')" \
		"2 process $worker $name $(id -un)"
	is "columns stand in the first one only" "$(jq -c 'has("columns")' "$out" | tr '\n' ' ')" "true false "
	is "each value has its column" \
		"$(head -n 1 "$out" | jq -c '[.columns[].id] == [.rows[0].values | keys_unsorted[]]')" true
	is "the host" "$(jq -r .host "$out" | tail -n 1)" "$(uname -n)"
else
	skip "jq reads it" "there is no jq"
fi

# A program that ends while it is looked at.
"$tiptop" --format json -S software -d 0.1 -- sleep 0.3 >"$out" 2>"$err" 3>&-
is "the end of a task" "$(grep -c '^{"type":"exit","schema":1,.*"name":"sleep",.*"values":{"cpu":' "$out")" 1
is "is told once" "$(grep -c '"type":"exit"' "$out")" 1

# Fields, rows, order, groups.
for format in csv text; do
	run $format -b -p "$worker" --fields cpu,pid,command
	is "$format: the fields that are wanted" \
		"$(grep -E 'cpu,pid|%CPU' "$out" | tr -d '[]' | sed 's/%CPU/cpu/; s/^ *//; s/  */,/g; s/,$//')" "cpu,pid,command"
done
# A name of wide characters takes two columns each: in bytes, its row is as much longer as its name has bytes beyond its columns.
for wide in abcd "$(printf '\346\227\245\346\234\254')"; do
	cp "$(command -v sleep)" "$dir/$wide"
	"$dir/$wide" 60 &
	sleeper=$!
	sleeping() { [ "$(cat "/proc/$sleeper/comm" 2>/dev/null)" = "$wide" ]; }
	await sleeping
	LC_ALL=C.UTF-8 "$tiptop" -b -i -n 1 -d 0.1 -S software -p $sleeper --fields command,pid 2>"$err" 3>&- |
		grep "^ *$wide" >"$out"
	kill $sleeper
	wc -c <"$out"
done >"$dir/widths"
is "a name of wide characters is as wide as one of twice as many" "$(tr '\n' ' ' <"$dir/widths")" \
	"$(head -n 1 "$dir/widths") $(($(head -n 1 "$dir/widths") + 2)) "
run csv --rows 1 --sort pid --fields pid
is "the number of rows" "$(wc -l <"$out")" 3
is "of the largest" "$(sed -n 2p "$out" | awk -v other="$other" '{ print ($1 >= other) }')" 1
run csv -p "$worker" --group user --fields kind,name,members,pid
is "a group" "$(tail -n 1 "$out")" "user,$(id -un),1,"
"$tiptop" --format csv --fields pid,colour >"$out" 2>"$err" 3>&-
is "a field that there is not: status" $? 2
matches "a field that there is not: the message" "$(tail -n 1 "$err")" \
	"tiptop: there is no field 'colour' \(--fields\) in the screen '[a-z]*': it has timestamp, .*"
"$tiptop" -b --fields pid,quality >"$out" 2>"$err" 3>&-
is "one that the text does not have: status" $? 2
"$tiptop" --format xml >"$out" 2>"$err" 3>&-
is "a format that there is not: status" $? 2
matches "a format that there is not: the message" "$(cat "$err")" "tiptop: there is no format 'xml': .*csv \(.*json \(.*"

# Numbers in the C locale, whatever the user's is.
german=$(locale -a 2>/dev/null | grep -iE '^de_DE\.utf-?8$' | head -n 1)
if [ "$german" ]; then
	LC_ALL=$german run csv -p "$worker" --fields interval_s
	is "a decimal point" "$(tail -n 1 "$out" | grep -cE '^[0-9]+\.[0-9]+$')" 1
else
	skip "a decimal point" "there is no German locale"
fi

# Appended to.
file=$dir/appended.csv
for i in 1 2; do
	run csv -b -p "$worker" -o "$file" --append
	is "appended, run $i" $? 0
done
is "one header" "$(grep -c '^timestamp' "$file")" 1
is "all rows" "$(wc -l <"$file")" 5
cp "$file" "$dir/copy"
run csv -b -p "$worker" -o "$file" --append --fields pid,cpu
is "another header: status" $? 1
is "another header: the message" "$(tail -n 1 "$err")" \
	"tiptop: cannot append to '$file': it does not begin with 'pid,cpu': name another file, or leave out --append to overwrite it"
run json -b -p "$worker" -o "$file" --append
is "another format: status" $? 1
is "nothing has changed" "$(cmp "$file" "$dir/copy" 2>&1)" ""
for i in 1 2; do
	run json -b -p "$worker" -o "$dir/appended.json" --append
done
is "JSON: each run has its objects" "$(grep -c '^{"type":"refresh".*}$' "$dir/appended.json")" 4
is "and its columns" "$(grep -c '"columns":' "$dir/appended.json")" 2

# A file system that is full, or a file at its limit: what is there is whole lines.
for format in csv json; do
	(
		ulimit -f 2
		exec timeout 60 "$tiptop" -b --format $format -S software -i -d 0.05 -o "$dir/limited.$format" --fields cpu \
			-p "$worker" --append >"$out" 2>"$err" 3>&-
	)
	is "$format: a file at its limit: status" $? 1
	is "$format: its last line is whole" "$(tail -c 1 "$dir/limited.$format" | wc -l)" 1
done
if command -v jq >/dev/null; then
	is "each of them can be read" "$(jq -r .type "$dir/limited.json" | sort -u)" refresh
else
	skip "each of them can be read" "there is no jq"
fi

# What is read while it is written, and ends in the middle.
for format in csv json; do
	"$tiptop" --format $format -S software -i -d 0.1 2>"$err" 3>&- | head -n 3 >"$out"
	is "$format: a reader that goes away" "$(wc -l <"$out")" 3
	is "$format: is not an error" "$(grep -vc 'no hardware counters' "$err")" 0
	# A shell has those in the background ignore it.
	env --default-signal=INT "$tiptop" -b --format $format -S software -i -d 0.1 -o "$dir/file" 2>"$err" 3>&- &
	monitor=$!
	await grep -q . "$dir/file"
	kill -INT "$monitor"
	wait "$monitor"
	monitor=
	is "$format: after SIGINT the last line is whole" "$(tail -c 1 "$dir/file" | wc -l)" 1
	rm -f "$dir/file"
done
work_end
finish
