/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/verdict_list.h"

#include <stdlib.h>
#include <string.h>

/* ---- users' rules ---- */

void verdict_own_done(struct verdict_own *o)
{
	free(o->metric);
	free(o->verdict);
	arena_done(&o->arena);
	*o = (struct verdict_own){.has_from = false};
}

static const struct metric_row *find_metric(const struct verdict_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_metrics; i++)
		if (!strcmp(t->metric[i].name, name))
			return &t->metric[i];
	return NULL;
}

static const struct verdict_row *find_verdict(const struct verdict_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_verdicts; i++)
		if (!strcmp(t->verdict[i].name, name))
			return &t->verdict[i];
	return NULL;
}

const struct metric_row *verdict_own_find_metric(const struct verdict_own *o, const char *name)
{
	const struct metric_row *own = find_metric(&o->table, name);

	return own ? own : find_metric(&verdict_table_built_in, name);
}

const struct verdict_row *verdict_own_find(const struct verdict_own *o, const char *name)
{
	const struct verdict_row *own = find_verdict(&o->table, name);

	return own ? own : find_verdict(&verdict_table_built_in, name);
}

static const char *keep(struct verdict_own *o, const char *text)
{
	return text ? arena_strdup(&o->arena, text) : NULL;
}

/* Removes the user's row with this name, if there is one. */
static void drop_metric(struct verdict_own *o, const char *name)
{
	const struct metric_row *row = find_metric(&o->table, name);
	const size_t i = row ? (size_t)(row - o->metric) : 0;

	if (row)
		memmove(&o->metric[i], &o->metric[i + 1],
			(--o->table.n_metrics - i) * sizeof *o->metric);
}

static void drop_verdict(struct verdict_own *o, const char *name)
{
	const struct verdict_row *row = find_verdict(&o->table, name);
	const size_t i = row ? (size_t)(row - o->verdict) : 0;

	if (row)
		memmove(&o->verdict[i], &o->verdict[i + 1],
			(--o->table.n_verdicts - i) * sizeof *o->verdict);
}

void verdict_own_add_metric(struct verdict_own *o, const struct metric_row *row)
{
	const struct metric_row kept = {
		.name = keep(o, row->name),
		.unit = keep(o, row->unit),
		.format = keep(o, row->format),
		.desc = keep(o, row->desc),
		.expr = keep(o, row->expr),
		.look = keep(o, row->look),
		.single = row->single,
		.from = row->from,
		.n_from = row->n_from,
		.place = keep(o, row->place),
	};

	drop_metric(o, row->name);
	o->metric = xgrow(o->metric, &o->cap_metrics, o->table.n_metrics + 1, sizeof *o->metric);
	o->metric[o->table.n_metrics++] = kept;
	o->table.metric = o->metric;
	o->has_from = false;
}

void verdict_own_add(struct verdict_own *o, const struct verdict_row *row)
{
	const struct verdict_row kept = {
		.name = keep(o, row->name),
		.word = keep(o, row->word),
		.when = keep(o, row->when),
		.without = keep(o, row->without),
		.rank = keep(o, row->rank),
		.says = keep(o, row->says),
		.sure = keep(o, row->sure),
		.surer = keep(o, row->surer),
		.source = keep(o, row->source),
		.counters = keep(o, row->counters),
		.covers = keep(o, row->covers),
		.next = row->next,
		.n_next = row->n_next,
		.place = keep(o, row->place),
	};

	drop_verdict(o, row->name);
	o->verdict =
		xgrow(o->verdict, &o->cap_verdicts, o->table.n_verdicts + 1, sizeof *o->verdict);
	o->verdict[o->table.n_verdicts++] = kept;
	o->table.verdict = o->verdict;
	o->has_next = false;
}

/* Returns a copy of the array in the arena, with space for one more element. The old array stays:
 * another row may share it, and arrays are short. */
static void *extend_array(struct verdict_own *o, const void *array, size_t n, size_t size)
{
	void *copy = arena_calloc(&o->arena, n + 1, size);

	if (n)
		memcpy(copy, array, n * size);
	return copy;
}

void verdict_own_add_from(struct verdict_own *o, const struct metric_from *from)
{
	struct metric_row *row = &o->metric[o->table.n_metrics - 1];
	struct metric_from *all;

	if (!o->has_from)
		row->n_from = 0;
	o->has_from = true;
	all = extend_array(o, row->from, row->n_from, sizeof *all);
	all[row->n_from++] = (struct metric_from){.screen = keep(o, from->screen),
						  .column = keep(o, from->column),
						  .times = keep(o, from->times),
						  .arch = keep(o, from->arch),
						  .model = keep(o, from->model)};
	row->from = all;
}

void verdict_own_add_next(struct verdict_own *o, const struct verdict_next *next)
{
	struct verdict_row *row = &o->verdict[o->table.n_verdicts - 1];
	struct verdict_next *all;

	if (!o->has_next)
		row->n_next = 0;
	o->has_next = true;
	all = extend_array(o, row->next, row->n_next, sizeof *all);
	all[row->n_next++] =
		(struct verdict_next){.run = keep(o, next->run), .why = keep(o, next->why)};
	row->next = all;
}
