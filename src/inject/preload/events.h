/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * events - what a thread counts beside the time, by the readings of libtiptop
 * (inject/lib/counters.h).
 *
 * tiptop has looked the events up, and hands over what the kernel is asked for, in the environment:
 * EVENTS_VARIABLE has, for each part of an event (its kind of cores), numbers and a name,
 *
 *     EVENT,TYPE,CONFIG,CONFIG1,CONFIG2,FLAGS,CORE,NAME;
 *
 * in hexadecimal. So nothing is looked up here, and no memory is asked for.
 *
 * Where all events can be read in user space, no descriptor stays open that the program could
 * close. Else those that have to be read by read(2) are in the upper half of what the process may
 * open: the lower half is the program's. A thread for which there is none left has no counts.
 */
#ifndef INJECT_PRELOAD_EVENTS_H
#define INJECT_PRELOAD_EVENTS_H

#include "inject/lib/counters.h"
#include "inject/preload/event_note.h"
#include "inject/preload/process.h"

#define EVENTS_VARIABLE "TIPTOP_EVENTS"
#define EVENTS_NAME_MAX EVENT_NOTE_NAME_MAX

/* FLAGS. */
enum {
	EVENTS_OWN_MODES = 1,
	EVENTS_NO_USER = 2,
	EVENTS_NO_KERNEL = 4,
	EVENTS_NO_HV = 8,
	EVENTS_ALL_MODES = 16,
	EVENTS_GUEST_TOO = 32,
	EVENTS_NO_HOST = 64,
	EVENTS_LACKING = 128, /* this machine has no such event */
};

/* One reading of all: the time, and what each event has counted, where its bit in `unknown` is 0.
 */
struct moment {
	uint64_t ticks;
	uint64_t count[TT_MAX_EVENTS];
	uint32_t unknown;
};

/* What one thread has open. */
struct events {
	struct tt tt;
};

/* Reads what is asked for: once, before a thread begins; a child has what its parent has read, as a
 * program may clear its environment before it forks. Under the guard. with_clock: the task
 * clock is read by that of libtiptop (inject/lib/clock.h), which calls functions of the C library;
 * else by a system call alone. */
void events_begin(bool with_clock);
/* How many there are. */
int events_n(void);
/* Sets their names. */
void events_name(struct event_note note[]);

/* Opens them on the calling thread, which has this number, from 0 on. Under the guard. */
void events_open(struct events *e, uint32_t thread);
/* Adds to the notes how they are read. Their bits in the result are 1 where they are not. */
uint32_t events_note(const struct events *e, struct event_note note[]);
/* By the thread that has opened them; under the guard. */
void events_close(struct events *e, uint32_t thread);
/* In a child: what its parent has open is not the child's. Under the guard. */
void events_forget(void);

void events_read(struct events *e, struct moment *m);

/* Reads the clock last, for what is about to begin; e: NULL where nothing is counted. */
static inline void events_read_before(struct events *e, struct moment *m)
{
	if (__builtin_expect(e != NULL, 0))
		events_read(e, m);
	m->ticks = process_ticks();
}

/* And first, for what has just ended. */
static inline void events_read_after(struct events *e, struct moment *m)
{
	m->ticks = process_ticks();
	if (__builtin_expect(e != NULL, 0))
		events_read(e, m);
}

#endif
