#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that include only tiptop.h: C and C++, each standard that the compiler has, with the shared library and with the
# archive. What the library shows to them is what it says.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

include=${srcdir:?}/include
library=${builddir:?}/libtiptop.so.0
archive=$builddir/libtiptop.a
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

cat >"$dir/count.c" <<'END'
#include <tiptop.h>

#include <stdio.h>
#include <stdlib.h>

static char page[64 * 4096];

int main(void)
{
	struct tt *t = tt_open("page-faults,task-clock");
	struct tt_value before[2], after[2];
	size_t i;

	if (!t || tt_read(t, before))
		return 1;
	for (i = 0; i < sizeof page; i += 4096)
		page[i] = 1;
	tt_read(t, after);
	printf("%s %.0f\n", tt_name(t, 0), tt_between(&before[0], &after[0]));
	tt_close(t);
	return 0;
}
END
cp "$dir/count.c" "$dir/count.cc"

# builds COMPILER STANDARD FILE: with all warnings as errors, and what it counts.
builds() {
	# shellcheck disable=SC2086 # several options
	"$1" "-std=$2" $warnings -I "$include" "$3" -o "$dir/count" "$library" -Wl,-rpath,"$builddir" >"$out" 2>"$err"
	ok "$1 -std=$2 without a warning" $?
	[ "$("$dir/count" 2>&1 | cut -d' ' -f1)" = page-faults ]
	ok "$1 -std=$2: it counts" $?
}

for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	for standard in c99 c11 c17 c2x gnu99 gnu17; do
		builds "$compiler" "$standard" "$dir/count.c"
	done
done
for compiler in g++ clang++; do
	command -v "$compiler" >/dev/null && echo 'int main() {}' | "$compiler" -x c++ -o "$dir/empty" - 2>/dev/null || continue
	for standard in c++11 c++14 c++17 c++20; do
		builds "$compiler" "$standard" "$dir/count.cc"
	done
done

gcc -I "$include" "$dir/count.c" -o "$dir/count" "$archive" -pthread -lm >"$out" 2>"$err"
ok "a program takes the archive" $?
faults=$("$dir/count" | cut -d' ' -f2)
[ "${faults:-0}" -ge 60 ]
ok "and counts the pages that it touches: $faults" $?

nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//' | LC_ALL=C sort | grep -v '^TIPTOP_' >"$dir/symbols"
LC_ALL=C sort >"$dir/wanted" <<'END'
tt_between
tt_close
tt_count
tt_name
tt_open
tt_read
tt_state
tt_strerror
END
cmp -s "$dir/symbols" "$dir/wanted"
ok "the library shows these functions and no other" $?
nm "$archive" | awk '$2 ~ /^[TDBRVW]$/ { print $3 }' | LC_ALL=C sort >"$dir/symbols"
cmp -s "$dir/symbols" "$dir/wanted"
ok "neither does the archive" $?
! readelf -d "$library" | grep NEEDED | grep -v -e 'libc\.so' -e libm -e ld-linux >/dev/null
ok "it needs the C library only" $?
text=$(readelf -SW "$library" | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" || $1 == ".rodata" { print $5 }' |
	while read -r size; do echo $((0x$size)); done | awk '{ sum += $1 } END { print sum }')
[ "$text" -gt 0 ] && [ "$text" -le 65536 ]
ok "its code and its constants are $text bytes, at most 64 KiB" $?
finish
