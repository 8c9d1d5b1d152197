#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Waits that are unfinished when the process ends are in the row of their lock, and marked: the sum over all rows equals the
# waiting time of the threads, apart from rounding to ns.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

report=$dir/report
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
cat >"$dir/waits.c" <<'CODE'
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, taken = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static volatile int n;

static void *wait_for_condition(void *unused)
{
	pthread_mutex_lock(&lock);
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	for (;;)
		pthread_cond_wait(&never, &lock);
	return unused;
}

static void *wait_for_semaphore(void *unused)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	sem_wait(&none);
	return unused;
}

static void *wait_for_mutex(void *unused)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&taken);
	return unused;
}

int main(int argc, char **argv)
{
	void *(*const start[])(void *) = {wait_for_condition, wait_for_condition, wait_for_condition,
					  wait_for_semaphore, wait_for_mutex};
	struct timespec until;
	pthread_t thread;

	sem_init(&none, 0, 0);
	pthread_mutex_lock(&taken);
	for (int i = 0; i < 5; i++)
		pthread_create(&thread, NULL, start[i], NULL);
	while (n < 5)
		usleep(1000);
	usleep(300000);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	sem_timedwait(&none, &until);
	if (argc > 1 && !strcmp(argv[1], "kill"))
		raise(SIGKILL);
	if (argc > 1)
		return 0;
	_exit(0);
}
CODE
${CC:-cc} -O1 -pthread -o "$dir/waits" "$dir/waits.c" 2>"$err" || skip_all "there is no compiler"

# sum KEY: over all rows; of acquisitions their sum.
rows() {
	grep '"type":"lock"' "$report"
}
sum() {
	rows | sed -n "s/.*\"$1\":\\([0-9]*\\)[,}].*/\\1/p" | awk '{ n += $1 } END { print n + 0 }'
}

for end in exit return kill; do
	[ $end = exit ] && word='' || word=$end
	# shellcheck disable=SC2086 # no word or one
	"$tiptop" locks --format json --folded "$dir/folded" -o "$report" -- "$dir/waits" $word >"$out" 2>"$err"
	is "$end: the waits of each row" "$(rows | sed -n 's/.*"name":"\([^"]*\)".*"under_way":\([1-9]\).*/\1 \2/p' | sort | tr '\n' ' ')" \
		"never 3 none 1 taken 1 "
	waiting=$(sed -n 's/.*"type":"locks".*"waiting":\([0-9]*\),.*/\1/p' "$report")
	acquired=$(rows | sed -n 's/.*"acquire":{"n":[0-9]*,"timed":[0-9]*,"sum":\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
	in_rows=$((acquired + $(sum failed_ns) + $(sum under_way_ns)))
	[ "$waiting" -ge 1500000000 ] && [ $((waiting - in_rows)) -ge 0 ] && [ $((waiting - in_rows)) -lt 100 ]
	is "$end: the states have waited for $waiting ns, the rows for $in_rows" $? 0
	is "$end: the thread that the deadlocked one waits for" "$(grep -c 'wait_for_mutex;\[lock taken\];\[held by main\] [0-9]*$' "$dir/folded")" 1
done
"$tiptop" locks --format csv -o "$report" -- "$dir/waits" >"$out" 2>"$err"
is "CSV has it behind the times" "$(awk -F, '$2 == "never" { print $32 }' "$report"):$(sed -n 1p "$report" | cut -d, -f 31-33)" \
	"3:failed_ns,under_way,under_way_ns"
"$tiptop" locks -o "$report" -- "$dir/waits" >"$out" 2>"$err"
matches "and people see it" "$(cat "$report")" ".*#   waits that had not ended at the end: 5, for .*"
finish
