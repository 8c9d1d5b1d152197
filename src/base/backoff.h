/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * backoff - how often who reads a table of a process reads it again, as it changed meanwhile:
 * threads that live for 100 us change it as often as it can be read, and one may lose its CPU amid
 * its end. So it is left alone for 1 ms between two readings, of which there are 100 at most.
 */
#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H

#include <stdbool.h>
#include <time.h>

#define BACKOFF_TRIES 100
#define BACKOFF_NS    1000000

/* tries: how many readings there were. False: no further one. */
static inline bool backoff(int tries)
{
	const struct timespec pause = {.tv_nsec = BACKOFF_NS};

	if (tries)
		nanosleep(&pause, NULL);
	return tries < BACKOFF_TRIES;
}

#endif
