/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured - a program with a lock that two threads wait for, with calls of the C library, and with
 * a region, for the tests of packages.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiptop.h>
#include <unistd.h>

#define ROUNDS 2000

TT_REGION(work, "work");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

static void *run(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		TT_BEGIN(work);
		pthread_mutex_lock(&lock);
		sum += (unsigned long)i;
		pthread_mutex_unlock(&lock);
		TT_END(work);
	}
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, run, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < ROUNDS; i++)
		if (write(STDERR_FILENO, "", 0))
			return 1;
	printf("%lu\n", sum);
	return 0;
}
