#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Marks: the row of an ended task has a mark, and is dim; the footer explains each mark once.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >"$dir/.tiptoprc" <<'XML'
<tiptop>
<screen name="one"><column header=" %ONE" format="%5.1f" expr="CPU_TOT"/>
<column header=" NONE" format="%5.1f" expr="1 / (CPU_TOT - CPU_TOT)"/>
<column header=" FLT" format="%5.0f" expr="delta(MINFLT)" warn=">= 0" crit=">= 0"/></screen>
</tiptop>
XML
cp "$(command -v yes)" "$dir/brief$$"
# brief: a row of one that is to end soon
brief()
{
	"$dir/brief$$" >/dev/null &
	victim=$!
}
# ended_row: the row of the last one, with its colours
ended_row()
{
	mux capture-pane -p -e | grep "$victim"
}
shows_end()
{
	shows "^ *${victim}x .*brief"
}
# footer: the last line
footer()
{
	screen | tail -n 1
}
foot_has()
{
	footer | grep -q -e "$1"
}

window=80x24
echo "-d 2 -S one -p brief$$" >"$dir/options"
brief
stranger=$victim
start run "marks"
await "the footer explains a mark that shows" foot_has '^h help  q quit .*- = no such number'
check "and no other one" not foot_has 'x = ended'
press HOME
await "the next key takes it away" not foot_has 'no such number'
check "hints are back" foot_has '^h help  q quit  LEFT RIGHT'
brief
await "another task runs" shows "^ *$victim  .*brief"
kill "$victim"
await "who has ended is marked" shows_end
ended_row >"$dir/row"
check "the footer says what that is" foot_has 'x = ended'
check "the row has no other mark" not grep -q "[0-9]'" "$dir/row"
is_dim()
{
	ended_row >"$dir/row"
	grep -q "$(printf '\033')\[2m" "$dir/row"
}
await "it is dim" is_dim
check "and neither red, whatever its numbers are, nor underlined" \
	not grep -q "$(printf '\033')\[[0-9;]*\(31\|4\)m" "$dir/row"
press HOME
await "a key takes that away, too" not foot_has 'x = ended'
brief
await "one more runs" shows "^ *$victim  .*brief"
kill "$victim"
await "and ends" shows_end
check "no mark is explained twice" not foot_has 'x = ended\|no such'
press h
await "the help has all marks" shows 'Help: '
press /
answer 'a task that has ended: its'
await "that of the end" shows '^  x  a task that has ended, with its last numbers'
press q q
check_restored "marks"

echo "1..$count"
exit $failed
