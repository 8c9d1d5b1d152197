/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clock - the clocks of the kernel in ns, and times as text; pauses between attempts.
 *
 * CLOCK_MONOTONIC and CLOCK_BOOTTIME give intervals, CLOCK_REALTIME times of day, which may be set
 * back. Texts are in the time zone of the user (TZ).
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/strbuf.h"

/* Reads a clock, in ns. The clocks that tiptop uses exist on every Linux, so this cannot fail. */
uint64_t clock_ns(clockid_t id);
/* Returns the time between two ticks of the scheduler, in ns: the resolution of a clock that moves
 * at ticks only (clock_getres(2)); 0: unknown. */
uint64_t clock_tick_ns(void);
/* Returns the CPU time of a process that has not been reaped, in ns; 0: it cannot be read. */
uint64_t clock_process_ns(pid_t pid);
/* Appends a time of CLOCK_REALTIME as local time in ISO 8601, to the ms:
 * "2026-11-22T05:20:42.123+00:00". */
void clock_add_time(struct strbuf *out, uint64_t wall_ns);
/* Parses a time in the form that clock_add_time() appends into *wall_ns (CLOCK_REALTIME). Returns
 * false if the text has another form or the time is before 1970. */
bool clock_parse_time(const char *text, uint64_t *wall_ns);
/* Appends a time of CLOCK_REALTIME as local date and time for people: "2026-11-22 05:20:42". */
void clock_add_date(struct strbuf *out, uint64_t wall_ns);
/* Appends the local time of day of a time of CLOCK_REALTIME: "05:20:42". */
void clock_add_time_of_day(struct strbuf *out, uint64_t wall_ns);

/* ---- backoff ----
 *
 * Limits how often, and how fast, the reader of another process's table repeats a read during which
 * the table changed.
 *
 * Threads that live for only 100 us can change the table during every read, and a thread may be
 * preempted in the middle of its exit. So the reader pauses for 1 ms between two attempts and makes
 * at most 100 attempts.
 */

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
