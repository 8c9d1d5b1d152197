#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each file named in a page or a comment exists: "pmu/perf/plan.h" in src/ or include/, names such as "tests/lint/docs.sh"
# from the top. A name may be a pattern (presets*.c), and a folder in capitals stands for any. Of names without a folder,
# only the modules in the table of layers of doc/architecture.md are checked. And doc/README lists each page of doc/.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_texts() {
	find README NEWS CONTRIBUTING doc bench/README tests/vm/README src include -type f 2>/dev/null | LC_ALL=C sort
}

# is_there NAME...: succeeds if the expansion of a pattern is an existing file.
is_there() {
	[ -e "$1" ]
}

# missing_modules: those of the table of layers whose folder has no file of that name.
missing_modules() {
	[ ! -e doc/architecture.md ] || sed -nE 's/^\| ([a-z_\/]+\/) \|[^|]*\|(.*)/\1 \2/p' doc/architecture.md |
		while read -r room text; do
			echo "$text" | grep -oE '`[a-z_0-9]+`' | tr -d '`' | while read -r name; do
				is_there "src/$room$name".* || echo "doc/architecture.md: $room has no $name"
			done
		done
}

# unlisted_pages: those of doc/ that doc/README does not name.
unlisted_pages() {
	[ ! -e doc/README ] || for page in doc/*.md; do
		grep -qF "${page#doc/}" doc/README || echo "doc/README: $page is not in the list"
	done
}

find_faults() {
	(
		cd "$1" || exit
		missing_modules
		unlisted_pages
		folders=$(find src -mindepth 1 -maxdepth 2 -type d 2>/dev/null | sed 's|^src/||' | LC_ALL=C sort -r | tr '\n' '|')
		find_texts | while read -r file; do
			others='(tests|doc|man|tools|bench|completions|config|packaging)/'
			case $file in src/*) others='(tests|doc|man)/' ;; esac
			grep -noE "(^|[^A-Za-z0-9_./-])((${folders}src|include)/[A-Za-z0-9_*/-]+\.[ch]\b|${others}[A-Za-z0-9_.*/-]*[A-Za-z0-9_*])" "$file" |
				sed -E 's/^([0-9]+):[^A-Za-z]?/\1 /' | while read -r line name; do
				case $name in */[A-Z][A-Z]*/*) continue ;; esac
				# shellcheck disable=SC2086 # patterns
				is_there $name || is_there src/$name || is_there include/$name || echo "$file:$line: there is no $name"
			done
		done
	)
}

echo '#include "base/err.h"' | lint_example src/base/err.c
echo '/* Its rows are sorted, see base/mem.h. */' | lint_example src/base/err.h
lint_detects "a comment that names a header that is not there"
echo | lint_example src/base/err.h
echo 'err | base/er.h' | lint_example doc/glossary.md
lint_detects "a page that names a header that is not there"
echo 'tests/unit/test_err.c has it' | lint_example CONTRIBUTING
lint_detects "a page that names a test that is not there"
echo | lint_example src/base/err.h
# shellcheck disable=SC2016 # text
echo '| base/ | – | `err` and `mem` |' | lint_example doc/architecture.md
lint_detects "a module of the architecture that is not there"
echo '  x.md   what x is' | lint_example doc/README
echo 'y' | lint_example doc/y.md
lint_detects "a page that is not in the list of pages"
echo | lint_example src/base/err.h
echo 'architecture.md, x.md' | lint_example doc/README
# shellcheck disable=SC2016 # text
echo '| base/ | – | `err` of `tiptop follow` |' | lint_example doc/architecture.md
echo 'see base/err.h, src/base/err.h, base/e*.h, doc/x.md and linux/perf_event.h' | lint_example doc/x.md
lint_accepts "files that are there, and those of others"
lint_project "the files that pages and comments name"
lint_done
