#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All C is formatted according to .clang-format. Versions of clang-format break lines differently, so a certain one is
# required.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

version=14
for formatter in clang-format clang-format-$version; do
	case $($formatter --version 2>/dev/null) in
	*" version $version."*) found=$formatter ;;
	esac
done
[ -n "${found-}" ] || lint_skip "clang-format $version is not installed"

find_faults() {
	(cd "$1" && find src include tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort |
		xargs -r "$found" --dry-run -Werror --style=file 2>&1 | grep error:)
}

cp "$srcdir/.clang-format" "$lint_scratch/"
printf 'int f( void ) {\n  return 0; }\n' | lint_example src/base/err.c
lint_detects "another style"
printf 'int f(void)\n{\n\treturn 0;\n}\n' | lint_example src/base/err.c
lint_accepts "the project's style"
lint_project "format of the C files"
lint_done
