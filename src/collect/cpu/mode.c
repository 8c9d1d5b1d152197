/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/mode.h"

#include "pmu/event/tell.h"

static void narrow_event(struct event_set *set, int i, enum cpu_mode mode)
{
	struct event *e = &set->event[i];
	const bool kernel = mode == CPU_MODE_KERNEL;

	if (e->quality != QUALITY_EXACT)
		return;
	if (e->own_modes) {
		e->no_user = e->no_user || kernel;
		e->no_kernel = e->no_kernel || !kernel;
	}
	if (e->all_modes || (e->own_modes && e->no_user && e->no_kernel) ||
	    (!kernel && event_is_kernel_side(e)))
		e->quality = QUALITY_NOT_COUNTED;
}

void mode_narrow(struct event_set *set, enum cpu_mode mode)
{
	set->kernel = mode == CPU_MODE_KERNEL;
	set->no_user = set->kernel;
	for (int i = 0; i < set->n; i++)
		narrow_event(set, i, mode);
}

struct sample_events *mode_tell(const struct sample_events *counted, const struct event_plan *plan,
				const struct event_set *wanted)
{
	struct sample_event event[EVENT_SET_MAX];

	for (int i = 0; i < counted->n; i++) {
		event[i] = counted->event[i];
		event[i].modes = event_tell(wanted, plan->member[i].event).modes;
	}
	return sample_events_new(event, counted->n);
}
