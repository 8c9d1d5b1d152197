# shellcheck shell=sh disable=SC2034,SC2154 # used by the scripts that read it; set by lib.sh of the live tests
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The steps of user tasks: a line of the file steps is one of the words below and its arguments. The first step that fails
# ends the task, whose single result has that step and the contents of the screen.
#
# A key may be pressed only if the program names it at that moment, beside a word for its effect: on the screen (footer,
# title, prompt, message), or in the help, if the screen names the key of the help.

# shellcheck source=../live/lib.sh
. "$here/../live/lib.sh"
for enter in "unshare -p -f --mount-proc" "unshare -r -p -f --mount-proc" ''; do
	# shellcheck disable=SC2086 # several words
	$enter true 2>/dev/null && break
done
[ -n "$enter" ] || skip_all "a pid namespace is not allowed here"
scene=${builddir:?}/tests/tasks/scene
[ -x "$scene" ] || skip_all "tests/tasks/scene is not built, as without SQLite"

window=$TASKS_WINDOW
home=$dir/home
mkdir "$home"
"$scene" "$dir/scene.db" || exit 1
"$scene" "$dir/threads.db" threads || exit 1
# The captures must not depend on the machine and the user; they are of a terminal with eight colours.
export TZ=UTC
unset COLORTERM TIPTOP_CPU

# The script in the terminal: waits until all tasks of the tour run. The recordings are in the current folder of the
# shell's command lines.
cat >"$dir/wait" <<'END'
for name in render queue fill db edit build; do
	until cat /proc/[0-9]*/comm 2>/dev/null | grep -q "^$name\$"; do
		sleep 0.1
	done
done
END
cat >"$dir/begin" <<'END'
. ../wait
eval "set -- $(cat ../options)"
tiptop -d 0.5 "$@"
END
cat >"$dir/program.run" <<END
cd '$here/../tour' && TIPTOP='$prog' folder=\$1 exec $enter sh load.sh sh ../begin
END
cat >"$dir/shell.run" <<END
ln -s ../scene.db ../threads.db "\$1"
cd '$here/../tour' && TIPTOP='$prog' folder=\$1 PS1='\$ ' HISTFILE=/dev/null exec $enter sh load.sh sh -c '. ../wait; exec bash --norc --noprofile -i'
END
cat >"$dir/recording.run" <<END
ln -s ../scene.db ../threads.db "\$1"
cd "\$1" || exit
eval "set -- \$(cat ../options)"
exec '$prog' "\$@"
END

# --- results ---

fault=
# Of the checks of the live tests, only failures are reported, at the end of the task.
ok()
{
	:
}
not_ok()
{
	fault=$1
	screen >"$dir/seen"
}
# hesitation NAME - prints the known fault of a task that is not fixed yet, from the file hesitations
hesitation()
{
	sed -n "s/^$1 $window \\(.*\\)/ # TODO \\1/p" "$here/hesitations"
}
# result NAME - reports the result of a task or a capture
result()
{
	if [ "$fault" ]; then
		echo "not ok - $window: $1$(hesitation "$1")"
		{ [ -z "$step" ] || echo "step: $step" && echo "$fault" && sed 's/^/|/' "$dir/seen"; } | sed 's/^/# /'
	else
		echo "ok - $window: $1"
	fi
}

# Succeeds if the table has rows, of tasks or of groups.
painted()
{
	table_rows | grep -q ' [0-9?.-]* '
}

# --- keys that the program names ---

# named KEY WORDS - succeeds if the text on standard input names the key beside one of the words: between the same two wide
# gaps, or behind the key
named()
{
	LC_ALL=C awk -v key="$1" -v words="$2" '
	function is_key(text,   n, part, i) {
		n = split(text, part, /[ ,:;.()]+/)
		if (key ~ /^[A-Za-z0-9-]*$/) {
			for (i = 1; i <= n; i++)
				if (part[i] == key)
					return 1
			return 0
		}
		return index(" " text " ", " " key " ") > 0
	}
	function told(text) {
		return tolower(text) ~ tolower(words)
	}
	{
		n = split($0, cell, /   *|│|\|/)
		for (i = 1; i <= n; i++) {
			if (is_key(cell[i]) && (told(cell[i]) || told(cell[i + 1])))
				found = 1
			# A sentence of the help continues below.
			if (cell[i] != "" && length(cell[i]) < 20 && is_key(cell[i]))
				open = NR
		}
		if (open && NR > open && NR <= open + 2 && $0 ~ /^ {6}/ && told($0))
			found = 1
	}
	END { exit !found }'
}
# on_another_page LINES - succeeds if the title of the help has other numbers of lines than these
on_another_page()
{
	lines=$(help_lines)
	[ "$lines" ] && [ "$lines" != "$1" ]
}
# help_lines - prints the lines that the title of the help names: "1-23 of 77"; nothing if it names none
help_lines()
{
	screen | sed -n '1,/^ *Help/s/^ *Help.* \([0-9][0-9]*-[0-9][0-9]* of [0-9][0-9]*\).*/\1/p'
}
# read_help - reads all pages of the help, once for each kind of screen
read_help()
{
	help=$dir/help.$kind
	[ ! -e "$help" ] || return 0
	press F1
	await "the help" shows '^ *Help' || return 1
	while :; do
		screen >>"$help"
		lines=$(help_lines)
		last=${lines#*-}
		[ "${last% of *}" != "${last#* of }" ] || break
		press NPage
		await "the next page of the help" on_another_page "$lines" || return 1
	done
	press F1
	await "the help is closed" hides '^ *Help'
}
# names_key 'KEY...' WORDS - sets $found to the first of the keys that the screen names
names_key()
{
	for found in $1; do
		! screen | named "$found" "$2" || return 0
	done
	return 1
}
# find_key 'KEY...' WORDS - sets $found to the first of the keys that is named. A busy machine may not have painted the whole
# screen yet: the key, or that of the help, is waited for.
find_key()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		! names_key "$1" "$2" || return 0
		! { screen | named h help || screen | named F1 help; } || break
		sleep 0.3
	done
	if ! { screen | named h help || screen | named F1 help; } || ! read_help; then
		not_ok "the screen does not name $1 for '$2', nor the key of the help"
		return 1
	fi
	for found in $1; do
		! named "$found" "$2" <"$help" || return 0
	done
	not_ok "neither the screen nor the help names $1 for '$2'"
	return 1
}
# press_named NAME - presses a key by the program's name for it
press_named()
{
	case $1 in
	PGUP) press PPage ;;
	PGDN) press NPage ;;
	ESC) press Escape ;;
	Backspace) press BSpace ;;
	LEFT | RIGHT | UP | DOWN | HOME | END | SPACE) press "$(echo "$1" | sed 's/^\(.\)\(.*\)/\1\L\2/')" ;;
	Enter | F[0-9]*) press "$1" ;;
	*) press -l "$1" ;;
	esac
}

# --- steps that start a program ---

# open [OPTION]... - starts tiptop, beside the tasks of the tour
open()
{
	kind=live
	echo "$*" >"$dir/options"
	start program.run "tiptop $*"
}
# replay RECORDING [OPTION]... - starts tiptop with a recording
replay()
{
	kind=replay
	echo "--replay $*" >"$dir/options"
	start recording.run "tiptop --replay $*"
}
# play RECORDING [OPTION]... - the same, and jumps to its end at once
play()
{
	replay "$@" || return 1
	press -l ')))))))))))))'
	await "the recording has been played" shows ', the end'
}
# shell - starts a shell, beside the same tasks
shell()
{
	kind=shell
	begin shell.run
	await "a shell" shows '^\$'
}

# --- steps that act ---

# key 'KEY...' WORDS - presses the first of these keys that the program names beside one of the words
key()
{
	find_key "$1" "$2" && press_named "$found"
}
# until_shown 'KEY...' WORDS PATTERN - the same, repeated until the pattern is on the screen; nothing if it is already
until_shown()
{
	! shows "$3" || return 0
	find_key "$1" "$2" || return 1
	presses=0
	while ! shows "$3"; do
		presses=$((presses + 1))
		if [ $presses -gt 30 ]; then
			not_ok "$found does not lead to '$3'"
			return 1
		fi
		press_named "$found"
		tries=0
		until shows "$3" || [ $((tries += 1)) -gt 20 ]; do
			sleep 0.1
		done
	done
}
# sort_by COLUMN - sorts by a column with the keys that go to the next one
sort_by()
{
	find_key '>' sort || return 1
	while [ "$(sorted_by)" != "$1" ]; do
		before=$(sorted_by)
		press_named "$found"
		await "$found sorts by the next column" sorted_by_other_than "$before" || return 1
	done
}
# answer_to PROMPT TEXT - waits for the prompt, and types the text and Enter
answer_to()
{
	await "it asks for '$1'" shows "$1" && answer "$2"
}
# run LINE - runs a command line in the shell, on an empty screen
run()
{
	press -l "clear; $1"
	press Enter
}
# option NAME WORDS - checks that --help names the option beside one of the words, or refers to the text that does:
# --help=all, or "tiptop help COMMAND" with COMMAND in $of
option()
{
	for text in --help --help=all "help ${of-}"; do
		# shellcheck disable=SC2086 # two words
		"$prog" $text >"$dir/usage" 2>&1 </dev/null || continue
		case $text in
		--help=all) grep -q -e '--help=all' "$dir/first" || continue ;;
		"help "?*) grep -q -e "$of" "$dir/first" || continue ;;
		--help) cp "$dir/usage" "$dir/first" ;;
		*) continue ;;
		esac
		! grep -B 1 -A 3 -e "$1\($\|[^a-z-]\)" "$dir/usage" | grep -q -i -E -e "$2" || return 0
	done
	not_ok "no text of --help names $1 for '$2'"
	return 1
}

# --- steps that check the result ---

see()
{
	await "the screen shows '$1'" shows "$1"
}
miss()
{
	await "the screen does not show '$1'" hides "$1"
}
# wait_for COMMAND... - waits for one of the states below
wait_for()
{
	await "$*" "$@"
}
# The rows of the table, without the line of totals.
table_rows()
{
	screen | awk '/^(total|h help|F1)/ { exit } found && NF { print } /^ *(PID|PROGRAM).*(COMMAND|MEMBERS)/ { found = 1 }'
}
# first_row COMMAND - the first row has this command
first_row()
{
	table_rows | head -n 1 | grep -q " $1\>"
}
# n_rows NUMBER PATTERN - this number of rows match the pattern
n_rows()
{
	[ "$(table_rows | grep -c -e "$2")" = "$1" ]
}
# only_rows PATTERN - all rows match the pattern, and there is at least one
only_rows()
{
	table_rows >"$dir/rows"
	[ -s "$dir/rows" ] && ! grep -v -q -e "$1" "$dir/rows"
}
# column_is COMMAND HEADER NUMBER - the row of this command has a number that matches the pattern, below this header
column_is()
{
	screen | awk -v command="$1" -v header="$2" -v number="$3" '
	/^ *PID.*COMMAND/ { gsub(/[][]/, " "); for (i = 1; i <= NF; i++) if ($i == header) column = i }
	column && $0 ~ (" " command "([: ].*)?$") && $column ~ "^" number "$" { found = 1 }
	END { exit !found }'
}
# usage_column - prints %CPU of all rows, one on each line
usage_column()
{
	screen | awk '
	/^(total|h help|F1)/ { exit }
	column && NF { print $column + 0 }
	/^ *PID.*COMMAND/ { gsub(/[][]/, " "); for (i = 1; i <= NF; i++) if ($i == "%CPU") column = i }'
}
# all_use_more PERCENT - %CPU of each row is larger, and there is at least one row
all_use_more()
{
	usage_column | awk -v least="$1" '$1 <= least { exit failed = 1 } END { exit failed || !NR }'
}
# least_first - rows are ordered by rising %CPU
least_first()
{
	usage_column | awk '$1 < before { exit failed = 1 } { before = $1 } END { exit failed || NR < 3 }'
}
# current NAME - the row of this task or group is the current one: its look differs from its first cell on
current()
{
	looks | awk -v name="$1" '
	/^--$/ { below = 1; next }
	!below && ($0 ~ (" " name "([: ].*)?$") || $1 == name) { line = NR ":" }
	below && $1 == line && sub(/^[0-9]*: 0\+/, "") && sub(/,.*/, "x") && / on|reversed/ { found = 1 }
	END { exit !found }'
}
# stands_still - the table does not change in the time of three refreshes
stands_still()
{
	table_rows >"$dir/rows"
	for _ in 1 2 3 4 5; do
		sleep 0.3
		table_rows | cmp -s - "$dir/rows" || return 1
	done
}

# --- all of them ---

# do_tasks [NAME]... - does all tasks, or these, of the file steps, in which each begins with a line "task NAME"
do_tasks()
{
	for name in $(sed -n 's/^task //p' "$here/steps"); do
		case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
		sed -n "/^task $name\$/,/^\$/{/^task/d; /^\$/d; /^#/d; p}" "$here/steps" >"$dir/steps"
		fault='' step='' of=''
		while read -r step <&3; do
			eval "$step" 3<&- || [ -n "$fault" ] || not_ok "the step fails"
			[ -z "$fault" ] || break
		done 3<"$dir/steps"
		result "$name"
		mux kill-server 2>/dev/null
		rm -rf "$home/.tiptoprc" "$home/.config"
	done
}

# looks - prints the text of the screen and its attributes: below the text, for each line that is not plain, the pieces as
# "from+length attributes". The cost of tiptop itself is left out.
looks()
{
	mux capture-pane -p -e | LC_ALL=C awk -f "$here/looks.awk"
}
