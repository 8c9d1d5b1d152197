/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From declared counters to events: the alternative chosen on a scripted PMU, and the reasons why
 * others were not.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "pfm_tables.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "scripted_pmu.h"
#include "tap.h"

#define CYCLES       (1ull << PERF_COUNT_HW_CPU_CYCLES)
#define INSTRUCTIONS (1ull << PERF_COUNT_HW_INSTRUCTIONS)

static const struct event_choice choices[] = {
	{.model = "sandy-bridge", .event = "NO_SUCH:EVENT; instructions", .source = "a manual"},
	{.model = "sandy-bridge", .event = "cycles", .source = "a manual"},
	{.model = "06_55", .event = "r1", .source = "a manual"},
};
static const struct event_def events[] = {
	{"own-event", "events", "what it counts", choices, 3, NULL},
	{"of-others", "events", "what it counts", choices + 2, 1, NULL},
};
static const struct cpu_name cpus[] = {{"sandy-bridge", "06_2A;06_2D", "a manual", NULL}};
static const struct event_table table = {cpus, 1, events, 2, NULL};

static const struct machine sandy_bridge = {
	.cpu = {"x86", "06_2A", CPU_INTEL}, .host = &event_host_here, .table = &table};

static void make_set(struct event_set *set, const struct screen *s, struct perf_sys *sys,
		     bool kernel)
{
	const struct offer offer = offer_live(&sandy_bridge, sys, kernel);

	counters_make_set(set, s, &offer);
}

static void note(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %d %s\n", line, err->code, err->text);
}

/* Makes a screen with a column of the alias "x". */
static struct screen *new_screen(void)
{
	struct screen *s = screen_new("s", "");

	screen_add_column(s, "x", "%f", "", "x");
	return s;
}

static void add_event(struct screen *s, const char *names, const char *model)
{
	struct counter_decl *c = screen_add_counter(s, "x", "", NULL);

	c->event = xstrdup(names);
	c->model = model ? xstrdup(model) : NULL;
	c->line = (int)s->n_counters;
}

static void compile(struct screen *s)
{
	struct strbuf ignored;

	strbuf_init(&ignored);
	screen_compile(s, note, &ignored, NULL);
	strbuf_done(&ignored);
}

/* Names in up to two declarations, the events that the PMU lacks, and the event that is chosen. */
/* clang-format off */
static const struct choice {
	const char *title, *first, *first_model, *second;
	uint64_t missing, denied;
	uint8_t quality;
	uint64_t config;
	int n_opens;
} choice_table[] = {
	{"one name is not tried", "instructions", NULL, NULL, 0, 0, QUALITY_EXACT, 1, 0},
	{"the first that exists", "cycles; instructions", NULL, NULL, 0, 0, QUALITY_EXACT, 0, 1},
	{"the first that can be opened", "cycles; instructions", NULL, NULL, CYCLES, 0, QUALITY_EXACT, 1, 2},
	{"the first that is known", "NO_SUCH:EVENT ;instructions", NULL, NULL, 0, 0, QUALITY_EXACT, 1, 0},
	{"an unknown one at the end", "instructions;NO_SUCH:EVENT", NULL, NULL, 0, 0, QUALITY_EXACT, 1, 0},
	{"none can be opened", "cycles;instructions", NULL, NULL, CYCLES | INSTRUCTIONS, 0, QUALITY_EXACT, 1, 2},
	{"none is known", "NO_SUCH:EVENT;NOR_THIS", NULL, NULL, 0, 0, QUALITY_UNSUPPORTED, 0, 0},
	{"a denied one exists", "cycles;instructions", NULL, NULL, 0, CYCLES, QUALITY_EXACT, 0, 1},
	{"the second declaration", "NO_SUCH:EVENT", NULL, "cycles", 0, 0, QUALITY_EXACT, 0, 0},
	{"the second one can be opened", "cycles", NULL, "instructions", CYCLES, 0, QUALITY_EXACT, 1, 2},
	{"the first is for another model", "cycles", "06_55", "instructions", 0, 0, QUALITY_EXACT, 1, 0},
	{"the first is for this model", "cycles", "06_55;06_2A", "instructions", 0, 0, QUALITY_EXACT, 0, 1},
	{"none is for this model", "cycles", "06_55", NULL, 0, 0, QUALITY_UNSUPPORTED, 0, 0},
	{"the first is for another CPU name", "cycles", "skylake", "instructions", 0, 0, QUALITY_EXACT, 1, 0},
	{"the first is for this CPU name", "cycles", "sandy-bridge", "instructions", 0, 0, QUALITY_EXACT, 0, 1},
	{"an event of the table", "own-event", NULL, NULL, 0, 0, QUALITY_EXACT, 1, 1},
	{"its second choice can be opened", "own-event", NULL, NULL, INSTRUCTIONS, 0, QUALITY_EXACT, 0, 2},
	{"one that is not for this CPU", "of-others", NULL, NULL, 0, 0, QUALITY_UNSUPPORTED, 0, 0},
	{"and then one that is", "of-others; cycles", NULL, NULL, 0, 0, QUALITY_EXACT, 0, 0},
	{"five of them", "A;B:C;r7;cycles;instructions", NULL, NULL, CYCLES | 1 << 7, 0, QUALITY_EXACT, 1, 4},
};
/* clang-format on */

static void test_choice(void)
{
	struct pmu *pmu = xcalloc(1, sizeof *pmu);

	for (size_t i = 0; i < sizeof choice_table / sizeof *choice_table; i++) {
		const struct choice *c = &choice_table[i];
		const struct offer offer = offer_live(&sandy_bridge, &pmu->sys, true);
		struct screen *s = new_screen();
		struct event_set set;
		bool have, there = c->quality == QUALITY_EXACT && !(c->missing >> c->config & 1);

		pmu_init(pmu);
		pmu->script.missing = c->missing;
		pmu->script.denied = c->denied;
		add_event(s, c->first, c->first_model);
		if (c->second)
			add_event(s, c->second, NULL);
		compile(s);
		make_set(&set, s, &pmu->sys, true);
		tap_ok(set.n == 1 && set.kernel && !strcmp(set.event[0].name, "x") &&
			       set.event[0].quality == c->quality &&
			       set.event[0].config == c->config,
		       "%s", c->title);
		tap_ok(pmu->calls.open <= c->n_opens && !pmu->n_open && !pmu->bad_calls,
		       "%s: with few probes, none left open", c->title);
		tap_int(counters_known(&set, &s->column[0]), c->quality == QUALITY_EXACT,
			"%s: fits or not", c->title);
		have = counters_available(&set, &s->column[0], &offer);
		tap_int(have, there, "%s: there or not", c->title);
		tap_ok(!pmu->n_open, "%s: looking leaves none open", c->title);
		event_set_done(&set);
		screen_free(s);
	}
	free(pmu);
}

/* Results and messages of one alternative do not affect the next one. */
static void test_nothing_left(void)
{
	struct pmu *pmu = xcalloc(1, sizeof *pmu);
	struct screen *s = new_screen();
	struct event_set set;

	pmu_init(pmu);
	pmu->script.missing = CYCLES;
	add_event(s, "0x5201c2;cycles:uG;instructions", NULL);
	pmu->script.refuse_exclude_guest = EINVAL;
	compile(s);
	make_set(&set, s, &pmu->sys, false);
	tap_ok(set.event[0].config == 0x1c2 && set.event[0].guest_too,
	       "the first one, which refuses exclude_guest");
	event_set_done(&set);
	screen_free(s);
	s = new_screen();
	add_event(s, "cycles:uG;instructions", NULL);
	compile(s);
	make_set(&set, s, &pmu->sys, false);
	tap_ok(set.event[0].config == 1 && !set.event[0].no_kernel && !set.event[0].no_host &&
		       !set.event[0].guest_too,
	       "the second one has no modifiers of the first");
	event_set_done(&set);
	screen_free(s);
	free(pmu);
}

/* Up to two declarations, in lines 1 and 2, and the beginnings of the messages. */
static const struct {
	const char *first, *second, *model, *want[2];
} check_table[] = {
	{"cycles", NULL, NULL, {NULL}},
	{"NO_SUCH;cycles", NULL, NULL, {NULL}},
	{"NO_SUCH",
	 NULL,
	 NULL,
	 {"1: 2 screen 's', counter 'x': libpfm4 knows no event 'NO_SUCH' for this CPU\n"}},
	{"minor-fault",
	 NULL,
	 NULL,
	 {"1: 2 screen 's', counter 'x': libpfm4 knows no event 'minor-fault' for this CPU (did "
	  "you mean 'minor-faults'?)\n"}},
	{"own-event", NULL, NULL, {NULL}},
	{"own-evend",
	 NULL,
	 NULL,
	 {"1: 2 screen 's', counter 'x': libpfm4 knows no event 'own-evend' for this CPU (did you "
	  "mean 'own-event'?)\n"}},
	{"of-others", NULL, NULL, {NULL}},
	{"of-others; NO_SUCH", NULL, NULL, {NULL}},
	{"own-event:q", NULL, NULL, {"1: 22 screen 's', counter 'x': 'q' is not a modifier"}},
	{"NO_SUCH:X; nopmu/y=1/",
	 NULL,
	 NULL,
	 {"1: 2 screen 's', counter 'x': none of 'NO_SUCH:X', 'nopmu/y=1/' is known here: libpfm4 "
	  "knows no event 'NO_SUCH:X' for this CPU\n"}},
	{"NO_SUCH", "cycles", NULL, {NULL}},
	{"NO_SUCH",
	 "NOR_THIS",
	 NULL,
	 {"1: 2 screen 's', counter 'x': libpfm4 knows no event 'NO_SUCH' for this CPU\n",
	  "2: 2 screen 's', counter 'x': libpfm4 knows no event 'NOR_THIS' for this CPU\n"}},
	{"NO_SUCH", NULL, "06_55", {NULL}},
	{"cycles:q", NULL, NULL, {"1: 22 screen 's', counter 'x': 'q' is not a modifier"}},
	{"cycles;instructions:",
	 NULL,
	 NULL,
	 {"1: 22 screen 's', counter 'x': '' is not a modifier"}},
	{"cycles",
	 "cpu/x",
	 NULL,
	 {"2: 22 screen 's', counter 'x': 'cpu/x' is not an event: write PMU/"}},
	{";", NULL, NULL, {"1: 22 screen 's', counter 'x': the event ';' names nothing"}},
};

/* Returns whether the text begins with this one. */
static bool begins_with(const char *text, const char *want)
{
	struct strbuf expected;
	bool same;

	strbuf_init(&expected);
	pfm_add_expected(&expected, want);
	same = !strncmp(text, expected.text, expected.len);
	strbuf_done(&expected);
	return same;
}

static void test_check(void)
{
	for (size_t i = 0; i < sizeof check_table / sizeof *check_table; i++) {
		const struct offer offer = offer_live(&sandy_bridge, NULL, false);
		struct screen *s = new_screen();
		struct strbuf got;
		const char *p;
		bool good = true;

		strbuf_init(&got);
		add_event(s, check_table[i].first, check_table[i].model);
		if (check_table[i].second)
			add_event(s, check_table[i].second, NULL);
		counters_check(s, &offer, note, &got);
		p = got.text;
		for (int k = 0; k < 2 && check_table[i].want[k]; k++) {
			good = good && begins_with(p, check_table[i].want[k]);
			p += strcspn(p, "\n");
			p += *p == '\n';
		}
		if (!tap_ok(good && !*p, "what is said of '%s'%s%s", check_table[i].first,
			    check_table[i].second ? " and " : "",
			    check_table[i].second ? check_table[i].second : ""))
			tap_show("got", got.text);
		strbuf_done(&got);
		screen_free(s);
	}
}

static void test_check_config(void)
{
	const struct offer offer = offer_live(&sandy_bridge, NULL, false);
	struct pmu *pmu = xcalloc(1, sizeof *pmu);
	struct event_set set;
	struct screen *s = new_screen();
	struct strbuf got;

	strbuf_init(&got);
	screen_add_counter(s, "x", "CPU_CYCLES", NULL);
	screen_add_counter(s, "x", "CPU_CYCLES", "NONE");
	screen_add_counter(s, "x", "CPU_CICLES", "HARDWARE");
	counters_check(s, &offer, note, &got);
	tap_ok(strstr(got.text,
		      "0: 22 screen 's', counter 'x': there is no type of counter 'NONE'") ==
		       got.text,
	       "a type that is none");
	tap_ok(strstr(got.text,
		      "\n0: 2 screen 's', counter 'x': config 'CPU_CICLES' of type HARDWARE"),
	       "a config that is none");
	compile(s);
	pmu_init(pmu);
	make_set(&set, s, &pmu->sys, true);
	tap_ok(set.event[0].quality == QUALITY_EXACT && !set.event[0].config,
	       "neither keeps the good one from use");
	event_set_done(&set);
	free(pmu);
	strbuf_done(&got);
	screen_free(s);
}

int main(void)
{
	test_choice();
	test_nothing_left();
	test_check();
	test_check_config();
	return tap_done();
}
