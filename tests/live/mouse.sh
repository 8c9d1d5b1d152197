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
# clicked NAME TIMES PATTERN COMMAND... - one test: the command succeeds soon after a click on the pattern. On a busy machine a
# note comes and goes above the table, so that the pattern may have moved meanwhile: then, clicks again.
clicked()
{
	clicked_name=$1 clicked_times=$2 clicked_pattern=$3
	shift 3
	for _ in 1 2 3 4 5 6; do
		click "$clicked_pattern" "$clicked_times"
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			"$@" && ok "$clicked_name" && return
			sleep 0.3
		done
	done
	not_ok "$clicked_name"
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
	clicked "$type: a click on the name of a column sorts by it" 1 'COMMAND' sorted_by_again COMMAND
	clicked "$type: a second one reverses" 1 'COMMAND' shows '\[reverse\]'
	press g
	await "$type: groups" shows '\[by user\]'
	clicked "$type: a double click lists the members of a group" 2 " $(id -un) *[0-9]" shows "\[in user "
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
