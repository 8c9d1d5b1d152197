/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/unit.h"

/* ---- report ----
 *
 * The output.
 */

/* The most runs listed in text; JSON has all. */
#define NAMED_MAX 10

#define NUMBER .style = REPORT_SHORT, .unknown = "?"

/* clang-format off */
static const struct report_column measure_columns[] = {
	{.id = "name"},
	{.id = "unit"},
	{.id = "quality"},
	{.id = "n", .title = "RUNS", .width = 5, .place = 1},
	{.id = "mean", .title = "MEAN", .width = 11, NUMBER},
	{.id = "margin", .title = "+-", .width = 10, NUMBER},
	{.id = "sd", .title = "SD", .width = 10, NUMBER},
	{.id = "least", .title = "LEAST", .width = 10, NUMBER},
	{.id = "most", .title = "MOST", .width = 10, NUMBER},
	{.id = "outliers"},
	{.id = "values"},
	{.title = "", .width = -1, .place = 1},
};
/* clang-format on */

#define N_MEASURE_COLUMNS (sizeof measure_columns / sizeof *measure_columns)

static const struct report_type measure_type = {measure_columns, N_MEASURE_COLUMNS, NULL, 1, NULL};
/* The same columns inside of another record, without a table in text. */
static const struct report_type inner_type = {measure_columns, N_MEASURE_COLUMNS, NULL, 0, NULL};

static const struct report_column end_columns[] = {{.id = "status"}, {.id = "signal"}};
static const struct report_type end_type = {end_columns, 2, NULL, 0, NULL};

static const struct report_column columns[] = {RUNS_COLUMNS};
static const struct report_type type = {columns, RUNS_MEMBERS, NULL, 0, NULL};

/* --- sentences, for people --- */

void run_add_end(struct strbuf *out, const struct run_end *end)
{
	if (end->lost)
		strbuf_addstr(out, " with an unknown status");
	else if (end->signal)
		strbuf_addf(out, " by signal %d", end->signal);
	else
		strbuf_addf(out, " with status %d", end->status);
}

static void add_failed(struct strbuf *out, const struct runs *r)
{
	size_t named = 0, failed = 0;

	for (size_t i = 0; i < r->n; i++)
		failed += run_failed(&r->end[i]);
	strbuf_addf(out, ", of which %zu failed: ", failed);
	for (size_t i = 0; i < r->n && named < NAMED_MAX; i++) {
		if (!run_failed(&r->end[i]))
			continue;
		strbuf_addf(out, "%srun %zu ended", named++ ? ", " : "", i + 1);
		run_add_end(out, &r->end[i]);
	}
	if (failed > named)
		strbuf_addf(out, " and %zu more", failed - named);
}

void runs_add_stop(struct strbuf *out, const struct runs *r)
{
	if (r->stop <= r->warmups)
		strbuf_addf(out, "run %ld of the %ld to warm up ended", r->stop, r->warmups);
	else
		strbuf_addf(out, "run %ld of %ld ended", r->stop - r->warmups, r->wanted);
	run_add_end(out, &r->stop_end);
}

void runs_add_ends(struct strbuf *out, const struct runs *r)
{
	bool failed = false;

	for (size_t i = 0; i < r->n; i++)
		failed = failed || run_failed(&r->end[i]);
	strbuf_addf(out, "%zu run%s", r->n, r->n == 1 ? "" : "s");
	if ((long)r->n < r->wanted)
		strbuf_addf(out, " of the %ld that were wanted", r->wanted);
	if (r->warmups)
		strbuf_addf(out, " after %ld to warm up", r->warmups);
	if (failed)
		add_failed(out, r);
	else if (r->n)
		strbuf_addf(out, ", %s with status 0", r->n == 1 ? "ended" : "all ended");
	if (r->stop) {
		strbuf_addstr(out, "; ");
		runs_add_stop(out, r);
	}
}

void runs_add_outliers(struct strbuf *out, const struct runs *r, size_t i, const char *before)
{
	const struct run_measure *m = &r->measure[i];
	bool *mark = xcalloc(r->n + 1, sizeof *mark);
	size_t n = runs_mark_outliers(r, i, mark), named = 0;

	if (n) {
		strbuf_addf(out, "%sstands out by ", before);
		text_add(out, m->name);
		strbuf_addch(out, ':');
	}
	for (size_t k = 0; n && k < r->n && named < NAMED_MAX; k++) {
		if (!mark[k])
			continue;
		strbuf_addf(out, "%s run %zu: ", named++ ? "," : "", k + 1);
		short_number_add(out, m->value[k].number, 0);
	}
	if (n > named)
		strbuf_addf(out, " and %zu more", n - named);
	if (n)
		strbuf_addch(out, '\n');
	free(mark);
}

/* --- records --- */

static void put_outliers(struct report_record *record, const struct runs *r, size_t i)
{
	bool *mark = xcalloc(r->n + 1, sizeof *mark);

	runs_mark_outliers(r, i, mark);
	record_list(record, "outliers", 1);
	for (size_t k = 0; k < r->n; k++)
		if (mark[k])
			record_item(record, value_count(k + 1));
	free(mark);
}

/* Puts the text that follows the numbers of a row: unit, name and quality. */
static void put_note(struct report_record *record, const struct run_measure *m, struct value worst)
{
	const struct quality_row *q = &quality_table[worst.quality];
	const char *unit = m->unit == UNIT_COUNT ? "" : unit_table[m->unit].name;
	const char *blank = *unit ? " " : "";

	if (!value_known(worst))
		record_textf(record, "", "%s%s%s: %s", unit, blank, m->name, q->text);
	else if (worst.quality == QUALITY_EXACT)
		record_textf(record, "", "%s%s%s", unit, blank, m->name);
	else
		record_textf(record, "", "%s%s%s (%s)", unit, blank, m->name, q->name);
}

static void put_measure(struct report_record *record, const struct runs *r, size_t i)
{
	const struct run_measure *m = &r->measure[i];
	const struct value worst = runs_worst(r, i);
	struct variation s;

	runs_variation(r, i, &s);
	record_text(record, "name", m->name);
	record_text(record, "unit", unit_table[m->unit].name);
	record_text(record, "quality", quality_table[worst.quality].name);
	record_count(record, "n", s.n);
	record_number(record, "mean", s.mean);
	record_number(record, "margin", s.margin);
	record_number(record, "sd", s.sd);
	record_number(record, "least", s.least);
	record_number(record, "most", s.most);
	put_outliers(record, r, i);
	record_list(record, "values", 1);
	for (size_t k = 0; k < r->n; k++)
		record_item(record, m->value[k]);
	put_note(record, m, worst);
}

static void put_end(struct report_record *record, const struct run_end *end)
{
	record_number(record, "status", end->lost ? NAN : end->status);
	record_number(record, "signal", end->signal ? end->signal : NAN);
}

struct runs_inner runs_add_inner(const struct runs *r, struct report *report)
{
	struct runs_inner inner = {.ends = report->n, .measures = report->n + r->n};

	for (size_t i = 0; i < r->n; i++)
		put_end(report_add_inner(report, &end_type), &r->end[i]);
	for (size_t i = 0; i < r->n_measures; i++)
		put_measure(report_add_inner(report, &inner_type), r, i);
	return inner;
}

void runs_fill(const struct runs *r, struct runs_inner inner, struct report_record *record)
{
	record_count(record, "n", r->n);
	record_count(record, "wanted", (uint64_t)r->wanted);
	record_count(record, "warmups", (uint64_t)r->warmups);
	record_number(record, "confidence", VARIATION_CONFIDENCE);
	record_records(record, "ends", inner.ends, inner.measures);
	if (r->stop) {
		record_group(record, "stopped_by");
		put_end(record, &r->stop_end);
	} else {
		record_unknown(record, "stopped_by");
	}
	record_records(record, "measures", inner.measures, inner.measures + r->n_measures);
}

/* --- inside of another report --- */

void runs_add_json(struct strbuf *out, const struct runs *r)
{
	struct report report;
	struct runs_inner inner;
	struct report_record *record;

	report_init(&report);
	inner = runs_add_inner(r, &report);
	record = report_add(&report, &type);
	runs_fill(r, inner, record);
	report_add_object(&report, record, out);
	report_done(&report);
}

static void add_lines(struct strbuf *out, const char *before, const char *lines)
{
	for (const char *end; *lines; lines = end) {
		end = strchr(lines, '\n') + 1;
		strbuf_addstr(out, before);
		strbuf_add(out, lines, (size_t)(end - lines));
	}
}

void runs_add_text(struct strbuf *out, const struct runs *r, const char *before)
{
	struct report report;
	struct strbuf text;

	report_init(&report);
	report_heading(&report, &measure_type);
	for (size_t i = 0; i < r->n_measures; i++)
		put_measure(report_add(&report, &measure_type), r, i);
	strbuf_init(&text);
	report_write_text(&report, true, &text);
	strbuf_addf(&text,
		    "+-: the mean of many more such runs is within this in %g of 100 cases "
		    "(Student's t)\n",
		    100 * VARIATION_CONFIDENCE);
	for (size_t i = 0; i < r->n_measures; i++)
		runs_add_outliers(&text, r, i, "");
	add_lines(out, before, text.text);
	strbuf_done(&text);
	report_done(&report);
}

/* ---- runs ---- */

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

/* Extends the values; new ones are unknown until they are put. */
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

struct run_measure *runs_find(const struct runs *r, const char *name)
{
	for (size_t i = 0; i < r->n_measures; i++)
		if (!strcmp(r->measure[i].name, name))
			return &r->measure[i];
	return NULL;
}

static struct run_measure *need_measure(struct runs *r, const char *name, enum unit unit)
{
	struct run_measure *m = runs_find(r, name);

	if (m)
		return m;
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
