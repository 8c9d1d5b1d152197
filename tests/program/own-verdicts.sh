#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics and verdicts of users' files: the example of doc/verdicts.md works, and errors have their place.
. "$(dirname "$0")/lib.sh"

sleep 1000 &
worker=$!

# explain FILE: what is said of the task in the second refresh.
explain() {
	"$tiptop" -W "$1" --explain-verdict -i -p $worker -d 0.2 -n 2 >"$out" 2>"$err"
	is "$1: status" $? 0
	is "$1: no faults" "$(cat "$err")" ""
	awk '/^[A-Z][a-z][a-z] [A-Z][a-z][a-z] / { n++ } n == 2' "$out" >"$dir/said"
}
# refused NAME PATTERN: what stands in $dir/bad ends the start with such a sentence.
refused() {
	"$tiptop" -W "$dir/bad" -b -n 1 >"$out" 2>"$err"
	[ $? -ne 0 ]
	ok "$1: it ends the start" $?
	matches "$1: the place is told" "$(head -n 1 "$err")" "tiptop: $dir/bad:$2"
}

awk '/^```xml/ { on = 1; next } /^```/ { on = 0 } on' "${srcdir:?}/doc/verdicts.md" >"$dir/rc"
explain "$dir/rc"
grep -Eq '^large +It has [0-9]+ MiB in RAM, 0\.[0-9] GiB\.$' "$dir/said"
ok "the example of the documentation: its verdict has its numbers" $?
grep -Eq "^  rule +large: resident >= 1 \(our own\)$" "$dir/said"
ok "its rule is named" $?
grep -Eq "^  next +pmap -x $worker - what it is made of$" "$dir/said"
ok "its next step, too" $?
! grep -q "^  rule  *timer:" "$dir/said"
ok "a rule that was replaced is not found" $?
"$tiptop" -W "$dir/rc" -b -n 1 -d 0.1 -i -S why -p $worker --fields verdict >"$out" 2>"$err"
is "the column shows the verdict of the highest rank" "$(sed -n '/^ *VERDICT/,$p' "$out" | sed -n 2p | tr -d ' ')" large
"$tiptop" -W "$dir/rc" -b -n 1 -d 0.1 -i -S software -p $worker --filter "verdict == 'large'" --fields pid >"$out" 2>"$err"
grep -qx " *$worker *" "$out"
ok "a filter finds it on any screen" $?

# A metric of a column of one's own screen.
cat >"$dir/screen" <<'END'
<tiptop>
  <screen name="mine"><column id="twice" header="TWICE" format="%5.1f" expr="2 * NUM_THREADS"/></screen>
  <metric name="twice" format="%.0f" desc="twice the threads"><from screen="mine" column="twice" times="10"/></metric>
  <verdict name="doubled" word="doubled" when="twice == 20" rank="2000" says="{twice}" sure="sure" source="x"/>
</tiptop>
END
explain "$dir/screen"
grep -Eq '^doubled +20$' "$dir/said"
ok "a metric comes from a screen of one's own" $?

printf '<tiptop>\n\n<verdict name="queue" replace="yes" when="queue &gt;"/>\n</tiptop>\n' >"$dir/bad"
refused "a condition" "3: <verdict 'queue'>: when: .*column .*"
printf '<tiptop>\n<metric name="x" format="%%.0f" desc="x" expr="NUM_THREADS +* 2"/>\n</tiptop>\n' >"$dir/bad"
refused "an expression" "2: <metric 'x'>: .*expr: .*column .*"
printf '<tiptop>\n<metric name="x" format="%%z" desc="x" expr="NUM_THREADS"/>\n</tiptop>\n' >"$dir/bad"
refused "a format" "2: <metric 'x'>: .*format: .*"
printf '<tiptop>\n<verdict name="queue" replace="yes" says="{queue"/>\n</tiptop>\n' >"$dir/bad"
refused "a sentence" "2: <verdict 'queue'>: .*'}' is missing .*"
printf '<tiptop>\n<verdict name="queue" replace="yes" sure="quite"/>\n</tiptop>\n' >"$dir/bad"
refused "a word" "2: <verdict 'queue'>: sure: 'quite' is neither sure, likely nor maybe"

# What another version or machine may have is only told.
printf '<tiptop>\n<verdict name="queue" replace="yes" when="nothing &gt; 1"/>\n</tiptop>\n' >"$dir/bad"
"$tiptop" -W "$dir/bad" -b -n 1 >"$out" 2>"$err"
is "a metric that is none: it goes on" $? 0
matches "and that is told" "$(head -n 1 "$err")" "tiptop: $dir/bad:2: <verdict 'queue'>: when: .*nothing.*"
printf '<tiptop>\n<verdict name="queue" replace="yes" covers="quota;pined"/>\n</tiptop>\n' >"$dir/bad"
"$tiptop" -W "$dir/bad" -b -n 1 >"$out" 2>"$err"
is "one that covers a verdict that is not there does not end it" $? 0
matches "and that is told, too" "$(head -n 1 "$err")" "tiptop: $dir/bad:2: <verdict 'queue'>: covers: there is no verdict 'pined' \(did you mean 'pinned'\?\)"

kill $worker
wait $worker 2>/dev/null
worker=
finish
