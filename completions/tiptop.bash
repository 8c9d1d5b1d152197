# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of tiptop and ptiptop for bash. Needs nothing but bash; where bash-completion is loaded, the words of a
# command behind "--" are completed as that command would.

# One name a line becomes COMPREPLY, quoted for the shell.
_tiptop_reply() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		if [[ $line == "$cur"* ]]; then
			COMPREPLY+=("$(printf '%q' "$line")")
		fi
	done
}

# Where the argument of the option at word $1 is: in bash, the "=" of --option=argument is a word of its own.
_tiptop_argument() {
	if [[ ${COMP_WORDS[$1 + 1]-} == = ]]; then
		echo $(($1 + 2))
	else
		echo $(($1 + 1))
	fi
}

# What the program lists with the configuration of this command line.
_tiptop_list() {
	local -a conf=()
	local i path

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-W | --config)
			path=${COMP_WORDS[$(_tiptop_argument "$i")]}
			conf+=(-W "${path/#\~\//$HOME/}")
			;;
		--only-conf) conf+=(--only-conf) ;;
		esac
	done
	"${COMP_WORDS[0]}" "${conf[@]}" "$1" 2>/dev/null
}

_tiptop_screens() {
	_tiptop_list --list-screens | sed -n "s/^ *[0-9]*: '\(.*\)', .*/\1/p"
}

# The ids of the columns of all screens, and what stands beside them.
_tiptop_columns() {
	printf '%s\n' pid user command
	_tiptop_list --list-columns | sed -n 's/^column  *\[[^]]*]  *[0-9]*  *\([a-z0-9_]*\) .*/\1/p' | sort -u
}

# The filters that have names.
_tiptop_filters() {
	_tiptop_list --list-filters | sed -n '/^#/!s/^\([^ ]*\) .*/@\1/p'
}

# The names of CPUs, as the program says them where it does not know one.
_tiptop_cpus() {
	"${COMP_WORDS[0]}" --list-screens --for-cpu '?' 2>&1 | sed -n "s/.* one of the names //p" | tr -s ', ' '\n'
}

# Pids, and the names that processes have.
_tiptop_tasks() {
	local folder name
	local -A seen=()

	for folder in /proc/[0-9]*; do
		IFS= read -r name 2>/dev/null <"$folder/comm" || continue
		echo "${folder##*/}"
		[[ -n ${seen[x$name]-} ]] || echo "$name"
		seen[x$name]=1
	done
}

# The events that begin as what stands behind the last ',' or '{'. A quote that is open is not part of the word.
_tiptop_events() {
	local word=${cur#[\'\"]} name
	local part=${word##*[,\{]}

	while read -r name _; do
		if [[ $name == "$part"* && $name != \#* ]]; then
			COMPREPLY+=("${word%"$part"}$name")
		fi
	done < <("${COMP_WORDS[0]}" --list-events ${part:+"$part"} 2>/dev/null)
}

# The option whose argument is the present word; empty: none. Letters may be joined: -bd.
_tiptop_option() {
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	=) printf '%s' "${COMP_WORDS[COMP_CWORD - 2]}" ;;
	--) ;;
	--*) printf '%s' "${COMP_WORDS[COMP_CWORD - 1]}" ;;
	-*[!0-9.]) printf '%s' "-${COMP_WORDS[COMP_CWORD - 1]: -1}" ;;
	esac
}

# Whether a word that is no option is still wanted: ptiptop takes one, and so does a command with rows of its own.
_tiptop_wants_task() {
	local i=1

	[[ ${COMP_WORDS[0]##*/} == ptiptop ]] || { _tiptop_rows >/dev/null && i=2; } || return
	for (( ; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--config | --cpu-min | --delay | --errors | --event | --events | --filter | --fields | --for-cpu | --format | --from | --group | --iterations | --layout | --metrics | --metrics-by | --metrics-source | --output | --page | --pid | --prepare | --record | --record-around | --record-max | --record-screens | --record-when | --repeat | --replay | --rows | --screen | --screens | --screenshot | --size | --sort | --start-after | --theme | --to | --user | --values | --warmup | --watch)
			i=$(_tiptop_argument "$i") ;;
		--*) ;;
		-*[dEenopSuWw]) ((i++)) ;;
		-*) ;;
		*) return 1 ;;
		esac
	done
}

_tiptop_words() {
	printf '%s\n' \
		-b --batch -o --output --append --format --fields --rows --metrics --metrics-by --metrics-source --record --record-max --record-when --record-around --record-screens -E --errors -d --delay -n --iterations -K --kernel --no-collect --no-mouse --readonly \
		-p --pid -u --user --filter -H --threads --group --values --tree -i --idle --cpu-min --sticky --children --no-children --sort \
		--replay --from --to \
		-S --screen -e --event -w --watch -U --show-user -c --command-line --epoch --timestamp \
		--page --screenshot --size --screens --heat --layout --theme --safe-names --verbose --explain-verdict --start-after --exact --repeat --warmup --prepare --ignore-failure \
		-W --config --only-conf \
		-h --help --list-screens --list-events --list-columns --list-filters --show-screen --encodings --for-cpu --check -v --build-info --version
}

# What the rows are of a command with the options of tiptop; false: it is none.
_tiptop_rows() {
	[[ ${COMP_WORDS[0]##*/} != ptiptop && COMP_CWORD -gt 1 ]] || return
	case "${COMP_WORDS[*]:1:COMP_CWORD-1} " in
	"regions "*) echo region ;;
	"locks "*"--live "*) echo lock ;;
	"calls "*"--live "*) echo call ;;
	*) return 1 ;;
	esac
}

# The commands of tiptop itself; and what may stand behind one of them: its options, and behind help all commands.
_tiptop_commands() {
	"${COMP_WORDS[0]}" help 2>/dev/null | sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
_tiptop_command_words() {
	[[ ${COMP_WORDS[1]} != help ]] || _tiptop_commands
	_tiptop_command_help | sed -nE 's/^  (-(.), |    )--([a-z-]+).*/-\2 --\3/p' | sed 's/^- //' | tr ' ' '\n'
}
# Its help, up to that of another form of it.
_tiptop_command_help() {
	local -a help=(help "${COMP_WORDS[1]}")

	[[ ${COMP_WORDS[1]} != system || " ${COMP_WORDS[*]:0:COMP_CWORD} " != *" --raw "* ]] || help=(system --raw -h)
	[[ ${COMP_WORDS[1]} == regions ]] || ! _tiptop_rows >/dev/null || help=("${COMP_WORDS[1]}" --live --help=all)
	"${COMP_WORDS[0]}" "${help[@]}" 2>/dev/null | sed '1!{/^Usage:/,$d}'
}

# What stands behind an option of a command; false: it has no argument.
_tiptop_command_argument() {
	local option with

	option=$(_tiptop_option)
	case $option in
	--?*) with="^  (-., |    )$option <" ;;
	-?) with="^  $option, --[a-z-]+ <" ;;
	*) return 1 ;;
	esac
	_tiptop_command_help | grep -qE -e "$with" || return
	case $option in
	--spread) _tiptop_reply < <(printf '%s\n' avg max min all) ;;
	--group) _tiptop_reply < <(printf '%s\n' core socket core-kind machine) ;;
	--format)
		if [[ ${COMP_WORDS[1]} == what ]]; then
			_tiptop_reply < <(printf '%s\n' text json html)
		else
			_tiptop_reply < <(printf '%s\n' text csv json html)
		fi
		;;
	--for-cpu) _tiptop_reply < <(_tiptop_cpus) ;;
	-T | --stamp) _tiptop_reply < <(printf '%s\n' u d) ;;
	-c | --events)
		compopt -o nospace 2>/dev/null # ',' may follow
		_tiptop_events
		;;
	-W | --config | --metrics | -o | --output | --record | --replay)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
}

_tiptop() {
	local cur=${COMP_WORDS[COMP_CWORD]} rows= i

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] || continue
		if declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
		elif ((i + 1 == COMP_CWORD)); then
			mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	done
	if [[ ${COMP_WORDS[0]##*/} != ptiptop && COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == [a-z]* ]] &&
		! rows=$(_tiptop_rows); then
		! _tiptop_command_argument || return
		_tiptop_reply < <(_tiptop_command_words)
		if [[ ${COMP_WORDS[1]} =~ ^(import|compare|plot|report|what)$ && $cur != -* ]]; then
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	fi
	[[ $cur != = ]] || cur=
	case $(_tiptop_option) in
	-S | --screen | --show-screen | --record-screens) _tiptop_reply < <(_tiptop_screens) ;;
	-e | --event | --events)
		compopt -o nospace 2>/dev/null # ',' may follow
		_tiptop_events
		;;
	-p | --pid | --page | -w | --watch) _tiptop_reply < <(_tiptop_tasks) ;;
	-u | --user) mapfile -t COMPREPLY < <(compgen -u -- "$cur") ;;
	-W | --config | -E | --errors | --metrics | -o | --output | --record | --replay | --screenshot)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	--sort) _tiptop_reply < <(_tiptop_columns) ;;
	--filter) _tiptop_reply < <(_tiptop_filters) ;;
	--for-cpu) _tiptop_reply < <(_tiptop_cpus) ;;
	--theme) _tiptop_reply < <(printf '%s\n' default light monochrome high-contrast) ;;
	--layout) _tiptop_reply < <(printf '%s\n' auto full compact table) ;;
	--values) _tiptop_reply < <(printf '%s\n' interval rate total since-mark) ;;
	--group)
		if [[ $rows ]]; then
			_tiptop_reply < <(printf '%s\n' process "$rows")
		else
			_tiptop_reply < <(printf '%s\n' process user program program-user session cgroup container)
		fi
		;;
	--metrics-by) _tiptop_reply < <(printf '%s\n' process user program program-user session cgroup container) ;;
	-d | --delay | --metrics-source | -n | --iterations | --cpu-min | --start-after | --repeat | --warmup | --prepare | --screens | --fields | --rows | --from | --to | --size | --filter | --record-max | --record-when | --record-around) ;;
	--format) _tiptop_reply < <(printf '%s\n' text csv json verdicts) ;;
	*)
		if [[ $cur != -* ]] && _tiptop_wants_task; then
			_tiptop_reply < <(_tiptop_tasks)
		else
			_tiptop_reply < <(
				if [[ $rows == region ]]; then
					{ _tiptop_words && _tiptop_command_words && echo --live; } | sort -u
				elif [[ $rows ]]; then
					_tiptop_command_words
				else
					_tiptop_words
				fi
				((COMP_CWORD > 1)) || [[ ${COMP_WORDS[0]##*/} == ptiptop ]] || _tiptop_commands
			)
		fi
		;;
	esac
}

complete -F _tiptop tiptop ptiptop
