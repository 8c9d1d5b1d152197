#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/real/regions.sh [NAME]... - programs around real libraries, and real servers, with regions of libtiptop: the calls of
# each region are those that the program counts itself, and its CPU time agrees within 2 % with the program's own
# CLOCK_THREAD_CPUTIME_ID. Without measuring, they print the same except for times. Prints TAP.
#
# To add one: a file in tests/real/regions/, a line below, and a row for its package in tools/lib.sh (scope real). The file is
# a shell script with two steps, like those of tests/real/programs/ (run.sh), in whose environment are INCLUDE, LIBRARY and
# PYTHON. The step "run" prints a line for each region: its own time in ns, its calls, and the label.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)} builddir=${builddir:-$srcdir/build}
TIPTOP=${TIPTOP:-$builddir/tiptop}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

unset XDG_RUNTIME_DIR
INCLUDE=$srcdir/include LIBRARY=$builddir/libtiptop.so.0 TIPTOP_LIBRARY=$builddir/libtiptop.so.0
PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1
export INCLUDE LIBRARY TIPTOP_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE

# has_header COMPILER HEADER, has_module NAME: what a program needs.
has_header() {
	echo "#include <$2>" | "$1" -E - >"$dir/text" 2>&1
}
# That of the distribution has the modules of its packages.
has_module() {
	PYTHON=/usr/bin/python3
	export PYTHON
	"$PYTHON" -c "import $1" >"$dir/text" 2>&1
}

# columns: what of a region the report has: the time in ns, calls and label.
columns() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "region" { gsub(/"/, "", $at["label"]); print $at["\"task-clock\""], $at["calls"], $at["label"] }' "$dir/report"
}

# program NAME CHECK...: where the check succeeds.
program() {
	name=$1
	shift
	case " $wanted " in
	"  " | *" $name "*) ;;
	*) return ;;
	esac
	"$@" || { skip "$name" "$2 ${3-} is missing" && return; }
	rm -rf "$dir/place"
	mkdir "$dir/place"
	cd "$dir/place" || exit
	sh -eu "$srcdir/tests/real/regions/$name" prepare >"$out" 2>"$err" || { ok "$name: it is prepared" 1 && return; }
	timeout -k 5 120 sh "$srcdir/tests/real/regions/$name" run >"$out" 2>"$err"
	is "$name: it runs without being measured" "$? $(wc -c <"$err")" "0 0"
	cut -d' ' -f3- "$out" >"$dir/labels"
	rm -rf "$dir/place/db"
	: >"$dir/report"
	stolen_before=$(stolen)
	TIPTOP_REGIONS=task-clock TIPTOP_FORMAT=csv TIPTOP_REPORT=$dir/report \
		timeout -k 5 120 sh "$srcdir/tests/real/regions/$name" run >"$out" 2>"$err"
	is "$name: it runs while it is measured" "$? $(wc -c <"$err")" "0 0"
	stolen_ns=$(calc "$(stolen_ms) * 1e6")
	is "$name: nothing is lacking" "$(grep -c '^lack' "$dir/report")" 0
	columns >"$dir/measured"
	is "$name: its regions" "$(cut -d' ' -f3- "$dir/measured" | sort)" "$(sort "$dir/labels")"
	while read -r own calls label; do
		# shellcheck disable=SC2046 # two words
		set -- $(awk -v label="$label" '{ ns = $1; n = $2; sub(/^[0-9]* [0-9]* /, "") } $0 == label { print ns, n }' "$dir/measured")
		is "$name: calls of $label" "${2-}" "$calls"
		within "$name: CPU time of $label is that of the thread's clock" "${1-}" "$(calc "$own * 0.98")" "$(calc "$own * 1.02 + $stolen_ns")"
	done <"$out"
}

wanted=$*
program lz4 has_header gcc lz4.h
program leveldb has_header g++ leveldb/c.h
program flask has_module flask
program aiohttp has_module aiohttp
finish
