/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Top-down analysis on machines with several kinds of cores: the slots counted on each kind become
 * shares of all slots of a task. The counts of the events of each PMU are given, and so are the
 * expected shares.
 */
#include "cpu_child.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "pmu/event/describe.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"
#include "view/frame.h"

#define SECOND 1000000000u

#define N_COUNTS  6
#define N_COLUMNS 4

/* clang-format off */
/* The work of a task on one kind of cores: its share of the time, and the count of each counter. */
struct stay {
	const char *pmu;
	double seconds;
	struct {
		const char *alias;
		uint64_t count;
	} count[N_COUNTS];
};

static const struct hybrid {
	const char *name, *cpu;
	struct stay stay[3];
	struct {
		const char *id;
		double want;
	} column[N_COLUMNS];
} table[] = {
	/* 6 million slots on P-cores, and 800,000 cycles of 5 slots on E-cores, are 10 million. Of
	 * these, in millions, 2.4 + 1 retired, 1.2 - 0.12 + 1.4 were front-end bound, and 1.8 + 0.8
	 * back-end bound. On E-cores the alias "dropped" counts cycles, with scale 0. */
	{"Alder Lake, both kinds", "x86:06_97",
	 {{"cpu_core", 0.6, {{"all_slots", 6000000}, {"ret", 2400000}, {"fe", 1200000}, {"be", 1800000},
	   {"dropped", 120000}}},
	  {"cpu_atom", 0.4, {{"all_slots", 800000}, {"ret", 1000000}, {"fe", 1400000}, {"be", 800000},
	   {"dropped", 800000}}}},
	 {{"ret", 34}, {"bad", 15.2}, {"fe", 24.8}, {"be", 26}}},
	{"Alder Lake, on P-cores only", "x86:06_97",
	 {{"cpu_core", 1, {{"all_slots", 6000000}, {"ret", 2400000}, {"fe", 1200000}, {"be", 1800000},
	   {"dropped", 120000}}}},
	 {{"ret", 40}, {"bad", 12}, {"fe", 18}, {"be", 30}}},
	{"Alder Lake, on E-cores only", "x86:06_97",
	 {{"cpu_atom", 1, {{"all_slots", 800000}, {"ret", 1000000}, {"fe", 1400000}, {"be", 800000},
	   {"dropped", 800000}}}},
	 {{"ret", 25}, {"bad", 20}, {"fe", 35}, {"be", 20}}},
	/* 6 slots per cycle of an E-core: 5 of 8 million slots. */
	{"Meteor Lake, both kinds", "x86:06_AA",
	 {{"cpu_core", 0.5, {{"all_slots", 5000000}, {"ret", 1000000}, {"fe", 2000000}, {"be", 1500000},
	   {"wrong", 500000}, {"dropped", 80000}}},
	  {"cpu_atom", 0.5, {{"all_slots", 500000}, {"ret", 600000}, {"fe", 1200000}, {"be", 900000},
	   {"wrong", 300000}, {"dropped", 500000}}}},
	 {{"ret", 20}, {"bad", 11}, {"fe", 39}, {"be", 30}}},
	/* The metrics of a P-core do not exactly add up to its slots: the remainder is never
	 * negative. */
	{"Alder Lake, rounded metrics", "x86:06_97",
	 {{"cpu_core", 1, {{"all_slots", 1000}, {"ret", 600}, {"fe", 250}, {"be", 153}, {"dropped", 0}}}},
	 {{"ret", 60}, {"bad", 0}, {"fe", 25}, {"be", 15.3}}},
	/* 8 slots per cycle: 4 of 12 million slots. Lion Cove has no dropped slots. */
	{"Lunar Lake, both kinds", "x86:06_BD",
	 {{"cpu_core", 0.7, {{"all_slots", 8000000}, {"ret", 4000000}, {"fe", 1000000}, {"be", 2000000},
	   {"wrong", 1000000}}},
	  {"cpu_atom", 0.3, {{"all_slots", 500000}, {"ret", 2000000}, {"fe", 1000000}, {"be", 400000},
	   {"wrong", 600000}}}},
	 {{"ret", 50}, {"bad", 100 * 1.6 / 12}, {"fe", 100 * 2.0 / 12}, {"be", 20}}},
	/* 8 million, 500,000 cycles of 8 slots, and 250,000 cycles of 6 slots: 13.5 million. */
	{"Arrow Lake H, three kinds", "x86:06_C5",
	 {{"cpu_core", 0.4, {{"all_slots", 8000000}, {"ret", 4000000}, {"fe", 1000000}, {"be", 2000000},
	   {"wrong", 1000000}}},
	  {"cpu_atom", 0.4, {{"all_slots", 500000}, {"ret", 2000000}, {"fe", 1000000}, {"be", 500000},
	   {"wrong", 500000}}},
	  {"cpu_lowpower", 0.2, {{"all_slots", 250000}, {"ret", 300000}, {"fe", 600000}, {"be", 300000},
	   {"wrong", 300000}}}},
	 {{"ret", 100 * 6.3 / 13.5}, {"bad", 100 * 1.8 / 13.5}, {"fe", 100 * 2.6 / 13.5}, {"be", 100 * 2.8 / 13.5}}},
};
/* clang-format on */

static void ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* Returns the screen, fitted to this CPU. */
static struct screen *find_screen(struct screen_list *list, const struct offer *offer)
{
	struct screen *s;

	screen_list_add_built_in(list, 0, screen_built_in_n);
	s = list->v[screen_list_find(list, "topdown", NULL)];
	screen_compile(s, ignore, NULL, NULL);
	fit_screen(s, offer);
	return s;
}

static const struct stay *find_stay(const struct hybrid *h, const char *pmu)
{
	for (int i = 0; i < 3 && h->stay[i].pmu; i++)
		if (!strcmp(h->stay[i].pmu, pmu))
			return &h->stay[i];
	return NULL;
}

static uint64_t find_count(const struct stay *stay, const char *alias)
{
	for (int i = 0; stay && i < N_COUNTS && stay->count[i].alias; i++)
		if (!strcmp(stay->count[i].alias, alias))
			return stay->count[i].count;
	return 0;
}

/* Adds a reading of the task; k: 0 at its start, 1 at its end. */
static void add_task(struct sample *s, const struct hybrid *h, const struct event_set *set,
		     const struct machine *m, const struct sample_events *events, int k)
{
	struct task *t = sample_add(s, task_new(&kind_task, FACT_NONE, events->n,
						&(struct task_texts){.name = "task"}));

	t->id = t->owner = 1;
	t->start_ns = 5;
	t->counting = COUNT_OK;
	task_set_events(t, events);
	for (int i = 0; i < events->n && k; i++) {
		const struct event *e = &set->event[i];
		const struct stay *stay = find_stay(h, machine_pmu(m, e->core));

		t->count[i].value = find_count(stay, e->name);
		t->count[i].enabled_ns = SECOND;
		t->count[i].running_ns = stay ? (uint64_t)llround(stay->seconds * SECOND) : 0;
	}
}

static void tell_frame(struct strbuf *out, const struct screen *s, const struct frame *frame)
{
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, "%s %s %.17g\n", s->column[i].id,
			    quality_table[frame_value(frame, &frame->row[0], i).quality].name,
			    frame_value(frame, &frame->row[0], i).number);
}

/* Adds the columns computed from the delta of two samples. */
static void show(struct strbuf *out, const struct hybrid *h, const struct machine *m,
		 const struct screen *s, struct event_set *set)
{
	const struct view view = {.idle = true, .filter = FILTER_ALL};
	struct screen_numbers numbers;
	struct delta delta[2], processes;
	struct binding binding;
	struct sample sample[2];
	struct frame frame;

	counters_describe(&numbers, set);
	for (int i = 0; i < numbers.events->n; i++)
		numbers.events->event[i].group = 0;
	binding_init(&binding, s, &numbers);
	for (int k = 0; k < 2; k++) {
		sample_init(&sample[k]);
		delta_init(&delta[k]);
		sample[k].mono_ns = sample[k].boot_ns = (100 + (uint64_t)k) * SECOND;
		add_task(&sample[k], h, set, m, numbers.events, k);
		delta_compute(&delta[k], k ? &delta[0] : NULL, k ? &sample[0] : NULL, &sample[k]);
	}
	delta_init(&processes);
	fold_processes(&processes, &delta[1]);
	frame_init(&frame);
	frame_build(&frame, &binding, &view, &processes, NULL, 1);
	tell_frame(out, s, &frame);
	frame_done(&frame);
	delta_done(&processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&delta[k]);
		sample_done(&sample[k]);
	}
	binding_done(&binding);
	screen_numbers_done(&numbers);
}

static void tell(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	struct screen_list list = SCREEN_LIST_INIT;
	struct screen *s = find_screen(&list, &offer);
	struct event_set set;

	counters_make_set(&set, s, &offer);
	event_set_describe(&set, m);
	show(out, context, m, s, &set);
	event_set_done(&set);
	screen_list_done(&list);
}

static void test_hybrid(const struct hybrid *h, const struct played_cpu *cpu)
{
	struct strbuf reported;

	strbuf_init(&reported);
	cpu_child_ask(&reported, cpu, tell, h);
	for (int i = 0; i < N_COLUMNS; i++) {
		char *head = xasprintf("%s exact ", h->column[i].id);
		const char *found = strstr(reported.text, head);
		double got = found ? strtod(found + strlen(head), NULL) : (double)NAN;

		if (!tap_ok(fabs(got - h->column[i].want) <= 1e-9 * fmax(h->column[i].want, 1),
			    "%s: %s", h->name, h->column[i].id))
			printf("# want %.17g, told\n%s", h->column[i].want, reported.text);
		free(head);
	}
	strbuf_done(&reported);
}

int main(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct played_cpu cpu = {.cpu = NULL};

		for (size_t k = 0; k < N_PLAYED_CPUS && !cpu.cpu; k++)
			if (!strcmp(played_cpu_at(k).cpu, table[i].cpu))
				cpu = played_cpu_at(k);
		if (tap_ok(cpu.cpu, "%s is a CPU of the tests", table[i].cpu))
			test_hybrid(&table[i], &cpu);
	}
	return tap_done();
}
