/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of CPUs on a scripted PMU of two counters, so that sets rotate. The numbers are the sample
 * output of cpustat in F. Pariente, "Performance Analysis and Monitoring Using Hardware Counters"
 * (2001).
 */
#include "collect/cpu/ticks.h"

#include <string.h>

#include "collect/cpu/cpus.h"
#include "fake_proc.h"
#include "fake_sysfs.h"
#include "tap.h"

#define MS     1000000ull
#define N_CPUS 4

static const struct fake_file files[] = {{"devices/cpu/type", "4\n"}};

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct pmu pmu;
	struct world world;
	struct cpu_ticks ticks[N_CPUS];
	struct source *source;
	struct event_set set[2];
	struct ticks t;
	struct strbuf text;
	struct err err, note;
};

static void add_set(struct scene *s, int i, const char *const name[2])
{
	event_set_init(&s->set[i]);
	for (int k = 0; k < 2; k++) {
		struct event *e = event_set_add(&s->set[i], name[k]);

		e->type = PERF_TYPE_RAW;
		e->config = (uint64_t)(2 * i + k);
	}
	event_set_join(&s->set[i], 3);
}

static void begin(struct scene *s, int n_sets)
{
	static const char *const name[2][2] = {{"IC_ref", "IC_hit"}, {"Cycle_cnt", "Instr_cnt"}};

	memset(s, 0, sizeof *s);
	fake_sysfs_make(&s->sysfs, files, 1);
	machine_init(&s->machine, &s->sysfs.host);
	pmu_init(&s->pmu);
	s->pmu.script.max_hardware = 2;
	world_init(&s->world, &s->pmu);
	s->world.use = (struct machine_use){.wanted = true, .cpu = s->ticks, .n_cpus = N_CPUS};
	for (int i = 0; i < N_CPUS; i++) {
		s->ticks[i].cpu = i;
		pmu_task_add(&s->pmu, PMU_CPU(i));
	}
	for (int i = 0; i < n_sets; i++)
		add_set(s, i, name[i]);
	s->source = source_cpus_new(&s->pmu.sys, &s->world.proc, &s->machine, NULL, NULL);
	ticks_init(&s->t, REPORT_AS_TEXT, s->source, s->set, n_sets, false);
	strbuf_init(&s->text);
	tick_rows_header(&s->t.rows, &s->text);
}

static void start(struct scene *s, int set)
{
	tap_int(ticks_start(&s->t, set, &s->note, &s->err), 0, "a set is begun: %s", s->err.text);
	tap_str(s->note.text, "", "nothing to complain of");
}

/* Adds value[] to the counters of this CPU. They were on the PMU for running_ms of the interval. */
static void count(struct scene *s, int cpu, const uint64_t value[2], uint64_t interval_ms,
		  uint64_t running_ms)
{
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &s->pmu.event[i];

		if (!e->used || !e->open || e->tid != PMU_CPU(cpu))
			continue;
		e->value += value[e->attr.config % 2];
		e->enabled_ns += interval_ms * MS;
		e->running_ns += running_ms * MS;
	}
}

static void take(struct scene *s, uint64_t ms)
{
	world_wait(&s->world, ms * MS);
	tap_int(ticks_take(&s->t, &s->text, &s->err), 0, "a tick: %s", s->err.text);
}

/* Replaces each run of blanks by a tab, to compare with the article's text. */
static void squeeze(struct strbuf *text)
{
	char *to = text->text, before = '\n';

	for (const char *at = text->text; *at; at++) {
		if (*at != ' ')
			*to++ = *at;
		else if (before == '#')
			*to++ = ' ';
		else if (before != ' ' && before != '\n')
			*to++ = '\t';
		before = *at;
	}
	*to = '\0';
	text->len = (size_t)(to - text->text);
}

static void end(struct scene *s)
{
	strbuf_done(&s->text);
	ticks_done(&s->t);
	s->source->ops->free(s->source);
	for (int i = 0; i < s->t.rows.n_sets; i++)
		event_set_done(&s->set[i]);
	fake_sysfs_remove(&s->sysfs);
	tap_int(s->pmu.n_open, 0, "no descriptor is left open");
	tap_int(s->pmu.bad_calls + s->pmu.orphans, 0, "every call made sense");
}

/* Rows of a tick are in the order of the CPUs. The article has them in the order in which its
 * threads wrote them. */
static void test_article(void)
{
	static const uint64_t counts[3][N_CPUS][2] = {
		{{13907, 12547}, {152762, 133720}, {178574, 161523}, {114929, 96667}},
		{{313879, 106311}, {241815, 110649}, {240013, 121404}, {2079680, 549262}},
		{{24966, 19550}, {6122, 4997}, {29094, 24663}, {196420, 174700}},
	};
	struct scene s;

	begin(&s, 2);
	for (int k = 0; k < 3; k++) {
		start(&s, k % 2);
		for (int cpu = 0; cpu < N_CPUS; cpu++)
			count(&s, cpu, counts[k][cpu], k ? 1000 : 1007, k ? 1000 : 1007);
		take(&s, k ? 1000 : 1007);
	}
	tick_rows_totals(&s.t.rows, &s.text);
	squeeze(&s.text);
	tap_str(s.text.text,
		"time\tcpu\tevent\tpic0\tpic1\n"
		"1.007\t0\ttick\t13907\t12547\t# pic0=IC_ref,pic1=IC_hit\n"
		"1.007\t1\ttick\t152762\t133720\t# pic0=IC_ref,pic1=IC_hit\n"
		"1.007\t2\ttick\t178574\t161523\t# pic0=IC_ref,pic1=IC_hit\n"
		"1.007\t3\ttick\t114929\t96667\t# pic0=IC_ref,pic1=IC_hit\n"
		"2.007\t0\ttick\t313879\t106311\t# pic0=Cycle_cnt,pic1=Instr_cnt\n"
		"2.007\t1\ttick\t241815\t110649\t# pic0=Cycle_cnt,pic1=Instr_cnt\n"
		"2.007\t2\ttick\t240013\t121404\t# pic0=Cycle_cnt,pic1=Instr_cnt\n"
		"2.007\t3\ttick\t2079680\t549262\t# pic0=Cycle_cnt,pic1=Instr_cnt\n"
		"3.007\t0\ttick\t24966\t19550\t# pic0=IC_ref,pic1=IC_hit\n"
		"3.007\t1\ttick\t6122\t4997\t# pic0=IC_ref,pic1=IC_hit\n"
		"3.007\t2\ttick\t29094\t24663\t# pic0=IC_ref,pic1=IC_hit\n"
		"3.007\t3\ttick\t196420\t174700\t# pic0=IC_ref,pic1=IC_hit\n"
		"3.007\t4\ttotal\t716774\t628367\t# pic0=IC_ref,pic1=IC_hit\n"
		"2.007\t4\ttotal\t2875387\t887626\t# pic0=Cycle_cnt,pic1=Instr_cnt\n",
		"the article's ticks and totals");
	end(&s);
}

/* A single set continues from tick to tick without reopening its counters. */
static void test_one_set(void)
{
	static const uint64_t value[2] = {1000, 100};
	struct scene s;
	int opened;

	begin(&s, 1);
	s.world.use.n_cpus = 2;
	start(&s, 0);
	opened = s.pmu.calls.open;
	count(&s, 0, value, 1000, 1000);
	count(&s, 1, value, 1000, 250);
	take(&s, 1000);
	start(&s, 0);
	s.world.use.n_cpus = 1;
	count(&s, 0, value, 1000, 1000);
	count(&s, 1, value, 1000, 0);
	take(&s, 1000);
	tap_int(s.pmu.calls.open, opened, "nothing is reopened");
	start(&s, 0);
	count(&s, 0, value, 1000, 1000);
	take(&s, 1000);
	tick_rows_totals(&s.t.rows, &s.text);
	tap_str(s.text.text,
		"    time  cpu event          IC_ref          IC_hit\n"
		"   1.000    0  tick            1000             100\n"
		"   1.000    1  tick           4000~            400~\n"
		"   2.000    0  tick            1000             100\n"
		"   2.000    1  tick               -               -\n"
		"   3.000    0  tick            1000             100\n"
		"   3.000    1  tick               -               -\n"
		"   3.000    2 total           7000~            700~\n",
		"one set: extrapolated, unknown, offline, and sums of these");
	end(&s);
}

int main(void)
{
	test_article();
	test_one_set();
	return tap_done();
}
