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

cat >"$dir/region.c" <<'END'
#include <tiptop.h>

TT_REGION(work, "work");

static int run(int n)
{
	int i, sum = 0;

	TT_SCOPE(work);
	for (i = 0; i < n; i++)
		sum += i;
	return sum;
}

int main(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		TT_BEGIN(work);
		run(i);
		TT_END(work);
	}
	return tt_report() && tt_enabled;
}
END
cp "$dir/region.c" "$dir/region.cc"

for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	for standard in c99 c11 c17 c2x gnu99 gnu17; do
		builds "$compiler" "$standard" "$dir/count.c"
	done
done
# has_numbers NAME WORD...: each word stands in the output before a number that is not 0.
has_numbers() {
	name=$1
	shift
	for word; do
		grep -Eq "$word +[1-9]|[1-9][0-9.]* +$word" "$out" || break
		word=
	done
	[ -z "$word" ]
	ok "$name" $?
}

# shellcheck disable=SC2086 # several options
gcc -O1 $warnings -Wno-conversion -I "$include" "$srcdir/examples/sort.c" -o "$dir/sort" "$library" -Wl,-rpath,"$builddir" >"$out" 2>"$err" &&
	"$dir/sort" page-faults,task-clock >"$out" 2>"$err"
has_numbers "the example sort.c" page-faults task-clock
awk '/^fill/ { all = $4 } /^sort/ { sort = $3 } END { exit !(sort > 0 && all > sort) }' "$out"
ok "sort.c: filling is not in the sort" $?
# shellcheck disable=SC2086 # several options
gcc -O1 $warnings -Wno-conversion -I "$include" "$srcdir/examples/assist.c" -o "$dir/assist" "$library" -Wl,-rpath,"$builddir" -lm >"$out" 2>"$err" &&
	"$dir/assist" >"$out" 2>"$err"
is "the example assist.c" "$(grep -c '^SSE .* task-clock per addition' "$out")" 3
if command -v python3 >/dev/null; then
	TIPTOP_LIBRARY=$library PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 TIPTOP_REGIONS=task-clock TIPTOP_REPORT=$dir/python \
		python3 "$srcdir/examples/sort.py" >"$out" 2>"$err"
	has_numbers "the example sort.py" page-faults task-clock
	is "sort.py: its region" "$(awk '$1 == "sort" { print $2 }' "$dir/python")" 1
else
	skip "the example sort.py" "python3 is missing"
fi

for compiler in g++ clang++; do
	command -v "$compiler" >/dev/null && echo 'int main() {}' | "$compiler" -x c++ -o "$dir/empty" - 2>/dev/null || continue
	for standard in c++11 c++14 c++17 c++20; do
		builds "$compiler" "$standard" "$dir/count.cc"
	done
	# shellcheck disable=SC2086 # several options
	"$compiler" -std=c++11 -O2 $warnings -I "$include" "$srcdir/examples/sort.cpp" -o "$dir/sort" "$library" -Wl,-rpath,"$builddir" \
		>"$out" 2>"$err" && TIPTOP_REGIONS=task-clock TIPTOP_REPORT=$dir/$compiler "$dir/sort" >"$out" 2>"$err"
	has_numbers "the example sort.cpp by $compiler" page-faults task-clock
	is "sort.cpp by $compiler: its region" "$(awk '$1 == "sort" { print $2 }' "$dir/$compiler")" 3
done

gcc -std=gnu99 -Wall -Wextra -Wpedantic -Werror -I "$include" "$dir/region.c" -o "$dir/region" "$library" -Wl,-rpath,"$builddir" \
	>"$out" 2>"$err"
ok "regions, without a warning" $?
"$dir/region" >"$out" 2>&1
is "without TIPTOP_REGIONS nothing is written" "$(wc -c <"$out")" 0
TIPTOP_REGIONS=page-faults "$dir/region" >"$out" 2>&1
is "with it, calls of a region in itself" "$(awk '$1 == "work" { print $2 }' "$out" | head -n 1)" 20
TIPTOP_REGIONS=page-faults TIPTOP_FORMAT=csv TIPTOP_REPORT=$dir/report "$dir/region" >"$out" 2>"$err"
is "nothing is written elsewhere if there is a file" "$(cat "$out" "$err" | wc -c)" 0
is "as CSV" "$(cut -d, -f2,3 "$dir/report" | sed -n 2p)" '"work",20'
echo '# regions in JSON' >"$out"
TIPTOP_REGIONS=page-faults TIPTOP_FORMAT=json "$dir/region" 2>"$dir/report"
is "as JSON" "$(sed -n '1s/.*"label":"\([^"]*\)","calls":\([0-9]*\).*/\1 \2/p' "$dir/report")" 'work 20'
gcc -DTT_DISABLE -O2 -Wall -Wextra -Werror -I "$include" -c "$dir/region.c" -o "$dir/region.o" 2>"$err"
! nm "$dir/region.o" | grep tt_region_ >/dev/null
ok "TT_DISABLE leaves no code of them" $?

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
tt_enabled
tt_name
tt_open
tt_read
tt_region_begin
tt_region_end
tt_region_leave
tt_report
tt_report_on
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
