/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verdict/judge.h"

#include <stdlib.h>
#include <string.h>

#include "verdict/part.h"
#include "view/evaluate.h"

size_t judge_max(const struct rules *r)
{
	return r->n;
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

static struct value evidence_of(const struct verdict_case *c, int evidence)
{
	if (evidence == EVIDENCE_CPU_MS)
		return value_combine(c->row->cpu_ns.number / 1e6, c->row->cpu_ns, value_exact(0));
	return c->evidence ? c->evidence[evidence] : value_none(QUALITY_NOT_READ);
}

/* Where no column has it, the reason of the last one: others are for other CPUs. */
static struct value from_columns(const struct rules *r, struct binding *const *binding,
				 const struct verdict_case *c, const struct metric *m)
{
	struct value v = value_none(QUALITY_NOT_READ);

	for (size_t i = 0; i < m->n_sources && !value_known(v); i++) {
		const struct metric_source *s = &m->source[i];
		const struct value x = evaluate_column(
			&r->screens.v[s->screen]->column[s->column], (struct shown){.values = VALUES_INTERVAL}, c->row,
			c->host, binding_column(binding[s->screen], c->row->events, s->column));

		/* "This CPU has no such event" tells less than any other reason. */
		if (value_known(x) || x.quality != QUALITY_UNSUPPORTED || i == 0 ||
		    v.quality == QUALITY_UNSUPPORTED)
			v = value_combine(x.number * s->times, x, value_exact(0));
	}
	return v;
}

static struct value measure(const struct rules *r, struct binding *const *binding,
			    const struct verdict_case *c, size_t i)
{
	const struct metric *m = &r->metric[i];
	struct value v = value_none(QUALITY_NOT_READ);

	if (m->row->expr)
		v = evaluate_column(&r->metrics->column[i], (struct shown){.values = VALUES_INTERVAL}, c->row, c->host, NULL);
	if (!value_known(v) && m->n_sources)
		v = from_columns(r, binding, c, m);
	if (!value_known(v) && m->evidence >= 0)
		v = evidence_of(c, m->evidence);
	return v;
}

static size_t find_evidence(const struct rules *r, enum evidence evidence)
{
	size_t i = 0;

	while (i < r->n_metrics && r->metric[i].evidence != (int)evidence)
		i++;
	return i;
}

static struct value cell_of(const struct rules *r, const struct value *cell, enum evidence evidence)
{
	const size_t i = find_evidence(r, evidence);

	return i < r->n_metrics ? cell[i] : value_none(QUALITY_NOT_READ);
}

/* What is left of the interval, of a task that was there all the time. */
static struct value asleep(const struct verdict_case *c, struct value queue)
{
	const struct value cpu = evaluate_cpu(c->row);
	const double left = 100 - cpu.number - queue.number;

	if (c->row->born || c->row->task->dead || c->row->task->ended)
		return value_none(QUALITY_FRESH);
	return value_combine(left > 0 || !value_known(cpu) || !value_known(queue) ? left : 0, cpu,
			     queue);
}

void judge_measure(const struct rules *r, struct binding *const *binding,
		   const struct verdict_case *c, struct value *cell)
{
	struct value threads;
	size_t i;

	for (i = 0; i < r->n_metrics; i++)
		cell[i] = measure(r, binding, c, i);
	i = find_evidence(r, EVIDENCE_ASLEEP);
	if (i < r->n_metrics)
		cell[i] = asleep(c, cell_of(r, cell, EVIDENCE_QUEUE));
	threads = cell_of(r, cell, EVIDENCE_THREADS);
	if (c->threads || (value_known(threads) && threads.number == 1))
		return;
	for (i = 0; i < r->n_metrics; i++)
		if (r->metric[i].row->single)
			cell[i] = value_none(QUALITY_DIFFER);
}

static enum sure sure_of(const struct rules *r, const struct rule *rule, const struct value *cell)
{
	enum sure sure = !strcmp(rule->row->sure, "sure")     ? SURE_SURE
			 : !strcmp(rule->row->sure, "likely") ? SURE_LIKELY
							      : SURE_MAYBE;

	for (size_t i = 0; i < r->n_metrics; i++)
		if (condition_names(rule->when, i) && value_known(cell[i]) &&
		    cell[i].quality != QUALITY_EXACT)
			return sure == SURE_SURE ? SURE_LIKELY : SURE_MAYBE;
	return sure;
}

static bool is_found(const struct rules *r, const struct rule *rule, const struct task *task,
		     const struct value *cell)
{
	const struct value cpu_ms = cell_of(r, cell, EVIDENCE_CPU_MS);

	for (size_t i = 0; i < rule->n_without; i++)
		if (value_known(cell[rule->without[i]]))
			return false;
	if (rule->row->counters && !(value_known(cpu_ms) && cpu_ms.number >= rule->cpu_ms))
		return false;
	return condition_ask(rule->when, task, NULL, cell) == TRI_TRUE;
}

/* In the order of the table where ranks are equal. */
static void insert(struct verdict *found, size_t n, struct verdict v)
{
	for (; n && found[n - 1].rank < v.rank; n--)
		found[n] = found[n - 1];
	found[n] = v;
}

size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct rule *rule = &r->rule[i];
		struct value rank;

		if (!is_found(r, rule, task, cell))
			continue;
		rank = condition_value(rule->rank, task, NULL, cell);
		insert(found, n++,
		       (struct verdict){rule, value_known(rank) ? rank.number : 0,
					sure_of(r, rule, cell)});
	}
	return n;
}
