/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/verdict_engine.h"

#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "diagnose/judge.h"
#include "diagnose/rules.h"
#include "model/kinds.h"
#include "pmu/check/privilege.h"
#include "pmu/event/machine.h"
#include "screen/bind/counters.h"

/* ---- verdict lines ---- */

static void verdict_lines_init(struct verdict_lines *l)
{
	*l = (struct verdict_lines){.n = 0};
	strbuf_init(&l->text);
}

static void verdict_lines_done(struct verdict_lines *l)
{
	free(l->v);
	arena_done(&l->arena);
	strbuf_done(&l->text);
}

/* Appends the text of l->text as a line, and empties l->text. */
static void end_line(struct verdict_lines *l, enum page_style style, const char *label)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct page_line){.style = style,
					  .label = label ? arena_strdup(&l->arena, label) : NULL,
					  .text = arena_strdup(&l->arena, l->text.text)};
	strbuf_reset(&l->text);
}

static void write_steps(struct verdict_lines *l, const struct tell *t, const struct verdict *v)
{
	struct strbuf why;

	strbuf_init(&why);
	for (size_t i = 0; i < verdict_n_steps(v); i++) {
		strbuf_reset(&why);
		if (verdict_step(&l->text, &why, t, v, i)) {
			strbuf_addf(&l->text, " - %s", why.text);
			end_line(l, PAGE_ENTRY, "  next");
		}
		strbuf_reset(&l->text);
	}
	strbuf_done(&why);
}

static void write_verdict(struct verdict_lines *l, const struct tell *t, const struct verdict *v,
			  bool rules)
{
	const struct verdict_row *row = verdict_rule_row(v);
	struct strbuf word;

	strbuf_init(&word);
	verdict_word(&word, v);
	verdict_sentence(&l->text, t, v);
	end_line(l, PAGE_ENTRY, word.text);
	strbuf_done(&word);
	verdict_numbers(&l->text, t, v);
	end_line(l, PAGE_ENTRY, "  numbers");
	verdict_certainty(&l->text, t, v);
	end_line(l, PAGE_ENTRY, "  certainty");
	if (rules) {
		strbuf_addf(&l->text, "%s: %s (%s)", row->name, row->when, row->source);
		end_line(l, PAGE_ENTRY, "  rule");
	}
	write_steps(l, t, v);
}

/* Returns whether this reason is explained by the lack of hardware counters, as the events of the
 * built-in metrics need them. */
static bool needs_hardware(enum quality q)
{
	return q == QUALITY_NOT_COUNTED || q == QUALITY_UNSUPPORTED;
}

/* Appends a line for each reason why metrics are unknown, with these metrics. no_counters: why
 * there are no hardware counters; NULL: there are. */
static void write_unknown(struct verdict_lines *l, const struct tell *t, const char *no_counters)
{
	struct strbuf list, of_hardware;

	strbuf_init(&list);
	strbuf_init(&of_hardware);
	for (enum quality q = QUALITY_FIRST_NONE; q < N_QUALITIES; q++) {
		strbuf_reset(&list);
		if (!verdict_unknown(&list, t, q))
			continue;
		if (no_counters && needs_hardware(q)) {
			strbuf_addf(&of_hardware, "%s%s", of_hardware.len ? ", " : "", list.text);
			continue;
		}
		strbuf_addf(&l->text, "%s: %s", list.text, quality_text(q, t->task->dead));
		end_line(l, PAGE_ENTRY, "not known");
	}
	if (of_hardware.len) {
		strbuf_addf(&l->text, "%s: %s", of_hardware.text, no_counters);
		end_line(l, PAGE_ENTRY, "not known");
	}
	strbuf_done(&list);
	strbuf_done(&of_hardware);
}

/* Makes the lines of a row from its verdicts. rules: with the condition and the source of each
 * rule. no_counters: as in write_unknown(). */
static void verdict_lines_make(struct verdict_lines *l, const struct tell *t,
			       const struct verdict *found, size_t n, bool rules,
			       const char *no_counters)
{
	l->n = 0;
	arena_reset(&l->arena);
	strbuf_reset(&l->text);
	strbuf_addstr(&l->text, "Why it is no faster");
	end_line(l, PAGE_TITLE, NULL);
	for (size_t i = 0; i < n; i++)
		write_verdict(l, t, &found[i], rules);
	if (!n) {
		strbuf_addstr(&l->text, "nothing can be said of it in this interval");
		end_line(l, PAGE_TEXT, NULL);
	}
	write_unknown(l, t, no_counters);
}

/* ---- bound ---- */

static void bind_screen(struct setup *s, const struct screen *screen, struct page_screen *out,
			struct screen_numbers *numbers)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);
	struct event_set events;

	counters_make_set(&events, screen, &offer);
	offer.ops->describe(&offer, &events);
	counters_describe(numbers, &events);
	event_set_done(&events);
	out->screen = screen;
	out->binding = xcalloc(1, sizeof *out->binding);
	binding_init(out->binding, screen, numbers);
}

void bound_screens_make(struct bound_screens *b, struct setup *s,
			const struct screen *const *screen, size_t n)
{
	b->n = n;
	b->kernel = s->display.view.kernel;
	b->screen = xcalloc(n, sizeof *b->screen);
	b->numbers = xcalloc(n, sizeof *b->numbers);
	for (size_t i = 0; i < n; i++)
		bind_screen(s, screen[i], &b->screen[i], &b->numbers[i]);
}

void bound_screens_done(struct bound_screens *b)
{
	for (size_t i = 0; i < b->n; i++) {
		binding_done(b->screen[i].binding);
		free(b->screen[i].binding);
		screen_numbers_done(&b->numbers[i]);
	}
	free(b->screen);
	free(b->numbers);
	*b = (struct bound_screens){.n = 0};
}

/* ---- verdict engine ---- */

/* The last two readings of how a task waited; start_ns identifies the task. */
struct wait_readings {
	uint64_t start_ns;
	struct detail_wait before, last;
};

/* Maximal number of tasks in verdict_engine.looks. Before a further task is added, the readings of
 * all tasks are dropped, and the intervals of all of them start over. */
#define LOOKS_MAX 10000

struct verdict_engine {
	struct judged judged;
	struct setup *setup;
	struct rules *rules; /* NULL: not used yet */
	struct bound_screens bound;
	struct binding **binding; /* [bound.n] the bindings in `bound` */
	struct measures *measures;
	/* The last sample evaluated: */
	uint64_t mono_ns, generation;
	struct value *cell;    /* metrics of the last row judged */
	struct verdict *found; /* verdicts of the last row judged */
	struct strbuf text;
	struct verdict_lines lines;
	struct hash looks;    /* struct wait_readings, by pid */
	struct detail detail; /* details of the row given to explain() */
};

static bool fits(const void *context, const char *arch, const char *model)
{
	return machine_fits(context, 0, arch, model);
}

static void pass_over(void *context, const struct err *err)
{
	(void)context, (void)err;
}

static void make_rules(struct verdict_engine *j,
		       void (*report)(void *context, const struct err *err), void *context)
{
	const struct setup *s = j->setup;
	const struct verdict_table *table[] = {&verdict_table_built_in, &s->config.verdicts.table};
	const struct rules_machine machine = {fits, &s->backend.machine, &s->config.own_screens};

	j->rules = rules_new(table, sizeof table / sizeof *table, &machine, report, context);
	j->cell = xcalloc(rules_n_metrics(j->rules), sizeof *j->cell);
	j->found = xcalloc(judge_max(j->rules), sizeof *j->found);
}

static void unbind(struct verdict_engine *j)
{
	measures_free(j->measures);
	j->measures = NULL;
	bound_screens_done(&j->bound);
	free(j->binding);
	j->binding = NULL;
}

static void bind(struct verdict_engine *j)
{
	const size_t n = rules_n_screens(j->rules);
	const struct screen **screen;

	if (j->binding && j->bound.kernel == j->setup->display.view.kernel)
		return;
	unbind(j);
	screen = xcalloc(n, sizeof *screen);
	for (size_t i = 0; i < n; i++)
		screen[i] = rules_screen(j->rules, i);
	bound_screens_make(&j->bound, j->setup, screen, n);
	free(screen);
	j->binding = xcalloc(n, sizeof *j->binding);
	for (size_t i = 0; i < n; i++)
		j->binding[i] = j->bound.screen[i].binding;
	j->measures = measures_new(j->rules, j->binding);
}

const struct rules *verdict_engine_rules(struct verdict_engine *j)
{
	if (!j->rules)
		make_rules(j, pass_over, NULL);
	return j->rules;
}

struct fact_set verdict_engine_facts(const struct verdict_engine *j)
{
	const struct verdict_table *own = &j->setup->config.verdicts.table;

	return j->rules && own->n_metrics + own->n_verdicts ? rules_facts(j->rules) : FACT_NONE;
}

void verdict_engine_check_rules(struct verdict_engine *j,
				void (*report)(void *context, const struct err *err), void *context)
{
	if (!j->rules)
		make_rules(j, report, context);
}

static void begin(struct verdict_engine *j, const struct sample *sample)
{
	verdict_engine_rules(j);
	bind(j);
	if (j->mono_ns == sample->mono_ns && j->generation == sample->generation)
		return;
	j->mono_ns = sample->mono_ns;
	j->generation = sample->generation;
	judge_begin(j->rules, sample);
}

/* Finds the verdicts of a row in j->found, the most important first. Returns their number. */
static size_t judge(struct verdict_engine *j, const struct sample *sample,
		    const struct delta_row *row, bool thread, const struct value *evidence,
		    struct tell *tell)
{
	const struct verdict_case c = {row, &sample->host, thread, evidence};

	begin(j, sample);
	measures_compute(j->measures, &c, j->cell);
	*tell = (struct tell){j->rules, j->binding, row->task, j->cell, false};
	return judge_row(j->rules, row->task, j->cell, j->found);
}

void verdict_engine_find(struct verdict_engine *j, const struct sample *sample,
			 const struct delta_row *row, bool thread, struct verdict_findings *out)
{
	struct tell tell;

	out->n = judge(j, sample, row, thread, NULL, &tell);
	out->cell = j->cell;
	out->found = j->found;
}

static void forget_looks(struct verdict_engine *j)
{
	size_t pos = 0;
	struct wait_readings *look;

	while ((look = hash_next(&j->looks, &pos)))
		free(look);
	hash_done(&j->looks);
	j->looks = (struct hash)HASH_INIT;
}

/* Stores this reading of the task's waits, and returns the previous one. */
static const struct detail_wait *take_look(struct verdict_engine *j, const struct task *t,
					   const struct detail_wait *now)
{
	struct wait_readings *look = hash_get(&j->looks, t->id);

	if (!look) {
		if (j->looks.n >= LOOKS_MAX)
			forget_looks(j);
		look = xcalloc(1, sizeof *look);
		hash_put(&j->looks, t->id, look);
	}
	if (look->start_ns != t->start_ns)
		*look = (struct wait_readings){.start_ns = t->start_ns};
	/* A frame may be rebuilt from the same reading. */
	if (look->last.mono_ns != now->mono_ns) {
		look->before = look->last;
		look->last = *now;
	}
	return &look->before;
}

static const struct verdict_lines *make_lines(struct verdict_engine *j, const struct sample *sample,
					      const struct delta_row *row,
					      const struct detail *detail, bool rules)
{
	struct value evidence[N_EVIDENCE];
	struct tell tell;
	size_t n;

	if (detail)
		evidence_read(evidence, take_look(j, row->task, &detail->wait), detail);
	n = judge(j, sample, row, sample->threads, detail ? evidence : NULL, &tell);
	tell.on_page = !rules;
	verdict_lines_make(&j->lines, &tell, j->found, n, rules,
			   backend_no_counters(&j->setup->backend));
	return &j->lines;
}

const struct verdict_lines *verdict_engine_explain(struct verdict_engine *j,
						   const struct sample *sample,
						   const struct delta_row *row,
						   const struct detail *detail)
{
	return make_lines(j, sample, row, detail, false);
}

static const char *word(void *context, const struct sample *sample, const struct delta_row *row)
{
	struct verdict_engine *j = context;
	struct tell tell;

	if (row->task->kind != &kind_task)
		return NULL;
	strbuf_reset(&j->text);
	if (judge(j, sample, row, sample->threads, NULL, &tell))
		verdict_word(&j->text, &j->found[0]);
	return j->text.text;
}

/* Reads the task's details into j->detail; false: not supported by the source, or the task has
 * exited. */
static bool look_at(struct verdict_engine *j, const struct task *t)
{
	struct source *source = j->setup->backend.source;
	bool raised;

	if (!source || !source->ops->detail || t->dead)
		return false;
	raised = privilege_raise();
	source->ops->detail(source, t, 0, &j->detail);
	privilege_lower(raised);
	return !j->detail.error;
}

static bool explain(void *context, const struct sample *sample, const struct delta_row *row,
		    struct strbuf *out)
{
	struct verdict_engine *j = context;
	const struct verdict_lines *lines;
	bool wait_readings;

	if (row->task->kind != &kind_task)
		return false;
	wait_readings = look_at(j, row->task);
	strbuf_addch(out, '\n');
	lines = make_lines(j, sample, row, wait_readings ? &j->detail : NULL, true);
	/* Skips the title. */
	for (size_t i = 1; i < lines->n; i++)
		strbuf_addf(out, "%-15s %s\n", lines->v[i].label ? lines->v[i].label : "",
			    lines->v[i].text);
	return true;
}

struct verdict_engine *verdict_engine_new(struct setup *s)
{
	struct verdict_engine *j = xcalloc(1, sizeof *j);

	j->setup = s;
	j->judged = (struct judged){word, explain, j};
	strbuf_init(&j->text);
	strbuf_addstr(&j->text, "");
	verdict_lines_init(&j->lines);
	return j;
}

void verdict_engine_free(struct verdict_engine *j)
{
	if (!j)
		return;
	unbind(j);
	rules_free(j->rules);
	free(j->cell);
	free(j->found);
	strbuf_done(&j->text);
	verdict_lines_done(&j->lines);
	forget_looks(j);
	detail_done(&j->detail);
	free(j);
}

const struct judged *verdict_engine_for_view(const struct verdict_engine *j)
{
	return &j->judged;
}
