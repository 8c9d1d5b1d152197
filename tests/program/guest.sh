#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that does everything that daemons do (guest.c) prints the same with and without measuring: with regions of
# libtiptop, under tiptop locks, and under tiptop calls. GUEST_RUNS: the number of runs, by default 5. Root also tries it
# with a private small /dev/shm.
if [ "$(id -u)" -eq 0 ] && [ ! "${GUEST_SMALL:-}" ] && unshare -m mount -t tmpfs none /dev/shm 2>/dev/null; then
	GUEST_SMALL=yes exec unshare -m "$0"
fi
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ ! "${GUEST_SMALL:-}" ] || mount -t tmpfs -o size=4m none /dev/shm || exit
small=${GUEST_SMALL:-no}
library=${builddir:?}/libtiptop.so.0
runs=${GUEST_RUNS:-5}
unset XDG_RUNTIME_DIR

gcc -std=gnu11 -D_GNU_SOURCE -O1 -DREGIONS -I "${srcdir:?}/include" "$srcdir/tests/program/guest.c" -o "$dir/guest-regions" "$library" \
	-Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err" &&
	gcc -std=gnu11 -D_GNU_SOURCE -O1 "$srcdir/tests/program/guest.c" -o "$dir/guest" -pthread >"$out" 2>"$err"
ok "the program is built" $?

# What a shell does before it becomes the program.
before=
start() { sh -c "$before"' exec "$@"' start "$@"; }
plain() { start "$program" "$@"; }
regions() {
	TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=../report start "$program" "$@"
}
# Where a process could not have a table, tiptop has said so, and its status is 1.
measured() {
	"$tiptop" "$how" --children -e page-faults -o "$dir/report" -- sh -c "$before"' exec "$@"' start "$program" "$@"
	set -- $?
	[ "$1" -eq 1 ] && grep -q 'was not begun' "$err" || return "$1"
}
locks() { measured "$@"; }
calls() { measured "$@"; }

# says HOW STEP...: what the program says then, in an empty folder.
says() {
	how=$1
	shift
	rm -rf "$dir/own"
	mkdir -m 777 "$dir/own"
	(cd "$dir/own" && "$how" "$dir/own" "$@") 2>"$err"
	echo "status $?"
}

# same HOW NAME STEP...: measured, it says the same as without, in each run.
same() {
	same_how=$1 same_name=$2
	shift 2
	program=$dir/guest
	[ "$same_how" != regions ] || program=$dir/guest-regions
	says plain "$@" >"$dir/want"
	same_bad=0 same_run=0
	while [ "$same_run" -lt "$runs" ]; do
		says "$same_how" "$@" >"$out"
		cmp -s "$dir/want" "$out" || {
			same_bad=$((same_bad + 1))
			diff "$dir/want" "$out" | sed 's/^/# /' | head -n 8
		}
		same_run=$((same_run + 1))
	done
	is "$same_how: $same_name: it says the same, $runs times" "$same_bad" 0
}

for how in regions locks calls; do
	same $how "closes all descriptors" close
	same $how "writes over its environment" title
	same $how "sets limits" limits
	same $how "goes into the background" fork fork
	before='ulimit -f 600; ulimit -v 1000000; ulimit -l 0; ulimit -n 1040;'
	same $how "has limits from the start"
	before='ulimit -f 600; ulimit -n 20;'
	same $how "may hardly open a file" fork
	before='exec 2>&-;'
	same $how "has no standard error" fork
	same $how "all of it" close title folder fork limits fork
	before=
	if [ "$(id -u)" -eq 0 ]; then
		same $how "another root and user" close title root user fork limits fork close
	else
		skip "$how: another root and user" "only root may"
	fi
done

# --- the report of regions ---

program=$dir/guest-regions
rm -f "$dir/report"
says regions title folder close fork >"$out"
is "a file in the folder of the start has the reports of both processes" \
	"$(awk '$1 == "work" && NF > 3 { n++ } END { print n }' "$dir/report")" 2
grep -q '^# [0-9]* threads\{0,1\} had a counter of page-faults that the program has closed: ' "$dir/report"
is "the calls of all threads are there" "$(awk '$1 == "work" { n = n < $2 ? $2 : n } END { print n }' "$dir/report")" 500
rm -f "$dir/report"
says regions close >"$out"
grep -q '^# [0-9]* threads\{0,1\} had a counter of page-faults that the program has closed: ' "$dir/report"
ok "which counters the program has closed is said" $?
if [ "$(id -u)" -eq 0 ]; then
	rm -f "$dir/report"
	says regions root user >"$out"
	is "it is written by a process that may not open it any more" "$(grep -c '^work ' "$dir/report")" 1
else
	skip "it is written by a process that may not open it any more" "only root may"
fi
(cd "$dir/home" && TIPTOP_REGIONS='' TIPTOP_REPORT=none/report "$program" "$dir/own") >"$out" 2>"$err"
is "one that is impossible is said at the start" "$(head -n 1 "$err")" \
	"tiptop: the report of regions cannot be written to 'none/report': No such file or directory"
head -c 306000 /dev/zero >"$dir/report"
before='ulimit -f 600;'
says regions >"$out"
is "a report that may not be written ends no program" "$(tail -n 1 "$out")" "status 0"
before=
TIPTOP_REGIONS='' sh -c '"$@" 2>&1 >/dev/null; echo $? >&3' sh "$program" "$dir/own" 3>"$dir/status" | :
is "nor does one that is not read" "$(cat "$dir/status")" 0
program=$dir/guest
before='ulimit -f 600;'
says locks >"$out"
is "why there is no table of locks" "$(sed -n "s/.* '[^']*' was not/was not/p" "$err")" \
	"was not begun: the program may not write a file that large: raise its limit (ulimit -f)"
before='ulimit -v 300000;'
says locks >"$out"
is "or no room for one" "$(sed -n "s/.* '[^']*' was not/was not/p" "$err")" \
	"was not begun: the program may have too little address space: raise its limit (ulimit -v)"
before=

# --- a program that clears its environment before it forks ---

cat >"$dir/clear.c" <<'CODE'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char to[4096], from[4096];

static void run(void)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		strncpy(to, from, (size_t)i);
		pthread_mutex_unlock(&mutex);
	}
}

int main(void)
{
	pid_t pid;

	run();
	clearenv();
	pid = fork();
	if (!pid) {
		run();
		return 0;
	}
	waitpid(pid, NULL, 0);
	return 0;
}
CODE
gcc -std=gnu11 -D_GNU_SOURCE -O0 "$dir/clear.c" -o "$dir/clear" -pthread >"$out" 2>"$err"
for how in locks calls; do
	"$tiptop" $how --children -e page-faults -- "$dir/clear" >"$out" 2>"$err"
	is "$how: events are counted in both processes" "$(grep -c '^#   page-faults\(:\| in user\)' "$out")" 2
done

# --- a plug-in with the archive in it ---

cat >"$dir/plug.c" <<'CODE'
#include <tiptop.h>

TT_REGION(plug, "plug");
void run(void);
void run(void)
{
	TT_BEGIN(plug);
	TT_END(plug);
}
CODE
cat >"$dir/host.c" <<'CODE'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t both;
static void (*run)(void);

static void *thread(void *unused)
{
	run();
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	return unused;
}

int main(int argc, char **argv)
{
	void *library = dlopen(argv[argc - 1], RTLD_NOW);
	pthread_t t;

	*(void **)&run = library ? dlsym(library, "run") : NULL;
	if (!run)
		return 1;
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, thread, NULL);
	pthread_barrier_wait(&both);
	dlclose(library);
	pthread_barrier_wait(&both);
	pthread_join(t, NULL);
	puts("ended");
	return 0;
}
CODE
gcc -std=gnu11 -O1 -I "$srcdir/include" -shared -fPIC "$dir/plug.c" -o "$dir/plug.so" "$builddir/libtiptop.a" -pthread -lm >"$out" 2>"$err" &&
	gcc -std=gnu11 -O1 "$dir/host.c" -o "$dir/host" -pthread -ldl >"$out" 2>"$err" &&
	TIPTOP_REGIONS='' TIPTOP_REPORT=/dev/null "$dir/host" "$dir/plug.so" >"$out" 2>"$err"
is "a plug-in that is closed before a thread ends" "$(cat "$out")" ended

# --- a /dev/shm that is full ---

if [ "$small" = yes ]; then
	head -c 8m /dev/zero >/dev/shm/full 2>"$dir/text"
	for how in regions locks calls; do
		same $how "/dev/shm is full" fork
	done
	program=$dir/guest-regions
	rm -f "$dir/report"
	says regions >"$out"
	grep -q '^# there was no room in a file for all numbers' "$dir/report"
	ok "which is said in the report" $?
	is "that has all calls" "$(awk '$1 == "work" { print $2 }' "$dir/report")" 510
else
	skip "a /dev/shm that is full" "only root can mount one"
fi
finish
