/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording offers the same events as the machine on which it was taken. On all CPUs that the
 * tables distinguish, each built-in screen is bound to the machine, and then to the events and the
 * machine of samples only.
 */
#include "cpu_child.h"
#include "pmu/event/describe.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

/* The screens after fitting. */
struct fitted {
	struct screen_list list;
	bool *shown;
	struct screen_numbers *numbers;
};

static void ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static void fit_all(struct fitted *f, const struct offer *offer)
{
	f->list = (struct screen_list)SCREEN_LIST_INIT;
	screen_list_add_built_in(&f->list, 0, screen_built_in_n);
	f->shown = xcalloc(f->list.n, sizeof *f->shown);
	f->numbers = xcalloc(f->list.n, sizeof *f->numbers);
	for (size_t i = 0; i < f->list.n; i++) {
		struct event_set set;

		screen_compile(f->list.v[i], ignore, NULL, NULL);
		f->shown[i] = fit_may_show(f->list.v[i], offer);
		fit_screen(f->list.v[i], offer);
		counters_make_set(&set, f->list.v[i], offer);
		offer->ops->describe(offer, &set);
		/* The source does the same when it opens the counters. */
		for (int k = 0; k < set.n; k++)
			if (!offer->ops->has(offer, &set, k))
				set.event[k].quality = QUALITY_UNSUPPORTED;
		counters_describe(&f->numbers[i], &set);
		event_set_done(&set);
	}
}

static void free_fitted(struct fitted *f)
{
	for (size_t i = 0; i < f->list.n; i++)
		screen_numbers_done(&f->numbers[i]);
	free(f->numbers);
	free(f->shown);
	screen_list_done(&f->list);
}

/* Returns all events of the screens that are shown, as a recording would have them. */
static struct sample_events *record(const struct fitted *f)
{
	struct sample_events *all = sample_events_new(NULL, 0), *more;

	for (size_t i = 0; i < f->list.n; i++) {
		if (!f->shown[i])
			continue;
		more = sample_events_join(all, f->numbers[i].events);
		sample_events_unref(all);
		all = more;
	}
	return all;
}

static void compare_screen(struct strbuf *out, const struct fitted *live,
			   const struct fitted *recorded, size_t i)
{
	const struct screen *x = live->list.v[i], *y = recorded->list.v[i];
	const struct screen_numbers *a = &live->numbers[i], *b = &recorded->numbers[i];

	if (live->shown[i] != recorded->shown[i])
		strbuf_addf(out, "bad: %s is shown by one of both only\n", x->name);
	if (!live->shown[i])
		return;
	if (x->n_columns != y->n_columns)
		strbuf_addf(out, "bad: %s has %zu columns, not %zu\n", x->name, y->n_columns,
			    x->n_columns);
	for (size_t k = 0; k < x->n_columns && k < y->n_columns; k++)
		if (strcmp(x->column[k].header, y->column[k].header))
			strbuf_addf(out, "bad: %s has '%s', not '%s'\n", x->name,
				    y->column[k].header, x->column[k].header);
	for (int c = 0; c < a->n_counters && c < b->n_counters; c++)
		if (sample_events_find(a->events, a->head[c], b->events, b->head[c]) != a->head[c])
			strbuf_addf(out, "bad: %s: '%s' is another number\n", x->name, x->alias[c]);
}

static void play(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	const bool kernel = *(const size_t *)context % 2;
	const struct offer live = offer_live(m, sys, kernel);
	struct sample_machine *reported = machine_describe(m, false);
	struct fitted on_machine, on_recording, in_other_modes;
	struct sample_events *events;
	struct offer recorded;
	struct machine recalled;

	fit_all(&on_machine, &live);
	events = record(&on_machine);
	machine_restore(&recalled, reported);
	recorded = offer_recorded(&recalled, events, kernel);
	fit_all(&on_recording, &recorded);
	for (size_t i = 0; i < on_machine.list.n; i++)
		compare_screen(out, &on_machine, &on_recording, i);
	/* An event that was counted in other modes is another event. */
	recorded = offer_recorded(&recalled, events, !kernel);
	fit_all(&in_other_modes, &recorded);
	if (on_machine.shown[0] && in_other_modes.shown[0])
		strbuf_addf(out, "bad: %s is shown in other modes\n", on_machine.list.v[0]->name);
	free_fitted(&on_machine);
	free_fitted(&on_recording);
	free_fitted(&in_other_modes);
	sample_events_unref(events);
	sample_machine_unref(reported);
}

/* clang-format off */
static const struct sample_event recording[] = {
	{.given = "FP_ASSIST:ANY", .pmu = "cpu", .kind = EVENT_RAW, .config = 0x1eca, .modes = 17},
	{.given = "CYC:k", .pmu = "cpu", .kind = EVENT_RAW, .config = 0x3c, .modes = 18},
	{.given = "cycles", .pmu = "cpu", .kind = EVENT_HARDWARE, .modes = 17},
	{.given = "msr/tsc/", .pmu = "msr", .kind = EVENT_PMU, .core = -1, .modes = MODES_ALL},
	{.given = "sched:sched_switch", .resolved = "sched:sched_switch", .pmu = "tracepoint",
	 .kind = EVENT_TRACEPOINT, .core = -1, .modes = MODES_ALL},
	{.given = "gone", .pmu = "cpu", .modes = 17},
	{.given = "instructions@hold", .pmu = "cpu", .kind = EVENT_HARDWARE, .config = 1, .modes = 17 | MODE_HOLD},
};

static const struct {
	const char *name, *config, *type;
	int found; /* index in the recording, -1 if it has none */
} candidate_table[] = {
	{"FP_ASSIST:ANY", NULL, NULL, 0}, {"r1eca", NULL, NULL, 0},
	{NULL, "0x1eca", "RAW", 0},       {NULL, "0x1ecb", "RAW", -1},
	{"CYC:k", NULL, NULL, 1},         {"r3c", NULL, NULL, -1},
	{"cpu-cycles", NULL, NULL, 2},    {NULL, "CPU_CYCLES", NULL, 2},
	{"cycles:u", NULL, NULL, 2},      {"cycles:k", NULL, NULL, -1},
	{"msr/tsc/", NULL, NULL, 3},      {"sched:sched_switch", NULL, NULL, 4},
	{"instructions", NULL, NULL, -1}, {"gone", NULL, NULL, -1},
	{"r", NULL, NULL, -1},            {"rather", NULL, NULL, -1},
	{"instructions@hold", NULL, NULL, 6}, {"instructions:u@hold", NULL, NULL, 6},
	{"instructions@acquire", NULL, NULL, -1}, {"instructions:k@hold", NULL, NULL, -1},
};
/* clang-format on */

static void test_candidate(const struct offer *offer, size_t i)
{
	const char *name = candidate_table[i].name;
	const struct counter_decl decl = {
		.event = (char *)name,
		.config = (char *)candidate_table[i].config,
		.type = (char *)candidate_table[i].type,
	};
	const struct candidate c = {.decl = &decl, .name = (char *)name};
	const char *what = name ? name : decl.config;
	const int found = candidate_table[i].found;
	struct sample_event got;
	struct event_set set;
	int ret;

	event_set_init(&set);
	event_set_add(&set, "alias")->what = xstrdup(what);
	ret = offer->ops->resolve(offer, &set.event[0], 0, &c);
	tap_int(ret == 0, found >= 0, "%s: whether it was recorded", what);
	if (!ret && found >= 0) {
		offer->ops->describe(offer, &set);
		got = event_to_sample(&set, 0);
		tap_ok(sample_event_equal(&got, &offer->events->event[found]), "%s: as what", what);
		tap_ok(offer->ops->has(offer, &set, 0), "%s: it is there", what);
	}
	event_set_done(&set);
}

/* Names, codes and modifiers, one by one. */
static void test_candidates(void)
{
	const size_t n = sizeof recording / sizeof *recording;
	struct sample_events *events = sample_events_new(recording, (int)n);
	const struct machine machine = {.n_cores = 1, .core = {{.name = "cpu"}}};
	const struct offer offer = offer_recorded(&machine, events, false);

	for (size_t i = 0; i < sizeof candidate_table / sizeof *candidate_table; i++)
		test_candidate(&offer, i);
	sample_events_unref(events);
}

/* Names from a tiptoprc or -e, checked against the events of a recording. */
static void test_check(void)
{
	static const struct {
		const char *event;
		int want;
	} table[] = {
		{"FP_ASSIST:ANY", 0},   {"sched:sched_switch", 0}, {"msr/tsc/", 0},
		{"instructions", 0},    {"NO_SUCH:EVENT", ENOENT}, {"sched:sched_fork", ENOENT},
		{"msr/aperf/", ENOENT}, {"cycles:q", EINVAL},
	};
	const struct sample_machine reported = {
		.arch = "x86", .model = "06_97", .core = (const char *[]){"cpu"}, .n_cores = 1};
	const size_t n = sizeof recording / sizeof *recording;
	struct sample_events *events = sample_events_new(recording, (int)n);
	struct machine machine;
	struct offer offer;

	machine_restore(&machine, &reported);
	offer = offer_recorded(&machine, events, false);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err err = ERR_INIT;

		tap_int(-counters_check_event(table[i].event, &offer, &err), table[i].want,
			"'%s' is checked: %s", table[i].event, err.text);
	}
	sample_events_unref(events);
}

/* The reason why a counter has no event. */
static void test_lack(void)
{
	static const struct {
		const char *event, *model;
		int want;
	} table[] = {
		{"FP_ASSIST:ANY", NULL, QUALITY_EXACT},
		{"instructions", NULL, QUALITY_NOT_COUNTED},
		{"NO_SUCH:EVENT", NULL, QUALITY_NOT_COUNTED},
		{"NO_SUCH:EVENT", "06_01", QUALITY_UNSUPPORTED},
	};
	const struct sample_machine reported = {
		.arch = "x86", .model = "06_97", .core = (const char *[]){"cpu"}, .n_cores = 1};
	const size_t n = sizeof recording / sizeof *recording;
	struct sample_events *events = sample_events_new(recording, (int)n);
	struct machine machine;
	struct offer offer;

	machine_restore(&machine, &reported);
	offer = offer_recorded(&machine, events, false);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct screen *screen = screen_new("s", "a test");
		struct screen_numbers numbers;
		struct binding binding;
		struct event_set set;
		struct counter_decl *decl;
		const struct bound *bound;

		screen_add_column(screen, "X", "%5.1f", NULL, "delta(x)");
		decl = screen_add_counter(screen, "x", "", NULL);
		decl->event = xstrdup(table[i].event);
		decl->model = table[i].model ? xstrdup(table[i].model) : NULL;
		screen_compile(screen, NULL, NULL, &(struct err)ERR_INIT);
		counters_make_set(&set, screen, &offer);
		offer.ops->describe(&offer, &set);
		counters_describe(&numbers, &set);
		binding_init(&binding, screen, &numbers);
		bound = binding_column(&binding, events, 0);
		tap_int(bound->quality, table[i].want, "%s: why there is no number",
			table[i].event);
		binding_done(&binding);
		screen_numbers_done(&numbers);
		event_set_done(&set);
		screen_free(screen);
	}
	sample_events_unref(events);
}

int main(void)
{
	test_candidates();
	test_check();
	test_lack();
	for (size_t i = 0; i < N_PLAYED_CPUS; i++) {
		const struct played_cpu cpu = played_cpu_at(i);
		struct strbuf reported;

		strbuf_init(&reported);
		cpu_child_ask(&reported, &cpu, play, &i);
		tap_str(reported.text, "", "%s: its recording answers as it did", cpu.cpu);
		strbuf_done(&reported);
	}
	return tap_done();
}
