/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futexes ROUNDS - two threads wake each other as often as that, by futex(2) alone. Reads a line of
 * standard input first, while the second thread waits. Prints how many of its waits a wake has
 * ended, and how many wakes the first thread has called.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int orders, answers;
static int rounds;
static atomic_long woken, wakes;

static void wait_for(atomic_int *word, int old)
{
	while (atomic_load(word) == old)
		if (!syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0))
			woken += word == &orders;
}

static void tell(atomic_int *word)
{
	atomic_fetch_add(word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
	wakes += word == &orders;
}

static void *serve(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		wait_for(&orders, i);
		tell(&answers);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char line[16];

	rounds = argc > 1 ? atoi(argv[1]) : 0;
	pthread_create(&thread, NULL, serve, NULL);
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (int i = 0; i < rounds; i++) {
		tell(&orders);
		wait_for(&answers, i);
	}
	pthread_join(thread, NULL);
	printf("%ld %ld\n", woken, wakes);
	return 0;
}
