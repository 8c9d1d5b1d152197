#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: the counts of locks shared by processes, and of waits with a timeout, agree with the report of the program
# sharer.c. Locks in shared memory are one row over processes, and the sums of the rows are those of the processes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

sharer=${builddir:?}/tests/program/sharer
report=$dir/report

# measure FORMAT STEP [OPTION...]: the program's words are in $out then, its report in $report.
measure() {
	format=$1 step=$2
	shift 2
	"$tiptop" locks --children --format "$format" -o "$report" "$@" -- "$sharer" "$step" >"$out" 2>"$err"
}

# counts STEP [OPTION...]: the processes have acquired what they say, and have failed so often, as told by their callers.
# Locks that processes share are one row over all of them.
counts() {
	measure csv "$@"
	is "$1: the program ends well" $? 0
	awk '{ key = $2 " " $3; n[key] += $4; failed[key] += $5 }
	END { for (key in n) print "all", key, n[key], failed[key] }' "$out" | LC_ALL=C sort >"$dir/said"
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == FNR {
		if (NR > 1) {
			sub(/[^a-z0-9_].*/, "", $at["caller"]) # a compiler may have added to it
			key = "all " $at["caller"] " " $at["kind"]
			acquired[key] += $at["acquisitions"]
			failed[key] += $at["failed"]
		}
		next
	}
	{ split($0, word, " "); key = word[1] " " word[2] " " word[3]; print key, acquired[key] + 0, failed[key] + 0 }' \
		"$report" "$dir/said" >"$dir/counted"
	is "$1: what the processes did" "$(cat "$dir/counted")" "$(cat "$dir/said")"
}

own_tables
[ -r "$builddir/tiptop-locks.so" ] || skip_all "the object was not built"

# --- two processes and their locks ---
counts shared
is "each has a table of its own" "$(tail -n +2 "$report" | cut -d, -f 1 | sort -u | grep -c .)" 2
counts robust
measure json robust
is "a process that dies with a mutex has not released it" "$(grep -c '"type":"locks".*"held":1,' "$report")" 2

# --- four processes, with all kinds of memory ---
cat >"$dir/four.c" <<'CODE'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 0x4000
#define OWN  __attribute__((noinline))
#define USE(name) \
	static OWN void use_##name(pthread_mutex_t *m, int n) \
	{ \
		while (n--) { \
			pthread_mutex_lock(m); \
			pthread_mutex_unlock(m); \
		} \
	}
USE(file)
USE(other_offset)
USE(memfd)
USE(anonymous)
USE(private)

static pthread_mutex_t *map(int fd, int flags, off_t offset)
{
	void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, fd, offset);

	if (p == MAP_FAILED)
		_exit(9);
	return p;
}

static void init(pthread_mutex_t *m)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(m, &a);
}

/* The file is mapped by each process; its second page also from there on. */
static void use(int file, int fd, pthread_mutex_t *anonymous, int k)
{
	pthread_mutex_t *whole = map(file, MAP_SHARED, 0), *page = map(file, MAP_SHARED, 0x1000),
			*other = map(fd, MAP_SHARED, 0), *private = map(file, MAP_PRIVATE, 0);

	use_file(whole, 100 * k);
	use_file((pthread_mutex_t *)((char *)page), 10);
	use_other_offset(whole + 1, k);
	use_memfd(other, 1000 * k);
	use_anonymous(anonymous, 10 * k);
	pthread_mutex_init(private, NULL); /* the copy may have been made while it was held */
	use_private(private, 7);
}

int main(int argc, char **argv)
{
	const int file = open(argv[argc - 1], O_RDWR | O_CREAT, 0600), fd = memfd_create("x", 0);
	pthread_mutex_t *whole, *anonymous = map(-1, MAP_SHARED | MAP_ANONYMOUS, 0);
	int status, bad = 0;

	if (ftruncate(file, 2 * SIZE) || ftruncate(fd, SIZE))
		return 9;
	whole = map(file, MAP_SHARED, 0);
	init(whole);
	init(whole + 1);
	init((pthread_mutex_t *)((char *)whole + 0x1000));
	init(map(fd, MAP_SHARED, 0));
	init(anonymous);
	munmap(whole, SIZE);
	for (int k = 2; k <= 4; k++)
		if (!fork()) {
			map(-1, MAP_PRIVATE | MAP_ANONYMOUS, 0);
			use(file, fd, anonymous, k);
			exit(0);
		}
	use(file, fd, anonymous, 1);
	while (wait(&status) > 0)
		bad |= status;
	return bad;
}
CODE
if ${CC:-cc} -pthread -o "$dir/four" "$dir/four.c" 2>"$err"; then
	"$tiptop" locks --children --format csv -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	is "four processes end well" $? 0
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR > 1 { sub(/[^a-z_].*/, "", $at["caller"]); print $at["caller"], $at["acquisitions"], $at["processes"], ($at["pid"] ? "pid" : "-") }' \
		"$report" | LC_ALL=C sort >"$dir/rows"
	is "a lock is one row over processes, by its place in the file; in private memory, a row of each" "$(cat "$dir/rows")" "use_anonymous 100 4 -
use_file 1000 4 -
use_file 40 4 -
use_memfd 10000 4 -
use_other_offset 10 4 -
use_private 7 1 pid
use_private 7 1 pid
use_private 7 1 pid
use_private 7 1 pid"
	"$tiptop" locks --children --format json -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	# number TYPE KEY: of all lines of a type, the sum.
	number() {
		sed -n 's/^{"type":"'"$1"'".*[,{]"'"$2"'":\([0-9]*\)[,}].*/\1/p' "$report" | awk '{ n += $1 } END { print n + 0 }'
	}
	is "the rows have all that the processes have" "$(number lock acquisitions)" "$(number locks dynamic)"
	is "which is known" "$(number locks dynamic) $(number locks shared_dynamic) $(number shared dynamic)" "11178 11150 11150"
	is "locks, and those of each process" "$(number shared static) $(number shared processes) $(number locks shared_static)" "5 4 20"
	is "compare reads it" "$("$tiptop" compare "$report" "$report" 2>&1 | grep -c 'acquired *10000 *- *10000')" 1
	"$tiptop" locks --children --group process --format json -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	is "by process, each has its own" "$(number lock acquisitions) $(number locks shared_dynamic) $(grep -c '"type":"lock",.*"acquisitions":1128,' "$report")" \
		"11178 0 1"
	"$tiptop" locks --children -e page-faults --format json -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	is "with events, they are, too" "$? $(grep -c '"type":"lock",.*"pid":null,.*"events":{"page-faults":{' "$report")" "0 5"
	cat >"$dir/conf" <<-'END'
		<tiptop><screen name="counts" rows="lock" idle="yes">
		<column header="ACQ" format="%8.0f" expr="delta(ACQUISITIONS)" desc="acquisitions"/>
		<column header="CALLER" format="%-24s" expr="CALLER" desc="caller"/>
		<column header="PROGRAM" format="%-15s" expr="PROGRAM" desc="program"/>
		</screen></tiptop>
	END
	"$tiptop" locks --live -b -d 60 -W "$dir/conf" -S counts --format csv --fields name,acq,caller,program --children -o "$dir/live" \
		-- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	awk -F, 'NR > 1 { sub(/[^a-z_].*/, "", $3); print $3, $2, ($4 ~ / processes$/ ? $4 + 0 " -" : "1 pid") }' "$dir/live" | LC_ALL=C sort >"$dir/shown"
	is "the live rows are those of the report" "$(diff "$dir/rows" "$dir/shown")" ""
	is "with inode and offset" "$(grep -c ' inode [0-9]*+0x[0-9a-f]*,.* processes$' "$dir/live")" 5
	# The locks in the first page and in the second one are of one place.
	for case in lock:5:4 variable:4:3 place:4:3; do
		key=${case%%:*} rest=${case#*:}
		"$tiptop" locks --children --group "$key" --format json -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
		is "by $key, they are shared, without a generation" \
			"$(grep -c '"type":"lock",.*"pid":null,.*"generation":null,.*"processes":4,' "$report")" "${rest%:*}"
		is "by $key, locks at several addresses have none" \
			"$(grep -c '"pid":null,.*"address":null,' "$report") $(grep -c '"0x0"' "$report")" "${rest#*:} 0"
	done
	"$tiptop" locks --children -o "$report" -- "$dir/four" "$dir/memory" >"$out" 2>"$err"
	is "the text says so" "$(grep -c '^#   [0-9]* of these, of 5 locks in shared memory, are in rows over all processes, at the end$' "$report") $(grep '^# locks in shared' "$report")" \
		"4 # locks in shared memory, over 4 processes: 11150 acquisitions of 5 locks"
	rm "$dir/memory"
else
	skip "locks of four processes" "there is no compiler"
fi

# --- until a time ---
counts timed

# --- many threads ---
counts crowd
for option in "" "-e page-faults"; do
	# shellcheck disable=SC2086 # two words
	measure json crowd $option
	is "1000 threads at the same time $option: the program ends well" $? 0
	is "all of them are known $option" \
		"$(sed -n '1s/.*"threads":\([0-9]*\),"dynamic":\([0-9]*\),.*"threads_left_out":\([0-9]*\).*/\1 \2 \3/p' "$report")" "1001 2000 0"
done
is "each counts, or is said not to" "$(sed -n '1s/.*"threads_without":\([0-9]*\),"threads_in_user_space":\([0-9]*\),"threads_by_system_call":\([0-9]*\).*/\1 \2 \3/p' "$report" |
	awk '{ print $1 + $2 + $3 }')" 1001
finish
