# shellcheck shell=sh disable=SC2034,SC2154 # used by the scripts that read it; set by lib.sh of the live tests
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How a task is done: a line of steps is a word of those below and its arguments. The first step that fails ends the task,
# whose one result tells which step it was and what was on the screen.
#
# A key may be pressed only where the program names it at that moment, beside a word that tells what it does: on the
# screen (footer, title, prompt, message), or in its help, where the screen names the key of the help.

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
# The captures must not depend on where and by whom they are taken; they are of a terminal with eight colours.
export TZ=UTC
unset COLORTERM TIPTOP_CPU

# What runs in the terminal, once all of the tasks are there: those of the tour. The shell's command lines find the
# recordings beside them.
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
# Of the live tests' waiting, only what fails is said, and that at the end of the task.
ok()
{
	:
}
not_ok()
{
	fault=$1
	screen >"$dir/seen"
}
# hesitation NAME - what is known to be missing for a task, by the file hesitations: that is a fault that is not mended yet
hesitation()
{
	sed -n "s/^$1 $window \\(.*\\)/ # TODO \\1/p" "$here/hesitations"
}
# result NAME - of a task or a capture
result()
{
	if [ "$fault" ]; then
		echo "not ok - $window: $1$(hesitation "$1")"
		{ [ -z "$step" ] || echo "step: $step" && echo "$fault" && sed 's/^/|/' "$dir/seen"; } | sed 's/^/# /'
	else
		echo "ok - $window: $1"
	fi
}

# The table has rows, of tasks or of groups.
painted()
{
	table_rows | grep -q ' [0-9?.-]* '
}

# --- what the program names ---

# named KEY WORDS - whether the text (standard input) names the key beside one of the words, in what stands between two
# wide gaps, or in what stands behind the key
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
			# A sentence of the help goes on below.
			if (cell[i] != "" && length(cell[i]) < 20 && is_key(cell[i]))
				open = NR
		}
		if (open && NR > open && NR <= open + 2 && $0 ~ /^ {6}/ && told($0))
			found = 1
	}
	END { exit !found }'
}
# read_help - all of it, once for each kind of what is shown
read_help()
{
	help=$dir/help.$kind
	[ ! -e "$help" ] || return 0
	press F1
	await "the help" shows '^ *Help' || return 1
	while :; do
		page=$(screen)
		echo "$page" >>"$help"
		press NPage
		tries=0
		while [ "$(screen)" = "$page" ] && [ $tries -lt 10 ]; do
			tries=$((tries + 1))
			sleep 0.1
		done
		[ $tries -lt 10 ] || break
	done
	press F1
	await "the help is closed" hides '^ *Help'
}
# find_key 'KEY...' WORDS - sets $found to the one of them that is named
find_key()
{
	for found in $1; do
		! screen | named "$found" "$2" || return 0
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
# press_named NAME - a key as the program calls it
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

# --- steps: what is begun ---

# open [OPTION]... - the program, beside the tasks of the tour
open()
{
	kind=live
	echo "$*" >"$dir/options"
	start program.run "tiptop $*"
}
# replay RECORDING [OPTION]... - a recording
replay()
{
	kind=replay
	echo "--replay $*" >"$dir/options"
	start recording.run "tiptop --replay $*"
}
# play RECORDING [OPTION]... - the same, played to its end at once
play()
{
	replay "$@" || return 1
	press -l ')))))))))))))'
	await "the recording has been played" shows ', the end'
}
# shell - a shell, beside the same tasks
shell()
{
	kind=shell
	begin shell.run
	await "a shell" shows '^\$'
}

# --- steps: what is done ---

# key 'KEY...' WORDS - presses the first of these that the program names for this
key()
{
	find_key "$1" "$2" && press_named "$found"
}
# until_shown 'KEY...' WORDS PATTERN - the same, again and again, until the screen shows this; not where it does already
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
# sort_by COLUMN - by the keys that go to the next column
sort_by()
{
	find_key '>' sort || return 1
	while [ "$(sorted_by)" != "$1" ]; do
		before=$(sorted_by)
		press_named "$found"
		await "$found sorts by the next column" sorted_by_other_than "$before" || return 1
	done
}
# answer_to PROMPT TEXT - the program asks, and gets this; Enter takes it
answer_to()
{
	await "it asks for '$1'" shows "$1" && answer "$2"
}
# run LINE - in the shell, on an empty screen
run()
{
	press -l "clear; $1"
	press Enter
}
# option NAME WORDS - the text of --help names it beside one of the words, or leads to the text that does: --help=all, or
# "tiptop help COMMAND" with COMMAND in $of
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

# --- steps: how the end is recognised ---

see()
{
	await "the screen shows '$1'" shows "$1"
}
miss()
{
	await "the screen does not show '$1'" hides "$1"
}
# wait_for COMMAND... - a state, of those below
wait_for()
{
	await "$*" "$@"
}
# The rows of the table, without the line of totals.
table_rows()
{
	screen | awk '/^(total|h help|F1)/ { exit } found && NF { print } /^ *(PID|PROGRAM).*(COMMAND|MEMBERS)/ { found = 1 }'
}
# first_row COMMAND
first_row()
{
	table_rows | head -n 1 | grep -q " $1\>"
}
# n_rows NUMBER PATTERN - so many rows have it
n_rows()
{
	[ "$(table_rows | grep -c -e "$2")" = "$1" ]
}
# only_rows PATTERN - all rows have it, and there are some
only_rows()
{
	table_rows >"$dir/rows"
	[ -s "$dir/rows" ] && ! grep -v -q -e "$1" "$dir/rows"
}
# column_is COMMAND HEADER NUMBER - the row of this command has a number like this below this header
column_is()
{
	screen | awk -v command="$1" -v header="$2" -v number="$3" '
	/^ *PID.*COMMAND/ { gsub(/[][]/, " "); for (i = 1; i <= NF; i++) if ($i == header) column = i }
	column && $0 ~ (" " command "([: ].*)?$") && $column ~ "^" number "$" { found = 1 }
	END { exit !found }'
}
# usage_column - %CPU of all rows, one a line
usage_column()
{
	screen | awk '
	/^(total|h help|F1)/ { exit }
	column && NF { print $column + 0 }
	/^ *PID.*COMMAND/ { gsub(/[][]/, " "); for (i = 1; i <= NF; i++) if ($i == "%CPU") column = i }'
}
# all_use_more PERCENT - each row does, and there are some
all_use_more()
{
	usage_column | awk -v least="$1" '$1 <= least { exit failed = 1 } END { exit failed || !NR }'
}
# least_first - rows stand from the least %CPU to the most
least_first()
{
	usage_column | awk '$1 < before { exit failed = 1 } { before = $1 } END { exit failed || NR < 3 }'
}
# current NAME - the row of this task or group is the current one: it looks unlike others from its beginning on
current()
{
	looks | awk -v name="$1" '
	/^--$/ { below = 1; next }
	!below && ($0 ~ (" " name "([: ].*)?$") || $1 == name) { line = NR ":" }
	below && $1 == line && sub(/^[0-9]*: 0\+/, "") && sub(/,.*/, "x") && / on|reversed/ { found = 1 }
	END { exit !found }'
}
# stands_still - the table does not change in what would be three refreshes
stands_still()
{
	table_rows >"$dir/rows"
	for _ in 1 2 3 4 5; do
		sleep 0.3
		table_rows | cmp -s - "$dir/rows" || return 1
	done
}

# --- all of them ---

# do_tasks [NAME]... - by the file steps, in which each begins with a line "task NAME"
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

# looks - what is on the screen, and how it looks: below the text, of each line that is not plain, the pieces as
# "from+length attributes". What tiptop itself has used is not shown.
looks()
{
	mux capture-pane -p -e | LC_ALL=C awk -f "$here/looks.awk"
}
