/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * backoff - limits how often, and how fast, the reader of another process's table repeats a read
 * during which the table changed.
 *
 * Threads that live for only 100 us can change the table during every read, and a thread may be
 * preempted in the middle of its exit. So the reader pauses for 1 ms between two attempts and makes
 * at most 100 attempts.
 */
#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H

#include <stdbool.h>
#include <time.h>

#define BACKOFF_TRIES 100
#define BACKOFF_NS    1000000

/* Pauses before each attempt but the first. tries: the number of attempts so far. Returns false if
 * no further attempt is to be made. */
static inline bool backoff(int tries)
{
	const struct timespec pause = {.tv_nsec = BACKOFF_NS};

	if (tries)
		nanosleep(&pause, NULL);
	return tries < BACKOFF_TRIES;
}

#endif
