/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/empty_screens.h"

#include <string.h>

#include "screen/bind/counters.h"

/* Whether most of what it would show needs counters; verdicts have reasons without them. */
static bool is_of_counters(const struct screen *screen)
{
	size_t n_counting = 0, n_others = 0;

	for (size_t i = 0; i < screen->n_columns; i++) {
		const bool counts = screen_column_counts(&screen->column[i]);

		n_counting += counts;
		n_others += !counts;
		if (screen_column_is_verdict(&screen->column[i]))
			return false;
	}
	return n_counting > n_others;
}

/* Whether an event of it can be counted without hardware counters. */
static bool has_software(struct setup *s, const struct screen *screen)
{
	const struct offer offer = setup_offer(s, false);
	struct event_set set;
	bool has = false;

	counters_make_set(&set, screen, &offer);
	for (int i = 0; i < set.n; i++)
		has = has || (set.event[i].quality != QUALITY_UNSUPPORTED &&
			      !event_is_hardware(&set.event[i]));
	event_set_done(&set);
	return has;
}

static bool same_id(const struct screen *screen, size_t i, size_t k)
{
	return !strcmp(screen->column[i].id, screen->column[k].id);
}

/* How many columns of a screen have all their counters in a recording, and how many lack one. */
struct share {
	size_t n_full, n_empty;
};

/* Adds the column of an id, of which fit_screen() keeps one. A column that may be left out is not
 * missed. */
static void add_share(struct share *share, const struct screen *screen, size_t first,
		      struct event_set *set, const struct offer *offer)
{
	bool full = false, optional = true;

	for (size_t k = 0; k < screen->n_columns; k++) {
		if (!same_id(screen, first, k))
			continue;
		if (k < first)
			return;
		full = full || counters_have(set, &screen->column[k], offer);
		optional = optional && screen->column[k].optional;
	}
	share->n_full += full;
	share->n_empty += !full && !optional;
}

/* Whether the recording has the numbers of half of the columns that count, at least. One counter
 * that another screen has, too, as the instructions, fills no column that needs others. */
static bool is_recorded(struct setup *s, const struct screen *screen)
{
	const struct offer offer = setup_offer(s, s->view.kernel);
	struct share share = {0, 0};
	struct event_set set;

	counters_make_set(&set, screen, &offer);
	for (size_t i = 0; i < screen->n_columns; i++)
		if (screen_column_counts(&screen->column[i]))
			add_share(&share, screen, i, &set, &offer);
	event_set_done(&set);
	return share.n_full && share.n_full >= share.n_empty;
}

void lacking_find(struct setup *s)
{
	for (size_t i = 0; i < s->screens.n && (s->recording || s->hardware.code); i++) {
		struct screen *screen = s->screens.v[i];

		if (is_of_counters(screen) &&
		    !(s->recording ? is_recorded(s, screen) : has_software(s, screen)))
			screen->lacking = true;
	}
}
