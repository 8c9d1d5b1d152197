/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preloading_events - the events of --events in the format that a preloaded object reads
 * (inject/preload/events.h): as numbers, since the object looks up no names.
 *
 * The events count in user mode, unless a modifier says otherwise.
 */
#ifndef RUN_PRELOADING_EVENTS_H
#define RUN_PRELOADING_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "inject/preload/table_note.h"

/* ---- filter trial ----
 *
 * Finds out whether the system-call filters that tiptop runs under, as in a container, allow the
 * calls of a preloaded object: a child makes these calls, with arguments that have no effect. A
 * filter may kill the child; the command is not at risk.
 */

/* Returns the number of a call that is not allowed (inject/preload/seccomp_filter.h); 0: all are,
 * or there is no filter. needs: enum seccomp_needs. */
uint32_t filter_trial_find_lacking(unsigned needs);

/* ---- preloading events ---- */

/* Appends the events of the list. A name that is not an event on any machine is an error; an event
 * that this machine lacks is passed on as lacking. modes: add each event twice, for user mode and
 * for the kernel; an event that cannot be counted by mode is an error. note: gets the reason why an
 * event counts in all modes (code 0: none does); may be NULL. Returns 0, or -errno with a
 * sentence. */
int preloading_events_add(struct strbuf *out, const char *list, bool modes, struct err *note,
			  struct err *err);

/* Prints to standard error which parts of the list have no effect on counts, if there are any. */
void preloading_events_print_ignored(const char *list);
/* Sets the names in note[] to those in a text made by preloading_events_add(), by the number of the
 * event, as events_name() of the preloaded object does in its table. Returns the number of
 * events. */
uint32_t preloading_events_name(const char *text, struct event_note note[EVENT_NOTES_MAX]);

/* Returns a list of the names that these events have in rows of running programs, for screens. With
 * `modes`, an event has a name for user mode and one for the kernel, else one for each phase of a
 * lock. The caller frees the list. */
char *preloading_events_of_rows(const char *list, bool modes);

#endif
