/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/table_events.h"

#include <errno.h>
#include <stdlib.h>

#include "pmu/event/describe.h"
#include "pmu/event/name.h"

/* Adds an event with a part for each kind of cores. */
static void add_parts(struct event_set *set, const char *name, enum quality quality,
		      const struct machine *m)
{
	for (int core = 0; core < machine_kinds(m); core++) {
		struct event *e = core ? event_set_add_part(set, name) : event_set_add(set, name);

		if (!e)
			return;
		e->quality = QUALITY_EXACT;
		if (event_name_resolve(e, m, core, name, NULL) || e->absent)
			e->quality = QUALITY_UNSUPPORTED;
		else if (quality != QUALITY_EXACT)
			e->quality = (uint8_t)quality;
		if (e->quality == QUALITY_EXACT && e->core == EVENT_NO_CORE)
			break;
	}
}

struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n)
{
	struct sample_event described[EVENT_SET_MAX];
	struct sample_events *events;
	struct event_set set;

	event_set_init(&set);
	for (size_t i = 0; i < n; i++) {
		char *name = event_name_extend(v[i].name, v[i].mode, v[i].phase);

		add_parts(&set, name, v[i].quality, m);
		free(name);
	}
	event_set_describe(&set, m);
	for (int i = 0; i < set.n; i++) {
		described[i] = event_to_sample(&set, i);
		described[i].group = 0;
		if (i && set.event[i].counter == set.event[i - 1].counter)
			described[i].part_of =
				described[i - 1].part_of ? described[i - 1].part_of : (uint16_t)i;
	}
	events = sample_events_new(described, set.n);
	event_set_done(&set);
	return events;
}

enum quality tables_event_quality(const struct event_note *note)
{
	if (!note->n_threads[EVENT_REFUSED] || note->n_threads[EVENT_BY_USER] ||
	    note->n_threads[EVENT_BY_CALL])
		return QUALITY_EXACT;
	return note->error == EACCES || note->error == EPERM ? QUALITY_DENIED : QUALITY_UNSUPPORTED;
}

/* The first part of an event has the whole count. */
void tables_set_counts(struct task *t, const uint64_t count[], uint64_t unread, uint64_t ns)
{
	uint32_t number = 0;

	for (int i = 0; i < t->n_counts; i++) {
		t->count[i] = (struct count){0, ns, ns};
		if (t->events->event[i].part_of)
			continue;
		t->count[i].value = count[number];
		t->unread |= (unread >> number++ & 1) << i;
	}
}
