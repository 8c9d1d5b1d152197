/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table_note - what tables of locks and of library calls have in common: the record of an event,
 * with its name and how the threads read it; and sentences about events that are not counted and
 * about an early end of measuring. tiptop writes the sentences, not the preloaded objects.
 */
#ifndef INJECT_PRELOAD_TABLE_NOTE_H
#define INJECT_PRELOAD_TABLE_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "inject/lib/container.h"

#define EVENT_NOTES_MAX     8
#define EVENT_NOTE_NAME_MAX 48

/* How a thread reads an event: in user space, by read(2), or not at all. */
enum event_reading { EVENT_BY_USER, EVENT_BY_CALL, EVENT_REFUSED, EVENT_READINGS };

struct event_note {
	char name[EVENT_NOTE_NAME_MAX];
	uint32_t n_threads[EVENT_READINGS]; /* how many threads read it in each way */
	uint32_t error;     /* errno of the last thread that cannot read the event */
	uint64_t overhead;  /* the count of an empty measurement */
	uint32_t all_modes; /* threads that count the event in all modes, as its PMU cannot exclude
			       any */
	uint32_t padding;
};

/* The columns of a section of event notes. */
#define EVENT_NOTE_COLUMNS                                                                         \
	CONTAINER_FIELD(TEXT, event_note, name), CONTAINER_FIELD(U32, event_note, n_threads),      \
		CONTAINER_FIELD(U32, event_note, error),                                           \
		CONTAINER_FIELD(U64, event_note, overhead),                                        \
		CONTAINER_FIELD(U32, event_note, all_modes)

/* The text that follows the event's name in reports if all_modes is not 0. */
#define EVENT_NOTE_ALL_MODES "in all modes, in the kernel, too: the PMU can leave none out"

/* The possible reasons why an event that was counted has become unknown: threads do not record
 * which one applies. */
#define EVENT_NOTE_LOST                                                                            \
	"the kernel has multiplexed it, or no longer lets user space read it, or the program has " \
	"closed its descriptor"

/* Returns why threads do not count the event, as the end of a sentence; NULL: all threads count it.
 */
const char *event_note_reason(const struct event_note *e);
/* Returns the id of that reason in JSON (doc/locks.md); NULL: all threads count it. */
const char *event_note_reason_id(const struct event_note *e);

/* ---- an early end ----
 *
 * Sentences about an early end of measuring, made from fields of the header of a table of locks or
 * of library calls.
 */

/* Sets `out` to a sentence: measuring stopped `ticks` after its start, as a filter forbids the
 * system call `lacking` (seccomp_filter.h). If measuring did not stop, returns false and leaves
 * `out` empty. */
bool header_set_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick);
/* Adds a line to a report: measuring stopped `ns` after its start, as a filter forbids the system
 * call `lacking` (seccomp_filter.h). Adds nothing if measuring did not stop. */
void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns);

#endif
