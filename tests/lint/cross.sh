#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All of src/ compiles for other architectures: this finds builtins, headers and instructions that only the own
# architecture has. The code that reads counters and clocks by instructions, and the preloaded objects, are compiled to
# assembly, since only that reveals a builtin that a target lacks; the rest is only parsed.
#
# Nothing is linked or run. config.h is that of this build, and the headers of libraries are those of this machine, through
# links to the few needed ones: headers in /usr/include are the same for all architectures, except those of the C library,
# which come with the cross compiler. For i386, where a long has 32 bits, the compiler of an x86-64 machine serves, with the
# C library's headers of that machine.
. "$(dirname "$0")/lib.sh"

targets='powerpc64le riscv64 s390x i386'
headers="$lint_scratch/include"

mkdir -p "$headers" "$lint_scratch/i386/gnu"
# What x86-64's C library lacks for i386: the functions that always fail, and the names of its libraries.
: >"$lint_scratch/i386/gnu/stubs-32.h"
cat /usr/include/gnu/lib-names-64.h /usr/include/*/gnu/lib-names-64.h 2>/dev/null |
	sed 's/-x86-64//' >"$lint_scratch/i386/gnu/lib-names-32.h"
for header in curses.h dwarf.h elfutils eti.h gelf.h json-c libelf.h libxml2/libxml ncurses.h ncurses_dll.h pcre2.h perfmon \
	sqlite3.h term.h unctrl.h; do
	[ -e "/usr/include/$header" ] || lint_skip "a library's headers are not in /usr/include: $header"
	ln -s "/usr/include/$header" "$headers/${header##*/}"
done

# run_compiler OPTION...: runs the compiler of the target.
run_compiler() {
	case $target in
	i386) gcc -m32 -Wno-psabi -isystem "$lint_scratch/i386" -isystem "/usr/include/$(gcc -print-multiarch)" "$@" ;;
	*) "$target-linux-gnu-gcc" "$@" ;;
	esac
}
# has_compiler: succeeds if the compiler is installed with its C library.
has_compiler() {
	echo '#include <stdio.h>' | run_compiler -fsyntax-only -x c - >"$lint_scratch/text" 2>&1
}
# compile FOLDER OPTION...: prints the complaints of the compiler.
compile() {
	folder=$1
	shift
	files=$(find "$folder" -name '*.c' 2>/dev/null | LC_ALL=C sort)
	[ "$files" ] || return 0
	# shellcheck disable=SC2086 # the names have no spaces
	run_compiler $files -std=gnu11 -D_GNU_SOURCE \
		-D_FILE_OFFSET_BITS=64 -DPRELOAD_FOLDER='""' -DBUILD_LIBRARIES='""' -include "$srcdir/src/base/banned.h" \
		-I "$srcdir/include" -I src -I "${builddir:?}" -isystem "$headers" -isystem "$headers/json-c" \
		-Wall -Wextra -Werror "$@" 2>&1
}
# find_faults DIR: compiles in a temporary folder, since there is an output for each file.
find_faults() {
	rm -rf "$lint_scratch/code"
	mkdir "$lint_scratch/code"
	tree=$(cd "$1" && pwd)
	(cd "$tree" && compile src -fsyntax-only)
	(cd "$lint_scratch/code" && ln -s "$tree/src" src && for layer in inject/lib inject/preload; do compile src/$layer/ -c; done)
}

n_targets=0
for target in $targets; do
	has_compiler || continue
	n_targets=$((n_targets + 1))
	if [ "$target" = i386 ]; then
		printf 'int less(unsigned a, long b);\nint less(unsigned a, long b)\n{\n\treturn a < b;\n}\n' | lint_example src/pmu/perf/bad.c
		lint_detects "$target: a comparison of signed and unsigned integers"
	else
		printf '#include <cpuid.h>\n' | lint_example src/pmu/perf/bad.c
		lint_detects "$target: a header of another architecture"
		printf 'void wait_here(void);\nvoid wait_here(void)\n{\n\t__asm__ volatile("lfence");\n}\n' | lint_example src/inject/lib/bad.c
		lint_detects "$target: an instruction of another architecture"
	fi
	if [ "$target" = powerpc64le ]; then
		printf 'void *self(void);\nvoid *self(void)\n{\n\treturn __builtin_thread_pointer();\n}\n' | lint_example src/inject/lib/bad.c
		lint_detects "$target: a builtin that its gcc lacks"
	fi
	printf '#include <errno.h>\nint *place(void);\nint *place(void)\n{\n\treturn &errno;\n}\n' | lint_example src/inject/lib/good.c
	lint_accepts "$target: what each has"
	lint_project "$target: all of src/"
done
[ $n_targets -gt 0 ] || lint_skip "none of the cross compilers is installed: $targets"
lint_done
