#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop regions -- command: reports all processes that measure regions, however they end.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -w /dev/shm ] || skip_all "there is no /dev/shm"
own_tables
library=${builddir:?}/libtiptop.so.0

# Calls its regions, reports them itself, and ends in one of all ways.
cat >"$dir/ways.c" <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(outer, "outer");
TT_REGION(inner, "in \"ner");

static void *run(void *calls)
{
	for (int i = 0; i < *(int *)calls; i++) {
		TT_BEGIN(outer);
		TT_BEGIN(inner);
		TT_END(inner);
		TT_END(outer);
	}
	return NULL;
}

static void run_threads(int n)
{
	int calls = 100;
	pthread_t thread;

	for (int i = 0; i < n; i++) {
		pthread_create(&thread, NULL, run, &calls);
		pthread_join(thread, NULL);
	}
}

static void fork_all(int n)
{
	int calls = 3;

	for (int i = 0; i < n; i++)
		if (!fork()) {
			run(&calls);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *way = argv[1];

	run_threads(atoi(argv[2]));
	if (!strcmp(way, "fork"))
		fork_all(atoi(argv[3]));
	tt_report();
	if (!strcmp(way, "_exit"))
		_exit(3);
	if (!strcmp(way, "quick_exit"))
		quick_exit(3);
	if (!strcmp(way, "abort"))
		abort();
	if (!strcmp(way, "term"))
		raise(SIGTERM);
	if (!strcmp(way, "kill"))
		raise(SIGKILL);
	if (!strcmp(way, "within")) {
		TT_BEGIN(outer);
		raise(SIGKILL);
	}
	if (!strcmp(way, "exec")) {
		argv[2] = argv[0];
		execv(argv[0], argv + 2);
	}
	return 3;
}
EOF
gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/ways.c" -o "$dir/ways" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
ok "a program is built" $?

# keep OPTION... -- COMMAND...: with reports of its own in $dir/own.
keep() {
	rm -f "$dir/own"
	TIPTOP_REPORT=$dir/own TIPTOP_FORMAT=json "$tiptop" regions -e page-faults,task-clock "$@" >"$out" 2>"$err"
}
# numbers FILE: what the processes of a report in JSON have counted, without the times of the report.
numbers() {
	sed -n 's/^{"type":"region",.*"pid":\([0-9]*\),.*,"label":/\1 /p' "$1" | sort
}

for way in exit=3 _exit=3 quick_exit=3 abort=134 term=143 kill=137 within=137; do
	keep --format json -- "$dir/ways" "${way%=*}" 20
	is "${way%=*}: the status is the command's" $? "${way#*=}"
	is "both regions are reported" "$(numbers "$out" | grep -c '"calls":2000,')" 2
	is "with the numbers that the program itself had" "$(numbers "$out")" "$(numbers "$dir/own")"
	is "which are written once" "$(grep -c '"type":"region"' "$dir/own")" 2
done
is "a call that went on is told" "$(sed -n 's/.*"lack":"\([a-z_]*\)","n":\([0-9a-z]*\),"sentence.*/\1 \2/p' "$out")" "cut_short null
going_on 1"
is "no table is left" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""

# --- other programs in the same process, children ---

keep --format json -- "$dir/ways" exec 1 exec 2 kill 3
is "a process that executes programs has a report of each, in their order" \
	"$(sed -n 's/.*"label":"outer","calls":\([0-9]*\),.*/\1/p' "$out" | tr '\n' ' ')" "100 200 300 "
is "of one process" "$(sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' "$out" | sort -u | wc -l)" 1
keep --format csv -o "$dir/report" -- "$dir/ways" fork 1 1000
is "1,000 children that end by _exit: each has its report" \
	"$(awk -F, '$1 == "region" && /"outer"/ && $10 == 3' "$dir/report" | cut -d, -f 3 | sort -u | wc -l)" 1000
is "and so has their parent" "$(awk -F, '$1 == "region" && $10 == 100' "$dir/report" | wc -l)" 2
is "the names of columns are there once, with as many in each line" \
	"$(grep -c '^type,' "$dir/report") $(sed 's/"in ""ner"/inner/' "$dir/report" | awk -F, '{ print NF }' | sort -u | wc -l)" "1 1"
is "nothing else is written" "$(cat "$out" "$err")" ""
keep -- "$dir/ways" fork 1 2
is "as text: three processes" "$(grep -c '^# regions of process [0-9]* (ways) on ' "$out")" 3
is "two of them ended otherwise than by exit" "$(grep -c '^# the process was ended by a signal or _exit(2), or' "$out")" 2

# A table that cannot be read is a failure, and the only reason that is given; the other reports are written.
# shellcheck disable=SC2016 # for the shell that is measured
spoil='echo damaged >"$TIPTOP_KEEPER/tiptop-regions.$$.0"'
keep -- sh -c "$spoil"
matches "a damaged table: it is said, and nothing else" "$? $(cat "$err")" "1 tiptop: regions: the table of the process [0-9]+ .*"
keep --format json -- sh -c "$spoil; \"\$0\" exit 2; :" "$dir/ways"
matches "a damaged table beside another one: it is said" "$? $(cat "$err")" "1 tiptop: regions: the table of the process [0-9]+ .*"
is "a damaged table beside another one: that one's report" "$(numbers "$out" | grep -c '"calls":200,')" 2
keep -- sh -c "$spoil; exit 5"
is "a damaged table: the status of a command that fails is its own" $? 5

# --- the static library, without descriptors, with other rights ---

cat >"$dir/daemon.c" <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(work, "work");

static void call(int n)
{
	while (n--) {
		TT_BEGIN(work);
		TT_END(work);
	}
}

/* In the folder of the test, wherever this is called. */
static const char *file(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/%s", getenv("DIR"), name);
	return path;
}

static void apart(void)
{
	if (!fork())
		return;
	wait(NULL);
	_exit(3);
}

int main(int argc, char **argv)
{
	const struct rlimit limit = {1000, 1000};

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "fork"))
			apart();
		if (!strcmp(argv[i], "close"))
			for (int fd = 3; fd < 10000; fd++)
				close(fd);
		if (!strcmp(argv[i], "chroot") && (chroot("/tmp") || chdir("/")))
			return 77;
		if (!strcmp(argv[i], "setuid") && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
			return 77;
		if (!strcmp(argv[i], "limit"))
			setrlimit(RLIMIT_FSIZE, &limit);
		if (!strcmp(argv[i], "daemon") && daemon(0, 0))
			return 77;
		if (!strcmp(argv[i], "call"))
			call(10);
		if (!strcmp(argv[i], "tell"))
			creat(file("began"), 0600);
		if (!strcmp(argv[i], "sleep"))
			while (access(file("go"), F_OK))
				usleep(20000);
		if (!strcmp(argv[i], "kill"))
			raise(SIGKILL);
	}
	return 3;
}
EOF
gcc -std=gnu11 -O1 -I "$srcdir/include" "$dir/daemon.c" -o "$dir/daemon" "$builddir/libtiptop.a" -lm -pthread >"$out" 2>"$err"
ok "a program is built with the static library" $?
# calls: of each process.
calls() {
	sed -n 's/.*"label":"work","calls":\([0-9]*\),.*/\1/p' "$out" | tr '\n' ' '
}
for words in "call kill" "close call kill" "fork call fork call kill"; do
	# shellcheck disable=SC2086 # several words
	keep --format json -- "$dir/daemon" $words
	case $words in fork*) wanted="10 10 " ;; *) wanted="10 " ;; esac
	is "$words: reported" "$(calls)" "$wanted"
done
if [ "$(id -u)" -eq 0 ]; then
	for words in "setuid call kill" "chroot call kill" "fork close chroot setuid call" "chroot setuid call" "fork setuid call kill" "fork chroot setuid call kill"; do
		# shellcheck disable=SC2086 # several words
		keep --format json -- "$dir/daemon" $words
		status=$?
		case $words in *close*) wanted= ;; *) wanted="10 " ;; esac
		is "$words: reported" "$status $(calls)" "$status $wanted"
	done
	keep --format json -- "$dir/daemon" setuid fork call
	is "a child of one without rights reports itself" "$(calls) $(grep -c '"calls":10,' "$dir/own")" " 1"
	matches "which is said" "$(cat "$err")" "tiptop: regions: '.*/daemon' uses libtiptop, but has left no table of regions: .*"
else
	skip "programs that give up their rights or their root" "they need root"
fi
keep --format json -- "$dir/daemon" limit call
is "under a limit for files, a process reports itself" "$? $(calls) $(grep -c '"calls":10,' "$dir/own")" "3  1"

# --- Python ---

# Processes that are made in all ways of multiprocessing; each calls its region so often.
cat >"$dir/many.py" <<'EOF'
import concurrent.futures
import multiprocessing
import sys
import time
import tiptop


def call(n):
    for _ in range(n):
        with tiptop.region("task"):
            pass


if __name__ == "__main__":
    way = sys.argv[1]
    with tiptop.region("main"):
        if way == "pool":
            with multiprocessing.Pool(2) as pool:
                pool.map(call, [5] * 20)
        elif way == "futures":
            with concurrent.futures.ProcessPoolExecutor(2) as executor:
                list(executor.map(call, [5] * 20))
        elif way == "terminate":
            child = multiprocessing.Process(target=call, args=(10**9,))
            child.start()
            time.sleep(0.5)
            child.terminate()
            child.join()
        else:
            context = multiprocessing.get_context(way)
            children = [context.Process(target=call, args=(n,)) for n in (10, 40, 50)]
            for child in children:
                child.start()
            for child in children:
                child.join()
EOF
if command -v python3 >"$dir/text"; then
	for way in fork spawn forkserver pool futures terminate; do
		rm -f "$dir/own"
		TIPTOP_LIBRARY=$library PYTHONPATH=$srcdir/python TIPTOP_REPORT=$dir/own "$tiptop" regions --format json -- python3 "$dir/many.py" $way >"$out" 2>"$err"
		is "Python, $way: the program itself" "$? $(grep -c '"label":"main","calls":1,' "$out")" "0 1"
		sed -n 's/.*"label":"task","calls":\([0-9]*\),.*/\1/p' "$out" >"$dir/text"
		case $way in
		terminate) [ "$(wc -l <"$dir/text")" -eq 1 ] && [ "$(cat "$dir/text")" -gt 0 ] ;;
		*) [ "$(awk '{ n += $1 } END { print n }' "$dir/text")" -eq 100 ] ;;
		esac
		ok "and all that its children have called" $?
		is "which write no report themselves" "$(cat "$dir/own" "$err")" ""
	done
else
	skip "multiprocessing of Python" "python3 is missing"
fi

# --- programs without regions ---

keep -- "$dir/ways" exit 0
is "a program that begins no region: its status" $? 3
matches "and a sentence" "$(cat "$err")" "tiptop: regions: '.*/ways' uses libtiptop, but has left no table of regions: it has begun no region, .*"
keep -- sh -c 'exit 4'
is "a program without libtiptop: its status" $? 4
matches "and a sentence" "$(cat "$err")" "tiptop: regions: 'sh' has measured no regions: no program that it executed is linked with libtiptop .*"
is "nothing else" "$(cat "$out")" ""
keep -- "$dir/missing"
is "a command that is missing" "$? $(cat "$err")" "127 tiptop: cannot run '$dir/missing': No such file or directory"
"$tiptop" regions -e page-fautls -- true >"$out" 2>"$err"
is "a wrong event" $? 2
matches "is said before the command runs" "$(cat "$err")" "tiptop: --events: .*'page-fautls'.*"
"$tiptop" regions --format jsn -- true >"$out" 2>"$err"
is "so is a wrong format" "$? $(cat "$err")" "2 tiptop: --format: there is no format 'jsn' (did you mean 'json'?): text, csv, json or html"
TIPTOP_REGIONS=page-faults "$tiptop" regions --format csv -- "$dir/ways" exit 1 >"$out" 2>"$err"
is "without --events, those of the environment are counted" "$(sed -n '1s/.*,"\(page-faults state\)"$/\1/p' "$out")" "page-faults state"
keep -o "$dir/no-folder/report" -- "$dir/ways" exit 1
matches "a file that cannot be made" "$? $(cat "$err")" "1 tiptop: .*no-folder/report.*No such file or directory"

# --- signals ---

"$tiptop" regions --format json -- sh -c "'$dir/ways' kill 1; touch '$dir/runs'; exec sleep 60" >"$out" 2>"$err" &
monitor=$!
await test -e "$dir/runs"
kill -TERM "$monitor"
wait "$monitor" 2>"$dir/text"
is "SIGTERM ends the command" $? 143
monitor=
is "what was measured up to then is reported" "$(sed -n 's/.*"label":"outer","calls":\([0-9]*\),.*/\1/p' "$out")" 100
is "no table is left" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""

# --- processes that run on ---

DIR=$dir
export DIR
keep --format json -- sh -c "'$dir/daemon' call daemon call tell sleep call; until test -e '$dir/began'; do sleep 0.05; done"
is "a daemon: the report comes with the end of the command" "$(calls)" "10 10 "
is "and says of the second one that it runs" "$(sed -n 's/.*"lack":"\([a-z_]*\)".*/\1/p' "$out" | sort | tr '\n' ' ')" "cut_short runs "
matches "which is said, too" "$(cat "$err")" "tiptop: regions: 1 process that 'sh' started still runs, and the report has what was measured so far: 'tiptop regions [0-9]*' shows what follows"
running=$(sed 's/.* regions \([0-9]*\).*/\1/' "$err")
"$tiptop" regions "$running" -b -n 1 --values total >"$out" 2>"$err"
is "as it does" "$(awk '/ work/ { print $4 }' "$out")" 10
touch "$dir/go"
await grep -q '"calls":20' "$dir/own"
ok "at its end it reports itself, as no tiptop does so any more" $?
"$tiptop" regions -- true >"$out" 2>"$err"
is "and what is left goes with the next start" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""

# A tiptop that is killed has no report, but the command has its own ones.
rm -f "$dir/own" "$dir/go" "$dir/began"
TIPTOP_REPORT=$dir/own "$tiptop" regions -- "$dir/daemon" call tell sleep call >"$out" 2>"$err" &
monitor=$!
await test -e "$dir/began"
kill -KILL "$monitor"
wait "$monitor" 2>"$dir/text"
monitor=
touch "$dir/go"
await grep -q '^work  *20 ' "$dir/own"
ok "where tiptop was killed, a process reports itself" $?
"$tiptop" regions -- true >"$out" 2>"$err"
is "and the next start removes what is left" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""
finish
