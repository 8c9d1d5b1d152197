#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The setup page: columns are taken, moved, added and removed; W saves them, and preserves the comments of the file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# line N PATTERN - the N-th line of the page
line()
{
	screen | sed -n "$(($1 + 1))p" | grep -q -e "$2"
}
# place PATTERN: the column of the screen in which it begins.
place()
{
	screen | awk -v pattern="$1" 'match($0, pattern) { print RSTART; exit }'
}
# below PATTERN: the mark stands below where it begins.
below()
{
	[ -n "$(place "$1")" ] && [ "$(place "$1")" = "$(screen | awk '/^ *\^/ { print index($0, "^"); exit }')" ]
}
# tried PATTERN - what is typed is tried out again, until there is a row and it shows this
tried()
{
	press 0 BSpace
	shows "$1"
}
# columns TEXT - the names above the table
columns()
{
	[ "$(header | tr -d '[]' | tr -s ' ')" = "$1" ]
}

same_as_typed()
{
	screen | cmp -s - "$dir/typed"
}

cat >"$dir/.tiptoprc" <<'EOF'
<tiptop>
  <options>
    <option name="screen" value="one"/>
  </options>
  <screen name="one" desc="the first">
    <column header=" %ONE" format="%5.1f" expr="CPU_TOT"/> <!-- busy -->
    <!-- where it ran -->
    <column header=" P" format="%2.0f" expr="PROC_ID"/>
  </screen>
</tiptop>
EOF
cp "$dir/.tiptoprc" "$dir/before"
sleep 1000 &
victim=$!
echo "-i -p $victim" >"$dir/options"
start run "start"
press F2
await "F2 opens the page" shows '^ Columns of one'
await "with the columns of the screen" line 1 '^\* %ONE'
await "and others" shows '^  %CPU .* default '
press q
await "q closes it" painted
press C
await "headings say what columns are about" shows '^Which task it is$'
await "the meaning of the current one stands below" shows '^%ONE, id one, of one; unit %: parts of a hundred'
check "so do the keys of the page" shows '^Enter take  Delete remove'
press /
press -l 'voluntary'
await "/ finds a column by what it means" shows '^= .*VCSW'
mux capture-pane -p >"$dir/typed"
press Down
await "Down goes to the next that has it" not same_as_typed
press Enter x Escape
await "Enter takes none while it is typed" shows '^Enter take  Delete remove'
press Escape
await "ESC ends the search, not the page" shows '^ Columns of one'
press Home
await "C opens it, too" line 2 '^\* P'
press End
await "facts are at the end" shows ' facts '
press Home Down
press '<'
await "< moves a column to the left" line 1 '^\* P'
press BSpace
await "Backspace takes that back" line 1 '^\* %ONE'
press Home '>'
await "> moves one to the right" line 2 '^\* %ONE'
press +
await "+ asks for a column" shows '^Column (NAME = expression):'
press -l 'NICER = NICE + nosuch'
await "an unknown name is told" shows "column 16: there is no counter, variable or column 'nosuch'"
check "below its place" below 'nosuch *Enter accepts'
press BSpace BSpace BSpace BSpace BSpace BSpace 7
await "what is not read for any column yet is told" tried "^NICER of $victim sleep: it is not read so far"
press C-u
press -l 'NICER = 7 + PROC_ID - PROC_ID'
await "what it would show of the current row stands there" tried "^NICER of $victim sleep: 7.00"
press C-u
press -l 'NICER = NICE + 7'
press Enter
await "Enter adds it" line 3 '^\* NICER'
press Escape
await "ESC says what is not written" shows '2 changes hold until tiptop ends: W writes'
await "the table has it" columns ' PID P %ONE NICER COMMAND'
await "with its number" shows "^ *$victim .* $(($(nice) + 7)).00.* sleep"
press q
await "q asks about them" shows '2 changes in the setup, not written: write and quit (w), quit (q), stay'
press Escape
await "ESC stays" hides 'not written'
check "the file is as it was" cmp "$dir/before" "$dir/.tiptoprc"
press W Enter
await "W asks" shows 'change what is different in it? (y/n)'
press y
await "y: it is written" shows 'written to'
check "the comments are there" test "$(grep -c '<!--' "$dir/.tiptoprc")" = 2
sort "$dir/before" >"$dir/old"
sort "$dir/.tiptoprc" >"$dir/new"
check "no line is gone" test "$(comm -23 "$dir/old" "$dir/new" | wc -l)" = 0
# These are in the file now.
: >"$dir/options"
check "one is new" test "$(comm -13 "$dir/old" "$dir/new" | grep -c NICER)" = 1
press q
await "q: the program has ended" ended
start run "again"
await "the columns are there at the next start" columns ' PID P %ONE NICER COMMAND'

# A built-in screen becomes one of one's own.
press 0
await "the first screen" shows '^ *PID.* %SYS .*COMMAND'
press F2
await "its page" shows '^ Columns of default'
press Down x Escape
check "letters take none away" shows '^\* %SYS'
press DC
await "Delete takes a column away" hides '^\* %SYS'
press q W Enter
await "W asks" shows 'change what is different in it? (y/n)'
press y
await "y: it is written" shows 'written to'
check "as one that replaces the built-in one" grep -q '<screen name="default".* replace="yes">' "$dir/.tiptoprc"
check "without the column" test "$(grep -c CPU_SYS "$dir/.tiptoprc")" = 0
press q
await "q: the program has ended" ended
start run "once more"
await "it is so at the next start" shows '^ *PID.*%CPU.* P .*COMMAND'
check "the column has gone" hides '%SYS'
press q
await "q: the program has ended" ended

# A screen is copied, and its copy changed.
lacks_processor()
{
	header | grep -q '%CPU' && ! header | grep -q ' P '
}
start run "copy"
press C Tab
await "the screens" shows '^[*]  0 default'
press Home +
await "+ asks for a name" shows '^Name of the copy of [a-z]*:'
press -l 'default'
await "one that is there is none" shows "there is a screen 'default' already"
press C-u
press -l 'mine'
await "it is said what it would be" shows "a screen with the columns of 'default'"
press Enter
await "its columns are there" shows '^ Columns of mine'
press Down DC
await "one is taken away" hides '^[*] P '
press q
await "it is shown, behind those of the file" shows ' [0-9][0-9]* mine\b'
await "without the column" lacks_processor
press 0
await "the other one has it" shows '^ *PID.*%CPU.* P .*COMMAND'
press W Enter
await "W asks" shows 'change what is different in it? (y/n)'
press y
await "y: it is written" shows 'written to'
check "under its name" grep -q '<screen name="mine" desc="[^"]*">' "$dir/.tiptoprc"
press q
await "q: the program has ended" ended
start run "the copy again"
resize 250x30 # the tabs of screens that need counters go first where there is no room
await "it is where it was" shows ' [0-9][0-9]* mine\b'
mux send-keys -l "$(screen | sed -n 's/.* \([0-9]*\) mine\b.*/\1/p')"
await "as it was" lacks_processor
resize $window
press 0
await "so is the other one" shows '^ *PID.*%CPU.* P .*COMMAND'

# It is deleted, and its name with it.
press C Tab
await "the screens" shows '^[*]  0 default'
press Home
n=$(screen | grep -c '^[*] *[0-9]')
while [ $((n -= 1)) -gt 0 ]; do
	press Down
done
press DC
await "Delete deletes it" hides ' mine '
press ESC
await "the page is closed" hides '^ Screens'
press W Enter y
await "W writes that" shows 'written to'
check "it is no more in the file" test "$(grep -c '"mine"' "$dir/.tiptoprc")" = 0
press q
await "q: the program has ended" ended

# Options and the theme.
option()
{
	screen | sed -n "s/^[* ] $1  *\([^ ]*\).*/\1/p"
}
option_is()
{
	[ "$(option "$1")" = "$2" ]
}
# go_to NAME - the line of an option; the first one is current
go_to()
{
	screen | sed -n "2,\$ s/^[* ] \([a-z_]*\)  .*/\1/p" >"$dir/names"
	for _ in $(seq 2 "$(grep -nx "$1" "$dir/names" | cut -d : -f 1)"); do
		press Down
	done
}
start run "options"
press C
await "the page" shows '^ Columns of '
press Tab
await "Tab shows the screens" shows '^[*]  1 [a-z]'
press End Home Down '>'
await "> moves one" line 3 '^[*]  1 branch'
press q
await "its tab has moved" shows ' 0 default .*[a-z].* 1 branch '
press C
await "the page is where it was" line 3 '^[*]  1 branch'
press Down Down Enter
await "Enter leaves one out" hides '^[*] .* branch'
press BSpace
await "Backspace brings it back" line 3 '^[*]  1 branch'
press Tab
await "Tab shows the options" option_is theme default
go_to theme
press Enter
await "Enter takes the next theme" option_is theme light
press BSpace
await "Backspace takes it back" option_is theme default
press '>' '>'
await "and the one behind it" option_is theme monochrome
press Home
go_to delay
press Enter
await "a number is asked for" shows '^Value: 0.5'
answer 0
await "one that is none is refused" shows 'must be'
press x
answer 0.75
await "one that is fine is taken" option_is delay 0.75
press Tab
await "Tab shows the parts" shows '^[*] footer'
press End Enter
await "Enter hides one" shows '^  footer'
press q
await "it is so at once" shows 'every 0.75 s'
check "and so is what is hidden" hides '^h help'
cp "$dir/.tiptoprc" "$dir/before"
press W Enter
await "W asks" shows 'change what is different in it? (y/n)'
press y
await "y: it is written" shows 'written to'
check "the theme" grep -q '<option name="theme" value="monochrome"/>' "$dir/.tiptoprc"
check "the order of screens" grep -q '<option name="screens" value="[a-z]*,[a-z]*,branch,' "$dir/.tiptoprc"
check "the parts" grep -q '<option name="layout" value="title,meters,tasks,tabs,note,total"/>' "$dir/.tiptoprc"
check "the delay" grep -q '<option name="delay" value="0.75"/>' "$dir/.tiptoprc"
check "the comments are still there" test "$(grep -c '<!--' "$dir/.tiptoprc")" = 2
press q
await "q: the program has ended" ended

# A command with options of its own keeps those of the file, and writes what was changed here.
sed "s/ -d 0.5 / system -l 0.5 /" "$dir/run" >"$dir/run-system"
rm "$dir/options"
cp "$dir/.tiptoprc" "$dir/before"
begin run-system
await "the live screen of CPUs" shows 'CPUs:'
press C Tab Tab
await "the page shows its options" option_is delay 0.5
go_to heat
press Enter
await "one is changed" option_is heat yes
press q
press W Enter
await "W asks" shows 'change what is different in it? (y/n)'
press y
await "y: it is written" shows 'written to'
check "only what was changed" [ "$(diff "$dir/before" "$dir/.tiptoprc" | sed -n 's/^[<>] *//p')" = \
	'<option name="heat" value="1"/>' ]
press q
await "q: the program has ended" ended

# With a command, q asks about both.
echo "-i -- sleep 1000" >"$dir/options"
start run "command"
press C
await "the page" shows '^ Columns of '
press Home '>'
await "a change" line 2 '^\* '
press q
press q
await "q asks about the change" shows '1 change in the setup, not written'
press q
await "and then about the command" shows "'sleep' is still running: end it (e)"
press Escape
await "ESC stays" hides 'still running'
check "the program runs" alive
press q
await "q asks again about the change" shows '1 change in the setup, not written'
press w
await "w asks where to" shows 'Write the configuration to:'
press Enter
await "W asks" shows 'change what is different in it? (y/n)'
press Escape
await "ESC stays" hides 'change what'
check "the program runs" alive
press q
press w C-u
press -l "$dir/no/file"
press Enter
await "what cannot be written is asked again, with the reason" shows 'No such file'
check "the program runs" alive
press Escape q w Enter
press y
await "y: it is written, then the command is asked about" shows "'sleep' is still running: end it (e)"
press e
await "e: the program has ended" ended
check "with the status of the command" [ "$(cat "$dir/$starts/rc")" = 143 ]
echo 1..$count
exit $failed
