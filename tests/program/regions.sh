#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop regions: the measurements of programs with libtiptop, read by another process: as text, in formats for programs,
# recorded; and malicious tables.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -w /dev/shm ] || skip_all "there is no /dev/shm"
library=${builddir:?}/libtiptop.so.0
unset XDG_RUNTIME_DIR

# build NAME FLAG...
build() {
	build_name=$1
	shift
	gcc -std=gnu11 -D_GNU_SOURCE -I "${srcdir:?}/include" "$dir/$build_name.c" -o "$dir/$build_name" "$@" >"$out" 2>"$err"
	ok "$build_name is built" $?
}

# Calls its regions as often as it is told, and says when it has.
cat >"$dir/victim.c" <<'EOF'
#include <stdio.h>
#include <tiptop.h>

TT_REGION(outer, "outer");
TT_REGION(inner, "in \033[1mner");
static volatile char pages[4096][4096] __attribute__((aligned(4096)));

int main(void)
{
	int n, page = 0;

	while (scanf("%d", &n) == 1) {
		while (n--) {
			TT_BEGIN(outer);
			TT_BEGIN(inner);
			pages[page++][0] = 1;
			TT_END(inner);
			TT_END(outer);
		}
		puts("done");
		fflush(stdout);
	}
	return 0;
}
EOF

victim_start() {
	rm -f "$dir/calls"
	mkfifo "$dir/calls"
	: >"$dir/answers"
	TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report "$dir/victim" <"$dir/calls" >"$dir/answers" &
	worker=$!
	exec 3>"$dir/calls"
	asked=0
	ask 1
}
# regions OPTION...
regions() {
	"$tiptop" regions "$worker" -b -d 0.1 "$@" >"$out" 2>"$err" 3>&-
}

build victim "$library" -Wl,-rpath,"$builddir"
victim_start
ask 99
regions -n 2 --values total
is "exit status" $? 0
is "calls so far" "$(awk '/outer *$/ { print $4 }' "$out" | tail -n 1)" 100
is "a label cannot command the terminal" "$(grep -c 'in ?\[1mner' "$out")" 2
is "whose regions they are" "$(awk '/outer *$/ { print $1, $(NF - 1) }' "$out" | tail -n 1)" "$worker victim"
awk '/outer *$/ { outer = $2 } /ner *$/ { inner = $2 } END { exit !(inner > 0 && outer > inner) }' "$out"
ok "what is in a region takes less time than it" $?
regions -i -n 1 -e page-faults --values total
is "what they counted" "$(awk '/outer *$/ { n = $3 } END { print (n >= 100 && n < 120) }' "$out")" 1
regions -n 2
is "idle ones have no calls, and no time of a call" "$(awk '/outer *$/ { print $2, $4, $5 }' "$out" | tail -n 1)" "0.00 0 -"
"$tiptop" regions victim -b -n 1 -d 0.1 >"$out" 2>"$err" 3>&-
[ "$(grep -c 'outer *$' "$out")" -ge 1 ]
ok "by the name of the program" $?
regions -n 1 --format csv --fields kind,pid,name,calls,histogram
is "as CSV: the names of fields" "$(sed -n 1p "$out")" kind,pid,name,calls,histogram
matches "as CSV: a row" "$(grep outer "$out")" "region,$worker,outer,0,[0-9]+[num]?s [0-9.+#]+ [0-9]+[num]?s"
if command -v python3 >"$dir/text"; then
	regions -n 1 --format json
	python3 -c 'import json, sys
row = [r for r in json.loads(sys.stdin.readline())["rows"] if r["name"] == "outer"][0]
print(row["kind"], row["pid"], row["values"]["calls"], row["values"]["program"])' <"$out" >"$dir/text" 2>"$err"
	is "as JSON" "$(cat "$dir/text")" "region $worker 0 victim"
else
	skip "as JSON" "python3 is missing"
fi
"$tiptop" regions -b -n 1 --group region --format csv --fields name,program,members -p "$worker" >"$out" 2>"$err" 3>&-
is "what they have in common" "$(sed -n 's/^outer,//p' "$out")" victim,1
regions --group user
matches "that is nothing that tasks have" "$(cat "$err")" "tiptop: regions cannot be grouped by 'user': name one of process, region"
regions -n 1 -S default
is "a screen of tasks is refused" $? 2
matches "which is said" "$(cat "$err")" "tiptop: the screen 'default' cannot be shown here: its rows are of another kind: 'tiptop' has them"
"$tiptop" -S regions -b -n 1 >"$out" 2>"$err"
matches "and the other way round" "$(cat "$err")" "tiptop: the screen 'regions' cannot be shown here: its rows are of another kind: 'tiptop regions' has them"
is "help names the command" "$("$tiptop" --help | grep -c '^  regions ')" 1
is "its own help has both forms" "$("$tiptop" regions --help | grep '^Usage:')" "Usage: tiptop regions [option]... -- command
Usage: tiptop regions [option]... [pid|text] | --live -- command"
# --- recorded ---

if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip "recorded" "$(cat "$dir/text")"
else
	regions -n 3 --record "$dir/record"
	sed 's/^delay: .*//' "$out" >"$dir/live"
	"$tiptop" --replay "$dir/record" -b -p "$worker" >"$out" 2>"$err"
	sed 's/^delay: .*//' "$out" | cmp -s - "$dir/live"
	ok "a recording shows the same" $?
	"$tiptop" --replay "$dir/record" -b --format csv --fields kind,name >"$out" 2>"$err"
	is "with rows of the same kind" "$(grep -c '^region,outer$' "$out")" 3
fi

# --- two versions, of which one has a region that takes longer ---

# Sleeps, since that takes its time on any machine.
cat >"$dir/version.c" <<'EOF'
#include <tiptop.h>
#include <unistd.h>

TT_REGION(all, "all");
TT_REGION(steady, "steady");
TT_REGION(varied, "varied");

int main(void)
{
	for (;;) {
		TT_BEGIN(all);
		TT_BEGIN(steady);
		usleep(30000);
		TT_END(steady);
		TT_BEGIN(varied);
		usleep(PAUSE);
		TT_END(varied);
		TT_END(all);
	}
}
EOF
# version NAME PAUSE: records it.
version() {
	build version "$library" -Wl,-rpath,"$builddir" -DPAUSE="$2"
	mv "$dir/version" "$dir/$1"
	TIPTOP_REGIONS=task-clock TIPTOP_REPORT=/dev/null "$dir/$1" 3>&- &
	version_worker=$!
	"$tiptop" regions "$version_worker" -b -d 0.2 -n 18 --record "$dir/$1.db" >"$out" 2>"$err" 3>&-
	kill "$version_worker"
	wait "$version_worker" 2>"$dir/killed"
}
if [ -e "$dir/record" ]; then
	version old 1000
	version new 25000
	"$tiptop" compare "$dir/old.db" "$dir/new.db" --format csv -c us_per_call >"$out" 2>"$err"
	is "two versions are compared" "$? $(cat "$err")" "0 "
	is "by their regions" "$(tail -n +2 "$out" | cut -d, -f 1-4 | sort)" "old,new,all,all
old,new,steady,steady
old,new,varied,varied"
	is "the one that has become slower is the first" "$(sed -n 2p "$out" | cut -d, -f 3,17)" varied,more
	awk -F, 'NR == 2 { exit !($8 >= 1000 && $8 < $11 && $11 >= 25000 && $9 > 0 && $12 > 0 && $15 > 50) }' "$out"
	ok "with both means, their spread and the change" $?
	"$tiptop" compare "$dir/old.db" "$dir/new.db" >"$out" 2>"$err"
	is "for people" "$(grep -c '^old: varied (A) and new: varied (B)$' "$out")" 1
else
	skip "two versions are compared" "$(cat "$dir/text")"
fi

# --- the end ---

: >"$dir/shown"
"$tiptop" regions "$worker" -b -d 0.2 --values total >"$dir/shown" 2>"$err" 3>&- &
monitor=$!
await grep -q 'outer *$' "$dir/shown"
echo 11 >&3
exec 3>&-
wait "$worker"
wait "$monitor"
is "tiptop ends with the only process that was asked for" $? 0
monitor='' worker=''
is "its final numbers are shown" "$(awk '/outer DEAD$/ { print $4 }' "$dir/shown")" 111
is "as its own report has them" "$(awk '$1 == "outer" { print $2 }' "$dir/report")" 111

# --- threads that end ---

# 40 threads, one after another: what each has counted moves to the rows of those that have ended.
cat >"$dir/threads.c" <<'EOF'
#include <pthread.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(brief, "brief");

static void *run(void *arg)
{
	for (int i = 0; i < 50; i++) {
		TT_BEGIN(brief);
		usleep(500);
		TT_END(brief);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < 40; i++) {
		pthread_create(&thread, NULL, run, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
EOF
build threads "$library" -Wl,-rpath,"$builddir" -pthread
rm "$dir/report"
TIPTOP_REGIONS='' TIPTOP_REPORT=$dir/report "$dir/threads" &
worker=$!
"$tiptop" regions "$worker" -b -d 0.1 --values total >"$out" 2>"$err"
wait "$worker"
worker=''
awk '/ brief/ { n++; if ($4 < last) exit 1; last = $4 } END { exit n < 2 }' "$out"
ok "the calls of threads that end stay in the total" $?
is "which ends as the program's own report" "$(awk '/ brief/ { n = $4 } END { print n }' "$out")" \
	"$(awk '$1 == "brief" { print $2 }' "$dir/report")"

# --- files that are left over ---

victim_start
kill -KILL "$worker"
wait "$worker" 2>"$dir/text"
exec 3>&-
[ -e "/dev/shm/tiptop-regions.$worker.0" ]
ok "the table of a program that was killed is left" $?
regions -n 1
[ ! -e "/dev/shm/tiptop-regions.$worker.0" ]
ok "and removed by the next tiptop" $?
worker=''

# --- an enemy ---

# Maps a table that it has made itself, and damages it again and again.
cat >"$dir/enemy.c" <<'EOF'
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include "region_rig.h"

static void damage(int fd, unsigned *seed)
{
	const size_t place[] = {
		(size_t)rand_r(seed) % (table_region_offset() + 4 * sizeof(struct table_region)),
		rig_slot((unsigned)rand_r(seed) % 3) + (size_t)rand_r(seed) % sizeof(struct table_slot),
		rig_row((unsigned)rand_r(seed) % 3, (unsigned)rand_r(seed) % 4) + (size_t)rand_r(seed) % table_row_size(2),
	};
	const uint8_t byte = (uint8_t)rand_r(seed);

	rig_put(fd, &byte, 1, place[rand_r(seed) % 3]);
	if (rand_r(seed) % 20 == 0 && ftruncate(fd, (off_t)place[rand_r(seed) % 3]))
		abort();
}

int main(int argc, char **argv)
{
	const struct timespec pause = {0, 20000000};
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	unsigned seed = 3;
	char path[64];
	int fd;

	(void)argc;
	snprintf(path, sizeof path, "/dev/shm/" TABLE_FILE_PREFIX "%d.0", (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	rig_write(fd, (uint32_t)getpid());
	if (fcntl(fd, F_OFD_SETLK, &whole) || mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		abort();
	puts("ready");
	fflush(stdout);
	for (int k = atoi(argv[1]); k; k--) {
		rig_write(fd, (uint32_t)getpid());
		for (int n = 1 + rand_r(&seed) % 6; n; n--)
			damage(fd, &seed);
		nanosleep(&pause, NULL);
	}
	unlink(path);
	return 0;
}
EOF
build enemy -I "$srcdir/src" -I "$srcdir/tests/unit" "$builddir/libcollect_table.a" "$builddir/libinject.a" "$builddir/libbase.a" -lm
"$dir/enemy" 500 >"$dir/answers" &
worker=$!
asked=1
await answered
"$tiptop" regions "$worker" -b -i -d 0.02 >"$out" 2>"$err"
status=$?
wait "$worker"
is "500 damaged tables: tiptop ends well with their process" $status 0
worker=''
[ "$(grep -c 'region [0-9]' "$out")" -ge 100 ]
ok "what can be read is shown" $?
is "what cannot is said in sentences" "$(grep -v '^tiptop: .*regions of the process [0-9]*[ :]' "$err" | head -n 1)" ""
[ -s "$err" ] && grep -q '?' "$out"
ok "some were such" $?

# --- what the numbers lack ---

cat >"$dir/lacking.c" <<'EOF'
#include <stdio.h>
#include <tiptop.h>

TT_REGION(outer, "outer");
TT_REGION(inner, "inner");

int main(void)
{
	do {
		TT_BEGIN(outer);
		TT_END(inner);
		TT_END(outer);
		puts("done");
		fflush(stdout);
	} while (getchar() == '\n');
	return 0;
}
EOF
build lacking "$library" -Wl,-rpath,"$builddir"
mkfifo "$dir/end"
: >"$dir/answers"
TIPTOP_REGIONS=task-clock TIPTOP_REPORT=$dir/report "$dir/lacking" <"$dir/end" >"$dir/answers" &
lacking=$!
exec 4>"$dir/end"
asked=1
await answered
"$tiptop" regions $lacking -b -n 3 -d 0.1 >"$out" 2>"$err" 3>&- 4>&-
is "what they lack is said once" "$(cat "$err")" \
	"tiptop: regions of the process $lacking (lacking): 1 end had no call in progress"
: >"$err"
"$tiptop" regions $lacking -b -i -d 0.1 -o "$dir/shown" 2>"$err" 3>&- 4>&- &
monitor=$!
await grep -q '1 end had' "$err"
echo >&4
asked=2
await answered
exec 4>&-
wait $lacking
wait $monitor
monitor=''
is "its number goes on: the last one is said at the end" "$(cat "$err")" \
	"tiptop: regions of the process $lacking (lacking): 1 end had no call in progress
tiptop: regions of the process $lacking (lacking): 2 ends had no call in progress"

finish
