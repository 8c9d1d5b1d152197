/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * backoff - the limit and the pause for reading a table of another process again after it changed
 * during the read.
 *
 * Threads that live for 100 us change the table as often as it can be read, and a thread may lose
 * its CPU in the middle of its exit. So the reader pauses for 1 ms between two attempts and makes
 * 100 attempts at most.
 */
#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H

#include <stdbool.h>
#include <time.h>

#define BACKOFF_TRIES 100
#define BACKOFF_NS    1000000

/* Pauses, unless this is the first attempt. tries: the attempts so far. False: give up. */
static inline bool backoff(int tries)
{
	const struct timespec pause = {.tv_nsec = BACKOFF_NS};

	if (tries)
		nanosleep(&pause, NULL);
	return tries < BACKOFF_TRIES;
}

#endif
