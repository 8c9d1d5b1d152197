#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The reports that programs with regions write themselves: of several processes in one file, and the cost of measuring.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

library=${builddir:?}/libtiptop.so.0

# Makes a number of processes with a number of regions each; all report at the same time.
cat >"$dir/many.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

static void run(int n)
{
	for (int i = 0; i < n; i++) {
		struct tt_region *region = calloc(1, sizeof *region);
		char *label = malloc(40);

		snprintf(label, 40, "label \"%d\"", i);
		region->label = label;
		tt_region_begin(region);
		tt_region_end(region);
	}
}

int main(int argc, char **argv)
{
	const int n = atoi(argv[1]), labels = atoi(argv[2]);

	if (argc > 3) {
		run(labels);
		tt_report();
	}
	if (!n)
		run(labels);
	for (int i = 0; i < n; i++)
		if (!fork()) {
			run(labels);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/many.c" -o "$dir/many" "$library" -Wl,-rpath,"$builddir" >"$out" 2>"$err"
ok "a program is built" $?

# many FORMAT PROCESSES LABELS
many() {
	rm -f "$dir/report"
	TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=$1 "$dir/many" "$2" "$3" >"$out" 2>"$err"
}

many json 40 30
is "40 processes in one file: a line for each region of each" "$(grep -c '^{"type":"region",.*}}$' "$dir/report")" 1200
is "and no piece of a line" "$(grep -vc '^{"type":"region",.*}}$' "$dir/report")" 0
sed 's/"pid":[0-9]*,/"pid":N,/; s/[0-9-]*T[0-9:.]*+00:00/TIME/g; s/"label".*//' "$dir/report" | sort -u >"$dir/text"
is "each says of which process it is, and of when" "$(cat "$dir/text")" \
	"{\"type\":\"region\",\"schema\":1,\"program\":\"many\",\"pid\":N,\"rank\":null,\"host\":\"$(uname -n)\",\"started\":\"TIME\",\"reported\":\"TIME\","
now=$(date +%s) # the times are of some seconds ago
sed -n '1s/.*"started":"\([^"]*\)","reported":"\([^"]*\)".*/\1 \2/p' "$dir/report" >"$dir/text"
read -r started reported <"$dir/text"
[ $((now - $(date -d "$started" +%s))) -le 300 ] && [ "$(date -d "$started" +%s)" -le "$(date -d "$reported" +%s)" ] &&
	[ "$(date -d "$reported" +%s)" -le "$now" ]
ok "which is true: from $started to $reported" $?
many csv 40 30
is "as CSV: the names of the columns are there once" "$(grep -n '^type,' "$dir/report" | cut -d: -f 1)" 1
is "and a row for each region of each" "$(grep -c '^region,"many",[0-9]*,,,"[^"]*",[^,]*,[^,]*,"label ""[0-9]*"""*,1,' "$dir/report")" 1200
is "all of as many columns" "$(awk -F, '{ print NF }' "$dir/report" | sort -u | wc -l)" 1
mkfifo "$dir/pipe"
cat "$dir/pipe" >"$dir/report" &
reader=$!
TIPTOP_REGIONS=page-faults,task-clock TIPTOP_FORMAT=json "$dir/many" 40 30 2>"$dir/pipe"
wait "$reader"
is "in a pipe, lines are whole, too" "$(grep -c '^{"type":"region",.*}}$' "$dir/report") $(wc -l <"$dir/report")" "1200 1200"
many text 40 30
is "as text: the lines of a process stand together" \
	"$(awk '/^# regions/ { if (NR > 1 && n != 30) exit; n = 0; heads++ } !/^#/ { n++ } END { print heads, n }' "$dir/report")" "40 30"
TIPTOP_REGIONS=task-clock TIPTOP_FORMAT=csv "$dir/many" 3 2 2>"$dir/report"
is "on standard error, each process has the names of columns once" "$(grep -c '^type,' "$dir/report")" 3
TIPTOP_REGIONS=task-clock TIPTOP_FORMAT=csv "$dir/many" 0 2 twice 2>"$dir/text"
TIPTOP_REGIONS=task-clock TIPTOP_FORMAT=csv "$dir/many" 0 2 twice 2>&1 | cat >"$dir/report"
is "and at its second report no more, in a file and in a pipe" \
	"$(grep -c '^type,' "$dir/text") $(grep -c '^type,' "$dir/report") $(grep -c '^region,' "$dir/report")" "1 1 4"

# --- the rank that MPI has given ---

# rank SETTING...: that of each line.
rank() {
	rm -f "$dir/report"
	env -u SLURM_PROCID -u FLUX_TASK_RANK -u PMI_RANK TIPTOP_REGIONS=task-clock TIPTOP_REPORT="$dir/report" TIPTOP_FORMAT=csv "$@" "$dir/many" 0 1 >"$out" 2>"$err"
	awk -F, 'NR == 2 { print $4 }' "$dir/report"
}
for name in OMPI_COMM_WORLD_RANK MV2_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID FLUX_TASK_RANK SLURM_PROCID; do
	is "the rank by $name" "$(rank "$name=17")" 17
done
# Those that are installed set it themselves.
for launcher in mpirun.openmpi mpirun.mpich; do
	if command -v "$launcher" >"$dir/text"; then
		rm -f "$dir/report"
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 rank "$launcher" -n 2 >"$out" </dev/null
		is "the ranks of $launcher" "$(awk -F, '$1 == "region" { print $4 }' "$dir/report" | sort -u | tr '\n' ' ')" "0 1 "
	else
		skip "the ranks of $launcher" "it is missing"
	fi
done
is "Slurm's own is the last one that counts" "$(rank SLURM_PROCID=0 PMI_RANK=03)" 3
is "what is not a number is not a rank" "$(rank PMI_RANK=x PMIX_RANK=-1 SLURM_PROCID=12a)" ""
rank PMI_RANK=5 TIPTOP_FORMAT=json >"$out"
is "as JSON" "$(grep -c '"pid":[0-9]*,"rank":5,"host":' "$dir/report")" 1
rank PMI_RANK=5 TIPTOP_FORMAT=text >"$out"
is "as text" "$(grep -c '^# regions of process [0-9]* (many) on [^ ]*, rank 5, from ' "$dir/report")" 1
rank PMI_RANK=5 TIPTOP_REPORT="$dir/%r-%h-%%-%x.report" >"$out"
is "in the name of a report: %r, with the host" "$(ls "$dir/5-$(uname -n)-%-%x.report")" "$dir/5-$(uname -n)-%-%x.report"
rank TIPTOP_REPORT="$dir/%p-%r.report" >"$out"
is "%p is the number of the process; there is a '-' for no rank" "$(basename "$dir"/[0-9]*--.report)" \
	"$(awk -F, 'NR == 2 { print $3 }' "$dir"/[0-9]*--.report)--.report"

# --- rows of threads ---

cat >"$dir/threads.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <tiptop.h>

TT_REGION(work, "work");
static pthread_barrier_t barrier;

static void run(long n)
{
	for (long i = 0; i < n; i++) {
		TT_BEGIN(work);
		TT_WORK(work, "items", 2);
		TT_END(work);
	}
}

static void *end(void *n)
{
	run((long)n);
	return NULL;
}

static void *stay(void *n)
{
	run((long)n);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	run(1);
	for (long n = 2; n < 5; n++) {
		pthread_create(&thread, NULL, end, (void *)n);
		pthread_join(thread, NULL);
	}
	pthread_create(&thread, NULL, stay, (void *)5);
	pthread_barrier_wait(&barrier);
	tt_report();
	tt_reset("work");
	run(9);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	return 0;
}
END
gcc -std=gnu11 -O1 -I "$srcdir/include" "$dir/threads.c" -o "$dir/threads" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
ok "a program is built with threads" $?
# threads FORMAT [SETTING]
threads() {
	rm -f "$dir/report"
	env TIPTOP_REGIONS=page-faults TIPTOP_REPORT="$dir/report" TIPTOP_FORMAT="$1" "${2-TIPTOP_THREADS=yes}" "$dir/threads" >"$out" 2>"$err"
}
threads csv
is "a row for each thread, those that have ended, too" \
	"$(awk -F, '$1 == "region" { n++ } $1 == "thread" && n == 1 { print $10 }' "$dir/report" | sort | tr '\n' ' ')" "1 2 3 4 5 "
is "each of its own number" "$(awk -F, '$1 == "thread" { print $5 }' "$dir/report" | sort -u | wc -l)" 5
is "the sum stands before them" "$(awk -F, 'NR == 2 { print $1, $5, $10 }' "$dir/report")" "region  15"
is "with their work" "$(awk -F, '$1 == "thread" { sum += $(NF - 2) } END { print sum }' "$dir/report")" 48
is "no row of before a reset" "$(awk -F, '$1 == "region" { n++ } n == 2 { print $1, $10 }' "$dir/report" | tr '\n' ' ')" "region 9 thread 9 "
threads json
is "as JSON" "$(grep -c '^{"type":"thread",.*,"tid":[1-9][0-9]*,"label":"work","calls":[1-59],' "$dir/report")" 6
threads text
is "as text" "$(awk '$1 == "thread" { print $3 }' "$dir/report" | sort | tr '\n' ' ')" "1 2 3 4 5 9 "
threads csv TIPTOP_THREADS=no
is "none where that is not wanted" "$(grep -c '^thread' "$dir/report")" 0

# --- a thread without a descriptor for its counter ---

cat >"$dir/poor.c" <<'END'
#include <pthread.h>
#include <sys/resource.h>
#include <tiptop.h>

static void *work(void *unused)
{
	tt_begin("work");
	tt_work("work", "item", 5);
	tt_end("work");
	return unused;
}

int main(void)
{
	struct rlimit limit;
	pthread_t thread;

	work(NULL);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &limit);
	pthread_create(&thread, NULL, work, NULL);
	return pthread_join(thread, NULL);
}
END
gcc -std=gnu11 -O1 -I "$srcdir/include" "$dir/poor.c" -o "$dir/poor" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
ok "a program is built whose second thread gets no descriptor" $?
for how in report keeper; do
	rm -f "$dir/report"
	if [ $how = report ]; then
		TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=json "$dir/poor" >"$out" 2>"$err"
	else
		"${tiptop:?}" regions -e page-faults --format json -o "$dir/report" -- "$dir/poor" >"$out" 2>"$err"
	fi
	matches "$how: the sum over both threads is unknown" "$(head -n 1 "$dir/report")" \
		'.*"calls":2,.*"page-faults":{"sum":null,"self":null,"mean":[0-9].*"state":"unread"}}.*"page-faults/item":null.*'
	matches "$how: the reason is one of a thread" "$(tail -n 1 "$dir/report")" \
		'.*"lack":"refused page-faults","n":1,"sentence":"thread did not count .*: no descriptor is left.*'
done

# --- two reports, side by side ---

many json 2 3
mv "$dir/report" "$dir/a"
many json 4 4
mv "$dir/report" "$dir/b"
rm -f "$dir/report"
TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/c TIPTOP_FORMAT=json "$dir/many" 0 3 twice
# compared A B [OPTION]...: calls of each region on both sides.
compared() {
	"$builddir/tiptop" compare "$@" --format csv >"$out" 2>"$err"
	awk -F, '/,calls,/ { print $(NF - 8) + 0, $(NF - 5) + 0 }' "$out" | sort | uniq -c | awk '{ print $1 "x", $2, $3 }' | tr '\n' ' '
}
is "regions are compared by their labels; those of several processes are one" "$(compared "$dir/a" "$dir/b")" "1x 0 4 3x 2 4 "
is "with their time and an event" "$(awk -F, '/"label ""0"""/ && !/,calls,/ { print $(NF - 11) "," $(NF - 10) }' "$out" | tr '\n' ' ')" \
	"time,ns event,page-faults "
is "with another event" "$(compared "$dir/a" "$dir/b" -e task-clock >"$dir/text"; grep -c ',event,task-clock,' "$out")" 4
is "a process that has reported twice is counted once, by its last report" "$(compared "$dir/c" "$dir/a")" "3x 2 2 "
"$builddir/tiptop" compare "$dir/c" "$dir/b" >"$out" 2>"$err"
is "as text" "$(grep -c '^label "[0-9]": \|^ *calls  ' "$out")" 8
ln -s a "$dir/a2"
"$builddir/tiptop" compare "$dir/a,$dir/a2,$dir/b" "$dir/b" --format json >"$out" 2>"$err"
is "several runs, as JSON" "$(grep -c '^{"type":"region_change","name":"label .*"calls":{"unit":null,"a":{"n":3,' "$out")" 4
"$builddir/tiptop" compare "$dir/a" "$dir/b" -e cycles >"$out" 2>"$err"
matches "an event that was not counted is refused" "$(cat "$err")" ".*'.*/a' has not counted 'cycles', but 'time-ns', 'page-faults', 'task-clock'"

# --- what it costs ---

if command -v strace >"$dir/text" && strace -o "$dir/trace" true 2>"$dir/text"; then
	TIPTOP_REGIONS=page-faults TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=json strace -o "$dir/trace" "$dir/many" 0 256 >"$out" 2>"$err"
	# Behind the opening of the file at the end; the first one is at the start.
	awk -v file="$dir/report" 'index($0, file) { n = 0 } { n++ } END { print n }' "$dir/trace" >"$dir/text"
	[ "$(cat "$dir/text")" -le 2000 ]
	ok "a report of 256 regions takes few system calls: $(cat "$dir/text")" $?
	is "and reads no file" "$(awk -v file="$dir/report" 'index($0, file) { n = 0 } /^p?read(64)?\(/ { n++ } END { print n + 0 }' "$dir/trace")" 0
else
	skip "a report of 256 regions takes few system calls" "strace is missing, or may not trace"
	skip "and reads no file" "strace is missing, or may not trace"
fi

# --- what it lacks ---

cat >"$dir/lack.c" <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiptop.h>

#define LONG "a label that is longer than a table has room for, such as namespace::type<std::basic_string<char>, " \
	     "std::allocator<char>>::function(int, long) "

TT_REGION(first, "first");
TT_REGION(second, "second");
TT_REGION(deep, "deep");
TT_REGION(long_one, LONG "1");
TT_REGION(long_two, LONG "2");
static pthread_barrier_t barrier;
static jmp_buf back;

static void recurse(int n)
{
	TT_BEGIN(deep);
	if (n > 1)
		recurse(n - 1);
	TT_END(deep);
}

static void *run(void *arg)
{
	TT_BEGIN(first);
	pthread_barrier_wait(&barrier);
	TT_END(first);
	return arg;
}

static void *end_inside(void *arg)
{
	TT_BEGIN(first);
	TT_BEGIN(second);
	pthread_exit(arg);
}

static void run_threads(int n, pthread_attr_t *attributes)
{
	pthread_t *thread = calloc(n, sizeof *thread);

	pthread_barrier_init(&barrier, NULL, n + 1);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], attributes, run, NULL))
			exit(77);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	TT_BEGIN(long_one);
	TT_END(long_one);
	TT_BEGIN(long_two);
	TT_END(long_two);
	TT_BEGIN(first);
	TT_BEGIN(second);
	TT_END(first);
	TT_END(second);
	for (volatile int i = 0; i < 2; i++)
		if (!setjmp(back)) {
			TT_BEGIN(first);
			if (!i)
				longjmp(back, 1);
			TT_END(first);
		}
	recurse(518);
	pthread_create(&thread, NULL, end_inside, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 65580; i++) {
		struct tt_region *region = calloc(1, sizeof *region);
		char *label = malloc(40);

		snprintf(label, 40, "label %d", i);
		region->label = label;
		tt_region_begin(region);
		tt_region_end(region);
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	run_threads(1100, &attributes);
	TT_BEGIN(first);
	return 0;
}
END
gcc -std=gnu11 -O1 -I "$srcdir/include" "$dir/lack.c" -o "$dir/lack" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
ok "a program is built that meets bounds" $?
wanted="abandoned 4
calls_left_out 49
going_on 1
labels_cut 2
labels_left_out 49
too_deep 6
unmatched 1"
# lacks FORMAT
lacks() {
	rm -f "$dir/report"
	TIPTOP_REGIONS='' TIPTOP_REPORT=$dir/report TIPTOP_FORMAT=$1 "$dir/lack" >"$out" 2>"$err"
}
lacks json
if [ $? -eq 77 ]; then
	for name in "each bound has a line as JSON" "as CSV" "with the columns of a region" "as text" "long labels are not merged"; do
		skip "$name" "1,100 threads are more than this machine allows"
	done
else
	is "each bound has a line as JSON" \
		"$(sed -n 's/^{"type":"lack",.*"lack":"\([a-z_]*\)","n":\([0-9]*\),"sentence":"[^"]*"}$/\1 \2/p' "$dir/report" | sort)" "$wanted"
	lacks csv
	is "as CSV" "$(awk -F, '$1 == "lack" { gsub(/"/, "", $9); print $9, $10 }' "$dir/report" | sort)" "$wanted"
	is "with the columns of a region" "$(grep -v '"a label' "$dir/report" | awk -F, '{ print NF }' | sort -u | wc -l)" 1
	lacks text
	is "as text" "$(grep -c '^# [0-9]* [a-z]* ' "$dir/report")" 7
	is "long labels are not merged" "$(grep -c '^a label that is longer.*~[0-9a-f]\{8\}  *1  *' "$dir/report")" 2
fi

# --- wrong settings, and events without numbers ---

# set SETTING...: what the program says then.
set_to() {
	rm -f "$dir/report"
	env TIPTOP_REGIONS='' TIPTOP_REPORT="$dir/report" "$@" "$dir/many" 0 1 >"$out" 2>"$err"
	cat "$err"
}
is "right settings are silent" "$(set_to TIPTOP_FORMAT=text TIPTOP_SUBTRACT=no TIPTOP_IN_ORDER=yes)" ""
is "a format that is none is said at start" "$(set_to TIPTOP_FORMAT=jsn)" \
	"tiptop: TIPTOP_FORMAT=jsn is not known, so regions are measured as with 'text': it can be text, csv or json"
is "so is another word for yes" "$(set_to TIPTOP_SUBTRACT=true)" \
	"tiptop: TIPTOP_SUBTRACT=true is not known, so regions are measured as with 'no': it can be no or yes"
matches "a misspelled event is said, with the one that is meant" "$(set_to TIPTOP_REGIONS=page-fautls)" \
	"tiptop: TIPTOP_REGIONS: .*'page-fautls'.* \(did you mean 'page-faults'\?\)"
matches "and its '-' in the report has that reason" "$(grep "^# .*did you mean" "$dir/report")" \
	"# .*'page-fautls'.* \(did you mean 'page-faults'\?\)"
is "more events than can be are said" "$(set_to TIPTOP_REGIONS=page-faults,a,b,c,d,e,f,g,h)" \
	"tiptop: TIPTOP_REGIONS: regions are measured without events: more than 8 events cannot be opened together"
cat >"$dir/short.c" <<'CODE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

void *calloc(size_t n, size_t size)
{
	return n == 1 && size > 500 ? NULL : ((void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc"))(n, size);
}
CODE
${CC:-cc} -shared -fPIC -o "$dir/short.so" "$dir/short.c" -ldl 2>"$err"
is "a lack of memory is no wrong setting" "$(set_to TIPTOP_REGIONS=page-faults LD_PRELOAD="$dir/short.so")" \
	"tiptop: TIPTOP_REGIONS: regions are measured without events: there is no memory for counters"
set_to TIPTOP_REGIONS=page-fautls TIPTOP_FORMAT=json
is "as JSON, too" "$(grep -c '^{"type":"lack",.*"lack":"not_counted page-fautls","n":null,"sentence":".*did you mean .page-faults' "$dir/report")" 1
finish
