/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters - finds the events for the counters that a screen declares, and drops the columns that
 * this machine cannot show.
 *
 * An alias may have several declarations for this CPU, and the event attribute of each may have
 * several names ("NAME; NAME"). All of these are alternatives, in order. The first alternative that
 * this machine knows and can open is selected. The last one that it knows is selected even if it
 * cannot be opened, so that opening it later yields the reason why it cannot be counted. On a
 * hybrid machine each kind of cores gets its own selection.
 */
#ifndef SCREEN_BIND_COUNTERS_H
#define SCREEN_BIND_COUNTERS_H

#include "screen/bind/offer.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* Reports invalid counters, in sentences that name screen and alias. EINVAL or ERANGE: its type,
 * config or event is invalid on any machine. ENOENT: this machine does not know its event; not
 * reported if the declaration is for other CPUs, if another declaration of its alias is known here,
 * or if the event table has the event for other CPUs. */
void counters_check(const struct screen *screen, const struct offer *offer, screen_report report,
		    void *context);

/* Returns 0 if this machine knows one of the names in an event attribute; -EINVAL if one is invalid
 * on any machine; else -ENOENT. The sentence has the reason. */
int counters_check_event(const char *event, const struct offer *offer, struct err *err);

/* Checks the events of a screen that was made from a list of names (event_screen.h). Returns the
 * error of the first that fails; if it is unknown, the sentence says how to list known events. */
int counters_check_events(const struct screen *screen, const struct offer *offer, struct err *err);

/* Returns which name in an event attribute is selected on this machine; the caller frees it. NULL:
 * none is known, or the kinds of cores select different names. */
char *counters_choice(const char *event, const struct offer *offer);

/* Makes the event set of a compiled screen: a counter for each alias, with an event for each kind
 * of cores. If no declaration fits, the event has QUALITY_UNSUPPORTED and is never opened. One
 * group is requested for the counters of each column, and for counters that have the same
 * counter_decl.join. */
void counters_make_set(struct event_set *set, const struct screen *screen,
		       const struct offer *offer);

/* Describes the counters of a set that counters_make_set() made, for the binding. */
void counters_describe(struct screen_numbers *out, const struct event_set *set);

/* Returns whether a column uses the screen's alias with this index, which is also the index of its
 * counter in the set. No column does if all that used it were dropped. */
bool counters_are_shown(const struct screen *screen, int alias);

/* Returns whether this machine has all counters of the column. If the kernel refuses an event for
 * a reason other than its absence, the event counts as present, so that the columns do not depend
 * on permissions. */
bool counters_available(struct event_set *set, const struct column *column,
			const struct offer *offer);

/* Returns whether the set has a known event for each counter of the column, on at least one kind of
 * cores. Opens nothing. */
bool counters_known(const struct event_set *set, const struct column *column);

/* ---- fit ----
 *
 * Reduces a screen that is declared for many CPUs to the columns that this machine can show.
 *
 * Columns that share an id show the same on different CPUs. Of these, the first one whose events
 * this machine knows is kept, and the others are dropped; it becomes optional only if all of them
 * are. Then an optional column is dropped if the machine lacks one of its counters, or if it
 * compares kinds of cores and the machine has only one kind. A counter that the kernel refuses for
 * a reason other than absence counts as present, so that columns do not depend on permissions.
 */

/* Returns whether the compiled screen is for this CPU: the CPU has the events of each column that
 * is not optional; of columns with the same id, those of one are enough. Always true for a user's
 * screen without "needs". Looks up the names of events, but opens none, since it is called for all
 * screens at the start. */
bool fit_may_show(const struct screen *screen, const struct offer *offer);

/* Returns whether the compiled column compares kinds of cores, so that it is only useful on a
 * hybrid machine. */
bool fit_tells_cores_apart(const struct column *column);

/* Drops the columns that this machine cannot show, before the screen is shown for the first time;
 * at least one column stays. The screen must be compiled, and for this CPU (fit_may_show()). Later
 * calls do nothing. */
void fit_screen(struct screen *screen, const struct offer *offer);

#endif
