#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Thousands of labels of regions, in several threads, in a child of fork(), and in a program whose limits, or whose /dev/shm,
# leave room for few. No call is lost, neither in the report nor in the live rows.
# shellcheck source=lib.sh disable=SC3045 # all shells in use know ulimit -v and -n
. "$(dirname "$0")/lib.sh"

library=$builddir/libtiptop.so.0
cat >"$dir/labels.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tiptop.h>

static int n;

static void call(void)
{
	char label[32];

	for (int k = 0; k < 2; k++)
		for (int i = 0; i < n; i++) {
			snprintf(label, sizeof label, "label %d", i);
			tt_begin(label);
			tt_end(label);
		}
}

static void *run(void *unused)
{
	call();
	return unused;
}

/* labels LABELS THREADS [fork] */
int main(int argc, char **argv)
{
	const int threads = atoi(argv[2]);
	pthread_t thread;

	n = atoi(argv[1]);
	for (int i = 0; i < threads; i++) {
		pthread_create(&thread, NULL, run, NULL);
		pthread_join(thread, NULL);
	}
	call();
	if (argc > 3) {
		if (!fork()) {
			n = 3;
			call();
			return 0;
		}
		wait(NULL);
	}
	return 0;
}
END
gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/labels.c" -o "$dir/labels" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
ok "a program is built" $?

# labels FORMAT LABELS THREADS [HOW]: writes the report.
labels() {
	format=$1
	shift
	rm -f "$dir/report"
	TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=$format "$dir/labels" "$@" >"$out" 2>"$err"
}
# reported: of each process, how many regions it has with how many calls each; and what else is said.
reported() {
	awk -F, '$1 == "type" { next }
		$1 == "lack" { print $9, $10; next }
		!($3 in process) { process[$3] = ++processes }
		{ n[process[$3] ": " $10]++ }
		END { for (calls in n) print calls " calls", n[calls] }' "$dir/report" | sort | paste -s -d' '
}

labels csv 3000 3
is "each of 3,000 labels has the calls of all threads, ended or not" "$? $(reported)" "0 1: 8 calls 3000"
labels csv 3000 2 fork
is "a child has the calls of its own" "$? $(reported)" "0 1: 2 calls 3 2: 6 calls 3000"
TIPTOP_THREADS=yes labels csv 2100 1
is "rows of threads have them, too" "$? $(awk -F, '$1 == "thread" && $10 == 2' "$dir/report" | wc -l)" "0 4200"

labels csv 65540 0
is "65,536 labels have room" "$? $(reported)" '0 "calls_left_out" 8 1: 2 calls 65536'
said='8 calls had no room, as there are 65536 labels, or no slot or memory for their thread: they are in no number'
is "the others have a line as CSV" "$(grep -c '^lack,.*,"calls_left_out",8,' "$dir/report")" 1
labels json 65540 0
is "as JSON" "$(jq -r 'select(.lack == "calls_left_out") | "\(.n) \(.sentence)"' "$dir/report")" "$said"
labels text 65540 0
is "and as text" "$(grep '^# 8 calls' "$dir/report")" "# $said"

# --- read by tiptop ---

# The calls of each label in each process over all intervals, of which a machine under load has several.
all_shown() {
	awk -F, 'NR > 1 { calls[$4 "," $6] += $10 } END { for (label in calls) if (calls[label]) print calls[label] }' "$dir/shown" |
		sort | uniq -c | awk '{ print $2, $1 }'
}
"$tiptop" regions --live -b -d 60 --format csv -o "$dir/shown" -- "$dir/labels" 3000 2 fork >"$out" 2>"$err"
is "tiptop shows those of a live command" "$? $(all_shown | sort | paste -s -d' ')" "0 2 3 6 3000"
"$tiptop" regions --format csv -o "$dir/report" -- "$dir/labels" 3000 2 fork >"$out" 2>"$err"
is "and those of a command that has ended" "$? $(reported)" "0 1: 6 calls 3000 2: 2 calls 3"

# --- little room ---

# short HOW LIMIT: with this limit.
short() {
	(
		eval "$2"
		labels csv 3000 2
		exit $?
	)
	is "$1: no call is lost" "$? $(reported)" "0 1: 6 calls 3000"
}
short "a file that may not grow" 'ulimit -f 4000'
short "a file that may grow a bit" 'ulimit -f 30000'
short "few descriptors" 'ulimit -n 20'
if [ "$(id -u)" -eq 0 ] && unshare -m mount -t tmpfs none /mnt 2>"$err"; then
	rm -f "$dir/report"
	TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=csv unshare -m \
		sh -c 'mount -t tmpfs -o size=2m none /dev/shm && unset XDG_RUNTIME_DIR && exec "$@"' sh "$dir/labels" 3000 2 >"$out" 2>"$err"
	is "a full /dev/shm: no call is lost" "$? $(reported)" "0 1: 6 calls 3000"
else
	skip "a full /dev/shm: no call is lost" "only root can mount one"
fi
(
	ulimit -v 26000
	labels csv 40000 0
	exit $?
)
is "little address space: each call is in a number, or in those that had no room" \
	"$? $(awk -F, '$1 == "region" { n += $10 } $9 == "\"calls_left_out\"" { n += $10 } END { print n }' "$dir/report")" "0 80000"
is "which are no ends of others" "$(grep -c unmatched "$dir/report")" 0
finish
