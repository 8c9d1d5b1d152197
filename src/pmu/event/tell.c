/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/tell.h"

enum event_kind event_kind_of(const struct event *e)
{
	if (!e->what && e->quality != QUALITY_EXACT)
		return EVENT_NONE;
	switch (e->type) {
	case PERF_TYPE_HARDWARE:
		return EVENT_HARDWARE;
	case PERF_TYPE_HW_CACHE:
		return EVENT_CACHE;
	case PERF_TYPE_SOFTWARE:
		return EVENT_SOFTWARE;
	case PERF_TYPE_TRACEPOINT:
		return EVENT_TRACEPOINT;
	default:
		return e->core == EVENT_NO_CORE || e->all_modes ? EVENT_PMU : EVENT_RAW;
	}
}

/* Returns the modes as the user selected them: if a PMU also counts guests, or all modes, because
 * it cannot exclude them, guests_too and modes_too say so. */
static uint8_t modes_of(const struct event_set *set, int i)
{
	const struct event *e = &set->event[i];
	struct event wished = *e;
	struct event_set alone = *set;
	static const uint8_t of_phase[N_EVENT_PHASES] = {
		[EVENT_ACQUIRE] = MODE_ACQUIRE,
		[EVENT_HOLD] = MODE_HOLD,
		[EVENT_RELEASE] = MODE_RELEASE,
	};
	struct perf_event_attr attr;
	unsigned modes = of_phase[e->phase];

	if (e->all_modes)
		return (uint8_t)(modes | MODES_ALL);
	wished.modes_forced = false;
	alone.event = &wished;
	event_attr(&alone, 0, true, false, &attr);
	modes |= attr.exclude_user ? 0 : MODE_USER;
	modes |= attr.exclude_kernel ? 0 : MODE_KERNEL;
	modes |= attr.exclude_hv ? 0 : MODE_HV;
	modes |= attr.exclude_host ? 0 : MODE_HOST;
	modes |= attr.exclude_guest || e->guest_forced ? 0 : MODE_GUEST;
	return (uint8_t)modes;
}

struct sample_event event_to_sample(const struct event_set *set, int i)
{
	const struct event *e = &set->event[i];
	enum event_kind kind = event_kind_of(e);
	/* On a hybrid machine, the upper half of the config of a generic event is the type of the
	 * PMU. */
	bool generic = kind == EVENT_HARDWARE || kind == EVENT_CACHE;

	return (struct sample_event){
		.given = e->what ? e->what : e->name,
		.resolved = e->resolved ? e->resolved : "",
		.pmu = e->pmu ? e->pmu : "",
		.format = e->format ? e->format : "",
		.unit = e->unit,
		.config = generic ? e->config & UINT32_MAX : e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.scale = e->scale,
		.group = SAMPLE_NO_GROUP,
		.kind = (uint8_t)kind,
		.modes = modes_of(set, i),
		.core = e->core == EVENT_NO_CORE ? SAMPLE_ANY_CORE : e->core,
		.quality = e->quality,
		.guests_too = e->guest_forced,
		.modes_too = e->modes_forced,
		.lacking = e->lacking,
	};
}
