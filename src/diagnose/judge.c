/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/judge.h"

#include <stdlib.h>
#include <string.h>

#include "diagnose/rules_part.h"

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

/* Whether it was on a CPU for so long. */
static bool ran_for(const struct rules *r, const struct value *cell, double ms)
{
	return r->cpu_ms < r->n_metrics && value_known(cell[r->cpu_ms]) &&
	       cell[r->cpu_ms].number >= ms;
}

/* Most rules ask for what is not known of the row: these are not evaluated. */
static bool is_found(const struct rules *r, const struct rule *rule, const struct task *task,
		     const struct value *cell)
{
	for (size_t i = 0; i < rule->n_need; i++)
		if (!value_known(cell[rule->need[i]]))
			return false;
	for (size_t i = 0; i < rule->n_without; i++)
		if (value_known(cell[rule->without[i]]))
			return false;
	if (rule->by_counters && !ran_for(r, cell, rule->cpu_ms))
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
					sure_of(rule, cell)});
	}
	return n;
}
