/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * event_note - an event in the table of a process: its name, and how its threads read it.
 */
#ifndef INJECT_PRELOAD_EVENT_NOTE_H
#define INJECT_PRELOAD_EVENT_NOTE_H

#include <stdint.h>

#include "inject/lib/container.h"

#define EVENT_NOTES_MAX     8
#define EVENT_NOTE_NAME_MAX 48

/* How a thread reads an event. */
enum event_reading { EVENT_BY_USER, EVENT_BY_CALL, EVENT_REFUSED, EVENT_READINGS };

struct event_note {
	char name[EVENT_NOTE_NAME_MAX];
	uint32_t n_threads[EVENT_READINGS]; /* that read it so: in user space, by read(2), not */
	uint32_t error;                     /* why the last one of these does not: an errno */
	uint64_t overhead;                  /* what is counted in measuring nothing */
	uint32_t all_modes; /* threads that count it in all modes, as its PMU can leave none out */
	uint32_t padding;
};

/* The columns of a section of them. */
#define EVENT_NOTE_COLUMNS                                                                         \
	CONTAINER_FIELD(TEXT, event_note, name), CONTAINER_FIELD(U32, event_note, n_threads),      \
		CONTAINER_FIELD(U32, event_note, error),                                           \
		CONTAINER_FIELD(U64, event_note, overhead),                                        \
		CONTAINER_FIELD(U32, event_note, all_modes)

/* Behind the event in the reports, where all_modes is not 0. */
#define EVENT_NOTE_ALL_MODES "in all modes, in the kernel, too: the PMU can leave none out"

/* What may have happened to an event that was counted and is not known any more: a thread does not
 * write down which of these it was. */
#define EVENT_NOTE_LOST                                                                            \
	"the kernel has multiplexed it, or no longer lets user space read it, or the program has " \
	"closed its descriptor"

/* Why threads do not count it, as a sentence goes on; NULL: all do. */
const char *event_note_reason(const struct event_note *e);

#endif
