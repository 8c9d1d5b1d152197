#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone, with gcc and with clang, without warnings.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

compilers=
for compiler in gcc clang; do
	command -v $compiler >/dev/null && compilers="$compilers $compiler"
done
[ -n "$compilers" ] || lint_skip "neither gcc nor clang is installed"

find_faults() {
	(cd "$1" && find src include -name '*.h' 2>/dev/null | LC_ALL=C sort | while read -r header; do
		for compiler in $compilers; do
			echo "#include \"${header#src/}\"" |
				$compiler -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Isrc -I. -x c - 2>&1
		done
	done)
}

echo 'int f(size_t n);' | lint_example src/base/err.h
lint_detects "a header that needs another"
printf '#include <stddef.h>\nint f(size_t n);\n' | lint_example src/base/err.h
lint_accepts "a header that includes what it needs"
lint_project "headers compile alone:$compilers"
lint_done
