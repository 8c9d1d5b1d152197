#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The cost of measuring is known in children of fork(2), too, and is shown beside the CPU time of the command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

report=$dir/report
[ -r "${builddir:?}/tiptop-locks.so" ] && [ -r "$builddir/tiptop-calls.so" ] || skip_all "the objects were not built"
cat >"$dir/forks.c" <<'CODE'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void work(void)
{
	for (int i = 0; i < 100000; i++) {
		pthread_mutex_lock(&lock);
		free(malloc(1));
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	struct timespec t;
	pid_t child = fork();

	work();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%ld\n", (long)t.tv_sec * 1000000000 + t.tv_nsec);
	return 0;
}
CODE
${CC:-cc} -O1 -pthread -o "$dir/forks" "$dir/forks.c" 2>"$err" || skip_all "there is no compiler"

# field NAME: of each process in the report.
field() {
	sed -n "s/.*\"type\":\"\\(locks\\|calls\\)\".*\"$1\":\\([^,]*\\),.*/\\2/p" "$report"
}

for command in locks calls; do
	"$tiptop" $command --children --format json -o "$report" -- "$dir/forks" >"$out" 2>"$err"
	is "$command: two processes" "$(field measuring | grep -c .)" 2
	is "$command: what measuring took is known in both" "$(field measuring | grep -c '^[1-9]')" 2
	is "$command: the CPU time is known of the command, which is the first one" "$(field cpu_time | sed 's/^[1-9][0-9]*$/known/' | tr '\n' ' ')" "known null "
	is "$command: it is what the command says, and its end" \
		"$(field cpu_time | awk -v said="$(cat "$out")" 'NR == 1 { print ($1 >= said && $1 < 2 * said + 1e9) }')" 1
	"$tiptop" $command -o "$report" -- "$dir/forks" >"$out" 2>"$err"
	matches "$command: people see the part of the CPU time" "$(cat "$report")" ".* % of the CPU time, which is in these times.*"
	"$tiptop" $command --format json -o "$report" -- sh -c "exec $dir/forks" >"$out" 2>"$err"
	is "$command: where it executes another program, it is not known of each" "$(field cpu_time | sort -u | tr '\n' ' ')" "null "
done
finish
