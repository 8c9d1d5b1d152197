#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs with the runtime of a sanitizer, shared or static, under tiptop locks and calls: each runs as without tiptop, and
# is counted.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
! grep -q __asan_init "$tiptop" || skip_all "an object that has a sanitizer itself cannot come before another one"
own_tables
own="$dir/own.c"
cat >"$dir/sanitized.c" <<-'C'
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>

	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	static void *work(void *arg)
	{
		for (int i = 0; i < 100; i++) {
			pthread_mutex_lock(&mutex);
			free(malloc(100));
			getppid();
			pthread_mutex_unlock(&mutex);
		}
		return arg;
	}

	int main(int argc, char **argv)
	{
		volatile char *p = malloc(10);
		pthread_t id[2];

		for (int i = 0; i < 2; i++)
			pthread_create(&id[i], NULL, work, argv);
		for (int i = 0; i < 2; i++)
			pthread_join(id[i], NULL);
		puts("done");
		fflush(stdout);
		if (argc > 1)
			p[10] = 1;
		free((void *)p);
		return 7;
	}
C
cat >"$own" <<-'C'
	const char *__asan_default_options(void)
	{
		return "detect_leaks=0";
	}
C

# build OPTION...: $dir/sanitized, by $compiler; where the machine has no such runtime, or it does not work, the reason goes to $lack.
build() {
	lack="$compiler has none"
	$compiler -g "$@" -pthread -o "$dir/sanitized" "$dir/sanitized.c" >"$dir/text" 2>&1 || return
	lack="it does not work here"
	"$dir/sanitized" >"$dir/text" 2>&1
	[ $? -eq 7 ]
}
# counted COMMAND: how often the report has the mutex acquired, and of calls what no sanitizer stands before.
counted() {
	case $1 in
	locks) awk -F, '$2 == "mutex" { n += $8 } END { print n + 0 }' "$dir/report" ;;
	calls) awk -F, '$2 == "call" && ($3 == "getppid" || $3 == "pthread_mutex_lock") { print $3, $5 }' "$dir/report" | sort | tr '\n' ' ' ;;
	esac
}
expected() {
	case $1 in
	locks) echo 200 ;;
	calls) echo "getppid 200 pthread_mutex_lock 200 " ;;
	esac
}

# check NAME
check() {
	for command in locks calls; do
		"$tiptop" $command --format csv -o "$dir/report" -- "$dir/sanitized" >"$out" 2>"$err"
		is "$1: $command: status, output and messages" "$? $(cat "$out" "$err")" "7 done"
		is "$1: $command: what is counted" "$(counted $command)" "$(expected $command)"
	done
}
# Twice, as what begins and ends in a thread depends on when it does.
for compiler in gcc clang; do
	for options in address 'address -static-libasan' thread 'thread -static-libtsan' undefined leak memory; do
		# shellcheck disable=SC2086 # several options
		build -fsanitize=$options || { skip "$compiler: $options" "$lack" && continue; }
		check "$compiler: $options"
		check "$compiler: $options, again"
	done
done

compiler=gcc
build -fsanitize=address || { skip "what the sanitizer of gcc finds" "$lack" && finish; }
"$dir/sanitized" x >"$out" 2>"$err"
status=$?
for command in locks calls; do
	"$tiptop" $command -o "$dir/report" -- "$dir/sanitized" x >"$out" 2>"$err"
	is "$command: an error is found: status" $? $status
	is "$command: an error is found: the report of it" "$(grep -c 'ERROR: AddressSanitizer: heap-buffer-overflow' "$err")" 1
done

# Options of its own come before those of tiptop's object.
build -fsanitize=address "$own" || { skip "options of its own" "$lack" && finish; }
for command in locks calls; do
	"$tiptop" $command --format csv -o "$dir/report" -- "$dir/sanitized" >"$out" 2>"$err"
	is "$command: options of its own: status" $? 1
	matches "$command: options of its own: the remedy" "$(tail -n 1 "$err")" \
		"tiptop: $command: '.*/sanitized' did not load tiptop-$command.so: .*\\(ASAN_OPTIONS=verify_asan_link_order=0 turns that off\\).*"
	ASAN_OPTIONS=verify_asan_link_order=0 "$tiptop" $command --format csv -o "$dir/report" -- "$dir/sanitized" >"$out" 2>"$err"
	is "$command: options of its own: with the remedy" "$? $(cat "$out" "$err") $(counted $command)" "7 done $(expected $command)"
done
finish
