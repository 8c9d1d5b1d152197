/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters - from the counters that a screen declares, as texts, to the events that
 * the kernel opens.
 *
 * The declarations of an alias that are for this CPU, and in each of them the names of its event
 * attribute ("NAME; NAME"), are alternatives, in their order. The first one that this machine knows
 * and can open is taken; of those that it knows, the last one is taken unseen, so that opening it
 * later tells why it cannot be counted. On a hybrid machine this is done for each kind of cores:
 * what they take may be of different names.
 */
#ifndef SCREEN_BIND_COUNTERS_H
#define SCREEN_BIND_COUNTERS_H

#include "screen/bind/offer.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* Reports, with screen and alias: each counter whose type, config or event nobody could read,
 * -EINVAL or -ERANGE; each event that is not known here, if its alias has no other declaration
 * that is, and the table does not know it for other CPUs, -ENOENT. */
void counters_check(const struct screen *screen, const struct offer *offer, screen_report report,
		    void *context);

/* Whether this machine knows some name of an event attribute; else the sentence says why it knows
 * none. -EINVAL for what is wrong on any machine. */
int counters_check_event(const char *event, const struct offer *offer, struct err *err);

/* The same of all events of a screen that a list of names was made to (event_screen.h), up to the
 * first that is not known here: the sentence then says where those are listed that are. */
int counters_check_events(const struct screen *screen, const struct offer *offer, struct err *err);

/* Returns the name of an event attribute that is taken here; the caller frees it. NULL where there
 * is none, or where kinds of cores take several. */
char *counters_choice(const char *event, const struct offer *offer);

/* Makes the set: a counter for each alias of the compiled screen, with an event for each kind of
 * cores. Where no declaration fits, that event has QUALITY_UNSUPPORTED and is never opened.
 * Counters of one column are wanted together, and so are those that their declarations join. */
void counters_make_set(struct event_set *set, const struct screen *screen,
		       const struct offer *offer);

/* What the counters of such a set are, for the binding. */
void counters_describe(struct screen_numbers *out, const struct event_set *set);

/* Whether a declaration for the alias is known on a kind of cores of this machine, by the names of
 * its events: numbers and generic events are known without a look at sysfs and libpfm4, which is
 * what takes time. Nothing is opened. */
bool counters_know_alias(const struct screen *screen, const char *alias, const struct offer *offer);

/* Whether this machine has all events that the column needs. An event that is refused for another
 * reason than its absence counts as one that the machine has, so that a column does not come and go
 * with permissions. */
bool counters_available(struct event_set *set, const struct column *column,
			const struct offer *offer);

/* Whether each counter of the column has a declaration that fits the CPU of the set, for one kind
 * of cores at least. */
bool counters_known(const struct event_set *set, const struct column *column);

#endif
