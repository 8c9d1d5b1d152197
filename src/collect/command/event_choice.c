/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/event_choice.h"

#include <errno.h>

#include "base/mem.h"
#include "pmu/perf/trial.h"

/* What the kernel itself counts is to be had on each machine, and takes no counter. */
static const struct own_event {
	const char *name;
	uint64_t config;
} own_events[] = {
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
};

bool choice_is_software(const struct event *e, uint64_t config)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config == config && !e->own_modes &&
	       e->quality == QUALITY_EXACT;
}

static void need_event(struct event_set *set, const struct own_event *own)
{
	struct event *e;

	for (int i = 0; i < set->n; i++)
		if (choice_is_software(&set->event[i], own->config))
			return;
	e = event_set_add(set, own->name);
	if (!e)
		return;
	e->what = xstrdup(own->name);
	e->pmu = xstrdup("software");
	e->type = PERF_TYPE_SOFTWARE;
	e->config = own->config;
	e->core = EVENT_NO_CORE;
}

/* Whether an event is there that takes counters of this kind of cores. */
static bool takes_counter(const struct event_set *set, int i, int core)
{
	const struct event *e = &set->event[i];

	return e->quality == QUALITY_EXACT && event_is_hardware(e) && e->core == core;
}

/* Whether the kernel does not open the event at all, so that it takes no counter: the reason is
 * found by whoever opens it for good. Learns whether its PMU can leave guests and modes out. */
static bool is_refused(struct event_set *set, struct perf_sys *sys, int i)
{
	const int fd = event_probe(sys, set, i);

	if (fd >= 0)
		sys->close(sys, fd);
	return fd < 0 && !perf_sys_is_short(fd);
}

/* The events of one kind of cores: those of the rows are on the PMU, unless it is alone, and one
 * after the other of the whole gets on it, too, or is left out. Returns how many were. */
static int fit_core(struct event_set *set, struct trial *trial, int core, bool alone)
{
	struct trial_answer answer = {.again = 0};
	int wanted[EVENT_SET_MAX], event[EVENT_SET_MAX], n_wanted = 0, n = 0, left_out = 0;

	for (int i = 0; i < set->n; i++)
		if (takes_counter(set, i, core) && !is_refused(set, trial->sys, i))
			wanted[n_wanted++] = i;
	for (int k = 0; !alone && k < n_wanted; k++)
		event[n++] = wanted[k];
	for (int k = 0; k < n_wanted; k++) {
		event[n] = wanted[k];
		if (n < EVENT_SET_MAX - 1 && trial_fits(trial, set, event, n + 1, &answer)) {
			n++;
			continue;
		}
		set->event[wanted[k]].quality = QUALITY_NOT_COUNTED;
		left_out++;
	}
	return left_out;
}

/* Leaves out hardware events that do not fit, beside those of the rows or alone. */
static void fit_events(struct event_set *set, struct perf_sys *sys, bool alone, struct err *note)
{
	int left_out = 0;
	struct trial trial;

	trial_init(&trial, sys);
	for (int core = EVENT_NO_CORE; core < CORES_MAX; core++)
		left_out += fit_core(set, &trial, core, alone);
	trial_end(&trial);
	trial_done(&trial);
	if (left_out)
		err_set(note, ENOSPC,
			"%d hardware event%s of the whole command %s not counted: the PMU has no "
			"counters left%s; a screen with fewer events has",
			left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are",
			alone ? "" : " beside those of the rows");
}

void choice_make(struct event_set *set, struct perf_sys *sys, bool alone, struct err *note)
{
	fit_events(set, sys, alone, note);
	for (size_t i = 0; i < sizeof own_events / sizeof *own_events; i++)
		need_event(set, &own_events[i]);
}
