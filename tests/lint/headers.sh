#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header compiles alone, with gcc and with clang, without warnings. Each .c file has a header of the same name, or its
# first comment begins with "part of delta: ...", if delta.h is beside it, or with "row of command: ...", if that header
# declares the rows of a table, each of which is a module, or with "entry of libtiptop: ...", if only programs that load
# this object call it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

compilers=
for compiler in gcc clang; do
	command -v $compiler >/dev/null && compilers="$compilers $compiler"
done
[ -n "$compilers" ] || lint_skip "neither gcc nor clang is installed"

find_headless() {
	find src -name '*.c' ! -name main.c 2>/dev/null | LC_ALL=C sort | while read -r file; do
		[ ! -e "${file%.c}.h" ] || continue
		! sed -n '2,3p' "$file" | grep -q '^/[*] entry of \(libtiptop\|tiptop-[a-z]*[.]so\): ' || continue
		whole=$(sed -n '2,3s,^/*[ *]* \(part\|row\) of \([a-z_]*\): .*,\2,p' "$file")
		[ -n "$whole" ] && [ -e "$(dirname "$file")/$whole.h" ] || echo "$file: neither a header nor the word whose part it is"
	done
}

# find_doubled: looks for headers that do not compile together, because both include cpuid.h, which has no include guard in
# gcc before 11.
has_cpuid=
[ -z "${compilers##* gcc*}" ] && echo '#include <cpuid.h>' | gcc -fsyntax-only -x c - 2>/dev/null && has_cpuid=yes
mkdir "$lint_scratch/old"
printf '#undef _CPUID_H_INCLUDED\n#include_next <cpuid.h>\n' >"$lint_scratch/old/cpuid.h"
find_doubled() {
	[ -n "$has_cpuid" ] || return 0
	find src -name '*.h' -exec grep -l '<cpuid\.h>' {} + 2>/dev/null | sed 's,^src/\(.*\),#include "\1",' |
		gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -isystem "$lint_scratch/old" -Isrc -Iinclude -I. -x c - 2>&1
}

find_faults() {
	(cd "$1" && find_headless && { find_doubled; true; } && find src include -name '*.h' 2>/dev/null | LC_ALL=C sort | while read -r header; do
		for compiler in $compilers; do
			echo "#include \"${header#src/}\"" |
				$compiler -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Isrc -Iinclude -I. -x c - 2>&1
		done
	done)
}

echo 'int f(size_t n);' | lint_example src/base/err.h
lint_detects "a header that needs another"
printf '#include <stddef.h>\nint f(size_t n);\n' | lint_example src/base/err.h
lint_accepts "a header that includes what it needs"
printf '/* SPDX */\nint f(void);\n' | lint_example src/base/err_text.c
lint_detects "code without a header"
printf '/* SPDX */\n/* part of err: its text. */\n' | lint_example src/base/err_text.c
lint_detects "code that is a part of what is not there"
echo 'int f(void);' | lint_example src/base/err.h
printf '/* SPDX */\n/*\n * part of err: its text.\n */\n' | lint_example src/base/err_text.c
lint_accepts "a part of what is there"
echo 'int f(void);' | lint_example src/base/err.h
printf '/* SPDX */\n/* row of err: the first. */\n' | lint_example src/base/err_text.c
lint_accepts "a row of what is there"
printf '/* SPDX */\n/* entry of libtiptop: its start. */\n' | lint_example src/base/start.c
lint_accepts "code that only the programs call which load its object"
if [ -n "$has_cpuid" ]; then
	echo '#include <cpuid.h>' | lint_example src/base/err.h
	echo '#include <cpuid.h>' | lint_example src/base/mem.h
	lint_detects "two headers that include cpuid.h without a guard"
	printf '#ifndef __cpuid\n#include <cpuid.h>\n#endif\n' | lint_example src/base/err.h
	printf '#ifndef __cpuid\n#include <cpuid.h>\n#endif\n' | lint_example src/base/mem.h
	lint_accepts "two headers that include it with one"
fi
lint_project "headers compile alone, and code has one:$compilers"
lint_done
