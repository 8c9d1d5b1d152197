/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "series/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NS_PER_S 1e9

void series_list_init(struct series_list *l, const size_t *column, size_t n_columns)
{
	*l = (struct series_list){.n_columns = n_columns};
	l->column = xcalloc(n_columns, sizeof *l->column);
	for (size_t i = 0; i < n_columns; i++)
		l->column[i] = column[i];
}

static void free_one(struct series *s)
{
	free(s->name);
	free(s->at);
	free(s->number);
	free(s->why);
	free(s);
}

void series_list_done(struct series_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free_one(l->v[i]);
	free(l->v);
	free(l->column);
	hash_done(&l->index);
	*l = (struct series_list){.n = 0};
}

static struct series *new_one(struct series_list *l, const struct frame_row *row, uint64_t key)
{
	struct series *s = xcalloc(1, sizeof *s);

	s->id = row_id_of(row);
	s->why = xcalloc(l->n_columns, sizeof *s->why);
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = s;
	hash_put(&l->index, key, s);
	return s;
}

static struct series *find(struct series_list *l, const struct frame_row *row)
{
	const struct row_id id = row_id_of(row);
	uint64_t key = id.id ^ id.start_ns ^ id.text;
	struct series *s;

	while ((s = hash_get(&l->index, key)) && !row_id_is(&s->id, row))
		key++;
	return s ? s : new_one(l, row, key);
}

static void rename_to(struct series *s, const char *name)
{
	if (s->name && !strcmp(s->name, name))
		return;
	free(s->name);
	s->name = xstrdup(name);
}

static void add_row(struct series_list *l, const struct frame_row *row, struct series_interval at)
{
	const struct value cpu = delta_cpu_share(row->from);
	struct series *s = find(l, row);
	double *number;

	rename_to(s, row->task->name);
	s->at = xgrow(s->at, &s->cap_at, s->n + 1, sizeof *s->at);
	s->number = xgrow(s->number, &s->cap, (s->n + 1) * l->n_columns, sizeof *s->number);
	s->at[s->n] = at;
	number = &s->number[s->n++ * l->n_columns];
	for (size_t i = 0; i < l->n_columns; i++) {
		const struct value v = row->cell[l->column[i]];

		number[i] = v.number;
		if (!value_known(v))
			s->why[i] = v.quality;
	}
	if (value_known(cpu))
		s->cpu_s += cpu.number * (double)(at.end_ns - at.begin_ns) / NS_PER_S;
}

/* A clock that was set back makes no time before 1970. */
static struct series_interval interval_of(const struct frame *frame)
{
	const uint64_t end_ns = frame->wall_ns, ns = frame->interval_ns;

	return (struct series_interval){end_ns > ns ? end_ns - ns : 0, end_ns};
}

void series_list_add(struct series_list *l, const struct frame *frame)
{
	const struct series_interval at = interval_of(frame);

	if (!frame->interval_ns)
		return;
	if (!l->n_intervals)
		l->span = at;
	l->span.end_ns = at.end_ns;
	l->interval_s +=
		((double)frame->interval_ns / NS_PER_S - l->interval_s) / (double)++l->n_intervals;
	for (size_t i = 0; i < frame->n; i++)
		if (!frame->row[i].task->dead)
			add_row(l, &frame->row[i], at);
}

/* Those of the same time by name, and of the same name by number. */
static int compare(const void *a, const void *b)
{
	const struct series *x = *(struct series *const *)a, *y = *(struct series *const *)b;

	if (x->cpu_s != y->cpu_s)
		return x->cpu_s > y->cpu_s ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->id.id < y->id.id ? -1 : x->id.id > y->id.id;
}

void series_list_rank(struct series_list *l)
{
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare);
}

size_t series_known(const struct series_list *l, const struct series *s, size_t column,
		    double *number)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double v = s->number[i * l->n_columns + column];

		if (isfinite(v))
			number[n++] = v;
	}
	return n;
}
