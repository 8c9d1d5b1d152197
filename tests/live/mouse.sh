#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The mouse in a real terminal, with both encodings of mouse events.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

esc=$(printf '\033')
# event BUTTON COLUMN LINE LETTER - what the terminal sends for it, counted from 1 on; M: the button goes down, m: up
event()
{
	case $(cat "$dir/term") in
	xterm*) printf '%s[<%d;%d;%d%s' "$esc" "$1" "$2" "$3" "$4" ;;
	*)
		# Of the older way, any button that goes up is 3.
		[ "$4" = M ] || set -- 3 "$2" "$3"
		# shellcheck disable=SC2059 # bytes by their numbers
		printf "${esc}[M$(printf '\\%03o\\%03o\\%03o' $(($1 + 32)) $(($2 + 32)) $(($3 + 32)))"
		;;
	esac
}
# line_of PATTERN, column_of PATTERN - of the first place on the screen, counted from 1 on
line_of()
{
	screen | grep -n -m 1 -e "$1" | cut -d: -f1
}
column_of()
{
	screen | awk -v pattern="$1" 'match($0, pattern) { print RSTART; exit }'
}
# click PATTERN [TIMES] - on its first character
click()
{
	one=$(event 0 "$(column_of "$1")" "$(line_of "$1")" M; event 0 "$(column_of "$1")" "$(line_of "$1")" m)
	[ "${2-1}" = 1 ] || one=$one$one
	mux send-keys -l "$one"
}
# wheel DIRECTION - 64: up, 65: down; three times at once
wheel()
{
	one=$(event "$1" 5 10 M)
	mux send-keys -l "$one$one$one"
}
tells_mouse()
{
	[ "$(mux display-message -p '#{mouse_any_flag}')" = "$1" ]
}
help_begins()
{
	shows 'Help: .* 1-'
}

for type in xterm-256color screen; do
	infocmp "$type" >/dev/null 2>&1 || { ok "$type # SKIP terminfo does not have it"; continue; }
	echo "$type" >"$dir/term"
	start run "$type"
	check "$type: the terminal reports its mouse" tells_mouse 1
	click ' two'
	await "$type: a click on a tab shows its screen" shows '%TWO'
	click ' one '
	await "$type: and on another one that" shows '%ONE'
	await "$type: its rows come" painted
	click 'COMMAND'
	await "$type: a click on the name of a column sorts by it" sorted_by_again COMMAND
	click 'COMMAND'
	await "$type: a second one reverses" shows '\[reverse\]'
	press g
	await "$type: groups" shows '\[by user\]'
	click " $(id -un) *[0-9]" 2
	await "$type: a double click lists the members of a group" shows "\[in user "
	press h
	await "$type: the help" help_begins
	wheel 65
	await "$type: the wheel scrolls it" shows 'Help: .* 10-'
	wheel 64
	await "$type: and back" help_begins
	press h
	await "$type: the help is closed" painted
	press q
	check_restored "$type"
	check "$type: the terminal has its mouse back" tells_mouse 0
done

# However it ends.
for signal in TERM SEGV; do
	start run "SIG$signal"
	check "SIG$signal: the terminal reports its mouse" tells_mouse 1
	send $signal
	check_restored "SIG$signal"
	check "SIG$signal: the terminal has its mouse back" tells_mouse 0
done

echo --no-mouse >"$dir/options"
start run "--no-mouse"
check "--no-mouse: the terminal keeps its mouse" tells_mouse 0
press q
check_restored "--no-mouse"

echo "1..$count"
exit $failed
