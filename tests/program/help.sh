#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The options that print something and exit.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# prints OPTION PATTERN: to standard output only, with status 0; some line matches the extended regular expression.
prints() {
	"$tiptop" "$1" >"$out" 2>"$err" </dev/null
	is "$1: exit status" $? 0
	is "$1: no message" "$(cat "$err")" ""
	grep -Eqx -- "$2" "$out"
	ok "$1: prints '$2'" $?
	[ -z "$(tail -c 1 "$out")" ] && ! grep -q '[[:blank:]]$' "$out"
	ok "$1: whole lines without blanks at their ends" $?
	if [ -c /dev/full ]; then
		"$tiptop" "$1" >/dev/full 2>"$err"
		is "$1: exit status with a full disk" $? 1
		matches "$1: a sentence about a full disk" "$(cat "$err")" 'tiptop: .*No space left on device.*'
	else
		skip "$1: full disk" "no /dev/full"
	fi
}

# is_short WHAT: the text in $out.
is_short() {
	is "$1: 60 lines of 80 columns at most" "$(awk 'length > 80; END { if (NR > 60) print NR " lines" }' "$out")" ""
}

version='[0-9]+\.[0-9]+(\.[0-9]+)?'
for option in -h --help; do
	prints $option '  -d, --delay <seconds> .*'
	grep -q -e '-- command' "$out"
	ok "$option: describes the command" $?
	is_short "$option"
done
prints --version "tiptop $version"
for option in -v --build-info; do
	prints $option "tiptop $version"
	grep -q '^compiler: ' "$out" && grep -q '^libraries: .*libxml2' "$out"
	ok "$option: compiler and libraries" $?
done
# Which screens there are depends on the CPU.
TIPTOP_CPU=other:
export TIPTOP_CPU
prints --list-screens "Available screens:"
is "--list-screens: the built-in ones" "$(sed -n "s/^\( *[0-9]*: '[a-z]*'\), .*/\1/p" "$out" | tr '\n' ,)" \
	" 0: 'default', 1: 'branch', 8: 'frontend',13: 'system',14: 'software',15: 'tasks',21: 'why',"

# Commands.
"$tiptop" help >"$out" 2>"$err"
is "help: status and messages" "$? $(cat "$err")" "0 "
"$tiptop" --help >"$dir/both"
cmp -s "$dir/both" "$out"
ok "help: as --help" $?
# make_man NAME TEXT: a man(1) that does this.
make_man() {
	mkdir "$dir/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"$dir/$1/man"
	chmod +x "$dir/$1/man"
}
make_man none 'exit 16'
# shellcheck disable=SC2016 # for that shell
make_man pages 'echo "$*"'
commands=$(sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out")
is "help: the commands are listed" "$(echo "$commands" | grep -cx help)" 1
for command in $commands; do
	"$tiptop" "$command" --help >"$out" 2>"$err"
	is "$command --help: status and messages" "$? $(cat "$err")" "0 "
	matches "$command --help: the usage" "$(head -n 1 "$out")" "Usage: tiptop $command .*"
	matches "$command --help: an example" "$(grep -m 1 "^Example: " "$out")" "Example: tiptop $command .+"
	PATH=$dir/none:$PATH "$tiptop" help "$command" >"$dir/both" 2>"$err"
	cmp -s "$dir/both" "$out"
	ok "help $command without a page: as $command --help" $?
	[ "$command" = help ] || matches "help $command without a page: says so" "$(cat "$err")" \
		"tiptop: help: man\(1\) has no page tiptop-$command\(1\): .* 'tiptop $command --help' prints:"
	[ "$command" = help ] || is "help $command: opens the page" "$(PATH=$dir/pages:$PATH "$tiptop" help "$command" 2>&1)" "tiptop-$command"
	is_short "$command --help"
	"$tiptop" "$command" --help=all >"$dir/both"
	is "$command --help=all: fits a terminal of 80 columns" "$(awk 'length > 80' "$dir/both")" ""
	is "$command --help=all: has all that --help has but what says so" \
		"$(grep -v -e '--help=all' -e '^Usual options' "$out" | grep -vxFf "$dir/both")" ""
done
matches "help without man" "$(PATH=$dir/home "$tiptop" help locks 2>&1 >"$out")" \
	"tiptop: help: the page tiptop-locks\(1\) cannot be opened, as man\(1\) cannot be run: No such file or directory; .*"
is "help without man: the help" "$("$tiptop" locks --help | cmp - "$out")" ""
for command in locks calls; do
	"$tiptop" "$command" --live --help >"$out"
	is_short "$command --live --help"
	grep -q -e "^  -S, --screen" "$out" && grep -q -e '^      --live' "$out" && grep -q "'tiptop $command --live --help=all'" "$out"
	ok "$command --live --help: usual options, and where all are" $?
	"$tiptop" "$command" --live --help=all | grep -q -e '^      --safe-names'
	ok "$command --live --help=all: all options" $?
done

# All options.
"$tiptop" --help=all >"$dir/all"
grep -q -e '^      --safe-names' "$dir/all" && grep -q '^Which tasks:$' "$dir/all"
ok "--help=all: options in groups" $?
"$tiptop" -h all >"$out"
cmp -s "$dir/all" "$out"
ok "-h all: the same" $?
is "--help=nothing: status and message" "$("$tiptop" --help=nothing 2>&1; echo $?)" \
	"tiptop: option --help takes 'all' or nothing, not 'nothing'
2"
is "system --help=nothing: the same" "$("$tiptop" system --help=nothing 2>&1; echo $?)" \
	"tiptop: option --help takes 'all' or nothing, not 'nothing'
2"

# choices OPTION [WORD]...: what --help=all says that an option takes, one a line.
choices() {
	choices_option=$1
	shift
	"$tiptop" "$@" --help=all | awk -v option=" --$choices_option <" '
		on && /^          / { text = text " " $0; next }
		on { exit }
		index($0, option) { on = 1; text = $0 }
		END { if (!sub(/.*\(/, "", text) || !sub(/\).*/, "", text)) exit; gsub(/[ ,]+/, "\n", text); print text }'
}
# each_is_taken OPTION LIST WORD...: a run with each of the list ends well.
each_is_taken() {
	each_option=$1 each_list=$2 each_bad=''
	shift 2
	for each in $each_list; do
		"$tiptop" "$@" "--$each_option" "$each" >"$out" 2>"$err" </dev/null || each_bad="$each_bad $each"
	done
	is "--$each_option: each that --help=all names is taken" "$each_bad" ""
}
is "the formats" "$(choices format | tr '\n' ,)" "text,csv,json,verdicts,"
is "the groups of locks" "$(choices group locks --live | tr '\n' ,)" "process,lock,"
for option in format group values theme layout metrics-by; do
	[ "$option" != metrics-by ] || set -- --metrics "$dir/metrics.prom"
	choices "$option" >"$dir/choices"
	[ "$(wc -l <"$dir/choices")" -gt 2 ]
	ok "--$option: --help=all names what it takes" $?
	each_is_taken "$option" "$(cat "$dir/choices")" -b -n 1 -d 0.01 -p $$ "$@"
done
for suffix in $(choices screenshot); do
	"$tiptop" -p $$ -n 1 -d 0.01 --screenshot "$dir/picture$suffix" >"$out" 2>"$err" </dev/null
	is "--screenshot: a file that ends with $suffix" "$(grep -v 'hardware counters' "$err" | grep 'what kind of picture')" ""
done
each_is_taken format "$(choices format system)" system 0.01 1
is "system: its formats" "$(choices format system | tr '\n' ,)" "text,csv,json,"
for command in follow locks calls regions compare what; do
	is "$command: its formats" "$(choices format $command | tr '\n' ,)" \
		"$([ $command = what ] && echo text,json,html, || echo text,csv,json,html,)"
done

# The examples, as they stand there.
"$tiptop" --help | sed -n '/^Examples:$/,/^$/s/^  \(tiptop.*\)/\1/p' >"$dir/examples"
is "--help: five examples" "$(wc -l <"$dir/examples")" 5
is "--help: usage, commands, examples, in this order" \
	"$("$tiptop" --help | grep -o -e '^Usage: ' -e '^Commands' -e '^Examples' -e '^Usual options' | tr '\n' ,)" \
	"Usage: ,Commands,Examples,Usual options,"
mkdir "$dir/bin" "$dir/examples.d"
ln -s "$(command -v "$tiptop")" "$dir/bin/tiptop"
cd "$dir/examples.d" || exit 1
while read -r line; do
	case $line in
	*" -b "*) (PATH=$dir/bin:$PATH && export PATH && timeout 60 sh -c "$line") >"$out" 2>"$err" </dev/null ;;
	*) (PATH=$dir/bin:$PATH && export PATH && TERM=xterm "${builddir:?}/tests/program/terminal" show=COMMAND type=q end -- \
		sh -c "exec $line") >"$out" 2>"$err" </dev/null ;;
	esac
	status=$?
	case $(cat "$err" "$out") in
	*"without ncurses"* | *"without SQLite"*) skip "example: $line" "built without what it needs" ;;
	*) is "example: $line" "$status $(grep -e '^exit [1-9]' -e '^no$' -e '^signal' "$out")" "0 " ;;
	esac
done <"$dir/examples"
cd "$HOME" || exit 1
"$tiptop" help >/dev/full 2>"$err"
is "help: exit status with a full disk" $? 1
ln -s "$tiptop" "$dir/ptiptop"
"$dir/ptiptop" help -b -n 1 -d 0.01 >"$out" 2>"$err"
matches "ptiptop help: a task of this name" "$(grep ^only "$out")" "only pid 'help'"

"$tiptop" -b -n 1 -d 0.01 --version >"$dir/both" 2>"$err"
"$tiptop" --version >"$out"
cmp -s "$dir/both" "$out"
ok "nothing else is done then" $?
"$tiptop" -h --version >"$dir/both" 2>"$err"
"$tiptop" -h >"$out"
cmp -s "$dir/both" "$out"
ok "of several, the first one counts" $?
printf '<tiptop><' >"$HOME/.tiptoprc"
"$tiptop" --help >"$out" 2>"$err"
is "a wrong configuration does not matter to --help" "$? $(cat "$err")" "0 "
rm "$HOME/.tiptoprc"

# Screens of a configuration.
conf_counters "$HOME/.tiptoprc"
is "--list-screens: those of the configuration behind the others" \
	"$("$tiptop" --list-screens | sed -n "s/^ *[0-9]*: '\([a-z]*\)', .*/\1/p" | tr '\n' ,)" "default,branch,frontend,system,software,tasks,why,counters,"
is "--list-screens --only-conf" "$("$tiptop" --only-conf --list-screens | tail -n +2 | cut -d, -f1)" " 0: 'counters'"

finish
