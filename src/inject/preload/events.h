/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * events - the events that a thread counts beside the time, read as libtiptop does
 * (inject/lib/counters.h).
 *
 * tiptop has looked up the events and passes their perf attributes in the environment:
 * EVENTS_VARIABLE has numbers and a name for each part of an event (for a kind of cores),
 *
 *     EVENT,TYPE,CONFIG,CONFIG1,CONFIG2,FLAGS,CORE,NAME;
 *
 * in hexadecimal. So the program itself looks up no event, and no memory is allocated.
 *
 * If a thread can read all its events in user space, their descriptors are closed: the mapped pages
 * keep the events open, and the program cannot close a descriptor by mistake. Otherwise the
 * descriptors are moved to high numbers (inject/lib/descriptor.h). A thread for which no descriptor
 * is free has no counts.
 */
#ifndef INJECT_PRELOAD_EVENTS_H
#define INJECT_PRELOAD_EVENTS_H

#include "inject/lib/counters.h"
#include "inject/preload/process.h"
#include "inject/preload/table_note.h"

#define EVENTS_VARIABLE "TIPTOP_EVENTS"
#define EVENTS_NAME_MAX EVENT_NOTE_NAME_MAX

/* Bits of FLAGS. */
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

/* One reading: the time, and the count of each event. Bit i of `unknown`: count[i] is unknown.
 */
struct moment {
	uint64_t ticks;
	uint64_t count[TT_MAX_EVENTS];
	uint32_t unknown;
};

/* The open events of one thread. */
struct events {
	struct tt tt;
};

/* Reads EVENTS_VARIABLE, once, before the first thread is entered; a child keeps the result, as a
 * program may clear its environment before it forks. Called under the guard. with_clock: true: the
 * task clock is read by inject/lib/clock.h, which calls functions of the C library; false: it is
 * read as a perf event. */
void events_begin(bool with_clock);
/* Returns the number of events. */
int events_n(void);
/* Returns whether inject/lib/clock.h reads the task clock, which may be a system call. */
bool events_has_task_clock(void);
/* Sets the names of the events. */
void events_name(struct event_note note[]);

/* Opens the events on the calling thread, in slot `thread`. Called under the guard. */
void events_open(struct events *e, uint32_t thread);
/* Adds to the notes how this thread reads the events. Returns a bit for each event that it cannot
 * read. */
uint32_t events_note(const struct events *e, struct event_note note[]);
/* Closes the events; called by the thread that opened them, under the guard. */
void events_close(struct events *e, uint32_t thread);
/* In a child: closes the inherited descriptors of the parent's events. Called under the guard. */
void events_forget(void);

/* Reads the counts of all events; does not set m->ticks. If measuring is paused or has stopped, all
 * counts are unknown, as the reading may be a system call. */
void events_read(struct events *e, struct moment *m);

/* Takes a reading right before a measured step, the clock last. e NULL: no events are counted. */
static inline void events_read_before(struct events *e, struct moment *m)
{
	if (__builtin_expect(e != NULL, 0))
		events_read(e, m);
	m->ticks = process_ticks();
}

/* Takes a reading right after a measured step, the clock first. */
static inline void events_read_after(struct events *e, struct moment *m)
{
	m->ticks = process_ticks();
	if (__builtin_expect(e != NULL, 0))
		events_read(e, m);
}

#endif
