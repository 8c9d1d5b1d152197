/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preloading_events - the events that --events names, as the object inside of a program takes them
 * (inject/preload/events.h): numbers, as nothing is looked up there.
 *
 * They count in user mode, unless a modifier says otherwise.
 */
#ifndef RUN_PRELOADING_EVENTS_H
#define RUN_PRELOADING_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "inject/preload/event_note.h"

/* ---- filter trial ----
 *
 * Finds out whether the filter of system calls under which tiptop runs, as in a
 * container, allows what a preloaded object does in a command: a child makes these calls, with
 * arguments by which they do nothing. It may be ended by one of them; the command is not.
 */

/* Returns the number of a call that is not allowed (inject/preload/seccomp_calls.h); 0: all are, or
 * there is no filter. needs: enum seccomp_needs. */
uint32_t filter_trial_find_lacking(unsigned needs);

/* ---- preloading events ---- */

/* Appends those of the list. What is no event on any machine is an error; an event that this
 * machine lacks is handed over as such. modes: each one twice, in user mode and in the kernel; an
 * event that does not know them is an error. note: NULL, or why one counts in all modes (code 0:
 * none does). */
int preloading_events_add(struct strbuf *out, const char *list, bool modes, struct err *note,
			  struct err *err);

/* Says on standard error what of the list changes no count, if there is something. */
void preloading_events_print_ignored(const char *list);
/* Names those that preloading_events_add() has appended, as the object does. Returns how many they
 * are. */
uint32_t preloading_events_name(const char *text, struct event_note note[EVENT_NOTES_MAX]);

/* The same list as the rows of programs that run have it, for screens: each one in user mode and in
 * the kernel, where modes; else in each phase of a lock. The caller frees it. */
char *preloading_events_of_rows(const char *list, bool modes);

#endif
