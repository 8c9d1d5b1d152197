# shellcheck shell=sh disable=SC2034,SC2154 # used by the scripts that read it; set by lib.sh of the live tests
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tasks of users, step by step, done with the screen alone: a key may be pressed only if the footer, the help or a message
# on the screen names it. The contents of the screen are saved for doc/tour.md.
#
# The processes are those of load.sh, in their own pid namespace.

window=100x20
home=$dir/home
mkdir "$dir/home"
: >"$dir/tour"
: >"$dir/options"

# The script of the first process there, without paths of this machine in its command line.
cat >"$dir/begin" <<'END'
eval "set -- $(cat ../options)"
tiptop -d 0.5 "$@"
END
cat >"$dir/program.run" <<END
cd '$here' && TIPTOP='$prog' folder=\$1 exec ${enter:?} sh load.sh sh ../begin
END
cat >"$dir/shell.run" <<END
cd '$here' && ln -s ../scene.db "\$1/scene.db"
TIPTOP='$prog' LIBTIPTOP='${builddir:?}/libtiptop.so.0' folder=\$1 PS1='\$ ' HISTFILE=/dev/null exec $enter sh load.sh bash --norc --noprofile -i
END
cat >"$dir/all.run" <<END
cd "\$1" || exit
eval "set -- \$(cat ../options)"
exec "$prog" -d 0.5 "\$@"
END

# --- output ---

# task QUESTION - begins another task
task()
{
	printf '\n## %s\n' "$1" >>"$dir/tour"
	echo "# $1"
}
# tell TEXT - writes a paragraph
tell()
{
	printf '\n%s\n' "$1" >>"$dir/tour"
}
# shot - writes the text of the screen, without the empty lines at its end
shot()
{
	{
		printf '\n```text\n'
		screen | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
		echo '```'
	} >>"$dir/tour"
}

# --- actions ---

# open_tiptop [OPTION]... - starts tiptop in its own terminal
open_tiptop()
{
	echo "$*" >"$dir/options"
	start program.run "tiptop $*"
	learn_keys
}
# replay_scene [OPTION]... - starts tiptop, and plays to its end the recording that tests/tasks/scene writes
replay_scene()
{
	echo "--replay ../scene.db $*" >"$dir/options"
	start all.run "tiptop --replay"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		press -l ')' # twice as fast
	done
	await "the end of the recording" shows ', the end'
}
open_shell()
{
	begin shell.run
	await "a shell" shows '^\$'
}
close_tiptop()
{
	press q
	mux kill-server 2>/dev/null
}
# command_line LINE - types a line in the shell
command_line()
{
	mux send-keys -l "$1"
	press Enter
}
# learn_keys - reads the help once, from its start to its end: the first words of its lines are the keys
learn_keys()
{
	[ ! -e "$dir/keys" ] || return 0
	check "the footer names the key for the help" shows '^h help'
	press h
	await "the help" shows 'Help: screen'
	: >"$dir/help"
	while :; do
		page=$(screen)
		echo "$page" >>"$dir/help"
		press NPage
		tries=0
		while [ "$(screen)" = "$page" ] && [ $tries -lt 20 ]; do
			tries=$((tries + 1))
			sleep 0.1
		done
		[ $tries -lt 20 ] || break
	done
	sed -n 's/^  \([^ ].*[^ ]\)   *[^ ].*/\1/p; s/^  \([^ ]\)   *[^ ].*/\1/p' "$dir/help" | tr ' ' '\n' | sort -u >"$dir/keys"
	press h
	await "the help is closed" painted
}
# named KEY - succeeds if the help names the key, or the current screen: the footer, a message, a prompt
named()
{
	case $1 in
	[0-9]) grep -qx '0-9' "$dir/keys" ;;
	*) grep -qxF -e "$1" "$dir/keys" || screen | grep -qwF -e "$1" ;;
	esac
}
# key NAME... - presses keys by the names that the screen has for them
key()
{
	for one; do
		named "$one" || not_ok "the screen names the key $one"
		case $one in
		PGUP) press PPage ;;
		PGDN) press NPage ;;
		ESC) press Escape ;;
		LEFT | RIGHT | UP | DOWN | HOME | END | SPACE) press "$(echo "$one" | sed 's/^\(.\)\(.*\)/\1\L\2/')" ;;
		Enter | F[0-9]*) press "$one" ;;
		*) press -l "$one" ;;
		esac
	done
}
# type_answer TEXT - types a text and Enter at the prompt on the screen
type_answer()
{
	named Enter || not_ok "the screen names Enter"
	answer "$1"
}
# scroll_to TEXT - scrolls a page down until it shows the text, or has come to its end
scroll_to()
{
	tries=0
	until shows "$1" || [ $tries -gt 10 ]; do
		key PGDN
		sleep 0.3
		tries=$((tries + 1))
	done
}
# row N - prints the command of the row at this place
row()
{
	screen | awk -v n="$1" '
		at && ++line == n { split(substr($0, at), word, /[: ]+/); print word[1] == "" ? word[2] : word[1]; exit }
		/PID.*COMMAND/ { at = index($0, "COMMAND") }'
}
first_row_is()
{
	[ "$(row 1)" = "$1" ]
}
