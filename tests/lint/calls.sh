#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The functions of config/calls.list exist in the C library, with the prototypes of its headers.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

compiler=${CC:-gcc}
command -v "${compiler%% *}" >/dev/null && command -v nm >/dev/null || lint_skip "there is no compiler"
# The libraries in which a compiled program finds them.
libraries=$(echo 'int main(void) { return 0; }' | ${CC:-gcc} -x c - -Wl,--no-as-needed -lm -o "$lint_scratch/program" &&
	ldd "$lint_scratch/program" | sed -n 's/.*=> \(.*lib[cm]\.so[^ ]*\) .*/\1/p')
# shellcheck disable=SC2086 # several
nm -D --defined-only $libraries | sed -n 's/.* [TWi] \([^@]*\).*/\1/p' | LC_ALL=C sort -u >"$lint_scratch/there"

# Functions of a newer C library than the oldest supported one are checked only if this one is as new.
find_missing() {
	awk -v minor="$(ldd --version | sed -n '1s/.*\.//p')" '
	/^(#|refused|$)/ { next }
	/ [?] 2\.[0-9]+$/ { split($NF, part, "."); if (part[2] + 0 > minor + 0) next }
	match($0, /[A-Za-z_0-9]+\(/) { print substr($0, RSTART, RLENGTH - 1) }
	match($0, / = [a-zA-Z_0-9]+/) { print substr($0, RSTART + 3, RLENGTH - 3) }' "$1" | LC_ALL=C sort -u |
		LC_ALL=C comm -23 - "$lint_scratch/there" | sed 's|$| is not in the C library|'
}

find_faults() {
	[ -r "$1/config/calls.list" ] || return 0
	find_missing "$1/config/calls.list"
	awk -v make=check -f "$srcdir/config/calls.awk" "$1/config/calls.list" >"$lint_scratch/check.c" 2>"$lint_scratch/said" ||
		cat "$lint_scratch/said"
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -U_FORTIFY_SOURCE -Werror -Wno-deprecated-declarations -I"$srcdir/src" -fsyntax-only \
		"$lint_scratch/check.c" 2>&1 | grep error
}

echo 'io ssize_t read(int, void *, int)' | lint_example config/calls.list
lint_detects "another prototype"
echo 'io int no_such_function(void)' | lint_example config/calls.list
lint_detects "a function that is not there"
echo 'things ssize_t read(int, void *, size_t)' | lint_example config/calls.list
lint_detects "a group that is not known"
printf 'refused vfork : it returns twice\nother pid_t vfork(void)\n' | lint_example config/calls.list
lint_detects "a function that may have no wrapper"
printf 'io int puts(const char *)\nio int puts(const char *)\n' | lint_example config/calls.list
lint_detects "a function that is there twice"
echo 'io int printf(const char *, ...)' | lint_example config/calls.list
lint_detects "a function with any arguments, and nothing to call for it"
printf 'io int printf(const char *, ...) = vprintf\nio int open(const char *, int, ...) + unsigned\n' | lint_example config/calls.list
lint_accepts "what is right"
lint_project "the functions of config/calls.list"
lint_done
