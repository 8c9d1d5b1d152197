/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void runs_init(struct runs *r, long wanted, long warmups)
{
	*r = (struct runs){.wanted = wanted, .warmups = warmups};
}

void runs_done(struct runs *r)
{
	for (size_t i = 0; i < r->n_measures; i++) {
		free(r->measure[i].name);
		free(r->measure[i].value);
	}
	free(r->measure);
	free(r->end);
	*r = (struct runs){.n = 0};
}

/* Until it is put, it is unknown. */
static void make_room(struct run_measure *m, size_t from, size_t n)
{
	m->value = xgrow(m->value, &m->cap, n, sizeof *m->value);
	for (size_t i = from; i < n; i++)
		m->value[i] = value_none(QUALITY_NOT_COUNTED);
}

void runs_begin(struct runs *r, const struct run_end *end)
{
	r->end = xgrow(r->end, &r->cap, r->n + 1, sizeof *r->end);
	r->end[r->n++] = *end;
	for (size_t i = 0; i < r->n_measures; i++)
		make_room(&r->measure[i], r->n - 1, r->n);
}

static struct run_measure *need_measure(struct runs *r, const char *name, enum unit unit)
{
	struct run_measure *m;

	for (size_t i = 0; i < r->n_measures; i++)
		if (!strcmp(r->measure[i].name, name))
			return &r->measure[i];
	r->measure = xgrow(r->measure, &r->cap_measures, r->n_measures + 1, sizeof *r->measure);
	m = &r->measure[r->n_measures++];
	*m = (struct run_measure){.name = xstrdup(name), .unit = unit};
	make_room(m, 0, r->n);
	return m;
}

struct run_measure *runs_put(struct runs *r, const char *name, enum unit unit, struct value value)
{
	struct run_measure *m = need_measure(r, name, unit);

	m->value[r->n - 1] = value;
	return m;
}

void runs_stop(struct runs *r, long run, const struct run_end *end)
{
	r->stop = run;
	r->stop_end = *end;
}

int runs_status(const struct runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (run_failed(&r->end[i]))
			return r->end[i].status;
	return r->stop ? r->stop_end.status : 0;
}

bool run_failed(const struct run_end *end)
{
	return end->status || end->lost;
}

size_t runs_numbers(const struct runs *r, size_t measure, double *number, size_t *run)
{
	const struct run_measure *m = &r->measure[measure];
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (!value_known(m->value[i]))
			continue;
		number[n] = m->value[i].number;
		if (run)
			run[n] = i;
		n++;
	}
	return n;
}

void runs_variation(const struct runs *r, size_t measure, struct variation *out)
{
	double *number = xcalloc(r->n + 1, sizeof *number);

	variation_measure(out, number, runs_numbers(r, measure, number, NULL));
	free(number);
}

struct value runs_worst(const struct runs *r, size_t measure)
{
	const struct run_measure *m = &r->measure[measure];
	struct value worst = value_none(QUALITY_NOT_COUNTED);
	bool any = false;

	for (size_t i = 0; i < r->n; i++) {
		const struct value v = m->value[i];

		if (any && !value_known(v))
			continue;
		worst = any && value_known(worst) ? value_combine(v.number, v, worst) : v;
		any = any || value_known(v);
	}
	return worst;
}

size_t runs_mark_outliers(const struct runs *r, size_t measure, bool *stands_out)
{
	double *number = xcalloc(r->n + 1, sizeof *number);
	size_t *run = xcalloc(r->n + 1, sizeof *run), n, marked;
	bool *mark = xcalloc(r->n + 1, sizeof *mark);

	n = runs_numbers(r, measure, number, run);
	marked = r->measure[measure].coarse ? 0 : variation_mark_outliers(number, n, mark);
	memset(stands_out, 0, r->n * sizeof *stands_out);
	for (size_t i = 0; i < n; i++)
		stands_out[run[i]] = mark[i];
	free(mark);
	free(run);
	free(number);
	return marked;
}
