#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The live screen: a filter is typed with an error, which is shown below its place, corrected and accepted.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

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
only_sleeps()
{
	screen | awk '/^ *PID.*COMMAND/ { rows = 1; next } rows && /^ *[0-9]+[-+ ]/ { n++; if (!/sleep/) bad = 1 } END { exit bad || !n }'
}

sleep 1000 &
victim=$!
start run "start"
press i
await "idle tasks are shown" shows '\[idle\]'

press f
await "f asks for a filter" shows '^Filter:'
check "it says what one may be" shows 'a text, /a regular expression/ or a condition'
press -l "cpu_tot >"
await "it is looked at with each key" shows "column 10: a number, a name or '(' is expected, not the end"
press -l " 20 && usr == 'x'"
await "what is wrong is said" shows "column 17: 'usr' is no counter, variable or column of this screen"
await "below its place" below 'usr =='
press Enter
press C-u
press -l "cpu above 20"
await "a text that looks like a condition says so" shows "a text to look for in names: a condition compares, as in cpu > 20"
press C-u
press -l "/sle"
await "half a regular expression says so" shows "a text: a regular expression ends with '/', too"
press -l "ep/"
await "a whole one does not" hides "ends with '/', too"
press C-u
press -l "%ONE >= 0 && PID == 1"
await "headers and other capitals are names" hides 'column [0-9]'
press C-u
press -l "command == 'sleep' && pid == $victim"
await "mended, as Enter has left the prompt open" shows "^Filter: command == 'sleep'"
check "nothing is wrong" hides 'column [0-9]'
press Enter
await "the title has the filter" shows "\[filter: command == 'sleep' && pid == $victim\]"
await "only that row is shown" only_sleeps
check "the header says how many are hidden" shows 'filtered out'

press F4
await "F4 asks for it, too, and has it in the prompt" shows "^Filter: command == 'sleep'"
answer "nosuch$$"
await "nobody passes" shows "no row passes the filter 'nosuch$$'"
await "what it looks at is said" shows 'it looks at names, and at'
press f
await "f asks again" shows '^Filter:.*Enter accepts, ESC cancels$'
press C-u
press -l "cpu above 20"
press Enter
await "what was no condition is said where there is no row, too" shows "no row passes .* which is a text to look for in names"
press f
press C-u
press Enter
await "an empty one takes it away" hides '\[filter:'
await "all are there again" shows_all
press f
await "a fact that no column shows" shows '^Filter:'
answer "nice == $(nice) && pid == $victim"
await "is read for the filter" only_sleeps

# cpus: on which CPUs it may run.
cpus()
{
	sed -n 's/^Cpus_allowed_list:[^0-9]*//p' "/proc/$victim/status"
}
before=$(cpus)
first=$(echo "$before" | sed 's/[^0-9].*//')
press a
await "a offers the CPUs that the task in the row may run on" shows "^CPUs for $victim sleep (as 0-3,8): $before\( .*\)*$"
press C-u
press -l "x"
press Enter
await "what is no list of CPUs is refused with the reason" shows "'x'"
await "and can be mended" shows "^CPUs for $victim sleep (as 0-3,8): x\( .*\)*$"
press C-u
answer "$first"
await "a list is taken" shows "CPUs $first for $victim"
is_pinned()
{
	[ "$(cpus)" = "$first" ]
}
await "and the kernel has it" is_pinned
press a
await "a again" shows '^CPUs for'
press C-u
press -l "$before"
press Escape
await "ESC leaves the prompt" hides '^CPUs for'
check "and changes nothing" is_pinned

press u
await "u asks for a user, and says whose the row is" shows "^Only tasks of the user (this row: $(id -un); empty: all):\( .*\)*$"
answer "nosuch$$"
await "a user that is not there is refused" shows "there is no user 'nosuch$$'"
await "and can be mended" shows "^Only tasks of the user .*: nosuch$$\( .*\)*$"
press C-u
answer "$(id -un)"
await "one that is there is taken" hides '^Only tasks of the user'
await "its tasks stay" only_sleeps
press u
await "u again has the user in the prompt" shows "^Only tasks of the user .*: $(id -un)\( .*\)*$"
press C-u
press Enter
await "an empty one shows those of all users" hides '^Only tasks of the user'
press q
check_restored "q"

echo "1..$count"
exit $failed
