#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual is complete: it has every option of --help=all, every key, every built-in screen and column, every name and
# function that a tiptoprc may use; and no option or key that does not exist.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "${TIPTOP-}" ] || lint_skip "TIPTOP does not name the program"
help=$("$TIPTOP" --help=all)

pages='man/tiptop.1 man/tiptoprc.5 doc/fleet.md'
sources='src/tui/key_table.c config/screens/default.xml config/screens/software.xml config/screens/imix.xml config/screens/uOps.xml src/screen/screen.c src/conf/option_table.c src/model/fact.c src/conf/theme.c src/pmu/event/type.c src/screen/expr/parse.c'

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
	LC_ALL=C comm -23 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s/^/man\/tiptop.1: lacks the $1: /"
	LC_ALL=C comm -13 "$lint_scratch/wanted" "$lint_scratch/given" | sed "s/^/man\/tiptop.1: has a $1 that is not there: /"
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

find_faults() {
	(
		cd "$1" || exit
		same option "$(echo "$help" | help_options)" \
			"$(sed -n '/^\.Sh COMMANDS/,/^\.Sh SCREENS/d; s/^\.It \(Fl [^-].*\)/\1/p' man/tiptop.1)"
		# Those of a command, where it has a list of them; -h is said once for all.
		same "option of follow" "$("$TIPTOP" help follow | help_options | grep -v '^Fl h ')" \
			"$(sed -n '/^\.Ss follow$/,/^\.Ss import/s/^\.It \(Fl [^-].*\)/\1/p' man/tiptop.1)"
		same command "$(help_commands)" "$(sed -n '/^\.Sh COMMANDS/,/^\.Sh SCREENS/s/^\.Ss //p' man/tiptop.1)"
		same key "$(names '\{\.action = .*, \.keys = "([^"]+)".*' src/tui/key_table.c | tr ' ' '\n')" \
			"$(sed -n 's/^\.It Ic //p' man/tiptop.1 | sed 's/ , /\n/g; s/\\&//g')"
		mentioned screen man/tiptop.1 "$(names '<screen name="([^"]+)"' config/screens/*.xml)"
		mentioned column man/tiptop.1 "$(names '<column header="([^"]+)"' config/screens/*.xml)"
		mentioned option man/tiptoprc.5 "$(names '.*\.conf_name = "([^"]+)"' src/conf/option_table.c)"
		mentioned variable man/tiptoprc.5 "$(names '\tFACT\(with, ([A-Z0-9_]+),' src/model/fact.c)"
		mentioned metric doc/fleet.md "$(names '.*\.metric = "([a-z_]+)",' src/model/fact.c | sed 's/^/`tiptop_/; s/$/`/')"
		mentioned variable man/tiptoprc.5 "$(names '.*\.name = "([A-Z_]+)"' src/screen/screen.c)"
		mentioned constant man/tiptoprc.5 "$(names '\{"([A-Z0-9_]+)", PERF_COUNT_' src/pmu/event/type.c)"
		listed function man/tiptoprc.5 "$(names '\[EXPR_[A-Z]+\] = \{"([a-z]+)"' src/screen/expr/parse.c | sed 's/$/(x)/')"
		listed function man/tiptoprc.5 "$(names '\{"[a-z]+", "([a-z]+\([a-z, ]+\))"' src/screen/expr/parse.c)"
		listed look man/tiptoprc.5 "$(names '\[LOOK_[A-Z_0-9]+\] += \{..., "([a-z0-9-]+)"' src/conf/theme.c)"
		mentioned type man/tiptoprc.5 "$(names '\{"([A-Z_]+)", PERF_TYPE_' src/pmu/event/type.c)"
	)
}

# without REGEX FILE: makes an example of the project's files, without the matching lines of the file, or of all pages
# (man).
without() {
	for file in $pages $sources; do
		if [ "$file" = "$2" ]; then
			sed -E "/$1/d" "$srcdir/$file"
		else
			cat "$srcdir/$file"
		fi | lint_example "$file"
	done
}

without '^\.It Fl Fl cpu-min' man/tiptop.1
lint_detects "an option that is missing"
without '^\.It Fl T , Fl Fl interval' man/tiptop.1
lint_detects "an option of a command that is missing"
without '^\.Ss help$' man/tiptop.1
lint_detects "a command that is missing"
without '^\.It Ic R$' man/tiptop.1
lint_detects "a key that is missing"
without '^\.It Li WAITms\/s' man/tiptop.1
lint_detects "a column that is missing"
without 'Li macrof' man/tiptop.1
lint_detects "a column of some CPUs that is missing"
without '^\.Ss imix' man/tiptop.1
lint_detects "a screen that is missing"
without 'show_cmdline' man/tiptoprc.5
lint_detects "an option of the configuration that is missing"
without '^\.It Li WAIT_NS' man/tiptoprc.5
lint_detects "a variable that is missing"
without 'tiptop_migrations_total' doc/fleet.md
lint_detects "a metric that is missing"
without 'OP_PREFETCH' man/tiptoprc.5
lint_detects "a constant that is missing"
without '^\.It Li abs' man/tiptoprc.5
lint_detects "a function of expressions that is missing"
without '^\.It Li rate' man/tiptoprc.5
lint_detects "a mode of names that is missing"
without 'action = "reverse"' src/tui/key_table.c
lint_detects "a key that is not there"
lint_project "the manual is complete"
lint_done
