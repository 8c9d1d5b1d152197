/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in screens on other CPUs: which ones are shown, with which columns, the events that
 * they open, and whether these fit the number of counters. The result of each CPU is compared as
 * lines.
 */
#include "cpu_child.h"
#include "known_codes.h"
#include "model/kinds.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/table.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

/* Returns whether the event has a fixed counter that the watchdog does not use: on Intel, that uses
 * the one of cycles. */
static bool is_fixed(const struct machine *m, const struct event *e)
{
	bool generic = e->type == PERF_TYPE_HARDWARE;
	uint32_t config = (uint32_t)e->config;

	if (m->cpu.vendor == CPU_ARM)
		return generic && config == PERF_COUNT_HW_CPU_CYCLES;
	return m->cpu.vendor != CPU_AMD &&
	       (e->topdown != TOPDOWN_NONE || (generic && config == PERF_COUNT_HW_INSTRUCTIONS) ||
		(generic && config == PERF_COUNT_HW_REF_CPU_CYCLES));
}

/* Returns how many general counters the screen needs on this kind of cores. */
static int count_room(const struct event_set *set, const struct machine *m, int core)
{
	int n = 0;

	for (int i = 0; i < set->n; i++) {
		const struct event *e = &set->event[i];
		/* AMD's FLOPs increment by more per cycle than one counter can: the event takes two
		 * counters. */
		bool pair = m->cpu.vendor == CPU_AMD && e->type == PERF_TYPE_RAW &&
			    (e->config & 0xff) == 3;

		if (e->quality == QUALITY_EXACT && e->core == core && !is_fixed(m, e))
			n += pair ? 2 : 1;
	}
	return n;
}

static bool is_used(const struct screen *s, int counter)
{
	for (size_t i = 0; i < s->n_columns; i++)
		for (size_t k = 0; k < expr_n_refs(s->column[i].expr); k++)
			if (expr_ref_at(s->column[i].expr, k).symbol == counter)
				return true;
	return false;
}

static const char *trim(const char *header)
{
	return header + strspn(header, " ");
}

static void tell_event(struct strbuf *out, const struct screen *s, const struct machine *m,
		       const struct event *e)
{
	strbuf_addf(out, "event %s.%s", s->name, e->name);
	if (machine_is_hybrid(m) && e->core != EVENT_NO_CORE)
		strbuf_addf(out, "@%s", m->core[e->core].name);
	strbuf_addf(out, " %u %#llx\n", e->type, (unsigned long long)e->config);
}

static bool is_of_intel_2010(const struct screen *s)
{
	return !strcmp(s->name, "imix") || !strcmp(s->name, "FP") || !strcmp(s->name, "mem") ||
	       !strcmp(s->name, "uOps") || !strcmp(s->name, "default");
}

static void tell_events(struct strbuf *out, const struct machine_case *c, const struct screen *s,
			const struct machine *m, struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	struct event_set set;

	counters_make_set(&set, s, &offer);
	for (int i = 0; i < set.n; i++) {
		const struct event *e = &set.event[i];

		if (e->quality == QUALITY_EXACT)
			tell_event(out, s, m, e);
		if (e->quality == QUALITY_EXACT && c->pmu[0] && !is_used(s, e->counter))
			strbuf_addf(out, "bad: %s opens %s for no column\n", s->name, e->name);
	}
	/* Screens of tasks must fit; groups of screens for CPUs may be multiplexed. */
	for (int core = 0;
	     core < machine_kinds(m) && !is_of_intel_2010(s) && screen_has_rows(s, kind_task.name);
	     core++)
		if (count_room(&set, m, core) > c->room)
			strbuf_addf(out, "bad: %s takes %d counters\n", s->name,
				    count_room(&set, m, core));
	for (size_t i = 0; i < s->n_columns; i++)
		if (!counters_known(&set, &s->column[i]))
			strbuf_addf(out, "bad: %s is shown with a counter that has no event\n",
				    s->name);
	event_set_done(&set);
}

static void complain(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "bad: %d: %s\n", line, err->text);
}

static void tell_screen(struct strbuf *out, const struct machine_case *c, struct screen *s,
			const struct machine *m, struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);

	if (screen_compile(s, complain, out, NULL))
		strbuf_addf(out, "bad: %s does not compile\n", s->name);
	if (!fit_may_show(s, &offer)) {
		if (!s->needs || !*s->needs)
			strbuf_addf(out, "bad: %s is hidden without a reason\n", s->name);
		return;
	}
	fit_screen(s, &offer);
	/* Screens of CPUs have the same columns everywhere. */
	if (screen_has_rows(s, kind_task.name)) {
		strbuf_addf(out, "screen %s:", s->name);
		for (size_t i = 0; i < s->n_columns; i++)
			strbuf_addf(out, " %s", trim(s->column[i].header));
		strbuf_addch(out, '\n');
	}
	tell_events(out, c, s, m, sys);
}

static void tell(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	const struct machine_case *c = context;
	struct screen_list list = SCREEN_LIST_INIT;

	screen_list_add_built_in(&list, 0, screen_built_in_n);
	/* The screen of regions is the same everywhere: programs choose their events. */
	for (size_t i = 0; i < list.n; i++)
		if (!screen_has_rows(list.v[i], kind_region.name))
			tell_screen(out, c, list.v[i], m, sys);
	screen_list_done(&list);
}

/* Appends the lines that begin with a word, without the word. */
static void select_lines(struct strbuf *out, const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text += strcspn(text, "\n") + 1)
		if (!strncmp(text, word, len))
			strbuf_add(out, text + len, strcspn(text, "\n") + 1 - len);
}

static void test_lines(const char *reported, const char *word, const char *want, const char *cpu,
		       const char *what)
{
	struct strbuf lines;

	strbuf_init(&lines);
	select_lines(&lines, reported, word);
	tap_str(lines.text, want, "%s: %s", cpu, what);
	strbuf_done(&lines);
}

static void test_codes(const char *reported, const char *cpu)
{
	for (size_t i = 0; i < sizeof code_table / sizeof *code_table; i++) {
		char *line;

		if (strcmp(code_table[i].cpu, cpu))
			continue;
		if (code_table[i].type == NO_EVENT)
			line = xasprintf("event %s ", code_table[i].event);
		else
			line = xasprintf("event %s %u %#llx\n", code_table[i].event,
					 code_table[i].type,
					 (unsigned long long)code_table[i].config);
		tap_ok(!strstr(reported, line) == (code_table[i].type == NO_EVENT), "%s: %s%.*s",
		       cpu, code_table[i].type == NO_EVENT ? "no " : "", (int)strlen(line) - 1,
		       line);
		free(line);
	}
}

/* Each event that a screen names is in the table, or generic. No event of the table has the name of
 * a generic one, or of another one in the table. */
static void test_names(void)
{
	const struct event_table *t = &event_table_built_in;
	uint32_t type;
	uint64_t config;

	for (size_t i = 0; i < screen_built_in_n; i++)
		for (size_t k = 0; k < screen_built_in[i].n_counters; k++) {
			const char *event = screen_built_in[i].counter[k].event;
			char *base = xstrndup(event, strcspn(event, ":"));

			tap_ok(event_table_find(t, base, strlen(base)) ||
				       generic_find(base, &type, &config),
			       "%s of %s is known", event, screen_built_in[i].name);
			free(base);
		}
	for (size_t i = 0; i < t->n_events; i++) {
		const struct event_def *e = &t->event[i];
		bool good = !generic_find(e->name, &type, &config);

		for (size_t k = 0; k < e->n_choices; k++) {
			const char *list = e->choice[k].event;
			char *name;

			while ((name = event_name_next(&list))) {
				good = good && !event_table_find(t, name, strcspn(name, ":"));
				free(name);
			}
		}
		tap_ok(good, "%s is a name of its own", e->name);
	}
}

int main(void)
{
	test_names();
	for (size_t i = 0; i < sizeof case_table / sizeof *case_table; i++) {
		const struct machine_case *c = &case_table[i];
		const struct played_cpu cpu = {
			c->cpu, c->tables, {c->pmu[0], c->pmu[1], c->pmu[2]}};
		struct strbuf reported;

		strbuf_init(&reported);
		cpu_child_ask(&reported, &cpu, tell, c);
		test_lines(reported.text, "bad", "", c->name,
			   "every screen has its events, or says why it is hidden");
		test_lines(reported.text, "screen ", c->screens, c->name,
			   "the screens and their columns");
		test_codes(reported.text, c->name);
		strbuf_done(&reported);
	}
	return tap_done();
}
