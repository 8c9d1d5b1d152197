/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/tables/events.h"

#include "event/describe.h"
#include "event/name.h"
#include "event/tell.h"

/* A part for each kind of cores. */
static void add_event(struct event_set *set, const struct tables_event *from,
		      const struct machine *m)
{
	for (int core = 0; core < machine_kinds(m); core++) {
		struct event *e =
			core ? event_set_add_part(set, from->name) : event_set_add(set, from->name);

		if (!e)
			return;
		e->quality = QUALITY_EXACT;
		if (event_name_resolve(e, m, core, from->name, NULL))
			e->quality = QUALITY_UNSUPPORTED;
		else if (from->quality != QUALITY_EXACT)
			e->quality = (uint8_t)from->quality;
		if (e->quality == QUALITY_EXACT && e->core == EVENT_NO_CORE)
			break;
	}
}

struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n)
{
	struct sample_event told[EVENT_SET_MAX];
	struct sample_events *events;
	struct event_set set;

	event_set_init(&set);
	for (size_t i = 0; i < n; i++)
		add_event(&set, &v[i], m);
	event_set_describe(&set, m);
	for (int i = 0; i < set.n; i++) {
		told[i] = event_tell(&set, i);
		told[i].group = 0;
		if (i && set.event[i].counter == set.event[i - 1].counter)
			told[i].part_of = told[i - 1].part_of ? told[i - 1].part_of : (uint16_t)i;
	}
	events = sample_events_new(told, set.n);
	event_set_done(&set);
	return events;
}
