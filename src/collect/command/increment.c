/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/increment.h"

struct value count_increment(const struct event_set *set, int counter, const struct count *now,
			     const struct count *last, uint64_t unread)
{
	uint64_t count = 0, running = 0, enabled = 0, seen = 0;

	for (int i = 0; i < set->plan.n; i++) {
		const struct event_member *m = &set->plan.member[i];

		if (set->event[m->event].counter != counter || m->group == EVENT_NO_GROUP ||
		    seen & 1ull << m->event)
			continue;
		if (unread & 1ull << i)
			return value_none(QUALITY_NOT_READ);
		seen |= 1ull << m->event;
		count += now[i].value - last[i].value;
		running += now[i].running_ns - last[i].running_ns;
		if (now[i].enabled_ns - last[i].enabled_ns > enabled)
			enabled = now[i].enabled_ns - last[i].enabled_ns;
	}
	if (!seen)
		return value_none(QUALITY_UNSUPPORTED);
	if (enabled && !running)
		return value_none(QUALITY_NOT_SCHEDULED);
	if (running >= enabled)
		return value_count(count);
	return (struct value){
		.number = (double)count * (double)enabled / (double)running,
		.share = (float)((double)running / (double)enabled),
		.quality = QUALITY_SCALED,
	};
}

void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out)
{
	for (int i = 0; i < n; i++) {
		if (unknown & 1ull << i) {
			out[i] = value_none(QUALITY_NOT_READ);
			continue;
		}
		/* Sums of times may fall a little between two reads. */
		out[i] = value_count(now[i] > last[i].value ? now[i] - last[i].value : 0);
		last[i].value = now[i];
	}
}
