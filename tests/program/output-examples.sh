#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# doc/examples: each is run as its head describes, on tiptop's output about a task of this test.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

examples=${srcdir:?}/doc/examples
# needs PROGRAM NAME: whether it is there; else the test is skipped.
needs() {
	command -v "$1" >/dev/null && return
	skip "$2" "there is no $1"
	return 1
}
# tiptop_writes OPTION...: three refreshes of our task.
tiptop_writes() {
	"$tiptop" -S software -i -d 0.2 -n 3 -p "$worker" "$@" 2>"$err" 3>&-
}

name="ex,$$"
work_start "name=$name" wait touch=50 wait
tiptop_writes --format csv >"$dir/tiptop.csv"
tiptop_writes --format json >"$dir/tiptop.json"

tiptop_writes --format csv --fields interval_s,cpu,name | awk -f "$examples/cpu-time.awk" >"$out"
matches "cpu-time.awk" "$(cat "$out")" " *[0-9]+\.[0-9]{3} \"?$name\"?"

if needs sqlite3 "programs.sql"; then
	(cd "$dir" && sqlite3 :memory: '.import --csv tiptop.csv tiptop' ".read $examples/programs.sql") >"$out" 2>"$err"
	is "programs.sql" "$(awk -v name="$name" '$1 == name { print $2, $NF }' "$out")" "1 3"
fi
if needs python3 "summary.py"; then
	python3 "$examples/summary.py" "$dir/tiptop.csv" >"$out" 2>"$err"
	is "summary.py, of CSV" "$(grep -c "^$name	cpu	mean .*of 3$" "$out")" 1
	cp "$out" "$dir/text"
	python3 "$examples/summary.py" - <"$dir/tiptop.json" >"$out" 2>"$err"
	is "of JSON: the same columns" "$(cut -f 1,2,5 "$out")" "$(cut -f 1,2,5 "$dir/text")"
fi
if needs gnuplot "cpu.gp"; then
	tiptop_writes --format csv --fields mono_s,cpu >"$dir/cpu.csv"
	gnuplot -e "input='$dir/cpu.csv'; output='$dir/cpu.png'" "$examples/cpu.gp" >"$out" 2>"$err"
	is "cpu.gp" "$?$(head -c 4 "$dir/cpu.png" | tail -c 3)" 0PNG
fi
work_end
if needs gcc "compilers.sh" && needs clang "compilers.sh"; then
	# It has compilers.c beside it.
	PATH=$(dirname "$tiptop"):$PATH sh "$examples/compilers.sh" 2 --format csv >"$out" 2>"$err" 3>&-
	is "compilers.sh" "$(awk -F, 'NR > 1 { print $1, $2, $3, ($6 > 0 && $9 > 0) }' "$out" | head -n 2)" \
		"by-gcc by-clang cpu 1
by-gcc by-clang prod_cpus 1"
fi
if [ -r "${builddir:?}/tiptop-calls.so" ]; then
	PATH=$(dirname "$tiptop"):$PATH RUNS=3 OPTIONS="--rows 0 --format csv" \
		sh "$examples/versions.sh" "$builddir/tests/program/caller" "$builddir/tests/program/caller" string >"$out" 2>"$err" 3>&-
	is "versions.sh" "$(grep '^strlen,string,,calls,' "$out" | cut -d, -f 6-13)" "3,13.000,0.000,3,13.000,0.000,0.000,0.000"
else
	skip "versions.sh" "the object was not built"
fi
if needs jq "exits.jq"; then
	"$tiptop" --format json -S software -d 0.1 -- sleep 0.3 2>"$err" 3>&- | jq -r -f "$examples/exits.jq" >"$out"
	is "exits.jq" "$(cut -f 3 "$out")" sleep
	matches "with its numbers" "$(cut -f 4 "$out")" "cpu=[0-9.]+.*"
fi
# What it gives on its own CPU, unit/app/test_har tells; all others lack its events.
"$tiptop" system -W "$examples/ultrasparc2.xml" -S ultrasparc2 0.1 1 >"$out" 2>"$err" 3>&-
is "ultrasparc2.xml" "$(grep -v '^# late: ' "$out" | awk '/mips/ || NR == shown + 1 && shown { $1 = $1; print } /mips/ { shown = NR }')" \
	"mips bus cpi dcm icm ecm dsr isr fsr bsr
? ? ? ? ? ? ? ? ? ?"
is "each example has its test" "$(find "$examples" -type f ! -name README | while read -r file; do
	grep -q "${file##*/}" "$srcdir/tests/program/output-examples.sh" || echo "$file"
done)" ""
finish
