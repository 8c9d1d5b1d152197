/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters - finds the events for the counters that a screen declares.
 *
 * The declarations of an alias that are for this CPU, and in each of them the names of its event
 * attribute ("NAME; NAME"), are alternatives, in order. The first one that this machine knows and
 * can open is selected; the last one that it knows is selected without trying, so that opening it
 * later gives the reason why it cannot be counted. On a hybrid machine this is done for each kind
 * of cores, which may get different names.
 */
#ifndef SCREEN_BIND_COUNTERS_H
#define SCREEN_BIND_COUNTERS_H

#include "screen/bind/offer.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* Reports, with screen and alias: each counter whose type, config or event is invalid, -EINVAL or
 * -ERANGE; each event that is unknown here, -ENOENT, unless its alias has another declaration that
 * is known, or the table knows it for other CPUs. */
void counters_check(const struct screen *screen, const struct offer *offer, screen_report report,
		    void *context);

/* Returns 0 if this machine knows a name of an event attribute; else -errno with the reason.
 * -EINVAL: wrong on any machine. */
int counters_check_event(const char *event, const struct offer *offer, struct err *err);

/* Checks all events of a screen that was made from a list of names (event_screen.h), up to the
 * first unknown one: the sentence then names the list of known events. */
int counters_check_events(const struct screen *screen, const struct offer *offer, struct err *err);

/* Returns the name of an event attribute that is selected here; the caller frees it. NULL: none, or
 * different ones for kinds of cores. */
char *counters_choice(const char *event, const struct offer *offer);

/* Makes the set: a counter for each alias of the compiled screen, with an event for each kind of
 * cores. An event for which no declaration fits has QUALITY_UNSUPPORTED and is never opened.
 * Counters of one column are joined, and so are those that their declarations join. */
void counters_make_set(struct event_set *set, const struct screen *screen,
		       const struct offer *offer);

/* Describes the counters of such a set for the binding. */
void counters_describe(struct screen_numbers *out, const struct event_set *set);

/* Returns whether a declaration of the alias is known on a kind of cores of this machine, by the
 * names of its events. Numbers and generic events need no lookup in sysfs and libpfm4, which would
 * be slow. Opens nothing. */
bool counters_know_alias(const struct screen *screen, const char *alias, const struct offer *offer);

/* Returns whether this machine has all events of the column. An event that is refused for another
 * reason than absence counts as present, so that columns do not depend on permissions. */
bool counters_available(struct event_set *set, const struct column *column,
			const struct offer *offer);

/* Returns whether each counter of the column has a declaration for the CPU of the set, on at least
 * one kind of cores. */
bool counters_known(const struct event_set *set, const struct column *column);

#endif
