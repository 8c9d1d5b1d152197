/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_screen - makes the screen for -e: the counts of some events, and their ratios.
 *
 * The list: names separated by ',', in the syntax of pmu/event/name.h, including "A;B". A ','
 * within '/.../' belongs to the name. The events of "{a,b}" are counted at the same time
 * (counter_decl.join); modifiers after it, "{a,b}:u", apply to each event, besides its own. The
 * events of perf's weak groups, "{a,b}:W", are counted without a group. Blanks around names are
 * ignored. An event that is named again is the same counter; so it may be in several groups, with a
 * declaration for each.
 *
 * Columns: %CPU; for each event its increment, with its name, or that of name=, as header; then the
 * ratios to the instructions that are counted in the same modes: IPC if cycles are counted, and for
 * each other event of the cores its number per 1000 instructions. The kind of an event follows from
 * its name alone: it has not been looked up yet. Only for alternatives, the caller is asked which
 * one is counted here: its name is the header.
 *
 * Names of more than EVENT_HEADER_MAX characters are cut in the middle, unless two columns would
 * then have the same header.
 */
#ifndef SCREEN_BIND_EVENT_SCREEN_H
#define SCREEN_BIND_EVENT_SCREEN_H

#include "screen/screen.h"

#define EVENT_SCREEN_NAME "events"
#define EVENT_HEADER_MAX  24

/* Returns the alternative in "A;B" that is counted here, which the caller frees; NULL: there is not
 * exactly one. */
typedef char *(*event_screen_choose)(void *context, const char *names);

/* Makes the screen, declared but not compiled, as a screen of the user: the key W writes it.
 * Returns -EINVAL for an invalid list; the sentence has the column, counted from 1, and what is
 * allowed there. choose NULL: alternatives stay as they are. ignored: gets the parts without an
 * effect on counts, as in pmu/event/spelling.h, "period=100003, pp"; NULL: not wanted. */
int event_screen_new(struct screen **out, const char *list, event_screen_choose choose,
		     void *context, struct strbuf *ignored, struct err *err);

#endif
