/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/rules.h"

/* ---- verdict text ---- */

/* column_format_read() has checked that a format is that of one number. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void add_number(struct strbuf *out, const char *format, struct value v)
{
	if (!value_known(v)) {
		strbuf_addstr(out, quality_table[v.quality].mark);
		return;
	}
	strbuf_addf(out, format, v.number);
}

static bool add_event(struct strbuf *out, const struct tell *t, const struct metric *m)
{
	for (size_t i = 0; i < m->n_sources && t->binding; i++) {
		const struct metric_source *s = &m->source[i];
		const struct column *column = &t->rules->screens.v[s->screen]->column[s->column];
		const struct screen_numbers *numbers = t->binding[s->screen]->numbers;
		const int symbol = expr_ref_at(column->expr, 0).symbol;
		const struct sample_event *e;

		if (symbol >= numbers->n_counters)
			continue;
		e = &numbers->events->event[numbers->head[symbol]];
		if (e->kind == EVENT_NONE || !e->resolved[0])
			continue;
		strbuf_addstr(out, e->resolved);
		return true;
	}
	return false;
}

static bool fill(struct strbuf *out, const struct tell *t, const struct template *template)
{
	const struct kind *kind = t->task->kind;

	for (size_t i = 0; i < template->n; i++) {
		const struct piece *p = &template->piece[i];

		switch (p->kind) {
		case PIECE_TEXT:
			strbuf_addstr(out, p->text);
			break;
		case PIECE_NUMBER:
			add_number(out, p->text,
				   condition_value(p->number, t->task, NULL, t->cell));
			break;
		case PIECE_PID:
			if (!kind->pid)
				return false;
			strbuf_addf(out, "%" PRId32, kind->pid(t->task));
			break;
		case PIECE_EVENT:
			if (!add_event(out, t, &t->rules->metric[p->metric]))
				return false;
			break;
		}
	}
	return true;
}

/* The phrase in verdicts that refers users to the page. */
#define PAGE "the page of the task"

void verdict_word(struct strbuf *out, const struct verdict *v)
{
	strbuf_addf(out, "%s%s", v->rule->row->word, v->sure == SURE_MAYBE ? "?" : "");
}

void verdict_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	fill(out, t, &v->rule->says);
}

static bool has_name(const struct rule *rule, size_t metric)
{
	for (size_t i = 0; i < rule->n_names; i++)
		if (rule->name[i] == metric)
			return true;
	return false;
}

/* Returns whether the condition of the rule, or of a rule that it covers, names the metric. */
static bool is_evidence(const struct rules *r, const struct rule *rule, size_t metric)
{
	bool named = has_name(rule, metric);

	for (size_t i = 0; i < rule->n_covers && !named; i++)
		named = has_name(&r->rule[rule->covers[i]], metric);
	return named;
}

void verdict_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	const char *between = "";

	for (size_t i = 0; i < t->rules->n_metrics; i++) {
		const struct metric_row *row = t->rules->metric[i].row;

		if (!value_known(t->cell[i]) || !is_evidence(t->rules, v->rule, i))
			continue;
		strbuf_addf(out, "%s%s ", between, row->desc);
		add_number(out, row->format, t->cell[i]);
		if (t->cell[i].quality != QUALITY_EXACT)
			strbuf_addstr(out, quality_table[t->cell[i].quality].mark);
		if (row->unit && *row->unit)
			strbuf_addf(out, " %s", row->unit);
		between = ", ";
	}
}

void verdict_certainty(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	static const char *const words[] = {
		[SURE_MAYBE] = "maybe", [SURE_LIKELY] = "likely", [SURE_SURE] = "sure"};
	const struct verdict_row *row = v->rule->row;

	strbuf_addstr(out, words[v->sure]);
	if (row->surer && *row->surer && !(t->on_page && strstr(row->surer, PAGE)))
		strbuf_addf(out, "; to confirm: %s", row->surer);
}

size_t verdict_n_steps(const struct verdict *v)
{
	return v->rule->row->n_next;
}

bool verdict_step(struct strbuf *run, struct strbuf *why, const struct tell *t,
		  const struct verdict *v, size_t i)
{
	return fill(run, t, &v->rule->run[i]) && fill(why, t, &v->rule->why[i]);
}

const struct verdict_row *verdict_rule_row(const struct verdict *v)
{
	return v->rule->row;
}

bool verdict_unknown(struct strbuf *out, const struct tell *t, enum quality why)
{
	const char *between = "";

	for (size_t i = 0; i < t->rules->n_metrics; i++) {
		const struct metric *m = &t->rules->metric[i];

		if (!m->n_sources || value_known(t->cell[i]) || t->cell[i].quality != why)
			continue;
		strbuf_addf(out, "%s%s", between, m->row->desc);
		between = ", ";
	}
	return *between;
}

/* ---- judge ---- */

size_t judge_max(const struct rules *r)
{
	return r->n;
}

size_t judge_rule(const struct rules *r, const struct verdict *v)
{
	return (size_t)(v->rule - r->rule);
}

struct beginning {
	struct rules *rules;
	const struct sample *sample;
};

static void begin_condition(void *context, struct condition *c)
{
	const struct beginning *b = context;

	condition_begin(c, &b->rules->binding, b->sample, false);
}

void judge_begin(struct rules *r, const struct sample *sample)
{
	struct beginning b = {r, sample};

	for (size_t i = 0; i < r->n; i++) {
		const struct rule *rule = &r->rule[i];

		begin_condition(&b, rule->when);
		begin_condition(&b, rule->rank);
		template_each(&rule->says, begin_condition, &b);
		for (size_t k = 0; k < rule->row->n_next; k++) {
			template_each(&rule->run[k], begin_condition, &b);
			template_each(&rule->why[k], begin_condition, &b);
		}
	}
}

static enum sure sure_of(const struct rule *rule, const struct value *cell)
{
	enum sure sure = !strcmp(rule->row->sure, "sure")     ? SURE_SURE
			 : !strcmp(rule->row->sure, "likely") ? SURE_LIKELY
							      : SURE_MAYBE;

	for (size_t i = 0; i < rule->n_names; i++)
		if (value_known(cell[rule->name[i]]) &&
		    cell[rule->name[i]].quality != QUALITY_EXACT)
			return sure == SURE_SURE ? SURE_LIKELY : SURE_MAYBE;
	return sure;
}

/* Returns whether the task was on a CPU for at least this many ms. */
static bool has_run_ms(const struct rules *r, const struct value *cell, double ms)
{
	return r->cpu_ms < r->n_metrics && value_known(cell[r->cpu_ms]) &&
	       cell[r->cpu_ms].number >= ms;
}

/* Returns which of the first 64 metrics are known, as bits. */
static uint64_t known_bits(const struct rules *r, const struct value *cell)
{
	uint64_t known = 0;

	for (size_t i = 0; i < r->n_metrics && i < 64; i++)
		known |= (uint64_t)value_known(cell[i]) << i;
	return known;
}

/* Returns whether the rule applies. known: known_bits(). For most rules, a limit does not hold, or
 * a metric that the rule needs is unknown: their condition is not evaluated. */
static bool rule_applies(const struct rules *r, const struct rule *rule, const struct task *task,
			 const struct value *cell, uint64_t known)
{
	if (rule->need_bits & ~known || rule->without_bits & known)
		return false;
	for (size_t i = 0; i < rule->n_limits; i++)
		if (!expr_limit_holds(&rule->limit[i], cell[rule->limit[i].ref]))
			return false;
	for (size_t i = 0; i < rule->n_need; i++)
		if (!value_known(cell[rule->need[i]]))
			return false;
	for (size_t i = 0; i < rule->n_without; i++)
		if (value_known(cell[rule->without[i]]))
			return false;
	if (rule->by_counters && !has_run_ms(r, cell, rule->cpu_ms))
		return false;
	return rule->all_limits || condition_test(rule->when, task, NULL, cell) == TRI_TRUE;
}

/* Inserts a verdict by rank; equal ranks keep the order of the table. */
static void insert(struct verdict *found, size_t n, struct verdict v)
{
	for (; n && found[n - 1].rank < v.rank; n--)
		found[n] = found[n - 1];
	found[n] = v;
}

static bool is_covered(const struct rules *r, const struct verdict *v, const struct verdict *found,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < found[i].rule->n_covers; k++)
			if (&r->rule[found[i].rule->covers[k]] == v->rule)
				return true;
	return false;
}

/* Drops covered verdicts, from the last one on: of two that cover each other, one stays. Returns
 * how many are left. */
static size_t drop_covered(const struct rules *r, struct verdict *found, size_t n)
{
	for (size_t i = n; i--;)
		if (is_covered(r, &found[i], found, n)) {
			memmove(&found[i], &found[i + 1], (n - i - 1) * sizeof *found);
			n--;
		}
	return n;
}

size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found)
{
	const uint64_t known = known_bits(r, cell);
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct rule *rule = &r->rule[i];
		struct value rank;

		if (!rule_applies(r, rule, task, cell, known))
			continue;
		rank = condition_value(rule->rank, task, NULL, cell);
		insert(found, n++,
		       (struct verdict){rule, value_known(rank) ? rank.number : 0,
					sure_of(rule, cell)});
	}
	return drop_covered(r, found, n);
}
