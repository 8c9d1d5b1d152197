/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_screen - makes the screen for the option -e: columns with the counts of the listed events,
 * and with their ratios.
 *
 * The list has names separated by ',', in the syntax of pmu/event/name.h, including alternatives,
 * "A;B". A ',' within '/.../' belongs to the name. The events of a group, "{a,b}", are counted at
 * the same time (counter_decl.join). Modifiers after a group, "{a,b}:u", are added to those of each
 * of its events. The events of a weak group of perf, "{a,b}:W", are counted without a group. Blanks
 * around names are ignored. If an event is listed again, it is the same counter, so it may be in
 * several groups; it has a declaration for each group.
 *
 * The columns are %CPU; the increment of each event; then ratios to the instructions, if these are
 * counted in the same modes: IPC for cycles, and the number per 1000 instructions for any other
 * event of the cores. The header of an event is its name, or the name given by name=. The kind of
 * an event is derived from its name, without a lookup. For alternatives, choose() returns the one
 * that is counted on this machine, whose name becomes the header.
 *
 * Names of more than EVENT_HEADER_MAX characters are cut in the middle, unless two columns would
 * then have the same header.
 */
#ifndef SCREEN_BIND_EVENT_SCREEN_H
#define SCREEN_BIND_EVENT_SCREEN_H

#include "screen/screen.h"

#define EVENT_SCREEN_NAME "events"
#define EVENT_HEADER_MAX  24

/* Returns the alternative of names, "A;B", that is counted on this machine; the caller frees it.
 * NULL: there is not exactly one. */
typedef char *(*event_screen_choose)(void *context, const char *names);

/* Makes the screen, declared but not compiled. It counts as a screen of the user's file, so the key
 * W writes it. Returns -EINVAL for an invalid list; the sentence has the column in the list, from
 * 1, and says what is allowed there. choose NULL: the headers of alternatives name all of them.
 * ignored: receives the parts of the list that have no effect on counts, "period=100003, pp"
 * (pmu/event/perf_name.h); may be NULL. */
int event_screen_new(struct screen **out, const char *list, event_screen_choose choose,
		     void *context, struct strbuf *ignored, struct err *err);

#endif
