/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"

/* ---- columns ---- */

static bool is_amount(const struct column *c)
{
	return !screen_column_is_text(c) && !(c->kind == COLUMN_STATE && c->unit == UNIT_NONE);
}

static void add(struct columns *c, size_t column)
{
	c->v = xgrow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n++] = column;
}

static bool is_called(const struct column *c, const char *name, size_t len)
{
	int n;
	const char *header = screen_column_name(c, &n);

	return (strlen(c->id) == len && !strncasecmp(c->id, name, len)) ||
	       ((size_t)n == len && !strncasecmp(header, name, len));
}

static int refuse(const struct screen *screen, const char *name, size_t len, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	suggestion_begin_part(&near, name, len);
	for (size_t i = 0; i < screen->n_columns; i++) {
		suggestion_offer(&near, screen->column[i].id);
		strbuf_addf(&list, "%s%s", i ? ", " : "", screen->column[i].id);
	}
	ret = err_set(err, EINVAL, "there is no column '%.*s'%s in the screen '%s': it has %s",
		      (int)len, name, suggestion_text(&near), screen->name, list.text);
	strbuf_done(&list);
	return ret;
}

static int add_named(struct columns *c, const struct screen *screen, const char *name, size_t len,
		     struct err *err)
{
	size_t i = 0;

	while (i < screen->n_columns && !is_called(&screen->column[i], name, len))
		i++;
	if (i == screen->n_columns)
		return refuse(screen, name, len, err);
	if (screen_column_is_text(&screen->column[i]))
		return err_set(err, EINVAL, "the column '%.*s' shows texts, not numbers", (int)len,
			       name);
	for (size_t k = 0; k < c->n; k++)
		if (c->v[k] == i)
			return err_set(err, EINVAL, "the column '%.*s' is named twice", (int)len,
				       name);
	add(c, i);
	return 0;
}

int columns_find(struct columns *out, const char *list, const struct screen *screen,
		 struct err *err)
{
	int ret = 0;
	size_t n;

	*out = (struct columns){.v = NULL};
	for (size_t i = 0; !list && i < screen->n_columns; i++)
		if (is_amount(&screen->column[i]))
			add(out, i);
	for (const char *name = list; name && !ret; name = name[n] ? name + n + 1 : NULL) {
		n = strcspn(name, ",");
		ret = add_named(out, screen, name, n, err);
	}
	if (!ret && !out->n)
		ret = err_set(err, EINVAL, "the screen '%s' has no column of numbers",
			      screen->name);
	if (ret)
		columns_done(out);
	return ret;
}

void columns_done(struct columns *c)
{
	free(c->v);
	*c = (struct columns){.v = NULL};
}

/* ---- series ---- */

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
	free(s->program);
	free(s->unit_ns);
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

static bool is_id(const struct row_id *x, const struct row_id *y)
{
	return x->id == y->id && x->start_ns == y->start_ns && x->text == y->text &&
	       (x->kind == y->kind || !strcmp(x->kind->name, y->kind->name));
}

struct series *series_list_need(struct series_list *l, struct row_id id, const char *name)
{
	uint64_t key = id.id ^ id.start_ns ^ id.text;
	struct series *s;

	while ((s = hash_get(&l->index, key)) && !is_id(&s->id, &id))
		key++;
	if (!s) {
		s = xcalloc(1, sizeof *s);
		s->id = id;
		s->why = xcalloc(l->n_columns, sizeof *s->why);
		l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = s;
		hash_put(&l->index, key, s);
	}
	if (!s->name || strcmp(s->name, name) != 0) {
		free(s->name);
		s->name = xstrdup(name);
	}
	return s;
}

double *series_append(const struct series_list *l, struct series *s, struct series_interval at)
{
	s->at = xgrow(s->at, &s->cap_at, s->n + 1, sizeof *s->at);
	s->unit_ns = xgrow(s->unit_ns, &s->cap_units, s->n + 1, sizeof *s->unit_ns);
	s->number = xgrow(s->number, &s->cap, (s->n + 1) * l->n_columns, sizeof *s->number);
	s->at[s->n] = at;
	s->unit_ns[s->n] = NAN;
	return &s->number[s->n++ * l->n_columns];
}

static double known_or_nan(struct value v)
{
	return value_known(v) ? v.number : NAN;
}

/* Adds the busy time and the units of the last interval. */
static void add_busy(struct series *s, const struct frame_row *row, struct series_interval at)
{
	const struct kind *kind = row->task->kind;
	const double span_ns = (double)(at.end_ns - at.begin_ns);
	const double ns = kind->own_time ? known_or_nan(delta_fact(row->from, kind->own_time))
					 : known_or_nan(delta_cpu_share(row->from)) * span_ns;
	const double n = kind->busy ? known_or_nan(delta_fact(row->from, kind->busy)) : NAN;

	if (isfinite(ns))
		s->busy_s += ns / NS_PER_S;
	if (isfinite(n))
		s->n_units += n;
	s->unit_ns[s->n - 1] = n > 0 ? ns / n : NAN;
}

/* Returns whether the rows are of things that always exist: CPUs, also if their rows are merged
 * into one row of the machine. */
static bool is_always_there(const struct sample *s)
{
	return s && s->kind && s->kind->enabled_always;
}

static void add_row(struct series_list *l, const struct frame *frame, const struct frame_row *row,
		    struct series_interval at)
{
	struct series *s = series_list_need(l, row_id_of(row->task), row->task->name);
	double *number = series_append(l, s, at);

	s->shown_id = task_number(row->task);
	if (row->task->kind->in_program && !s->program)
		s->program = xstrdup(row->task->process);
	s->is_permanent = is_always_there(frame->sample);
	add_busy(s, row, at);
	for (size_t i = 0; i < l->n_columns; i++) {
		const struct value v = frame_value(frame, row, l->column[i]);

		number[i] = v.number;
		if (!value_known(v))
			s->why[i] = v.quality;
	}
}

/* Moves the interval after the previous ones if the clock was set back. */
static struct series_interval place(struct series_list *l, struct series_interval at)
{
	if (at.end_ns + l->set_back_ns < l->end_ns)
		l->set_back_ns = l->end_ns - at.begin_ns;
	at.begin_ns += l->set_back_ns;
	at.end_ns += l->set_back_ns;
	l->end_ns = at.end_ns;
	return at;
}

struct series_interval series_list_begin(struct series_list *l, uint64_t end_ns, uint64_t ns)
{
	/* Its begin is not before 1970 (0), even if the clock was set back. */
	const struct series_interval shown = {end_ns > ns ? end_ns - ns : 0, end_ns};

	if (!l->n_intervals)
		l->span = shown;
	l->span.end_ns = shown.end_ns;
	l->interval_s += ((double)ns / NS_PER_S - l->interval_s) / (double)++l->n_intervals;
	return place(l, shown);
}

void series_list_add(struct series_list *l, const struct frame *frame)
{
	struct series_interval at;

	if (!frame->interval_ns)
		return;
	at = series_list_begin(l, frame->wall_ns, frame->interval_ns);
	for (size_t i = 0; i < frame->n; i++)
		if (!frame->row[i].task->dead)
			add_row(l, frame, &frame->row[i], at);
}

static uint64_t hash_of(const char *text)
{
	return text ? hash_text(text, strlen(text)) : 0;
}

static double mean_of(const struct series_list *l, const struct series *s, size_t column)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double number = s->number[i * l->n_columns + column];

		if (isfinite(number)) {
			sum += number;
			n++;
		}
	}
	return n ? sum / (double)n : (double)NAN;
}

/* Adds the time of a run. */
static void add_span(struct series_list *l, const struct series_list *run)
{
	const double n = (double)(l->n_intervals + run->n_intervals);

	if (!run->n_intervals)
		return;
	if (!l->n_intervals)
		l->span = run->span;
	l->span.end_ns = run->span.end_ns;
	l->interval_s += (run->interval_s - l->interval_s) * (double)run->n_intervals / n;
	l->n_intervals += run->n_intervals;
}

/* Adds the numbers of the next run to a series. Returns them, to be set. */
static double *append_run(const struct series_list *l, struct series *s, struct series_interval at)
{
	while (s->n < l->n_runs) {
		double *number = series_append(l, s, at);

		for (size_t k = 0; k < l->n_columns; k++)
			number[k] = NAN;
	}
	return series_append(l, s, at);
}

void series_list_add_run(struct series_list *l, const struct series_list *run)
{
	add_span(l, run);
	for (size_t i = 0; i < run->n; i++) {
		const struct series *from = run->v[i];
		struct series *s = series_list_need(l,
						    (struct row_id){.kind = from->id.kind,
								    .id = hash_of(from->program),
								    .text = hash_of(from->name)},
						    from->name);
		double *number = append_run(l, s, run->span);

		if (from->program && !s->program)
			s->program = xstrdup(from->program);
		s->is_permanent = from->is_permanent;
		s->busy_s += from->busy_s;
		for (size_t k = 0; k < l->n_columns; k++) {
			number[k] = mean_of(run, from, k);
			s->why[k] = isnan(number[k]) ? from->why[k] : s->why[k];
		}
	}
	l->n_runs++;
}

/* Sorts by busy time, then by name, then by id. */
static int compare(const void *a, const void *b)
{
	const struct series *x = *(struct series *const *)a, *y = *(struct series *const *)b;

	if (x->busy_s != y->busy_s)
		return x->busy_s > y->busy_s ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->id.id < y->id.id ? -1 : x->id.id > y->id.id;
}

void series_list_rank(struct series_list *l)
{
	array_sort(l->v, l->n, sizeof *l->v, compare);
}
