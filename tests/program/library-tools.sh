#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libtiptop under valgrind, which sees what is read before it was written, lost and leaked, and under the thread sanitizer,
# which sees what threads do to each other. What is missing is skipped.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

include=${srcdir:?}/include
library=${builddir:?}/libtiptop.so.0
unset XDG_RUNTIME_DIR

# Threads that come and go, in regions and with counters of their own, while reports are written; signals, and children.
cat >"$dir/stress.c" <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(outer, "outer");
TT_REGION(inner, "inner");

static void call(int n)
{
	while (n--) {
		TT_BEGIN(outer);
		TT_BEGIN(inner);
		TT_END(inner);
		TT_END(outer);
	}
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
	tt_close(t);
	return NULL;
}

int main(void)
{
	pthread_t thread[8];
	pid_t pid;

	tt_report_on(SIGUSR1);
	call(1);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, run, NULL);
		tt_report();
		raise(SIGUSR1);
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
	pid = fork();
	if (!pid) {
		call(3);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
EOF

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
	is "and the numbers are right" "$(awk '$1 == "inner" { n = $2; if (n > most) most = n } END { print most }' "$dir/report")" 12001
fi

# --- threads ---

cat >"$dir/empty.c" <<'EOF'
int main(void)
{
	return 0;
}
EOF
if ! gcc -fsanitize=thread "$dir/empty.c" -o "$dir/empty" 2>"$dir/text" || ! "$dir/empty" 2>"$dir/text"; then
	skip "thread sanitizer" "gcc has none that works here"
else
	# The sources of the library, as its part.am lists them.
	sources=$(sed -n '/^libtiptop_so_0_SOURCES/,/^nodist/s/^\t\(src\/[^ ]*\.c\).*/\1/p' "$srcdir/src/lib/part.am")
	(cd "$srcdir" && for file in $sources "$builddir/config/events.c"; do
		printf '%s\n' "$file"
	done | xargs -P 2 -I{} sh -c "gcc -fsanitize=thread -g -O1 -std=gnu11 -fPIC -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
		-I include -I src -I '$builddir' -c '{}' -o '$dir/'\$(echo '{}' | tr / _).o") >"$out" 2>"$err"
	ok "the library is built for it" $?
	gcc -fsanitize=thread -g -O1 -I "$include" "$dir/stress.c" "$dir"/*.o -o "$dir/stress" -pthread -lm -ldl >"$out" 2>"$err"
	ok "and the program" $?
	TSAN_OPTIONS='exitcode=99 die_after_fork=0' TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report2 \
		"$dir/stress" >"$out" 2>"$err"
	is "the thread sanitizer finds nothing" $? 0
fi
finish
