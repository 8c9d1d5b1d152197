/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other machines, simulated from the kernel up to the cells of a screen.
 */
#include <math.h>
#include <stdlib.h>

#include "model/fact_list.h"
#include "play_rig.h"
#include "pmu/event/describe.h"
#include "screen/compile.h"

/* A second screen, shown beside the first one from the same set of events. */
struct beside {
	struct screen_numbers numbers;
	struct binding binding;
	struct frame frame;
	int n_alone, n_together; /* number of events: of both sets, and of the common set */
};

static void begin_beside(struct beside *b, struct play *p, const char *name)
{
	const struct offer offer = offer_live(&p->machine, &p->pmu.sys, false);
	const int i = screen_list_find(&p->screens, name, NULL);
	struct want want = {.filter = FILTER_ALL, .facts = FACT_SET(FACT_CPU_NS)};
	struct event_set other;
	struct err note = ERR_INIT;

	tap_int(screen_compile(p->screens.v[i], play_no_fault, NULL, &note), 0, "beside it %s",
		name);
	tap_ok(fit_may_show(p->screens.v[i], &offer), "which is shown, too");
	fit_screen(p->screens.v[i], &offer);
	counters_make_set(&want.events, p->screen, &offer);
	counters_make_set(&other, p->screens.v[i], &offer);
	event_set_describe(&want.events, &p->machine);
	event_set_describe(&other, &p->machine);
	counters_describe(&b->numbers, &other);
	b->n_alone = want.events.n + other.n;
	tap_int(event_set_merge(&want.events, &other), 0, "there is room for both");
	b->n_together = want.events.n;
	binding_init(&b->binding, p->screens.v[i], &b->numbers);
	frame_init(&b->frame);
	p->source->ops->configure(p->source, &want, &note);
}

static void end_beside(struct beside *b)
{
	frame_done(&b->frame);
	binding_done(&b->binding);
	screen_numbers_done(&b->numbers);
}

/* Returns the cell of the only task, in the column whose header contains this text. */
static struct value cell(const struct play *p, const char *header)
{
	if (!p->frame.n)
		return value_none(QUALITY_FRESH);
	for (size_t i = 0; i < p->screen->n_columns; i++)
		if (strstr(p->screen->column[i].header, header))
			return frame_value(&p->frame, &p->frame.row[0], i);
	tap_ok(false, "there is a column %s", header);
	return value_none(QUALITY_UNSUPPORTED);
}

static void check(const struct play *p, const char *header, enum quality quality, double number)
{
	struct value v = cell(p, header);

	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: its quality",
		header);
	if (value_known(v) &&
	    !tap_ok(fabs(v.number - number) <= 1e-3 * fabs(number), "%s: its number", header))
		printf("# got %g, want %g\n", v.number, number);
}

static const struct fake_file one_kind[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
};

/* The watchdog holds a counter. The kernel accepts a group of five, but the trial detects that it
 * would never be scheduled. The counters of each ratio stay in one group, and groups are
 * multiplexed. The PMU counts config + 1 per ns of generic events. */
static void test_watchdog(void)
{
	static struct play p;

	PLAY_BEGIN(&p, "x86:06_5E", one_kind, &((struct pmu_script){.never_above = 4}), "default");
	play_step(&p, 0);
	play_step(&p, PLAY_STEP_NS);
	check(&p, "IPC", QUALITY_EXACT, 2);
	p.pmu.script.share_running = 2;
	p.pmu.script.share_of = 5;
	play_step(&p, PLAY_STEP_NS);
	check(&p, "IPC", QUALITY_SCALED, 2);
	check(&p, "%MISS", QUALITY_SCALED, 200);
	check(&p, "%BMIS", QUALITY_SCALED, 300);
	check(&p, "%BUS", QUALITY_SCALED, 3.5);
	check(&p, "Mcycle", QUALITY_SCALED, PLAY_STEP_NS / 1e6);
	tap_ok(fabsf(cell(&p, "IPC").share - 0.4f) < 1e-3f,
	       "with the share of the time that it was counted");
	play_end(&p);
}

/* Another program holds the PMU: a count is unknown, not 0. */
static void test_held(void)
{
	static struct play p;

	PLAY_BEGIN(&p, "x86:19_11", one_kind,
		   &((struct pmu_script){.share_running = 0, .share_of = 1}), "default");
	for (int i = 0; i < 20; i++)
		play_step(&p, PLAY_STEP_NS);
	check(&p, "IPC", QUALITY_NOT_SCHEDULED, 0);
	check(&p, "Mcycle", QUALITY_NOT_SCHEDULED, 0);
	check(&p, "%CPU", QUALITY_EXACT, 4);
	p.pmu.script.share_running = 1;
	play_step(&p, PLAY_STEP_NS);
	check(&p, "IPC", QUALITY_EXACT, 2);
	play_end(&p);
}

static const struct fake_file ice_lake[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/format/umask", "config:8-15\n"},
	{"devices/cpu/events/slots", "event=0x00,umask=0x4\n"},
	{"devices/cpu/events/topdown-retiring", "event=0x00,umask=0x80\n"},
	{"devices/cpu/events/topdown-bad-spec", "event=0x00,umask=0x81\n"},
	{"devices/cpu/events/topdown-fe-bound", "event=0x00,umask=0x82\n"},
	{"devices/cpu/events/topdown-be-bound", "event=0x00,umask=0x83\n"},
};

/* The kernel refuses topdown metrics unless slots leads their group. The CPU has no known
 * correction, so the shares are those that the script counts. */
static void test_slots(void)
{
	static const char *const share[] = {"%RET", "%BAD", "%FE", "%BE"};
	static struct play p;
	double sum = 0, weight = 0;

	PLAY_BEGIN(&p, "x86:06_FE", ice_lake, &((struct pmu_script){.topdown = true}), "topdown");
	play_step(&p, 0);
	play_step(&p, PLAY_STEP_NS);
	for (int i = 0; i < 4; i++)
		weight += (double)pmu_rate(PERF_TYPE_RAW, 0x8000 + 0x100 * (uint64_t)i);
	for (int i = 0; i < 4; i++) {
		check(&p, share[i], QUALITY_EXACT,
		      100 * (double)pmu_rate(PERF_TYPE_RAW, 0x8000 + 0x100 * (uint64_t)i) / weight);
		sum += cell(&p, share[i]).number;
	}
	tap_ok(fabs(sum - 100) < 0.5, "the shares add up to 100 %%: %g", sum);
	play_end(&p);
}

static const struct fake_file alder_lake[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-15\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "16-23\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
};

/* A task moves between two kinds of cores, whose PMUs are multiplexed. */
static void test_hybrid(void)
{
	static const struct pmu_script script = {
		.core_type = {4, 10}, .share_running = 1, .share_of = 4};
	static struct play p;

	PLAY_BEGIN(&p, "x86:06_97", alder_lake, &script, "default");
	play_step(&p, 0);
	for (int i = 1; i <= 4; i++) {
		pmu_task(&p.pmu, 10)->core = 1;
		world_run(&p.world, 10, (uint64_t)i * PLAY_STEP_NS);
		pmu_task(&p.pmu, 10)->core = 0;
		play_step(&p, PLAY_STEP_NS);
		check(&p, "Mcycle", QUALITY_SCALED, (i + 1) * PLAY_STEP_NS / 1e6);
		check(&p, "IPC", QUALITY_SCALED, 2);
	}
	play_end(&p);
	PLAY_BEGIN(&p, "x86:06_97", alder_lake, &script, "system");
	play_step(&p, 0);
	pmu_task(&p.pmu, 10)->core = 1;
	world_run(&p.world, 10, 3 * PLAY_STEP_NS);
	pmu_task(&p.pmu, 10)->core = 0;
	play_step(&p, PLAY_STEP_NS);
	check(&p, "%FAST", QUALITY_EXACT, 25);
	play_end(&p);
}

/* The cells of a screen beside another one are equal to those that it has alone. */
static void test_beside(void)
{
	static struct play p;
	struct value alone[64];
	struct beside b;
	size_t n;

	PLAY_BEGIN(&p, "x86:06_5E", one_kind, &((struct pmu_script){.never_above = 8}), "branch");
	play_step(&p, 0);
	play_step(&p, PLAY_STEP_NS);
	n = p.screen->n_columns;
	for (size_t i = 0; i < n; i++)
		alone[i] = frame_value(&p.frame, &p.frame.row[0], i);
	play_end(&p);
	PLAY_BEGIN(&p, "x86:06_5E", one_kind, &((struct pmu_script){.never_above = 8}), "default");
	begin_beside(&b, &p, "branch");
	tap_ok(b.n_together < b.n_alone, "what both need is counted once");
	play_step(&p, 0);
	play_step(&p, PLAY_STEP_NS);
	check(&p, "IPC", QUALITY_EXACT, 2);
	frame_build(&b.frame, &b.binding, &p.view, &p.processes, NULL, 0);
	tap_int(b.frame.screen->n_columns, n, "the other screen has its columns");
	for (size_t i = 0; i < n; i++) {
		const struct value v = frame_value(&b.frame, &b.frame.row[0], i);

		tap_ok(v.quality == alone[i].quality &&
			       (!value_known(v) || v.number == alone[i].number),
		       "%s: as alone, %g", b.frame.screen->column[i].header, v.number);
	}
	end_beside(&b);
	play_end(&p);
}

int main(void)
{
	test_beside();
	test_watchdog();
	test_held();
	test_slots();
	test_hybrid();
	return tap_done();
}
