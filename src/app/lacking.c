/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/lacking.h"

#include "bind/counters.h"

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

/* Whether an event of it has numbers in the recording. */
static bool is_recorded(struct setup *s, const struct screen *screen)
{
	const struct offer offer = setup_offer(s, s->view.kernel);
	struct event_set set;
	bool has = false;

	counters_make_set(&set, screen, &offer);
	for (int i = 0; i < set.n; i++)
		has = has ||
		      (set.event[i].quality == QUALITY_EXACT && offer.ops->has(&offer, &set, i));
	event_set_done(&set);
	return has;
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
