#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --live --kernel: rows of calls of futex(2) of a process that runs already, and of a command, with the numbers
# that the program counted, as an ordinary user.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need_tracepoints

# A server waits from the beginning on; for each number on its input, it is woken as often. At the end, the program prints
# how many waits were ended by a wake, and how many were refused as the word had changed.
cat >"$dir/victim.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int orders, answers;
static atomic_long woken, refused, wakes;

static void __attribute__((noinline)) wait_for(atomic_int *word, int old)
{
	while (atomic_load(word) == old) {
		if (!syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0))
			woken += word == &orders;
		else
			refused += word == &orders && errno == EAGAIN;
	}
}

static void __attribute__((noinline)) tell(atomic_int *word)
{
	atomic_fetch_add(word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
	wakes += word == &orders;
}

static void *serve(void *unused)
{
	for (int n = 0; n >= 0; n++) {
		wait_for(&orders, n);
		tell(&answers);
	}
	return unused;
}

int main(void)
{
	char line[32];
	pthread_t thread;
	int n, done = 0;

	setvbuf(stdin, NULL, _IONBF, 0);
	pthread_create(&thread, NULL, serve, NULL);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	while (fgets(line, sizeof line, stdin) && sscanf(line, "%d", &n) == 1) {
		for (; n; n--) {
			tell(&orders);
			wait_for(&answers, done++);
		}
		puts("done");
		fflush(stdout);
	}
	printf("end %ld %ld\n", woken, wakes);
	return 0;
}
END
${CC:-cc} -std=gnu11 -O1 -static -pthread -o "$dir/victim" "$dir/victim.c" 2>"$err" || skip_all "no static program can be linked here"
cat >"$dir/conf" <<'END'
<tiptop><screen name="counts" rows="lock" idle="yes">
<column header="ACQ" format="%8.0f" expr="delta(ACQUISITIONS)" desc="acquisitions"/>
<column header="REL" format="%8.0f" expr="delta(RELEASES)" desc="wakes"/>
<column header="TRYING" format="%8.0f" expr="delta(TRYING_NS)" desc="their time"/>
</screen></tiptop>
END
counts="-W $dir/conf -S counts --format csv --fields timestamp,pid,name,acq,rel,trying"

# watch OPTION...: shows the calls in $own/shown.
watch() {
	rm -f "$own/shown"
	# shellcheck disable=SC2086 # several words
	$as "$tiptop" locks --live --kernel -b -d 0.1 $counts -o "$own/shown" "$@" 2>"$err" 3>&- &
	monitor=$!
}
# sum_of FIELD: of the rows of the server's futex.
sum_of() {
	awk -F, -v k="$1" '$3 == "orders" { n += $k } END { print n + 0 }' "$own/shown" 2>/dev/null
}
# start: the victim, which reads what ask() writes.
start() {
	rm -f "$dir/orders" "$dir/answers"
	mkfifo "$dir/orders"
	$as "$dir/victim" <"$dir/orders" >"$dir/answers" &
	exec 3>"$dir/orders"
	await test -s "$dir/answers"
	victim=$(head -n 1 "$dir/answers")
}
has_rows() {
	grep -q ',orders,' "$own/shown" 2>/dev/null
}
has_woken() {
	[ "$(sum_of 5)" -ge "$1" ]
}

# --- a process that runs ---
start
await grep -q "^[0-9]* 0x" "/proc/$victim/task/$(ls "/proc/$victim/task" | tail -n 1)/syscall"
watch "$victim"
await has_rows
echo 300 >&3
await has_woken 300
is "the time of a wait that had begun before is known from then on" "$(awk -F, '$3 == "orders" && $6 > 0 { print "yes"; exit }' "$own/shown")" yes
echo 200 >&3
exec 3>&-
wait "$monitor"
is "it ends with the process" "$? $(cut -d: -f 1 "$err" | sort -u)" "0 tiptop"
matches "the wait that had begun before is told" "$(cat "$err")" ".* in a call of futex.2. when tiptop attached: .*"
sed -n 's/^end //p' "$dir/answers" >"$dir/want"
read -r woken wakes <"$dir/want"
is "all waits but that one, and all wakes" "$(sum_of 4) $(sum_of 5)" "$((woken - 1)) $wakes"

# --- with what it has created ---
rm -f "$dir/orders" "$dir/answers"
mkfifo "$dir/orders"
# shellcheck disable=SC2016 # the shell that is started expands it
$as sh -c 'echo $$; "$1" & echo 50 | "$1" | grep -v done; read -r again; echo 70 | "$1"; exit 0' sh "$dir/victim" <"$dir/orders" >"$dir/answers" &
shell=$!
exec 3>"$dir/orders"
await grep -q '^end' "$dir/answers"
parent=$(head -n 1 "$dir/answers")
watch --children "$parent"
await test -s "$own/shown"
echo again >&3
exec 3>&-
wait "$shell"
wait "$monitor"
is "processes that begin later are recorded from their beginning" "$? $(sum_of 4) $(sum_of 5)" \
	"0 $(sed -n 's/^end //p' "$dir/answers" | tail -n 1)"

# --- a command ---
printf '90\n' >"$dir/one"
# shellcheck disable=SC2086 # several words
$as "$tiptop" locks --live --kernel -b -d 60 $counts -o "$own/shown" -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
is "a command that ends in the first interval" "$? $(sum_of 4) $(sum_of 5)" "0 $(sed -n 's/^end //p' "$out")"

# --- a process with many threads ---
cat >"$dir/many.c" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *wait_for_end(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}
int main(void)
{
	pthread_t thread;
	char line[16];
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 70; i++)
		pthread_create(&thread, NULL, wait_for_end, NULL);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin))
		for (int i = 0; i < 5; i++)
			syscall(449, NULL, 0, 0, NULL, 0); /* futex_waitv */
	return 0;
}
END
${CC:-cc} -std=gnu11 -static -pthread -o "$dir/many" "$dir/many.c" 2>"$err"
if [ -d /sys/kernel/tracing/events/syscalls/sys_enter_futex_waitv ]; then
	rm -f "$dir/orders" "$dir/answers"
	mkfifo "$dir/orders"
	$as "$dir/many" <"$dir/orders" >"$dir/answers" &
	many=$!
	exec 3>"$dir/orders"
	await test -s "$dir/answers"
	watch "$many"
	await test -s "$own/shown"
	echo again >&3
	exec 3>&-
	wait "$monitor"
	is "the threads wait for one mutex" "$(awk -F, '$3 == "mutex" { if ($6 > most) most = $6 } END { print (most > 0) }' "$own/shown")" 1
	matches "calls that are only counted are told" "$(cat "$err")" ".*tiptop: 5 calls of futex_wait.2., .* are in no row: .*"
else
	skip "the threads wait for one mutex" "there is no tracefs, or no futex_waitv"
	skip "calls that are only counted are told" "there is no tracefs, or no futex_waitv"
fi

# --- in a time namespace: the kernel's records have other times than its clock ---
if unshare -T --monotonic 3600 --fork true 2>"$err"; then
	start
	rm -f "$own/shown"
	unshare -T --monotonic 3600 --fork "$tiptop" locks --live --kernel -b -d 0.1 $counts -o "$dir/shown" "$victim" 2>"$err" 3>&- &
	monitor=$!
	own=$dir
	await has_rows
	echo 100 >&3
	await has_woken 100
	exec 3>&-
	wait "$monitor"
	sed -n 's/^end //p' "$dir/answers" >"$dir/want"
	read -r woken wakes <"$dir/want"
	is "all waits and wakes in a time namespace" "$(sum_of 4) $(sum_of 5)" "$((woken - 1)) $wakes"
	is "for no longer than an interval" "$(awk -F, '$3 == "orders" && $6 > 60e9' "$dir/shown")" ""
else
	skip "all waits and wakes in a time namespace" "none can be made here: $(cat "$err")"
	skip "for no longer than an interval" "none can be made here"
fi

# --- refusals ---
# shellcheck disable=SC2086 # several words
$as "$tiptop" locks --live --kernel -b -n 1 text >"$out" 2>"$err"
matches "a text is no process" "$? $(cat "$err")" "2 tiptop: --kernel: give the number of a process, or a command: .*"
# shellcheck disable=SC2086 # several words
$as "$tiptop" locks --live --kernel -b -n 1 2147483647 >"$out" 2>"$err"
is "no such process" "$? $(cat "$err")" "1 tiptop: --kernel: there is no process 2147483647"
if [ -n "$as" ]; then
	# shellcheck disable=SC2086 # several words
	$as "$tiptop" locks --live --kernel -b -n 1 $$ >"$out" 2>"$err"
	matches "a process of another user" "$? $(cat "$err")" "1 tiptop: .*task $$ .*another user.*"
	LIST_MODE=666
	export LIST_MODE
	# shellcheck disable=SC2086 # several words
	$as "$tiptop" locks --live --kernel -b -n 1 $$ >"$out" 2>"$err"
	matches "a list that others may write" "$? $(cat "$err")" "1 tiptop: --kernel: .*it may be written by a group or by others.*"
else
	skip "a process of another user" "needs root"
	skip "a list that others may write" "needs root"
fi
finish
