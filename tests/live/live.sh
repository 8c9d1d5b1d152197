#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The live screen: keys, prompts, sizes, signals, and the restoring of the terminal.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# A task of another user, where root can start one: the list has other users.
[ "$(id -u)" != 0 ] || { setpriv --reuid 65534 --clear-groups sleep 1000 & stranger=$!; }
start run "start"
check "the program has the other screen" test "$(mux display-message -p '#{alternate_on}')" = 1
check "the keys are in the footer" shows 'h help  q quit'
check "the title names whose program it is, not another user of the list" shows "^tiptop - .* $(id -un)@$(uname -n | sed 's/[.].*//' | cut -c -24)\$"

before=$(shown)
press i
await "i: idle tasks are shown" shows '\[idle\]'
await "i: all tasks are there" shows_all
check "i: they are more than before" test "$(shown)" -gt "$before"
press i
await "i again: only those that ran" hides '\[idle\]'

column=$(sorted_by)
check "a column is in brackets" test -n "$column"
press '>'
await "> moves the brackets" sorted_by_other_than "$column"
press '<'
await "< moves them back" sorted_by_again "$column"
press R
await "R reverses" shows '\[reverse\]'
press R
await "R again reverses back" hides '\[reverse\]'

press h
await "h shows the help" shows 'Help: screen'
press End
await "the help scrolls to its end" shows '^Looks'
press q
await "q closes the help" painted
check "q in the help does not end the program" alive
press h
await "h shows the help again" shows 'Help: screen'
press Escape
await "ESC closes it" painted
for key in '?' F1; do
	press $key
	await "$key shows the help, too" shows 'Help: screen'
	press $key
	await "$key again closes it" painted
done
press j
await "a key without a meaning says so" shows '^the key j has no meaning'
press i
await "the next key clears that" shows '^h help  q quit'
check "and does its work" shows '\[idle\]'
press i

column=$(sorted_by)
press x
await "x explains the sorting column" shows "^ ${column##* } of screen "
check "the rows are not there" hides '^Tasks:'
check "its formula is" shows '^  CPU_TOT$'
check "a task is, too" shows ': process [0-9]* .*, the current row *$'
press '>'
await "> explains the next column" hides "^ ${column##* } of screen "
check "with the file that it is read from" shows '/proc/PID/stat: '
press x
await "x closes it" painted
check "the column on which it was closed is the sorting one" sorted_by_other_than "$column"
press x
await "x explains that one" shows '/proc/PID/stat: '
press '<' q
await "q closes it" painted
check "< has gone back" sorted_by_again "$column"
check "q there does not end the program" alive

# The number of the row below the header whose id looks current: reversed, or on the colour that the theme has for it.
current_row()
{
	mux capture-pane -p -e | awk '
	{
		reverse_here = 0
		for (rest = $0; length(rest);) {
			if (match(rest, /^\033\[[0-9;]*m/)) {
				n = split(substr(rest, 3, RLENGTH - 3), code, ";")
				for (i = 1; i <= n; i++)
					reverse = code[i] == 7 || code[i] == 46 || (reverse && code[i] && code[i] != 27 && code[i] != 49)
				rest = substr(rest, RLENGTH + 1)
			} else {
				reverse_here += reverse && rest ~ /^[0-9]/
				rest = substr(rest, 2)
			}
		}
		if (row)
			row++
		if (row && reverse_here && !found)
			print found = row - 1
	}
	/PID.*COMMAND/ {
		row = 1
	}'
}
current_is_row()
{
	[ "$(current_row)" = "$1" ]
}
await "the first row is shown in reverse" current_is_row 1
press i
await "there are many rows" shows_all
press End
await "END: it is another one" not current_is_row 1
press Home i
await "HOME: the first row again" current_is_row 1

# A tree: a shell with a name of its own, and what it has started.
cp "$(command -v sleep)" "$dir/fam$$leaf"
cp "$(command -v bash)" "$dir/fam$$top"
"$dir/fam$$top" -c "'$dir/fam$$leaf' 1000 & '$dir/fam$$leaf' 1001 & wait" &
family=$!
press -
await "- without a tree says so" shows 'this is not a tree'
press p
answer "fam$$"
await "the filter shows a family" shows "only 'fam$$'"
press i
await "who sleeps is there, too" shows "fam$$leaf"
press t
await "t: a tree" shows '\[tree\]'
press End
await "children are below their parent" shows "^ *$family .* [├└|\`][─-] fam$$top"
check "the last of them ends its line" shows "[└\`][─-] fam$$leaf"
press End Up Up -
await "-: the parent is a sum of three" shows "+ fam$$top \[3\]"
check "those below are not shown" hides "fam$$leaf"
press +
await "+: they are there again" shows "fam$$leaf"
press '*'
await "*: all are collapsed" hides "fam$$top"
press '*'
await "* again: all are expanded" shows "fam$$leaf"
press F5
await "F5: no tree" hides '\[tree\]'
kill $(pgrep -P "$family") "$family"
press p C-u Enter
await "no filter" hides "only 'fam$$'"
press i

line=$(header)
number=$(screen | sed -n 's/.* \([0-9]*\) one\b.*/\1/p')
press 0
await "0 shows the first screen" header_is_not "$line"
mux send-keys -l "$number"
await "$number shows the one of this number" header_is "$line"
press Right
await "RIGHT shows another screen" header_is_not "$line"
press Left
await "LEFT goes back" header_is "$line"
await "and its rows come" painted

press l
await "l hides the tabs" hides ' 1 branch '
await "and the bars" hides '^0\['
press l
await "l again leaves the table alone" hides '^Tasks:'
press l
await "and then shows all again" shows '^ *0 default  1 branch '

press H
await "H shows threads" shows '^Threads:'
press H
await "H again shows processes" shows '^Tasks:'
await "and its rows come again" painted

for size in 1x1 5x3 40x5 200x60 1x1 100x30; do
	resize $size
done
await "the screen is painted again" painted
check "the program has lived through all sizes" alive

press q
check_restored "q"
check "q: the status is 0" test "$(cat "$dir/$starts/rc")" = 0

start run "prompts"
sleep 1000 &
victim=$!
press d
await "d asks for the delay" shows '^Seconds between'
answer 0.7
await "and it is another one" shows 'every 0.7 s'
press s
answer soon
await "s with an answer that is not a number: a sentence says so" shows "'soon'"
press q
await "its prompt is still open, the next key is text" shows '^Seconds between.*: soonq'
check "the program lives" alive
press Escape
await "ESC closes it" shows '^h help  q quit'
check "the delay is the one before" shows 'every 0.7 s'

press p
answer $victim
await "p: only one task" shows "\[only pid $victim\]"
press i
await "its row is there" shows "^ *$victim "
check "it is not marked" unmarked $victim
check "it is one row" test "$(shown)" = 1
press w
answer $victim
await "w: a task is watched" shows "\[watch: $victim\]"
await "its row is marked" marked $victim
press S
await "S: sticky" shows '\[sticky\]'

press k Enter
await "k asks for a pid, and for the signal" shows '^Signal'
answer TREM
await "an unknown signal: a sentence says so" shows "no signal 'TREM'"
press Escape k
answer 4194305
press Enter
await "a pid beyond all pids: a sentence says so" shows 'cannot send signal 15 to 4194305'
check "its prompt is open again" shows '^Pid to send a signal to: 4194305'
press Escape k Enter
answer SIGINT
await "k: a signal is sent to the task that is watched" shows "SIGINT) sent to $victim"
check "it is alive, since its shell had it ignore that one" kill -0 $victim
press k Enter Enter
await "k: by default SIGTERM" shows "SIGTERM) sent to $victim"
wait $victim
check "it has ended by that" test $? = 143
await "S: its last row stays" shows '1 shown, .*1 dead'
check "S: under its name, marked" shows "^ *${victim}x .*sleep"
check "the row of totals has no such mark" hides '^totalx'
victim=
press S
await "S again: it goes" hides ' sleep'
press w BSpace Enter
await "w without an answer: no task is watched" hides '\[watch: '
press d
answer 1000
await "the next refresh is far away" shows 'every 1000 s'
press p BSpace Enter
await "p without an answer: all tasks" hides '\[only '
await "their rows are there at once" shows_more_than 1
await "with their numbers" numbers_in_rows
cp "$(command -v sleep)" "$dir/new$$"
press p
answer "new$$"
await "no task has that name" shows "no task with 'new$$'"
"$dir/new$$" 1000 &
stranger="$stranger $!"
# Until it executes the file, it is another shell.
until grep -qx "new$$" "/proc/$!/comm"; do sleep 0.01; done
press C-r
await "Ctrl-R refreshes, long before it is time" shows "^ *[0-9][0-9]* .* new$$"
press p BSpace Enter
await "p without an answer again: all tasks" shows_more_than 1
press d
answer 0.7

press u
answer no-such-user
await "u with a user that does not exist: a sentence says so" shows "'no-such-user'"
press Escape p
await "p opens its prompt" shows '^Only a pid'
press C-c
await "Ctrl-C at a prompt only closes it" shows '^h help  q quit'
check "the program lives" alive

press W
await "W offers the file that was read" shows "^Write the configuration to: $dir/.tiptoprc"
answer \~/mine
await "W: the configuration is written" shows "written to '$dir/mine'"
await "W: ~ is the home" grep -q 'name="delay" value="0.7"' "$dir/mine"
press W
answer .tiptoprc
await "W: a name alone is written" shows 'written'
await "W: into the present folder" test -s "$dir/$starts/.tiptoprc"
await "W: with the present delay" grep -q 'name="delay" value="0.7"' "$dir/$starts/.tiptoprc"
echo mine >"$dir/$starts/.tiptoprc"
press W
answer .tiptoprc
await "W: a file that is there is asked for" shows 'overwrite it? (y/n)'
press n
await "n: the question is gone" shows '^h help  q quit'
check "n: the file is as it was" test "$(cat "$dir/$starts/.tiptoprc")" = mine
press W
answer .tiptoprc
press y
await "y: it is written" shows 'written'
await "y: the file is another" grep -q 'name="delay" value="0.7"' "$dir/$starts/.tiptoprc"

# The own file: what was there before is there after.
only_adds()
{
	diff "$1" "$2" >"$dir/diff" || ! grep -q '^<' "$dir/diff"
}
echo '<!-- behind the end -->' >>"$dir/.tiptoprc"
cp "$dir/.tiptoprc" "$dir/kept"
press q
await "q: the program has ended" ended
start run "a file with a comment"
press d
answer 0.7
press W Enter
await "W: in the own file, what is different is changed" shows 'change what is different in it? (y/n)'
press y
await "y: it is changed" shows "written to '$dir/.tiptoprc'"
check "W: the delay is there" grep -q 'name="delay" value="0.7"' "$dir/.tiptoprc"
check "W: nothing that was there is gone" only_adds "$dir/kept" "$dir/.tiptoprc"
cp "$dir/.tiptoprc" "$dir/changed"
press W Enter
await "W: without a change the file stays as it is" shows 'has all of this already'
check "W: to the byte" cmp "$dir/changed" "$dir/.tiptoprc"
press d
answer 0.8
echo '<!-- mine -->' >>"$dir/.tiptoprc"
press W Enter
await "W: a file that was changed meanwhile is not overwritten" shows 'changed by another program'
check "W: it has what he wrote" grep -q '<!-- mine -->' "$dir/.tiptoprc"
press Escape
await "ESC closes the prompt" hides 'Write the configuration'
mv "$dir/kept" "$dir/.tiptoprc"

press e
await "e shows the errors" shows '^ Errors so far'
press e
await "e again closes them" painted
press F10
check_restored "F10 after prompts"

# A command. It writes its pid where the test finds it.
cat >"$dir/command" <<EOF
echo \$\$ >"$dir/command-pid.new"
mv "$dir/command-pid.new" "$dir/command-pid"
exec sleep 1000
EOF
# start_command OPTIONS NAME - its pid is $victim
start_command()
{
	rm -f "$dir/command-pid"
	echo "$1 -- sh $dir/command" >"$dir/options"
	start run "$2"
	await "$2: the command runs" test -s "$dir/command-pid"
	victim=$(cat "$dir/command-pid")
}
command_runs()
{
	kill -0 "$victim" 2>/dev/null
}
command_ended()
{
	! command_runs
}
status_is()
{
	[ "$(cat "$dir/$starts/rc")" = "$1" ]
}
start_command "" "a command"
await "a sentence says where its output is" shows "^the input and output of 'sh' are /dev/null: the screen is tiptop's"
check "what it makes is shown" shows '\[children\]'
press A
await "A: the command alone" hides '\[children\]'
press q
await "q asks what is to become of it" shows "^'sh' is still running: end it (e), leave it running (l) or stay (ESC)?"
press Escape
await "ESC stays" shows '^h help  q quit'
check "the program lives, and the command" command_runs
press q l
check_restored "l"
check "l: the command goes on" command_runs
check "l: the status is 0" status_is 0
kill $victim

start_command "" "e"
kill -STOP $victim
press q e
check_restored "e"
check "e: the status is that of the command, which was stopped" status_is 143

start_command "" "Ctrl-C"
press C-c
check_restored "Ctrl-C"
await "Ctrl-C: the command has ended" command_ended
check "Ctrl-C: the status is not that of q" status_is 130

start_command "-n 2" "-n"
await "-n: the first screen is back" on_first_screen
await "-n: a sentence says what comes" shows "^tiptop: 'sh' goes on, and tiptop ends with it"
check "-n: the command goes on" command_runs
kill $victim
check_restored "-n"
check "-n: the status is that of the command" status_is 143
victim=
rm "$dir/options"

for signal in TERM INT HUP QUIT; do
	start run "SIG$signal"
	send $signal
	check_restored "SIG$signal"
done

start run "SIGSEGV"
send SEGV
check_restored "SIGSEGV"
check "SIGSEGV: the status is a failure" test "$(cat "$dir/$starts/rc")" != 0

# Text beside the screen: what both show is of the same samples.
echo "-o $dir/beside -i -p $$ -S one" >"$dir/options"
start run "-o"
heads()
{
	[ "$(grep -c '^tiptop - up ' "$dir/beside")" = "$1" ]
}
beside_rows()
{
	[ "$(awk 'body && NF { n++ } / COMMAND/ { body = 1 } END { print n + 0 }' "$dir/beside")" -gt "$1" ]
}
await "-o: the text is written beside the screen" beside_rows 0
check "-o: it begins with its head" heads 1
check "-o: of the same screen" grep -q '^Screen .*: one' "$dir/beside"
press R
await "-o: a key" shows '\[reverse\]'
press q
await "-o: q ends both" ended
check "-o: the status is 0" status_is 0
rm "$dir/beside"

echo "-o $dir/beside -S one" >"$dir/options"
start run "-o, another screen"
press RIGHT
await "-o: RIGHT shows another screen" shows '%TWO'
await "-o: the text has another head" heads 2
check "-o: of that screen" grep -q '^Screen .*: two' "$dir/beside"
press q
await "-o, another screen: q ends both" ended

echo "-o /dev/full" >"$dir/options"
start run "-o: a full disk"
await "-o: a full disk: the screen goes on, with a fault" shows '1 error'
press e
await "-o: a full disk: the sentence" shows "cannot write '/dev/full': No space left"
press q
press q
check_restored "-o: a full disk"
check "-o: a full disk: the status is 1" status_is 1
check "-o: a full disk: the sentence stays" shows "cannot write '/dev/full': No space left"
rm "$dir/options"

# Another screen of the same events, whatever it calls them: what was counted goes on.
cat >"$dir/clocks" <<'EOF'
<tiptop>
<screen name="one">
<counter alias="a" type="SOFTWARE" config="TASK_CLOCK"/>
<counter alias="b" type="SOFTWARE" config="PAGE_FAULTS"/>
<column header="    TENTHS" format="%10.0f" expr="a / 1e8"/>
<column header=" FAULTS" format="%7.0f" expr="b"/>
</screen>
<screen name="two">
<counter alias="b" type="SOFTWARE" config="TASK_CLOCK"/>
<column header="   SINCE" format="%8.0f" expr="b / 1e8"/>
</screen>
</tiptop>
EOF
# tenths - of a second, for which the task was counted
tenths()
{
	screen | sed -n "s/^ *${victim}[-+ ] *\([0-9][0-9]*\).*/\1/p"
}
tenths_above()
{
	[ "$(tenths)" -gt "$1" ] 2>/dev/null
}
sh -c 'while :; do :; done' &
victim=$!
echo "-W $dir/clocks --only-conf -p $victim" >"$dir/options"
start run "two screens of the same events"
await "the task is counted for a while" tenths_above 20
before=$(tenths)
press Right
await "the other screen is there" shows 'SINCE'
await "with the task" tenths_above 0
check "what was counted before goes on" tenths_above $((before - 1))
kill "$victim"
press q
check_restored "two screens of the same events"
rm "$dir/options"

# Whatever opens a prompt shows it before the next refresh, which does not come here.
sleep 1000 &
victim=$!
echo "-d 3600 -i -p $victim" >"$dir/options"
start run "a long delay"
await "the task is there" shows "^ *$victim "
for prompt in 'k:Pid to send' 'r:Nice value' 'a:CPUs' 'f:Filter' 'o:Sort by'; do
	press "${prompt%%:*}"
	await "a long delay: ${prompt%%:*} opens its prompt at once" shows "${prompt#*:}"
	press Escape
done
press q
check_restored "a long delay"
rm "$dir/options"
kill "$victim"

start run-jobs "Ctrl-Z"
press C-z
await "Ctrl-Z: the program stops" test -e "$dir/$starts/stopped"
check "Ctrl-Z: the first screen is back, with a cursor" on_first_screen
check "Ctrl-Z: the terminal's modes are as before" same_modes
check "Ctrl-Z: the program lives" alive
mux resize-window -x 90 -y 20
press Enter
await "fg: the screen is painted again" painted
check "fg: on the other screen" test "$(mux display-message -p '#{alternate_on}')" = 1
press q
await "q: the program has ended" ended
check "q: the status is 0" test "$(cat "$dir/$starts/rc")" = 0

# Terminals that have but one screen.
for type in vt100 linux; do
	mux respawn-pane -k "TERM=$type HOME='$dir' '$prog' -d 0.5; echo back; exec sleep 1000"
	await "$type: the program paints its screen" painted
	await "$type: its keys are in the footer" shows 'h help  q quit'
	press q
	await "$type: the program has ended" shows '^back *$'
	check "$type: its footer has gone" hides 'q quit'
done

for redirection in '</dev/null' '| cat'; do
	mux respawn-pane -k "TERM=screen; { '$prog' -d 0.5; echo status=\$?; } $redirection 2>&1; exec sleep 1000"
	await "$redirection: a sentence says what to do" shows 'use -b'
	await "$redirection: the program has failed" shows 'status=1'
done
mux respawn-pane -k "TERM=no-such-terminal '$prog'; echo status=\$?; exec sleep 1000"
await "an unknown terminal type: a sentence says so" shows 'no-such-terminal'
await "an unknown terminal type: the program has failed" shows 'status=1'

echo "1..$count"
exit $failed
