/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_screen - the screen that -e asks for: the raw counts of some events, and their ratios.
 *
 * The list: names with ',' between them, as pmu/event/name.h takes them, "A;B" included. A ','
 * within
 * '/.../' belongs to the name. The events of "{a,b}" are counted at the same time
 * (counter_decl.join); modifiers behind it, "{a,b}:u", are those of each, beside its own. Of
 * perf's weak groups, "{a,b}:W", the events are counted as those without a group. Blanks around
 * names are ignored. An event that is named again is the same counter; so it may be in several
 * groups, and has a declaration for each.
 *
 * Columns: %CPU; for each event its increment, under its name, or what name= calls it; then the
 * ratios to the instructions that are counted in the same modes: IPC where there are cycles, and of
 * each other event of the cores its number per 1000 instructions. What kind of event it is, is told
 * by its name alone: nobody has looked for the event yet. Only of alternatives, the caller is asked
 * which one is counted here: its name heads the column.
 *
 * Names of more than EVENT_HEADER_MAX characters are cut in the middle, unless two columns would
 * then have the same header.
 */
#ifndef SCREEN_BIND_EVENT_SCREEN_H
#define SCREEN_BIND_EVENT_SCREEN_H

#include "screen/screen.h"

#define EVENT_SCREEN_NAME "events"
#define EVENT_HEADER_MAX  24

/* Returns the name of the alternative in "A;B" that is counted here, which the caller frees; NULL:
 * it is not one alone. */
typedef char *(*event_screen_choose)(void *context, const char *names);

/* Makes the screen, declared but not compiled, like one of the user's own: the key W writes it.
 * -EINVAL where the list cannot be read; the sentence has the column, counted from 1, and what is
 * allowed there. choose NULL: alternatives stay as they are. ignored: gets what of it changes no
 * count, as pmu/event/spelling.h has it, "period=100003, pp"; NULL: it is not wanted. */
int event_screen_new(struct screen **out, const char *list, event_screen_choose choose,
		     void *context, struct strbuf *ignored, struct err *err);

#endif
