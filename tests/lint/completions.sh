#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The completions for bash and zsh offer each option of --help and no other, and know which ones take an argument; the one
# for bash also completes arguments.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "${TIPTOP-}" ] || lint_skip "TIPTOP does not name the program"
command -v bash >/dev/null || lint_skip "bash is not installed"

# A configuration of this test instead of the user's, and both names of the program.
program=$(cd "$(dirname "$TIPTOP")" && pwd)/$(basename "$TIPTOP")
place=$lint_scratch/place
mkdir -p "$place/bin" "$place/folder"
ln -s "$program" "$place/bin/tiptop"
ln -s "$program" "$place/bin/ptiptop"
printf '<tiptop><screen name="my own"><column header="x" format="%%5.1f" expr="1"/></screen></tiptop>\n' >"$place/rc"
help=$("$place/bin/tiptop" --help=all)
user=$(id -un)

# The options of --help, one on each line.
help_options() {
	echo "$help" | sed -nE 's/^  (-(.), |    )--([a-z-]+).*/-\2 --\3/p' | sed 's/^- //' | tr ' ' '\n'
}

# Those that take an argument.
help_arguments() {
	echo "$help" | grep -E '^  .* <' >"$lint_scratch/arguments"
	help=$(cat "$lint_scratch/arguments") && help_options
}

# try FILE PROGRAM WORD...: what bash offers for the last word.
try() {
	(cd "$place" && unset TIPTOP_CPU XDG_CONFIG_HOME TIPTOP && HOME=$place PATH=$place/bin:$PATH bash --norc -c '
		. "$1" && shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_tiptop
		printf "%s\n" "${COMPREPLY[@]}"' try "$@" 2>&1)
}

# The options of the zsh completion: those in braces and single ones, behind the options that they exclude.
zsh_options() {
	sed -nE "/^\t'.*\[/{s/^\t//; s/^'\([^)]*\)'\{/{/; s/^'(\([^)]*\))?(-)/\2/; s/^\{([^}]*)\}.*/\1/; s/\[.*//; p}" "$1" |
		tr ',' '\n' | sed 's/[+=]$//'
}

zsh_arguments() {
	grep ']:' "$1" >"$lint_scratch/arguments"
	zsh_options "$lint_scratch/arguments"
}

# The options of a command in its own help, and in the zsh completion, each with '=' if it has an argument.
command_options() {
	"$place/bin/tiptop" help "$1" | sed '1!{/^Usage:/,$d}' |
		sed -nE 's/^  (-(.), |    )--([a-z-]+)( <)?.*/-\2\4 --\3\4/p' | sed 's/^- < //; s/^- //; s/ </=/g' | tr ' ' '\n'
}
zsh_command_options() {
	PATH=$place/bin:$PATH HOME=$place zsh -f -c '
		words=(tiptop $2 "") CURRENT=3 service=tiptop
		_arguments() { print -rl -- "$@" }
		_call_program() { shift; "$@" }
		source $1' zsh "$1" "$2" | sed -nE 's/^(\([^)]*\))?(--?[a-zA-Z-]+)([+=]?)\[.*/\2\3/p' | tr + =
}
own_commands() {
	"$place/bin/tiptop" help | sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx regions
}

# same FILE WHAT WANTED GIVEN: prints the differences of two lists with one entry on each line.
same() {
	[ -n "$3" ] || echo "no $2 was found in --help"
	echo "$3" | LC_ALL=C sort >"$lint_scratch/wanted"
	echo "$4" | LC_ALL=C sort >"$lint_scratch/given"
	LC_ALL=C comm -23 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s|^|$1: lacks the $2 |"
	LC_ALL=C comm -13 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s|^|$1: the $2 is not in --help: |"
}

# offers FILE WANTED PROGRAM WORD...: exactly these, in one line.
offers() {
	file=$1 wanted=$2
	shift 2
	given=$(try "$file" "$@" | LC_ALL=C sort -u | tr '\n' ' ')
	[ "$given" = "$wanted " ] || echo "$file: '$*' offers '$given', not '$wanted'"
}

# contains FILE WANTED PROGRAM WORD...: this one among them.
contains() {
	file=$1 wanted=$2
	shift 2
	try "$file" "$@" | grep -qxF -e "$wanted" || echo "$file: '$*' does not offer '$wanted'"
}

exercise_bash() {
	offers "$1" '--sticky' tiptop --sti
	offers "$1" '-S' tiptop -b -S
	offers "$1" '' tiptop --nothing
	offers "$1" 'branch' tiptop -S br
	offers "$1" 'branch' tiptop -bS br
	offers "$1" 'branch' tiptop --screen = br
	contains "$1" 'software' tiptop --screen =
	contains "$1" 'my\ own' tiptop -W rc -S ''
	offers "$1" 'my\ own' tiptop --config = rc --only-conf -S ''
	offers "$1" 'my\ own' ptiptop -W rc --only-conf x -S ''
	contains "$1" "$user" tiptop -u ''
	contains "$1" $$ tiptop -p ''
	contains "$1" $$ tiptop -b --watch = $$
	contains "$1" "$(cat /proc/$$/comm)" tiptop -p ''
	contains "$1" $$ ptiptop ''
	contains "$1" $$ ptiptop -d 1 ''
	contains "$1" $$ ptiptop --delay = 1 ''
	contains "$1" '--batch' ptiptop x ''
	contains "$1" '--batch' tiptop ''
	contains "$1" 'help' tiptop ''
	offers "$1" 'help' tiptop he
	contains "$1" 'help' tiptop help ''
	offers "$1" '--help' tiptop help --
	offers "$1" 'folder' tiptop import fol
	offers "$1" '--metric' tiptop import --m
	contains "$1" $$ tiptop regions ''
	contains "$1" '--batch' tiptop regions --b
	offers "$1" '--event --events' tiptop regions --ev
	contains "$1" 'page-faults' tiptop regions --events = page-f
	offers "$1" '--live' tiptop regions --liv
	offers "$1" '--timestamp' tiptop regions --live --times
	offers "$1" 'folder' tiptop compare x.db fol
	offers "$1" '--columns' tiptop compare --col
	offers "$1" 'folder' tiptop plot fol
	offers "$1" 'folder' tiptop what fol
	offers "$1" '--format' tiptop what --fo
	offers "$1" '--spread' tiptop system --spr
	offers "$1" 'all avg max min' tiptop system --spread ''
	offers "$1" 'region' tiptop regions --group = r
	offers "$1" 'lock process' tiptop locks --live --group = ''
	offers "$1" 'call process' tiptop calls --live --group = ''
	offers "$1" 'table' tiptop locks --live --layout = t
	offers "$1" '--threads' tiptop locks --live --thr
	offers "$1" '' tiptop calls --thr
	offers "$1" 'socket' tiptop system -i --group = so
	offers "$1" 'folder' tiptop system -o f
	offers "$1" '--only' tiptop system -t --onl
	offers "$1" '--period' tiptop system --raw --per
	offers "$1" 'd u' tiptop system --raw -T ''
	offers "$1" '--per-instruction --per-reference --per-second' tiptop system --per
	offers "$1" 'json text' tiptop what x.db --format ''
	offers "$1" 'csv json text' tiptop compare --run x --run y --format ''
	offers "$1" 'csv json text' tiptop compare x y --format ''
	offers "$1" 'csv json text' tiptop follow --format ''
	offers "$1" 'folder' tiptop follow --replay fol
	offers "$1" '--record --replay' tiptop follow --re
	offers "$1" '' tiptop follow -N ''
	contains "$1" 'zen3' tiptop import --for-cpu = ''
	offers "$1" 'folder' tiptop plot -o fol
	contains "$1" 'cycles,page-faults' tiptop system --raw -c cycles,page-f
	offers "$1" 'bin folder rc' tiptop -W ''
	offers "$1" 'folder' tiptop -o f
	offers "$1" 'x' tiptop -W rc --only-conf --sort x
	contains "$1" 'cpu' tiptop --sort ''
	contains "$1" 'command' tiptop --sort ''
	offers "$1" '' tiptop -d ''
	offers "$1" 'ptiptop' tiptop -b -- ptipto
	offers "$1" 'folder' tiptop -- cat fo
	for option in $(help_arguments); do
		try "$1" tiptop "$option" - | sed -n "s|^-.*|$1: takes no argument for $option: offers &|p"
	done
}

find_faults() {
	bash=$1/completions/tiptop.bash zsh=$1/completions/_tiptop
	bash -n "$bash" 2>&1
	same "$bash" option "$(help_options)" "$(try "$bash" tiptop -)"
	exercise_bash "$bash"
	[ "$(head -n 1 "$zsh")" = '#compdef tiptop ptiptop' ] || echo "$zsh: does not begin with #compdef"
	same "$zsh" option "$(help_options)" "$(zsh_options "$zsh")"
	same "$zsh" "option with an argument" "$(help_arguments)" "$(zsh_arguments "$zsh")"
	command -v zsh >/dev/null || return
	zsh -n "$zsh" 2>&1
	for command in $(own_commands); do
		same "$zsh" "option of $command" "$(command_options "$command")" "$(zsh_command_options "$zsh" "$command")"
	done
}

# changed FILE COMMAND: the project's files, one of them after a command of sed.
changed() {
	for file in completions/tiptop.bash completions/_tiptop; do
		if [ "$file" = "$1" ]; then
			sed -E "$2" "$srcdir/$file"
		else
			cat "$srcdir/$file"
		fi | lint_example "$file"
	done
}

changed completions/tiptop.bash 's/ --epoch//'
lint_detects "an option that bash does not get"
changed completions/tiptop.bash 's/ --epoch/ --epochs/'
lint_detects "an option that is not there"
changed completions/tiptop.bash 's/-d \| --delay \|//'
lint_detects "an argument that bash takes for an option"
changed completions/tiptop.bash 's/--only-conf\)/--only)/'
lint_detects "screens that are not those of the program"
changed completions/tiptop.bash 's/ user command$/ user/'
lint_detects "a name beside the columns that bash does not get"
changed completions/tiptop.bash 's/Commands of tiptop/Orders/'
lint_detects "commands that bash does not get"
changed completions/tiptop.bash 's/^}//'
lint_detects "bad syntax"
changed completions/_tiptop '/--epoch/d'
lint_detects "an option that zsh does not get"
changed completions/_tiptop 's/--sticky/--stick/'
lint_detects "an option of zsh that is not there"
changed completions/_tiptop 's/:seconds: //'
lint_detects "an argument that zsh does not know of"
if command -v zsh >/dev/null; then
	changed completions/_tiptop 's/\[a-z-\]\+\/\)/[a-q-]+\/)/'
	lint_detects "options of commands that zsh does not get"
	changed completions/_tiptop 's/\$\{argument:\+=\}//'
	lint_detects "arguments of commands that zsh does not know of"
fi
lint_project "completions"
lint_done
