#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The generated lists of the manual pages are the output of tools/man-lists, and each command has a page with the list of
# its options.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "${TIPTOP-}" ] || lint_skip "TIPTOP does not name the program"
export srcdir # for tools/man-lists
commands=$("$TIPTOP" --help=all | sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')

find_faults() {
	rm -rf "$lint_scratch/written"
	mkdir "$lint_scratch/written"
	cp "$1"/man/*.[157] "$lint_scratch/written"
	"$srcdir/tools/man-lists" "$lint_scratch/written"/*
	for page in "$lint_scratch/written"/*; do
		diff "$1/man/${page##*/}" "$page" >"$lint_scratch/diff" ||
			{ echo "man/${page##*/}: lists differ from the program's: run tools/man-lists man/*" && cat "$lint_scratch/diff"; }
	done
	for command in $commands; do
		grep -qsx "\\.\\\\\" list command $command" "$1/man/tiptop-$command.1" ||
			echo "man/tiptop-$command.1: no list of the options of tiptop $command"
	done
}

# pages: makes a page for each command, without its lists.
pages() {
	for command in $commands; do
		printf '.\\" list command %s\n.\\" end\n' "$command" | lint_example "man/tiptop-$command.1"
	done
	"$srcdir/tools/man-lists" "$lint_scratch"/tree/man/*
}

pages
sed -i '/^\.It Fl Fl sample/d' "$lint_scratch/tree/man/tiptop-locks.1"
lint_detects "an option that is missing"
pages
printf '.\\" list keys Act on tasks\n.It Ic Ctrl-Q\nNothing.\n.\\" end\n' | lint_example man/x.1
lint_detects "a key that is not there"
pages
printf '.\\" list more compare --run\n.It Fl o , Fl Fl output Ar file\nWrite to this file.\n.\\" end\n' | lint_example man/x.1
lint_detects "an option of a further form that the first one has, too"
pages
rm "$lint_scratch/tree/man/tiptop-locks.1"
lint_detects "a command without a page"
pages
lint_accepts "pages as they are written"
lint_project "the lists of the manual pages"
lint_done
