#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that include only tiptop.h: C and C++, each standard of the compiler, with the shared library and with the
# archive. The library exports exactly its documented symbols.
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

# knows COMPILER LANGUAGE STANDARD
knows() {
	echo 'int x;' | "$1" -x "$2" "-std=$3" -fsyntax-only - 2>"$dir/text"
}
# takes COMPILER STANDARD FILE: regions, with all warnings as errors.
takes() {
	# shellcheck disable=SC2086 # several options
	"$1" "-std=$2" $warnings -I "$include" -c "$3" -o "$dir/region.o" >"$out" 2>"$err"
	ok "$1 -std=$2: regions without a warning" $?
}

for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	for standard in c99 c11 c17 c2x c23 c2y gnu99 gnu17 gnu2x; do
		knows "$compiler" c "$standard" || continue
		builds "$compiler" "$standard" "$dir/count.c"
		takes "$compiler" "$standard" "$dir/region.c"
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
	for standard in c++11 c++14 c++17 c++20 c++2b c++2c; do
		knows "$compiler" c++ "$standard" || continue
		builds "$compiler" "$standard" "$dir/count.cc"
		takes "$compiler" "$standard" "$dir/region.cc"
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
is "as CSV" "$(cut -d, -f9,10 "$dir/report" | sed -n 2p)" '"work",20'
echo '# regions in JSON' >"$out"
TIPTOP_REGIONS=page-faults TIPTOP_FORMAT=json "$dir/region" 2>"$dir/report"
is "as JSON" "$(sed -n '1s/.*"label":"\([^"]*\)","calls":\([0-9]*\).*/\1 \2/p' "$dir/report")" 'work 20'
# What programs have compiled in.
cat >"$dir/layout.c" <<'END'
#include <stddef.h>
#include <tiptop.h>

_Static_assert(sizeof(struct tt_value) == 32, "a value");
_Static_assert(offsetof(struct tt_value, enabled) == 8 && offsetof(struct tt_value, running) == 16, "its times");
_Static_assert(offsetof(struct tt_value, opening) == 24 && offsetof(struct tt_value, state) == 28, "and the rest");
_Static_assert(sizeof(struct tt_region) == sizeof(char *) * 2, "a region");
_Static_assert(TT_OK == 0 && TT_SYSCALL == 1 && TT_SCALED == 2 && TT_TSC == 3 && TT_DENIED == 4 && TT_NO_PMU == 5, "states");
_Static_assert(TT_MAX_EVENTS == 8, "events");
END
gcc -std=c11 -I "$include" -c "$dir/layout.c" -o "$dir/layout.o" 2>"$err"
ok "structs and states are what programs were compiled with" $?

# Children that share the memory until they become another program, exec, and a library that is closed and still there.
cat >"$dir/life.c" <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

extern char **environ;
TT_REGION(spawning, "spawning");
static volatile char pages[64][4096] __attribute__((aligned(4096)));

static void *end(void *arg)
{
	return arg;
}

static int close_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	struct tt *(*open_it)(const char *) = NULL;
	pthread_t thread;

	*(void **)&open_it = library ? dlsym(library, "tt_open") : NULL;
	if (!open_it || !open_it("page-faults") || dlclose(library))
		return 1;
	pthread_create(&thread, NULL, end, NULL);
	pthread_join(thread, NULL);
	return !dlopen(path, RTLD_NOW | RTLD_NOLOAD);
}

int main(int argc, char **argv)
{
	char *const arguments[] = {(char *)"true", NULL};
	struct tt *t = tt_open("page-faults");
	struct tt_value from, to;
	int status, wrong = 0;
	pid_t pid;

	if (argc > 2)
		return close_library(argv[2]);
	for (int i = 0; i < 20; i++) {
		tt_read(t, &from);
		TT_BEGIN(spawning);
		if (i % 2) {
			pid = vfork();
			if (!pid) {
				execv("/bin/true", arguments);
				_exit(1);
			}
		} else if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environ)) {
			return 2;
		}
		pages[i][0] = 1;
		TT_END(spawning);
		tt_read(t, &to);
		waitpid(pid, &status, 0);
		wrong += status != 0 || !(tt_between(&from, &to) >= 1);
	}
	if (wrong)
		return 3;
	if (argc > 1)
		return 0;
	execl("/proc/self/exe", argv[0], "again", NULL);
	return 4;
}
END
gcc -std=gnu11 -D_GNU_SOURCE -I "$include" "$dir/life.c" -o "$dir/life" "$library" -Wl,-rpath,"$builddir" -pthread -ldl >"$out" 2>"$err"
ok "a program of children" $?
TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/life.txt "$dir/life" >"$out" 2>"$err"
is "vfork, posix_spawn and exec in a region leave it right" $? 0
is "and what exec has made has a report of its own" "$(awk '$1 == "spawning" { print $2 }' "$dir/life.txt")" 20
gcc -std=gnu11 -D_GNU_SOURCE -I "$include" "$dir/life.c" -o "$dir/life" "$archive" -pthread -ldl -lm >"$out" 2>"$err"
"$dir/life" again "$library" >"$out" 2>"$err"
is "a library that is closed stays, as threads still end through it" $? 0

gcc -DTT_DISABLE -O2 -Wall -Wextra -Werror -I "$include" -c "$dir/region.c" -o "$dir/region.o" 2>"$err"
! nm "$dir/region.o" | grep tt_region_ >/dev/null
ok "TT_DISABLE leaves no code of them" $?

gcc -I "$include" "$dir/count.c" -o "$dir/count" "$archive" -pthread -lm >"$out" 2>"$err"
ok "a program takes the archive" $?
faults=$("$dir/count" | cut -d' ' -f2)
[ "${faults:-0}" -ge 60 ]
ok "and counts the pages that it touches: $faults" $?

# The file says what programs may rely on: a name that goes, or another version, is another soname.
symbols=$srcdir/src/inject/lib/libtiptop.symbols
nm -D --defined-only --with-symbol-versions "$library" | awk '$3 !~ /^TIPTOP_/ { sub(/@@/, "@", $3); print $3 }' |
	LC_ALL=C sort >"$dir/symbols"
cmp -s "$dir/symbols" "$symbols"
ok "the symbols are those of the file, in their version" $?
sed 's/@.*//' "$dir/symbols" >"$dir/bare" && mv "$dir/bare" "$dir/symbols"
sed 's/@.*//' "$symbols" >"$dir/wanted"
cmp -s "$dir/symbols" "$dir/wanted"
ok "the library shows these functions and no other" $?
nm "$archive" | awk '$2 ~ /^[TDBRVW]$/ { print $3 }' | LC_ALL=C sort >"$dir/symbols"
cmp -s "$dir/symbols" "$dir/wanted"
ok "neither does the archive" $?
! readelf -d "$library" | grep NEEDED | grep -v -e 'libc\.so' -e libm -e ld-linux >/dev/null
ok "it needs the C library only" $?
# section_size NAME: in bytes.
section_size() {
	echo $((0x$(readelf -SW "$library" | awk -v name="$1" '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == name { print $5 }')))
}
if [ "$(uname -m)" = x86_64 ]; then
	is "a reading in order stands between two waits" "$(objdump -d "$library" | grep -cw lfence)" 2
else
	skip "a reading in order stands between two waits" "its instruction is another one here"
fi
text=$(section_size .text) constants=$(section_size .rodata)
[ "$text" -gt 0 ] && [ "$text" -le 90112 ]
ok "its code is $text bytes, at most 88 KiB" $?
# Names and codes of events of all CPUs, which grow with each CPU.
[ "$constants" -gt 0 ] && [ "$constants" -le 65536 ]
ok "its constants are $constants bytes, at most 64 KiB" $?

# An architecture that is not here: its instructions, at least, are such.
cat >"$dir/arch.c" <<'END'
#include "inject/lib/arch.h"

uint64_t read_all(uint32_t index);
uint64_t read_all(uint32_t index)
{
	return arch_read_pmc(index) + arch_read_time() + arch_thread() + arch_time_is_steady() + arch_sign_extend(index, 32) + (arch_wait(), 0);
}
END
if clang --target=riscv64-linux-gnu -ffreestanding -c -x c /dev/null -o "$dir/arch.o" 2>"$dir/text"; then
	clang --target=riscv64-linux-gnu -ffreestanding -std=gnu11 -O2 -Wall -Wextra -Werror -I "$srcdir/src" -c "$dir/arch.c" \
		-o "$dir/arch.o" >"$out" 2>"$err"
	ok "the reader for riscv64 is compiled" $?
else
	skip "the reader for riscv64 is compiled" "no clang that knows it"
fi

# And all of it runs on an emulated one, which has no counters: each has a state, and none a number. Regions have their calls,
# and the time. The emulated machine of tests/vm has arm64.
sources=$(sed -n '/^libtiptop_so_0_SOURCES/,/^nodist/s/^\t\(src\/[^ ]*\.c\).*/\1/p' "$srcdir/src/inject/lib/part.am")
# emulated ARCHITECTURE
emulated() {
	for qemu in "qemu-$1-static" "qemu-$1" none; do
		command -v "$qemu" >"$dir/text" && break
	done
	if [ $qemu = none ] || ! command -v "$1-linux-gnu-gcc" >"$dir/text"; then
		skip "the library on $1" "$1-linux-gnu-gcc or qemu-$1 is missing"
		return
	fi
	for program in count region; do
		# shellcheck disable=SC2086 # several files
		(cd "$srcdir" && "$1-linux-gnu-gcc" -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -O2 -static -Wall -Wextra -I include -I src \
			-I "$builddir" "$dir/$program.c" $sources "$builddir/config/events.c" -o "$dir/$program.$1" -lm) >"$out" 2>"$err"
		ok "$1: the library is compiled into $program" $?
	done
	"$qemu" "$dir/count.$1" >"$out" 2>"$err"
	is "$1: it says that it has no number" "$(cat "$out")" "page-faults nan"
	TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/emulated "$qemu" "$dir/region.$1" >"$out" 2>"$err"
	is "$1: a region has its calls, and the time" "$(awk '$1 == "work" { print $2, ($3 > 0), $5 }' "$dir/emulated" | tail -n 1)" "20 1 -"
	rm -f "$dir/emulated"
}
emulated riscv64

# The bench of readings, small: nothing is said of its times.
# shellcheck disable=SC2086 # several options
gcc -std=gnu11 -D_GNU_SOURCE -O2 $warnings -I "$include" "$srcdir/bench/reads.c" -o "$dir/reads" "$library" -Wl,-rpath,"$builddir" \
	-ldl >"$out" 2>"$err" && "$dir/reads" -n 100 -r 3 >"$out" 2>"$err"
ok "bench/reads runs" $?
is "libtiptop and read(2) have rows for 1, 3 and 4 counters" \
	"$(awk '/^(libtiptop|read\(2\)) +[134] / { print $2 }' "$out" | tr '\n' ' ')" "1 3 4 1 3 4 "
is "the last column is by how much more they cost" \
	"$(awk '/^read\(2\)/ { n += $NF > 0 && $(NF - 1) ~ /%$/ } END { print n }' "$out")" 3
is "PAPI has rows, or they say that it was not run" "$(grep -c '^PAPI_read .*\(%.*\|not run: .*\)' "$out")" 3
# What a region takes: one that is not measured hardly anything, whatever the machine does besides.
"$builddir/bench/regions" 5 >"$out" 2>"$err"
if grep -q 'does not run evenly' "$err"; then
	skip "bench/regions" "$(cat "$err")"
else
	is "bench/regions: begin and end with four counters, and without any" \
		"$(awk '/^4 counters/ { all = $(NF - 2) } /^not measured/ { none = $(NF - 2) } END { print (all > 10 && none < all / 4) }' "$out")" 1
fi
finish
