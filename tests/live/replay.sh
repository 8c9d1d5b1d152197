#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recording on the live screen: pause, steps, jumps, speed, and the keys that are refused.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

"$prog" -b -S one -d 0.2 -n 50 --record "$dir/r.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
! grep -q 'without SQLite' "$dir/err" || skip_all "built without SQLite"
sed -i 's|^</tiptop>|<screen name="three"><column header="FAULTS" format="%6.0f" expr="delta(MINFLT)"/></screen>&|' "$dir/.tiptoprc"
echo "--replay $dir/r.db -i" >"$dir/options"

start run "replay"
await "it says where it is" shows '^replay of r.db: [0-9-]* [0-9:]*'
check "on which machine it was" shows "$(uname -n | cut -c1-10)"
check "and not who looks at it now" hides "$(id -un)@"
press .
await ". stays at a sample" shows '^replay of .*, paused'
# rows: the numbers that are shown.
rows()
{
	screen | sed -n '/ COMMAND/,$p' | head -n 20
}
rows >"$dir/here"
# moved: other numbers than here.
moved()
{
	rows >"$dir/now"
	! cmp -s "$dir/now" "$dir/here"
}
# back: the same numbers as here, in all rows.
back()
{
	rows >"$dir/now"
	cmp -s "$dir/now" "$dir/here"
}
# shows_one: a single task.
shows_one()
{
	[ "$(shown)" = 1 ]
}
press .
await ". goes on by a sample" moved
press ,
await ", goes back: the same numbers" back
press RIGHT
await "another screen of the same sample" shows '%TWO'
press LEFT
await "and back" hides '%TWO'
press .
await "at another sample" moved
rows >"$dir/here"
press RIGHT RIGHT
await "a screen that wants to know more" shows 'FAULTS'
press LEFT LEFT
await "is of the same sample" back
press :
await ": asks for a time" shows '^Go to '
answer +1000
await "it goes to the end, and stays" shows '^replay of .*, paused'
press .
await "behind the last sample is the end" shows ', the end: , and { go back'
press '{'
await "{ goes back from there" hides ', the end'
# What is shown of a recording can be sorted and filtered as of the machine; its tasks cannot be changed.
press '{'
await "at its begin" shows '^replay of .*, paused'
press R
await "R sorts the other way round" shows '\[reverse\]'
press f
answer "pid == 1"
await "a filter: one task" shows_one
press f
press C-u Enter
await "none: all of them" shows_all
for key in r a; do
	press "$key"
	await "$key changes nothing of its tasks" shows "$key does nothing: a recording is shown, whose tasks are not here"
done
# clock N: the time of sample N, as people write it.
clock()
{
	"$prog" -b -i -S one -W "$dir/.tiptoprc" --replay "$dir/r.db" --format csv --fields timestamp 2>"$dir/err" |
		sed 1d | uniq | sed -n "$1s/.*T\(........\).*/\1/p"
}
at=$(clock 12)
press :
answer "$at"
await "a time of the day is gone to" shows "^replay of .*: [0-9-]* $at.*, paused"
press :
answer noon
await "what is no time is said" shows "'noon' is not a time"
press Escape
press ')'
await ") goes on" hides ', paused'
press :
await "a prompt" shows '^Go to '
screen | grep '^replay of' >"$dir/then"
sleep 2.5
screen | grep '^replay of' >"$dir/later"
check "while it is there, the recording waits" cmp "$dir/then" "$dir/later"
# went_on: another time than at the prompt.
went_on()
{
	screen | grep '^replay of' >"$dir/later"
	! cmp -s "$dir/then" "$dir/later"
}
press Escape
await "and then goes on" went_on
press ')'
await "twice as fast, and which key pauses" shows ', speed 2: Z pauses'
press '('
await "and half as fast" hides ', speed 2'
await "to its end" shows ', the end'
press k
await "no signal goes to its tasks" shows 'k does nothing: a recording is shown, whose tasks are not here'
press q
await "q ends it" ended

: >"$dir/options"
start run "the running machine"
press .
await "there is no going back in the running machine" shows 'does nothing: the running machine is shown; --replay'
press q
await "q ends that, too" ended

# Screens whose counters are not in a recording are dim, though this machine could count them.
sed -i 's|</tiptop>|<screen name="faults"><counter alias="n" event="page-faults"/><column header="FAULTS" format="%6.0f" expr="delta(n)"/></screen>\
<screen name="moves"><counter alias="n" event="cpu-migrations"/><column header=" MOVES" format="%6.0f" expr="delta(n)"/></screen>\
<screen name="most"><counter alias="n" event="page-faults"/><counter alias="m" event="cpu-migrations"/><column header=" FAULTS" format="%6.0f" expr="delta(n)"/>\
<column header="  EACH" format="%6.0f" expr="delta(n)/delta(m)"/><column header=" MOVES" format="%6.0f" expr="delta(m)"/></screen>\
<screen name="half"><counter alias="n" event="page-faults"/><counter alias="m" event="cpu-migrations"/><column header=" FAULTS" format="%6.0f" expr="delta(n)"/>\
<column header=" MOVES" format="%6.0f" expr="delta(m)"/></screen>\
&|' "$dir/.tiptoprc"
# dim: the parts of the screen that are.
dim()
{
	mux capture-pane -p -e | awk '
	{
		gsub(/\033\[/, "\n\033[")
		n = split($0, part, "\n")
		for (i = 1; i <= n; i++) {
			if (match(part[i], /^\033\[[0-9;]*m/)) {
				n_codes = split(substr(part[i], 3, RLENGTH - 3), code, ";")
				for (k = 1; k <= n_codes; k++)
					dim = code[k] == 2 || (dim && code[k] != 0 && code[k] != 22)
				part[i] = substr(part[i], RLENGTH + 1)
			}
			if (dim)
				print part[i]
		}
	}'
}
is_dim()
{
	shows "[0-9] $1" && dim | grep -q "[0-9] $1"
}
is_bright()
{
	shows "[0-9] $1" && ! dim | grep -q "[0-9] $1"
}
"$prog" -b -i -S faults -d 0.2 -n 3 --record "$dir/faults.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
echo "--only-conf --replay $dir/faults.db -i -S one" >"$dir/options"
start run "a recording of page faults"
await "a screen of other counters is dim" is_dim moves
check "so is one of which most columns need others, too" is_dim most
check "that of its counters is not" is_bright faults
check "nor is one of which it has half of the columns" is_bright half
check "nor is one without counters" is_bright two
press q
await "q ends it" ended
echo "--only-conf -i -S one" >"$dir/options"
start run "the machine that was recorded"
await "no screen of these is dim there" is_bright moves
press q
await "q ends it" ended

# Between two samples, the one before is shown.
"$prog" -b -i -S one -d 2.2 -n 4 --record "$dir/slow.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
at=$("$prog" -b -i -S one -W "$dir/.tiptoprc" --replay "$dir/slow.db" --format csv --fields timestamp 2>"$dir/err" |
	sed 1d | uniq | sed -n '2s/.*T\(........\).*/\1/p')
next=$(echo "$at" | awk -F : '{ t = ($1 * 3600 + $2 * 60 + $3 + 1) % 86400
	printf "%02d:%02d:%02d\n", int(t / 3600), int(t / 60) % 60, t % 60 }')
echo "--replay $dir/slow.db -i" >"$dir/options"
start run "a slow recording"
await "it is replayed" shows '^replay of slow.db'
press .
await "and stays" shows ', paused'
press :
answer "$next"
await "a time without a sample is gone to: the one before is shown" shows "^replay of .*: [0-9-]* $at, paused"
press :
answer "$at"
await "a second that has one" shows "^replay of .*: [0-9-]* $at, paused"
press q
await "q ends it" ended

# From a time on: that is shown, and stays, until the key that is named.
echo "--replay $dir/slow.db -i --from $at" >"$dir/options"
start run "a recording from a time on"
await "it stands still there, and says which key plays" shows "^replay of slow.db: [0-9-]* $at, paused: Z plays"
press Z
await "which does" hides 'paused'
press q
await "q ends it" ended

# What is written behind the end is shown when it comes.
"$prog" -b -i -S one -d 0.1 --record "$dir/grows.db" -W "$dir/.tiptoprc" >"$dir/grows" 2>"$dir/err" &
victim=$!
await "another one begins" grep -q -s COMMAND "$dir/grows"
echo "--replay $dir/grows.db -i" >"$dir/options"
start run "a recording that grows"
await "it is replayed" shows '^replay of grows.db'
press :
answer +100000
await "up to the end" hides 'Go to '
rows >"$dir/here"
await "it goes on when there is more" moved
check "it has no end yet" hides ', the end'
kill $victim
wait $victim
victim=''
await "until it is over" shows ', the end'
press q
await "q ends that as well" ended

echo "1..$count"
exit $failed
