#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual is complete: it has every option of --help=all, every key, every built-in screen and column, every name and
# function that a tiptoprc may use; and no option or key that does not exist.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "${TIPTOP-}" ] || lint_skip "TIPTOP does not name the program"
help=$("$TIPTOP" --help=all)

# The pages of the monitor, the page of the configuration, and one for each command.
monitor='man/tiptop.1 man/tiptop-record.1 man/tiptop-metrics.1 man/tiptop-events.7 man/tiptop-columns.7 man/tiptop-system.1'
pages=$(cd "$srcdir" && echo man/*.[157] doc/fleet.md)
sources='src/tui/keys.c config/screens/default.xml config/screens/software.xml config/screens/imix.xml config/screens/uOps.xml src/screen/screen.c src/conf/option_table.c src/model/fact_list.h src/conf/theme.c src/pmu/event/raw_event.c src/screen/expr/parse.c'

# The options of --help, in the markup of the page: "Fl d , Fl Fl delay Ar seconds", "Fl Fl list-events Op Ar text".
help_options() {
	sed -nE 's/^  (-(.), |    )--([a-z-]+)( <([^>]*)>| \[([^]]*)\])?( .*)?$/Fl \2 , Fl Fl \3 Ar \5 Op Ar \6/p' |
		sed 's/^Fl  , //; s/ Op Ar $//; s/ Ar  Op/ Op/; s/ Ar $//; s/|/ | /g'
}

# Its commands.
help_commands() {
	echo "$help" | sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# names REGEX FILE...: prints the matches of the first group of the regular expression, one on each line.
names() {
	regex=$1
	shift
	sed -nE "s/^[[:blank:]]*$regex.*/\1/p" "$@" | sed 's/^ *//; s/ *$//'
}

# same WHAT WANTED GIVEN: prints the differences of two lists with one entry on each line.
same() {
	[ -n "$2" ] || echo "no $1 was found in the program"
	echo "$2" | LC_ALL=C sort >"$lint_scratch/wanted"
	echo "$3" | LC_ALL=C sort >"$lint_scratch/given"
	LC_ALL=C comm -23 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s/^/the manual lacks the $1: /"
	LC_ALL=C comm -13 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s/^/the manual has a $1 that is not there, or twice: /"
}

# mentioned WHAT PAGE NAMES: prints the names that are no word of the page.
mentioned() {
	[ -n "$3" ] || echo "no $1 was found in the program"
	tr -s ' (),.;"' '\n' <"$2" >"$lint_scratch/words"
	echo "$3" | grep -vxFf "$lint_scratch/words" | sed "s|^|$2: lacks the $1: |"
}

# listed WHAT PAGE NAMES: prints the names that are no item of a list of the page.
listed() {
	[ -n "$3" ] || echo "no $1 was found in the program"
	sed -n 's/^\.It Li //p' "$2" | sed 's/ , /\n/g' >"$lint_scratch/items"
	echo "$3" | grep -vxFf "$lint_scratch/items" | sed "s|^|$2: lacks the $1: |"
}

# command_pages: checks the commands that tiptop(1) lists, or that have a page.
command_pages() {
	sed -n 's/^\.It Cm \(help\) .*/\1/p' man/tiptop.1
	for page in man/tiptop-*.1; do
		name=${page#man/tiptop-}
		case $name in record.1 | metrics.1 | '*.1') ;; *) echo "${name%.1}" ;; esac
	done
}

find_faults() {
	(
		cd "$1" || exit
		same option "$(echo "$help" | help_options)" "$(sed -n 's/^\.It \(Fl [^-].*\)/\1/p' man/tiptop.1)"
		same command "$(help_commands)" "$(command_pages)"
		same key "$(names '\{\.action = .*, \.keys = "([^"]+)".*' src/tui/keys.c | tr ' ' '\n')" \
			"$(sed -n 's/^\.It Ic //p' man/tiptop.1 | sed 's/ , /\n/g; s/\\&//g')"
		cat $monitor >"$lint_scratch/monitor" 2>/dev/null
		mentioned screen "$lint_scratch/monitor" "$(names '<screen name="([^"]+)"' config/screens/*.xml)"
		mentioned column "$lint_scratch/monitor" "$(names '<column header="([^"]+)"' config/screens/*.xml)"
		mentioned option man/tiptoprc.5 "$(names '.*\.conf_name = "([^"]+)"' src/conf/option_table.c)"
		mentioned variable man/tiptoprc.5 "$(names '\tFACT\(with, ([A-Z0-9_]+),' src/model/fact_list.h)"
		mentioned metric doc/fleet.md "$(names '.*\.metric = "([a-z_]+)",' src/model/fact_list.h | sed 's/^/`tiptop_/; s/$/`/')"
		mentioned variable man/tiptoprc.5 "$(names '.*\.name = "([A-Z_]+)"' src/screen/screen.c)"
		mentioned constant man/tiptoprc.5 "$(names '\{"([A-Z0-9_]+)", PERF_COUNT_' src/pmu/event/raw_event.c)"
		listed function man/tiptoprc.5 "$(names '\[EXPR_[A-Z]+\] = \{"([a-z]+)"' src/screen/expr/parse.c | sed 's/$/(x)/')"
		listed function man/tiptoprc.5 "$(names '\{"[a-z]+", "([a-z]+\([a-z, ]+\))"' src/screen/expr/parse.c)"
		listed look man/tiptoprc.5 "$(names '\[LOOK_[A-Z_0-9]+\] += \{..., "([a-z0-9-]+)"' src/conf/theme.c)"
		mentioned type man/tiptoprc.5 "$(names '\{"([A-Z_]+)", PERF_TYPE_' src/pmu/event/raw_event.c)"
	)
}

# without REGEX FILE: makes an example of the project's files, without the matching lines of the file, or of all pages
# (man).
without() {
	for file in $pages $sources; do
		if [ "$file" = "$2" ] || [ "${file%%/*}" = "$2" ]; then
			sed -E "/$1/d" "$srcdir/$file"
		else
			cat "$srcdir/$file"
		fi | lint_example "$file"
	done
}

without '^\.It Fl Fl cpu-min' man
lint_detects "an option that is missing"
without '^\.It Cm help' man
lint_detects "a command that is missing"
without '^\.It Ic R$' man
lint_detects "a key that is missing"
without '^\.It Li WAITms\/s' man
lint_detects "a column that is missing"
without 'Li macrof' man
lint_detects "a column of some CPUs that is missing"
without '^\.Ss imix' man
lint_detects "a screen that is missing"
without 'show_cmdline' man
lint_detects "an option of the configuration that is missing"
without 'Li WAIT_NS' man
lint_detects "a variable that is missing"
without 'tiptop_migrations_total' doc/fleet.md
lint_detects "a metric that is missing"
without 'OP_PREFETCH' man
lint_detects "a constant that is missing"
without '^\.It Li abs' man
lint_detects "a function of expressions that is missing"
without '^\.It Li rate' man
lint_detects "a mode of names that is missing"
without 'action = "reverse"' src/tui/keys.c
lint_detects "a key that is not there"
lint_project "the manual is complete"
lint_done
