/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads - four threads that execute known numbers of instructions, for counters attached while
 * the program waits.
 *
 *   threads late N    for the first byte on standard input, starts the threads, each of which takes
 *                     N turns of a loop of 2 instructions, joins them and waits
 *   threads early N   starts the threads at once; for the first byte they take N, 2N, 3N and 4N
 *                     turns, then wait, too
 *
 * The next byte, or the end of the input, ends the program. The threads are named spin1 to spin4.
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_THREADS 4

struct spinner {
	pthread_t thread;
	pthread_barrier_t *barrier; /* NULL: starts and ends without the others */
	unsigned long turns;
};

static void spin(unsigned long turns)
{
	asm volatile("1:	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r"(turns)
		     :
		     : "cc");
}

static void *spinner_main(void *argument)
{
	struct spinner *s = argument;

	if (s->barrier)
		pthread_barrier_wait(s->barrier);
	spin(s->turns);
	if (s->barrier)
		pthread_barrier_wait(s->barrier);
	return NULL;
}

static void spinners_start(struct spinner s[N_THREADS])
{
	for (int i = 0; i < N_THREADS; i++) {
		char name[16];

		if (pthread_create(&s[i].thread, NULL, spinner_main, &s[i]))
			errx(1, "a thread cannot be started");
		snprintf(name, sizeof name, "spin%d", i + 1);
		pthread_setname_np(s[i].thread, name);
	}
}

static void spinners_join(struct spinner s[N_THREADS])
{
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(s[i].thread, NULL);
}

static void input_await(void)
{
	char byte;

	if (read(0, &byte, 1) < 0)
		err(1, "standard input");
}

static void run_late(unsigned long turns)
{
	struct spinner s[N_THREADS] = {0};

	for (int i = 0; i < N_THREADS; i++)
		s[i].turns = turns;
	input_await();
	spinners_start(s);
	spinners_join(s);
	input_await();
}

static void run_early(unsigned long turns)
{
	struct spinner s[N_THREADS] = {0};
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
	for (int i = 0; i < N_THREADS; i++) {
		s[i].turns = turns * (i + 1);
		s[i].barrier = &barrier;
	}
	spinners_start(s);
	input_await();
	pthread_barrier_wait(&barrier);
	input_await();
	pthread_barrier_wait(&barrier);
	spinners_join(s);
}

int main(int argc, char **argv)
{
	unsigned long turns = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (turns && !strcmp(argv[1], "late"))
		run_late(turns);
	else if (turns && !strcmp(argv[1], "early"))
		run_early(turns);
	else
		errx(1, "usage: threads late|early N");
	return 0;
}
