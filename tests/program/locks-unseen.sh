#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks reports what it cannot measure, as far as that can be known: programs that make the system call futex(2)
# themselves.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
report=$dir/report

# json [OPTION...] -- COMMAND...: the line about the process is in $head then.
json() {
	"$tiptop" locks --format json -o "$report" "$@" >"$out" 2>"$err"
	status=$?
	head=$(head -n 1 "$report")
}

# of KEY: what the line about the process has there, up to the next key.
of() {
	printf '%s\n' "$head" | sed 's/.*"'"$1"'":\("[^"]*"\|[^,]*\),.*/\1/'
}

# --- system calls through the C library ---
cat >"$dir/caller.c" <<'CODE'
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned word;

__attribute__((noinline)) long wake(void)
{
	return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *wake_often(void *times)
{
	for (int i = 0; i < *(int *)times; i++)
		wake();
	return NULL;
}

/* The arguments come to the kernel, and its answers back. */
static int is_passed_on(void)
{
	errno = 0;
	return syscall(SYS_getpid) == getpid() && syscall(SYS_close, -1) == -1 && errno == EBADF &&
	       syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0) == -1 && errno == EAGAIN;
}

int main(int argc, char **argv)
{
	int times[2] = {100, 200};
	pthread_t thread;

	(void)argv;
	if (argc > 1)
		return 0;
	pthread_create(&thread, NULL, wake_often, &times[0]);
	wake_often(&times[1]);
	pthread_join(thread, NULL);
	return is_passed_on() ? 0 : 1;
}
CODE
if ${CC:-cc} -pthread -rdynamic -o "$dir/caller" "$dir/caller.c" 2>"$err"; then
	json -- "$dir/caller"
	is "a program that calls futex(2) does as without tiptop" "$status" 0
	is "its calls in all threads" "$(of futex_calls)" 301
	matches "and who was the first" "$(of futex_caller)" '"wake\+0x[0-9a-f]+"'
	matches "in the text" "$("$tiptop" locks -- "$dir/caller" | grep 'futex(2)')" \
		"#   calls of futex\(2\) by the program itself, first by wake\+0x[0-9a-f]+, in rows of the kind futex: 301"
	json -- "$dir/caller" none
	is "one that does not" "$(of futex_calls) $(of futex_caller)" "0 null"
	is "has no such line" "$("$tiptop" locks -- "$dir/caller" none | grep -c futex)" 0
	json --children -- sh -c '"$0"; exit 0' "$dir/caller"
	is "a child has its own calls" "$(sed -n 's/.*"futex_calls":\([0-9]*\),.*/\1/p' "$report" | sort -n | tail -n 1)" 301
else
	skip "calls of futex(2)" "there is no compiler"
fi

cat >"$dir/semaphore.cpp" <<'CODE'
#include <chrono>
#include <semaphore>

int main()
{
	std::counting_semaphore<4> empty(0);

	return empty.try_acquire_for(std::chrono::milliseconds(10));
}
CODE
if ${CXX:-c++} -std=c++20 -pthread -rdynamic -o "$dir/semaphore" "$dir/semaphore.cpp" 2>"$err"; then
	json -- "$dir/semaphore"
	[ "$status" -eq 0 ] && [ "$(of futex_calls)" -ge 1 ]
	ok "std::counting_semaphore is told" $?
	matches "as what waits there" "$(of futex_caller)" '".*(wait|main).*"'
else
	skip "std::counting_semaphore" "there is no compiler for C++20"
fi

# --- libraries and languages ---
cat >"$dir/parallel.c" <<'CODE'
#include <signal.h>
#include <stddef.h>

int main(int argc, char **argv)
{
	int n = 0;

	(void)argv;
#pragma omp parallel for reduction(+ : n)
	for (int i = 0; i < 100; i++)
		n++;
	if (argc > 1)
		raise(SIGKILL);
	return n != 100;
}
CODE
gomp='libgomp\.so\.1[.0-9]* is loaded, whose locks and barriers use futex\(2\) themselves, and are not here'
if ${CC:-cc} -fopenmp -o "$dir/parallel" "$dir/parallel.c" 2>"$err" && ldd "$dir/parallel" 2>"$err" | grep -q libgomp; then
	matches "OpenMP is told" "$("$tiptop" locks -- "$dir/parallel" | grep libgomp)" "#   $gomp"
	is "it is not said that no thread waited" "$("$tiptop" locks -- "$dir/parallel" | grep -c 'no thread had to wait')" 0
	json -- "$dir/parallel"
	matches "for programs, too" "$(printf '%s\n' "$head" | sed 's/.*"unseen":\[\([^]]*\)\].*/\1/')" "\"$gomp\""
	"$tiptop" locks --live -b -d 0.2 -- "$dir/parallel" >"$out" 2>"$err"
	matches "and while it runs" "$(grep libgomp "$err")" "tiptop: $gomp"
	is "of one that is killed" "$("$tiptop" locks -- "$dir/parallel" killed 2>"$err" | grep -c libgomp)" 1
else
	skip "OpenMP" "there is no compiler for it, or it has another library"
fi
is "not of one without" "$("$tiptop" locks -- "$work" spin=1 2>"$err" | grep -c 'use futex(2) themselves')" 0
# The mark that Go's linker leaves in a file.
echo 'int main(void) { return 0; }' >"$dir/none.c"
echo '__attribute__((section(".go.buildinfo"))) int mark = 1; int main(void) { return 0; }' >"$dir/go.c"
if ${CC:-cc} -pthread -o "$dir/none" "$dir/none.c" 2>"$err" && ${CC:-cc} -pthread -o "$dir/go" "$dir/go.c" 2>"$err"; then
	"$tiptop" locks -- "$dir/go" >"$report"
	is "a program in Go is told" "$(grep goroutines "$report")" \
		"#   go is in Go: locks of goroutines are not here; go tool pprof shows them from a mutex profile"
	is "it is not said that none waited" "$(grep -c 'no thread had to wait' "$report")" 0
	is "but of another program it is said" "$("$tiptop" locks -- "$dir/none" | grep -c 'no thread had to wait')" 1
else
	skip "a program in Go" "there is no compiler"
fi
cat >"$dir/rust.rs" <<'CODE'
fn main() {
    let m = std::sync::Mutex::new(0);
    *m.lock().unwrap() += 1;
}
CODE
if command -v rustc >"$out" && (cd "$dir" && rustc -o "$dir/rust" rust.rs) 2>"$err" >"$out" && grep -q 'rustc version' "$dir/rust"; then
	is "a program in Rust is told" "$("$tiptop" locks -- "$dir/rust" | grep futex)" \
		"#   rust is in Rust, whose locks are here only as futexes, and only when a thread waits"
else
	skip "a program in Rust" "none can be made"
fi
finish
