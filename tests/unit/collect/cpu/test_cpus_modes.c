/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows for user mode and for kernel mode: each row has the counts and times of its mode, on the
 * same screen. */
#include "collect/cpu/cpus.h"

#include <unistd.h>

#include "base/mem.h"
#include "fake_proc.h"
#include "fake_sysfs.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "pmu/event/describe.h"
#include "tap.h"

#define SECOND 1000000000u
#define N_CPUS 2

/* Counts per second of each counter, in each mode. */
#define USER_COUNT   1000
#define KERNEL_COUNT 10

enum { PLAIN, ONLY_USER, SWITCHES, NO_MODES, N_EVENTS };

static const struct fake_file files[] = {{"devices/cpu/type", "4\n"}};

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct pmu pmu;
	struct world world;
	struct cpu_ticks ticks[N_CPUS];
	struct source *source;
	struct sample sample[2];
	struct delta delta[2], groups;
	struct retired_groups retired;
	struct sample_events *wanted; /* the events to which a screen would be bound */
	int now;
};

static void add_events(struct event_set *set)
{
	struct event *e = NULL;

	event_set_init(set);
	set->kernel = true;
	for (int i = 0; i < N_EVENTS; i++) {
		e = event_set_add(set, "event");
		e->what = xstrdup("event");
		e->type = i == SWITCHES ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
		e->config = i == SWITCHES ? PERF_COUNT_SW_CONTEXT_SWITCHES : (uint64_t)i;
		e->core = i == SWITCHES ? EVENT_NO_CORE : 0;
		e->own_modes = e->no_kernel = i == ONLY_USER;
		e->all_modes = i == NO_MODES;
	}
}

static void begin(struct scene *s)
{
	struct want want = {.filter = FILTER_ALL};
	struct sample_event reported[N_EVENTS];
	struct err note = ERR_INIT;

	*s = (struct scene){.now = 0};
	fake_sysfs_make(&s->sysfs, files, 1);
	machine_init(&s->machine, &s->sysfs.host);
	pmu_init(&s->pmu);
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, SECOND);
	s->world.use = (struct machine_use){.wanted = true, .cpu = s->ticks, .n_cpus = N_CPUS};
	for (int i = 0; i < N_CPUS; i++) {
		s->ticks[i].cpu = i;
		pmu_task_add(&s->pmu, PMU_CPU(i));
	}
	for (int i = 0; i < 2; i++) {
		sample_init(&s->sample[i]);
		delta_init(&s->delta[i]);
	}
	delta_init(&s->groups);
	retired_groups_init(&s->retired);
	s->source = source_modes_new(&s->pmu.sys, &s->world.proc, &s->machine, NULL,
				     &(struct cpus_scope){.only = NULL});
	add_events(&want.events);
	for (int i = 0; i < N_EVENTS; i++)
		reported[i] = event_to_sample(&want.events, i);
	s->wanted = sample_events_new(reported, N_EVENTS);
	s->source->ops->configure(s->source, &want, &note);
	tap_str(note.text, "", "nothing to complain of");
}

static void count(struct scene *s)
{
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &s->pmu.event[i];

		if (!e->used || !e->open || e->tid >= 0)
			continue;
		e->value += e->attr.exclude_user ? 0 : USER_COUNT;
		e->value += e->attr.exclude_kernel ? 0 : KERNEL_COUNT;
		e->enabled_ns += SECOND;
		e->running_ns += SECOND;
	}
	for (int i = 0; i < N_CPUS; i++) {
		s->ticks[i].in[CPU_USER] += 30;
		s->ticks[i].in[CPU_NICE] += 3;
		s->ticks[i].in[CPU_SYSTEM] += 7;
		s->ticks[i].in[CPU_IRQ] += 1;
	}
	world_wait(&s->world, SECOND);
}

static void next(struct scene *s, bool first)
{
	struct err err = ERR_INIT;
	int old = s->now;

	s->now = !old;
	tap_int(s->source->ops->next(s->source, &s->sample[s->now], &err), 0, "a sample");
	delta_compute(&s->delta[s->now], first ? NULL : &s->delta[old],
		      first ? NULL : &s->sample[old], &s->sample[s->now]);
}

static const struct delta_row *group(struct scene *s, enum cpu_mode mode)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_MODE, .filter = &all};

	retired_groups_update(&s->retired, &s->delta[s->now], &all, false, NULL);
	fold_groups(&s->groups, &s->delta[s->now], &by, &s->retired);
	return &s->groups.row[mode - CPU_MODE_USER];
}

static void check_event(const struct scene *s, const struct delta_row *row, int event,
			enum quality quality, double number)
{
	const char *mode = row->task->name;
	int at = sample_events_find(row->events, 0, s->wanted, event);
	struct value v = at < 0 ? value_none(QUALITY_UNSUPPORTED) : row->increment[at];

	tap_ok(at >= 0, "%s: event %d is what the screen wants", mode, event);
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: event %d", mode,
		event);
	if (value_known(v))
		tap_num(v.number, number, "%s: event %d", mode, event);
}

static void check_times(const struct delta_row *row, double ticks)
{
	const double ns = ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);

	tap_num(delta_fact(row, FACT_CPU_NS).number, ns, "%s: its time", row->task->name);
}

static void test_rows(void)
{
	const struct delta_row *row;
	struct scene s;

	begin(&s);
	next(&s, true);
	count(&s);
	next(&s, false);
	tap_int(s.sample[s.now].n, 2 * N_CPUS, "each CPU has two rows");
	tap_str(s.sample[s.now].task[1]->name, "1 user", "by CPU and mode");
	tap_ok(kind_is(s.sample[s.now].task[0]->kind, &kind_cpu), "which are like CPUs");
	row = group(&s, CPU_MODE_USER);
	tap_str(row->task->name, "user", "one group is user mode");
	check_event(&s, row, PLAIN, QUALITY_EXACT, N_CPUS * USER_COUNT);
	check_event(&s, row, ONLY_USER, QUALITY_EXACT, N_CPUS * USER_COUNT);
	check_event(&s, row, SWITCHES, QUALITY_NOT_COUNTED, 0);
	check_event(&s, row, NO_MODES, QUALITY_NOT_COUNTED, 0);
	check_times(row, N_CPUS * 33);
	row = group(&s, CPU_MODE_KERNEL);
	tap_str(row->task->name, "kernel", "the other one is the kernel");
	check_event(&s, row, PLAIN, QUALITY_EXACT, N_CPUS * KERNEL_COUNT);
	check_event(&s, row, ONLY_USER, QUALITY_NOT_COUNTED, 0);
	check_event(&s, row, SWITCHES, QUALITY_EXACT, N_CPUS * KERNEL_COUNT);
	check_event(&s, row, NO_MODES, QUALITY_NOT_COUNTED, 0);
	check_times(row, N_CPUS * 8);
	tap_ok(s.sample[s.now].time[N_CPUS].counts_us >= s.sample[s.now].time[0].counts_us,
	       "their moments are told from one begin");
	s.source->ops->free(s.source);
	retired_groups_done(&s.retired);
	delta_done(&s.groups);
	for (int i = 0; i < 2; i++) {
		delta_done(&s.delta[i]);
		sample_done(&s.sample[i]);
	}
	sample_events_unref(s.wanted);
	fake_sysfs_remove(&s.sysfs);
	tap_int(s.pmu.n_open, 0, "no descriptor is left open");
	tap_int(s.pmu.bad_calls + s.pmu.orphans, 0, "every call made sense");
}

int main(void)
{
	test_rows();
	return tap_done();
}
