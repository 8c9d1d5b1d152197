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

# in_bash FILE: runs commands from standard input in one bash that has read the completion:
#   try PROGRAM WORD...               COMPREPLY is what bash offers for the last word
#   offers WANTED PROGRAM WORD...     exactly these, sorted, in one line
#   contains WANTED PROGRAM WORD...   this one among them
# Each try starts several programs: in an example, the first fault is enough.
in_bash() {
	# shellcheck disable=SC2016 # for that bash
	(cd "$place" && unset TIPTOP_CPU XDG_CONFIG_HOME TIPTOP && HOME=$place PATH=$place/bin:$PATH bash --norc -c '
		file=$1 example=$2
		. "$file"
		fault() {
			echo "$file: $1"
			[ -z "$example" ] || exit
		}
		try() {
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
			_tiptop
		}
		offers() {
			local wanted=$1 given

			shift
			try "$@"
			given=${COMPREPLY[*]}
			[ ${#COMPREPLY[@]} -le 1 ] || given=$(printf "%s\n" "${COMPREPLY[@]}" | LC_ALL=C sort -u | tr "\n" " ")
			[ "${given% }" = "$wanted" ] || fault "\"$*\" offers \"$given\", not \"$wanted\""
		}
		contains() {
			local wanted=$1 given

			shift
			try "$@"
			for given in "${COMPREPLY[@]}"; do
				[ "$given" != "$wanted" ] || return
			done
			fault "\"$*\" does not offer \"$wanted\""
		}
		. /dev/stdin' bash "$1" "${1##"$srcdir"/*}" 2>&1)
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

# In these tries, $$ is the pid of this shell, and $user the user.
exercise_bash() {
	in_bash "$1" <<-CASES
		for option in $(help_arguments | tr '\n' ' '); do
			try tiptop "\$option" -
			case \${COMPREPLY[*]} in
			-*) fault "takes no argument for \$option: offers \${COMPREPLY[*]}" ;;
			esac
		done
		offers '--sticky' tiptop --sti
		offers '-S' tiptop -b -S
		offers '' tiptop --nothing
		offers 'branch' tiptop -S br
		offers 'branch' tiptop -bS br
		offers 'branch' tiptop --screen = br
		contains 'software' tiptop --screen =
		contains 'my\\ own' tiptop -W rc -S ''
		offers 'my\\ own' tiptop --config = rc --only-conf -S ''
		offers 'my\\ own' ptiptop -W rc --only-conf x -S ''
		contains "$user" tiptop -u ''
		contains $$ tiptop -p ''
		contains $$ tiptop -b --watch = $$
		contains "$(cat /proc/$$/comm)" tiptop -p ''
		contains $$ ptiptop ''
		contains $$ ptiptop -d 1 ''
		contains $$ ptiptop --delay = 1 ''
		contains '--batch' ptiptop x ''
		contains '--batch' tiptop ''
		contains 'help' tiptop ''
		offers 'help' tiptop he
		contains 'help' tiptop help ''
		offers '--help' tiptop help --
		offers 'folder' tiptop import fol
		offers '--metric' tiptop import --m
		contains $$ tiptop regions ''
		contains '--batch' tiptop regions --b
		offers '--event --events' tiptop regions --ev
		contains 'page-faults' tiptop regions --events = page-f
		offers '--live' tiptop regions --liv
		offers '--timestamp' tiptop regions --live --times
		offers 'folder' tiptop compare x.db fol
		offers '--columns' tiptop compare --col
		offers 'folder' tiptop plot fol
		offers 'folder' tiptop what fol
		offers '--format' tiptop what --fo
		offers '--spread' tiptop system --spr
		offers 'all avg max min' tiptop system --spread ''
		offers 'region' tiptop regions --group = r
		offers 'lock process' tiptop locks --live --group = ''
		offers 'call process' tiptop calls --live --group = ''
		offers 'table' tiptop locks --live --layout = t
		offers '--threads' tiptop locks --live --thr
		offers '' tiptop calls --thr
		offers 'socket' tiptop system -i --group = so
		offers 'folder' tiptop system -o f
		offers '--only' tiptop system -t --onl
		offers '--period' tiptop system --raw --per
		offers 'd u' tiptop system --raw -T ''
		offers '--per-instruction --per-reference --per-second' tiptop system --per
		offers 'html json text' tiptop what x.db --format ''
		offers 'csv html json text' tiptop compare --run x --run y --format ''
		offers 'csv html json text' tiptop compare x y --format ''
		offers 'csv html json text' tiptop follow --format ''
		offers 'folder' tiptop follow --replay fol
		offers '--record --replay' tiptop follow --re
		offers '' tiptop follow -N ''
		contains 'zen3' tiptop import --for-cpu = ''
		offers 'folder' tiptop plot -o fol
		contains 'cycles,page-faults' tiptop system --raw -c cycles,page-f
		offers 'bin folder rc' tiptop -W ''
		offers 'folder' tiptop -o f
		offers 'x' tiptop -W rc --only-conf --sort x
		contains 'cpu' tiptop --sort ''
		contains 'command' tiptop --sort ''
		offers '' tiptop -d ''
		offers 'ptiptop' tiptop -b -- ptipto
		offers 'folder' tiptop -- cat fo
	CASES
}

# Quick checks first: the slow ones run only if there is no other fault.
find_quick_faults() {
	bash -n "$bash" 2>&1
	# shellcheck disable=SC2016 # for that bash
	same "$bash" option "$(help_options)" "$(printf 'try tiptop -\nprintf "%%s\\n" "${COMPREPLY[@]}"\n' | in_bash "$bash")"
	[ "$(head -n 1 "$zsh")" = '#compdef tiptop ptiptop' ] || echo "$zsh: does not begin with #compdef"
	same "$zsh" option "$(help_options)" "$(zsh_options "$zsh")"
	same "$zsh" "option with an argument" "$(help_arguments)" "$(zsh_arguments "$zsh")"
	command -v zsh >/dev/null || return
	zsh -n "$zsh" 2>&1
	for command in $(own_commands); do
		same "$zsh" "option of $command" "$(command_options "$command")" "$(zsh_command_options "$zsh" "$command")"
	done
}

find_faults() {
	bash=$1/completions/tiptop.bash zsh=$1/completions/_tiptop
	find_quick_faults >"$lint_scratch/quick"
	cat "$lint_scratch/quick"
	[ -s "$lint_scratch/quick" ] || exercise_bash "$bash"
}

# changed FILE COMMAND: makes an example of the project's files, one of them changed by a command of sed.
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
