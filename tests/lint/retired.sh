#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Words and phrases of retired.tsv do not reappear in code, comments, messages, tests and pages. Not read: recorded output
# (tests/golden, pictures), NEWS, and the lists of words and of old names themselves.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_texts() {
	find src include config completions tests bench doc man tools packaging debian examples python README CONTRIBUTING \
		tiptoprc.example -type f 2>/dev/null |
		grep -Ev '^(tests/golden|tests/tasks/golden|doc/pictures)/|^tests/lint/retired[.]|^tools/renames[.]tsv$|^config/(install-sh|config[.]|ltmain|compile|depcomp|missing)|[.](pyc|db|gz|png)$' |
		LC_ALL=C sort
}

# All files go through one process: each line is compared with one expression of all words first.
# shellcheck disable=SC2016 # $ of awk
find_faults() {
	(cd "$1" && find_texts | tr '\n' '\0' | LC_ALL=C xargs -0r awk -F '\t' -v table="$srcdir/tests/lint/retired.tsv" '
	function words(expression) {
		return "(^|[^a-z0-9_])(" expression ")($|[^a-z0-9_])"
	}
	BEGIN {
		while ((getline row < table) > 0) {
			if (row ~ /^#/ || split(row, cell, "\t") != 3)
				continue
			n++
			word[n] = words(cell[1])
			instead[n] = cell[2]
			allowed[n] = cell[3]
			all = all (n > 1 ? "|" : "") cell[1]
		}
		all = words(all)
	}
	function check(line, i) {
		if (allowed[i] != "-")
			gsub(allowed[i], "", line)
		if (line ~ word[i])
			print FILENAME ":" FNR ": " $0 " <- write: " instead[i]
	}
	{
		line = tolower($0)
		if (line ~ all)
			for (i = 1; i <= n; i++)
				check(line, i)
	}')
}

printf '/* Returns what nobody wants. */\n' | lint_example src/base/err.h
lint_detects "a word in a comment"
printf '\terr_set(err, EINVAL, "counting begins Anew");\n' | lint_example src/base/err.c
lint_detects "a word in a message"
printf 'The page tells\nfor want of data.\n' | lint_example doc/x.md
lint_detects "a phrase on a page"
# shellcheck disable=SC2016 # text of a script
printf 'nobody=65534\nsetpriv --reuid "$nobody" # renewed, somebodys_name\n' | lint_example tests/program/x.sh
lint_accepts "the user nobody, and longer words"
lint_project "retired words"
lint_done
