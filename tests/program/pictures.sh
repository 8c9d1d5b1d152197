#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Pictures of the live screen: --screenshot, without a terminal.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

LC_ALL=C.UTF-8
export LC_ALL
cat >"$dir/rc" <<'XML'
<tiptop>
<screen name="known"><column header=" BUSY" format="%5.1f" expr="CPU_TOT"/><column header="  KNOWN" format="%7.0f" expr="0 * CPU_NS + 4711"/></screen>
</tiptop>
XML
work_start 'name=a<b&c>' wait # to be escaped

# shot FILE [OPTION]...: the picture; what is printed is in $out and $err.
shot() {
	picture=$1
	shift
	"$tiptop" --screenshot "$picture" -i -d 0.1 --only-conf -W "$dir/rc" -p "$worker" "$@" >"$out" 2>"$err" </dev/null
}
# well_formed FILE: as an independent reader of XML says.
well_formed() {
	if command -v xmllint >/dev/null; then
		xmllint --nonet --noout "$1" 2>"$err"
		ok "xmllint reads ${1##*.}" $?
	else
		skip "xmllint reads ${1##*.}" "xmllint is not installed"
	fi
}

shot "$dir/x.txt" --size 60x12
is "a picture is written, and nothing is printed" "$? $(cat "$out")" "0 "
is "it has the lines that were asked for" "$(wc -l <"$dir/x.txt")" 12
is "no line is longer than was asked for" "$(sed 's/\xe2\x80\xa6/+/' "$dir/x.txt" | awk 'length($0) > 60')" ""
grep -q " 4711  *a<b&c>" "$dir/x.txt"
ok "the task is in it, with its number" $?
grep -q '^h help' "$dir/x.txt"
ok "and the keys" $?
shot "$dir/x.txt" -n 3
is "80x24 where there is no terminal" "$(wc -l <"$dir/x.txt")" 24

shot "$dir/x.ans" --size 60x12
sed 's/\x1b\[[0-9;]*m//g; s/ *$//' "$dir/x.ans" | grep -q " 4711  *a<b&c>"
ok "ANSI: the same text" $?
grep -q "$(printf '\033')\[0;7m" "$dir/x.ans"
ok "ANSI: with codes" $?
for kind in svg html; do
	shot "$dir/x.$kind" --theme light
	well_formed "$dir/x.$kind"
	grep -q 'a&lt;b&amp;c&gt;' "$dir/x.$kind"
	ok "$kind: names are escaped" $?
	grep -q '#ffffff' "$dir/x.$kind"
	ok "$kind: light" $?
	shot "$dir/x.$kind"
	grep -q '#1d1f21' "$dir/x.$kind"
	ok "$kind: dark" $?
done
NO_COLOR=1 "$tiptop" --screenshot "$dir/y.ans" --theme high-contrast -n 1 -d 0.1 >"$out" 2>"$err"
is "NO_COLOR: no colours" "$(grep -c '[34]8;' "$dir/y.ans")" 0

shot "$dir/x.txt" -b -n 2
grep -q 4711 "$out" && grep -q 4711 "$dir/x.txt"
ok "-b: the text of batch mode, too" $?

# The page of a task.
shot "$dir/x.txt" --page "$worker" --size 100x60
is "--page: that of the task" "$? $(sed -n 's/^ \(process [0-9]* [^ ]*\) .*/\1/p' "$dir/x.txt")" "0 process $worker a<b&c>"
work_start name=runs share=50
shot "$dir/x.txt" --page "$worker" --size 100x60 -n 3
is "with the graph of one that runs" "$(grep -c "^BUSY .* $worker runs" "$dir/x.txt")" 1
shot "$dir/x.txt" --page "$worker" --size 100x60 -n 3 --sort KNOWN
is "of totals, there is none" "$(grep -c '^no graph: this column is a total so far' "$dir/x.txt")" 1
if "$tiptop" -b -n 3 -d 0.1 -p "$worker" --only-conf -W "$dir/rc" --record "$dir/r.db" >/dev/null 2>"$err"; then
	"$tiptop" --replay "$dir/r.db" --screenshot "$dir/x.svg" -n 2 --page "$worker" --size 100x60 -W "$dir/rc" -S known >"$out" 2>"$err"
	is "from a recording" "$? $(grep -c "process $worker" "$dir/x.svg")" "0 1"
	well_formed "$dir/x.svg"
	"$tiptop" --replay "$dir/r.db" --screenshot "$dir/y.svg" -n 2 --page 1 >"$out" 2>"$err"
	is "one that never came is an error" "$? $(grep -c 'no row with the id 1 appeared' "$err")" "1 1"
else
	skip "from a recording" "built without SQLite"
fi
"$tiptop" -b -n 1 --page "$worker" >"$out" 2>"$err"
is "in batch mode, it is a usage error" "$?" 2

# What is wrong is said before anything is done.
rm -f "$dir"/[xy].*
"$tiptop" --screenshot "$dir/x.png" >"$out" 2>"$err"
is "another suffix: a usage error" "$? $(grep -c 'end it with .txt, .ans, .svg or .html' "$err")" "2 1"
for size in 0x10 10 x 10x 10x10x10 3000x10 -1x5; do
	"$tiptop" --screenshot "$dir/x.svg" --size "$size" >"$out" 2>"$err"
	is "--size $size: a usage error" "$? $(grep -c "'$size' is not a size" "$err")" "2 1"
done
"$tiptop" --size 80x24 -b -n 1 >"$out" 2>"$err"
is "--size alone: a usage error" "$?" 2
"$tiptop" --screenshot "$dir/none/x.svg" >"$out" 2>"$err"
is "a folder that is not there: it fails" "$? $(grep -c 'No such file' "$err")" "1 1"
is "nothing was left behind" "$(find "$dir" -name '*.svg*')" ""
finish
