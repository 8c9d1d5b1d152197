#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libtiptop under valgrind, which finds uses of uninitialized memory and leaks, and under sanitizers, which find data races,
# accesses out of bounds and undefined behaviour. Missing tools are skipped.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

include=${srcdir:?}/include
library=${builddir:?}/libtiptop.so.0
unset XDG_RUNTIME_DIR

# Threads that come and go, in regions and with counters of their own, while reports are written and a region is reset; signals, and children.
cat >"$dir/stress.c" <<'EOF'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(outer, "outer");
TT_REGION(inner, "inner");
TT_REGION(deep, "deep");
TT_REGION(left, "left");
TT_REGION(lapping, "lapping");

static void call(int n)
{
	while (n--) {
		TT_BEGIN(outer);
		TT_BEGIN(inner);
		TT_END(inner);
		TT_END(outer);
	}
}

static void nest(int depth)
{
	TT_BEGIN(deep);
	if (depth)
		nest(depth - 1);
	TT_END(deep);
}

/* Ends that do not fit, calls without an end, and more calls in each other than are measured. */
static void misuse(void)
{
	jmp_buf place;

	TT_END(outer);
	TT_BEGIN(left);
	TT_BEGIN(lapping);
	TT_END(left);
	TT_END(lapping);
	for (volatile int i = 0; i < 70; i++)
		if (!setjmp(place)) {
			TT_BEGIN(left);
			longjmp(place, 1);
		}
	nest(600);
}

static void *run(void *arg)
{
	struct tt *t = tt_open("");
	struct tt_value v[TT_MAX_EVENTS];

	if (t)
		return arg;
	t = tt_open("page-faults,task-clock");
	for (int i = 0; t && i < 50; i++) {
		tt_read(t, v);
		call(10);
	}
	misuse();
	tt_close(t);
	return NULL;
}

int main(void)
{
	pthread_t thread[8];
	pid_t pid;

	/* Threads begin the regions first, at once. */
	tt_report_on(SIGUSR1);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, run, NULL);
		for (int i = 0; i < 100; i++)
			tt_reset("deep");
		tt_report();
		raise(SIGUSR1);
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
	call(1);
	misuse();
	pid = fork();
	if (!pid) {
		call(3);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
EOF

# most_inner: the calls of the region in the last report of the process.
most_inner() {
	awk '$1 == "inner" { n = $2; if (n > most) most = n } END { print most }' "$dir/report"
}

# --- valgrind ---

if ! command -v valgrind >"$dir/text"; then
	skip "valgrind" "it is not installed"
elif grep -q "fsanitize" "$builddir/config.log" && nm -D "$library" | grep -q __asan_; then
	skip "valgrind" "the library has a sanitizer already"
else
	gcc -g -O1 -I "$include" "$dir/stress.c" -o "$dir/stress" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
	ok "a program with threads, signals and children" $?
	TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report valgrind -q --error-exitcode=99 --leak-check=full \
		--show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible \
		"$dir/stress" >"$out" 2>"$err"
	is "valgrind finds nothing" $? 0
	is "and the numbers are right" "$(most_inner)" 12001
fi

# --- sanitizers ---

cat >"$dir/empty.c" <<'EOF'
int main(void)
{
	return 0;
}
EOF
# The sources of the library, as its part.am lists them.
sources=$(sed -n '/^libtiptop_so_0_SOURCES/,/^nodist/s/^\t\(src\/[^ ]*\.c\).*/\1/p' "$srcdir/src/inject/lib/part.am")

# sanitized KIND COMPILER: the library and the program, built with -fsanitize=KIND, run to their end.
sanitized() {
	if ! "$2" "-fsanitize=$1" "$dir/empty.c" -o "$dir/empty" 2>"$dir/text" || ! "$dir/empty" 2>"$dir/text"; then
		skip "$2 -fsanitize=$1" "there is none that works here"
		return
	fi
	rm -f "$dir"/*.o
	(cd "$srcdir" && for file in $sources "$builddir/config/events.c"; do
		printf '%s\n' "$file"
	done | xargs -P 2 -I{} sh -c "$2 -fsanitize=$1 -fno-sanitize-recover=all -g -O1 -std=gnu11 -fPIC -D_GNU_SOURCE \
		-D_FILE_OFFSET_BITS=64 -I include -I src -I '$builddir' -c '{}' -o '$dir/'\$(echo '{}' | tr / _).o") >"$out" 2>"$err"
	ok "$2 -fsanitize=$1: the library is built for it" $?
	"$2" "-fsanitize=$1" -g -O1 -I "$include" "$dir/stress.c" "$dir"/*.o -o "$dir/stress" -pthread -lm -ldl >"$out" 2>"$err"
	ok "$2 -fsanitize=$1: and the program" $?
	: >"$dir/report"
	TSAN_OPTIONS='exitcode=99 die_after_fork=0' ASAN_OPTIONS='exitcode=99 detect_stack_use_after_return=1' UBSAN_OPTIONS=exitcode=99 \
		TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report "$dir/stress" >"$out" 2>"$err"
	is "$2 -fsanitize=$1: nothing is found" "$? $(grep -c Sanitizer "$err")" "0 0"
	is "$2 -fsanitize=$1: and the numbers are right" "$(most_inner)" 12001
}

# That of clang takes the copy of a row for a race, which reads it again where it has been written meanwhile.
sanitized thread gcc
sanitized address,undefined gcc
sanitized address,undefined clang
finish
