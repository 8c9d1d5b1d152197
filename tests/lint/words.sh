#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names that tools/renames.tsv has replaced do not reappear in code or comments of src, tests and bench.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Old names that are ordinary words are not searched: in code, the compiler refuses them.
find_faults() {
	(cd "$1" && find src tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs -r awk -F '\t' '
	NR == FNR {
		if (!/^#/ && NF == 3 && $1 ~ /_|^(struct|union|enum) /) {
			new[$1] = $2
			scope[$1] = "^(" $3 ")"
		}
		next
	}
	function check(name) {
		if (name in new && FILENAME ~ scope[name])
			print FILENAME ":" FNR ": \"" name "\" is called \"" new[name] "\" now"
	}
	{
		n = split($0, word, /[^A-Za-z_0-9]+/)
		for (i = 1; i <= n; i++) {
			check(word[i])
			if (i > 1)
				check(word[i - 1] " " word[i])
		}
	}' "$srcdir/tools/renames.tsv")
}

printf 'void kin_free(void);\n' | lint_example src/base/err.h
lint_detects "a function"
printf '/* Of struct kin. */\n' | lint_example src/base/err.h
lint_detects "a type, in a comment"
printf 'struct kind *next_of_kin(void);\n' | lint_example src/base/err.h
lint_accepts "longer names, and words"
lint_project "names that were replaced"
lint_done
