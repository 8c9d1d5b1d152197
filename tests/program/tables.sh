#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls: the tables of processes that have ended are removed while the command runs, and the report
# has all of their numbers.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

own_tables
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
cat >"$dir/many.c" <<'CODE'
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void lock_own(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&own);
		usleep(1);
		pthread_mutex_unlock(&own);
	}
}

__attribute__((noinline)) void lock_shared(pthread_mutex_t *shared)
{
	pthread_mutex_lock(shared);
	pthread_mutex_unlock(shared);
}

/* Waits until the folder has at most 5 tables: this program's, and some that were not removed yet. */
static int await(const char *folder)
{
	struct dirent *entry;
	int n = 6;

	for (int tries = 0; n > 5 && tries < 6000; tries++) {
		DIR *dir = opendir(folder);

		if (tries)
			poll(NULL, 0, 10);
		for (n = 0; dir && (entry = readdir(dir));)
			n += !strncmp(entry->d_name, "table.", 6);
		closedir(dir);
	}
	return n > 5;
}

/* many FOLDER N: creates N processes, one after the other; each fifth one executes another program. */
int main(int argc, char **argv)
{
	pthread_mutex_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attr;
	int status, failed = 0;

	if (argc < 3) {
		lock_own(3);
		return 0;
	}
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(shared, &attr);
	for (int i = 1; i <= atoi(argv[2]); i++) {
		if (!fork()) {
			lock_own(i % 7 + 1);
			lock_shared(shared);
			if (i % 5 == 0)
				execl("/proc/self/exe", "leaf", NULL);
			_exit(0);
		}
		wait(&status);
		failed += status != 0;
		if (i % 50 == 0)
			failed += await(argv[1]);
	}
	return failed;
}
CODE
${CC:-cc} -pthread -o "$dir/many" "$dir/many.c" 2>"$err" || skip_all "there is no compiler"

# many COMMAND...: runs 300 processes under it, and 60 programs that they execute.
n=300
own=$(awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) sum += i % 7 + 1 + (i % 5 ? 0 : 3); print sum }')
many() {
	# shellcheck disable=SC2016 # the inner shell expands
	"$@" --children --format csv -o "$dir/report" -- sh -c 'exec "$0" "$XDG_RUNTIME_DIR"/tiptop-*.??????/ '$n \
		"$dir/many" >"$out" 2>"$err"
}

# sums KEY VALUE: for each value of the column KEY, the sum of the column VALUE, and the number of processes.
sums() {
	awk -F, -v key="$1" -v value="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		name = $at[key]
		sub(/[^a-z0-9_].*/, "", name) # a compiler may have added to it
		sum[name] += $at[value]
		n[name] += !(name, $1) in seen ? 1 : 0
		seen[name, $1]
	}
	END { for (name in sum) print name, sum[name], n[name] }' "$dir/report"
}

for how in '' "$builddir/tests/program/confine"; do
	many $how "$tiptop" locks
	is "locks: the command saw few tables${how:+, without events of the kernel}" $? 0
	is "locks: all acquisitions are there" "$(sums caller acquisitions | grep '^lock_own ')" "lock_own $own $n"
	is "locks: a shared lock is one row" "$(sums caller acquisitions | grep '^lock_shared ')" "lock_shared $n 1"
done
many "$tiptop" calls
is "calls: the command saw few tables" $? 0
is "calls: all calls are there" "$(sums name calls | grep '^usleep ' | cut -d ' ' -f 1,2)" "usleep $own"

# A report that is cut off before the last process.
for what in locks calls; do
	"$tiptop" $what --children --format json -o "$dir/whole" -- "$dir/many" "$dir" 3 >"$out" 2>"$err"
	"$tiptop" compare "$dir/whole" "$dir/whole" >"$out" 2>"$err"
	is "$what: a whole report is compared" "$? $(cat "$err")" "0 "
	last=$(grep -n "^{\"type\":\"$what\"" "$dir/whole" | tail -n 1 | cut -d : -f 1)
	head -n $((last - 1)) "$dir/whole" >"$dir/part"
	"$tiptop" compare "$dir/whole" "$dir/part" >"$out" 2>"$err"
	matches "$what: one that ends before the last process is refused" "$? $(cat "$err")" \
		"1 tiptop: $dir/part: this report was cut off, .* 'further_reports' of its head, which counts [12] more reports?"
done
is "the folder is removed" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""
finish
