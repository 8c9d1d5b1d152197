#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are valid mdoc, and references between them lead to a page. They are checked in the layout of an
# installation, to which .so refers; the advice of mandoc to use a symbolic link instead is ignored. No page has more
# than 6,000 words, and all have 24,000 at most: that is what people still read. No heading has an unescaped word that is
# a macro: ".Ss In the recording" shows "<the> recording". No synopsis has a plain .Nm in the page of a subcommand, whose
# name, as tiptop-record, is not a command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v mandoc >/dev/null || lint_skip "mandoc is not installed"

find_faults() {
	rm -rf "$lint_scratch/installed"
	for page in "$1"/man/*.[1357]; do
		mkdir -p "$lint_scratch/installed/man${page##*.}"
		cp "$page" "$lint_scratch/installed/man${page##*.}"
	done
	(cd "$lint_scratch/installed" && grep -HnE '^\.S[hs] ([^ ]+ )*[A-Z][a-z]( |$)' man*/* | sed 's/$/ <- a macro/'
		awk '/^\.Sh / { in_synopsis = /SYNOPSIS/ } in_synopsis && FILENAME ~ /[a-z]-[a-z]/ && /^\.Nm$/ {
			print FILENAME ":" FNR ": .Nm without the words of the command" }' man*/*
		mandoc -T lint -W warning man*/* 2>&1 | grep -v ' WARNING: \.so is fragile'
		grep -L '^\.so ' man*/* | while read -r page; do
			echo "$page $(mandoc -T utf8 -O width=200 "$page" 2>/dev/null | wc -w)"
		done | awk '
		$2 > 6000 { print $1 ": " $2 " words, 6000 are allowed" }
		{ sum += $2 }
		END { if (sum > 24000) print "all pages: " sum " words, 24000 are allowed" }')
}

printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Bl\n' | lint_example man/x.1
lint_detects "a list without an end"
printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n' | lint_example man/x.1
lint_accepts "a good page"
printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Sh In use\nz\n' | lint_example man/x.1
lint_detects "a heading with a macro"
printf '.Dd January 1, 2026\n.Dt X-Y 1\n.Os\n.Sh NAME\n.Nm x-y\n.Nd z\n.Sh SYNOPSIS\n.Nm\n.Ar file\n' | lint_example man/x-y.1
lint_detects "a synopsis with the name of the page of a subcommand"
printf '.so man1/y.1\n' | lint_example man/x.1
lint_detects "a link that leads nowhere"
printf '.Dd January 1, 2026\n.Dt Y 1\n.Os\n.Sh NAME\n.Nm y\n.Nd z\n' | lint_example man/y.1
printf '.so man1/y.1\n' | lint_example man/x.1
lint_accepts "a link to a page"
{ printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Sh DESCRIPTION\n' && yes 'one two three' | head -n 2000; } |
	lint_example man/x.1
lint_detects "a page of more than 6000 words"
lint_project "manual pages"
lint_done
