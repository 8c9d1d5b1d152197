#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are readable at 60, 80 and 120 columns, with mandoc and with groff: no line of text is wider, tables keep
# their columns, and text to be copied, commands and files, fits into 80 columns and is not broken.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

for tool in mandoc groff; do
	command -v $tool >/dev/null && tools="${tools-} $tool"
done
[ -n "${tools-}" ] || lint_skip "neither mandoc nor groff is installed"

# render TOOL WIDTH: prints the page on standard input as plain text.
render() {
	case $1 in
	mandoc) mandoc -T ascii -O "width=$2" ;;
	groff) groff -mdoc -Tascii -P-cbou "-rLL=${2}n" "-rLT=${2}n" 2>/dev/null ;;
	esac | sed "s/$(printf '.\b')//g" | expand
}
head_of_page='.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n'
# text_of PAGE: prints the page without its unfilled parts.
text_of() {
	awk '/^\.Bd -literal/ { skip = 1 } !skip && !/^\.Dl / { print } /^\.Ed/ { skip = 0 }' "$1"
}
# tables_of PAGE, literal_of PAGE: print the tables, or the literal displays, as a page.
tables_of() {
	printf "$head_of_page.Sh T\n"
	awk '/^\.Bl -column/ { table = 1; print "text\n.Pp" } table { print } table && /^\.El/ { table = 0; print ".Pp" }' "$1"
}
literal_of() {
	awk '/^\.Dl / { print substr($0, 5) } /^\.Ed/ { block = 0 } block { print } /^\.Bd -literal/ { block = 1 }' "$1" |
		sed 's/\\(../x/g; s/\\&//g; s/\\[-e]/x/g'
}

find_faults() {
	for page in "$1"/man/*.[157]; do
		grep -q '^\.Sh NAME' "$page" || continue # a link
		for width in 60 80 120; do
			for tool in $tools; do
				place="man/${page##*/}, $tool, $width columns"
				text_of "$page" | render "$tool" $width | awk -v place="$place" -v width=$width '
				length($0) > width { print place ": too wide: " $0 }'
				tables_of "$page" | render "$tool" $width | awk -v place="$place" '
				/^ *text$/ { begin = 1; next }
				/^ *$/ { at = 0; next }
				begin { # The header: the last of its columns begins behind two blanks.
					for (at = length($0); at > 2 && substr($0, at - 2, 2) != "  "; at--)
						;
					begin = 0
					next
				}
				at && (substr($0, at, 1) == " " || substr($0, at - 1, 1) != " ") { print place ": not in its column: " $0 }'
			done
		done
		# Displays are indented by 13 columns at most.
		literal_of "$page" | awk -v place="man/${page##*/}" 'length($0) > 67 { print place ": too long to be copied: " $0 }'
	done
}

table() {
	printf "$head_of_page"
	printf '.Sh S\n.Bl -column %s\n.It Sy Column Ta Sy Meaning\n.It Li %s Ta %s\n.El\n' "$1" "$2" "$3"
}
words='what it is, in words of which there are so many that they do not fit into one line of so many columns at all'
table '"xxxxxxx" "unit, formula"' a "$words" | lint_example man/x.1
case $tools in
*groff*) lint_detects "a table whose last column has two places" ;;
*) lint_accepts "a table whose last column has two places, by mandoc" ;;
esac
table '"xxxxxxx"' "a, bcdefghijklmnopqrstuvw" "$words" | lint_example man/x.1
case $tools in
*groff*) lint_detects "a cell that is wider than its column" ;;
esac
table '"xxxxxxx"' a "$words" | lint_example man/x.1
lint_accepts "a table"
{ printf "$head_of_page.Sh S\n.Dl "; printf 'x %.0s' 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4; echo; } | lint_example man/x.1
lint_detects "a command of 68 characters"
printf "$head_of_page.Sh S\n.Bl -tag -width Ds\n.It abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz\nb\n.El\n" | lint_example man/x.1
lint_detects "a word that is wider than the page"
lint_project "manual pages at 60, 80 and 120 columns"
lint_done
