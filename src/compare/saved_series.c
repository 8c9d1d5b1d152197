/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "compare/saved_word.h"
#include "model/kinds.h"
#include "report/read.h"
#include "screen/column_kind.h"

#define NS_PER_S 1e9

/* Longer intervals, of some 30 years, are none; so their ns fit into an integer. */
#define INTERVAL_MAX_S 1e9

bool saved_series_match(const char *word)
{
	return saved_word_begins(word, "refresh");
}

/* ---- columns ---- */

static enum column_kind kind_of(const char *name)
{
	int kind = 0;

	while (kind < COLUMN_OTHER && (!name || strcmp(name, column_kind_name[kind]) != 0))
		kind++;
	return (enum column_kind)kind;
}

static void add_column(struct screen *screen, struct json_object *from)
{
	const char *id = report_line_text(from, "id"), *unit = report_line_text(from, "unit");
	const char *header = report_line_text(from, "header");
	const char *desc = report_line_text(from, "description");
	const int known = unit ? unit_find(unit) : UNIT_NONE;
	struct column *c;

	if (!id)
		return;
	desc = desc ? desc : "";
	c = screen_add_column(screen, header ? header : id, "%f", desc, desc);
	c->id = xstrdup(id);
	c->unit = known < 0 ? UNIT_NONE : (enum unit)known;
	c->kind = kind_of(report_line_text(from, "kind"));
}

/* Returns the key of rows whose kind has this name: that of their groups or, for rows that are no
 * groups, that by which they are matched between recordings. N_GROUP_KEYS: unknown. */
static enum group_key find_key(const char *name)
{
	const struct kind *kind =
		kinds_find(strcmp(name, kind_task.part) != 0 ? name : kind_task.name);

	for (int k = GROUP_PROCESS + 1; !kind && k < N_GROUP_KEYS; k++)
		if (!strcmp(group_key_table[k].name, name))
			return (enum group_key)k;
	return kind ? group_key_stable(kind) : N_GROUP_KEYS;
}

/* ---- lines ---- */

static int refuse_line(const struct saved_series *s, int number, struct err *err)
{
	return err_set(
		err, EINVAL,
		"%s:%d: this is not a line of a report that 'tiptop -b --format json' writes",
		s->path, number);
}

/* Returns whether a line is a refresh. *ret: whether it belongs to such a report at all. */
static bool is_refresh(const struct saved_series *s, int number, struct json_object *line, int *ret,
		       struct err *err)
{
	const char *type = report_line_text(line, "type");
	const bool is_other = type && (!strcmp(type, "exit") || !strcmp(type, "summary"));

	*ret = 0;
	if (type && !strcmp(type, "refresh"))
		return true;
	if (!is_other)
		*ret = refuse_line(s, number, err);
	return false;
}

static void take_columns(struct saved_series *s, struct json_object *line)
{
	static const char *const none[] = {NULL};
	const char *host = report_line_text(line, "host"), *name = report_line_text(line, "screen");
	struct json_object *column;

	s->machine = sample_machine_new(&(struct sample_machine){
		.host = host ? host : "", .arch = "", .model = "", .boot_id = "", .pmu = none});
	s->screen = screen_new(name ? name : "", "");
	for (size_t i = 0; (column = report_line_item(line, "columns", i)); i++)
		add_column(s->screen, column);
}

/* Takes the kind of the rows from the first row. */
static int take_key(struct saved_series *s, int number, struct json_object *row, struct err *err)
{
	const char *kind = report_line_text(row, "kind");

	s->key = kind ? find_key(kind) : N_GROUP_KEYS;
	if (s->key != N_GROUP_KEYS && report_line_text(row, "name"))
		return 0;
	return err_set(err, EINVAL,
		       "%s:%d: its rows have no kind and name to match them by: write it without "
		       "--fields",
		       s->path, number);
}

static int check_values(const struct saved_series *s, int number, struct json_object *line,
			struct err *err)
{
	const char *values = report_line_text(line, "value_kind");

	if (!values || !strcmp(values, values_name[VALUES_RATE]))
		return 0;
	return err_set(err, EINVAL,
		       "%s:%d: it has the values '%s', not those of intervals: write it with "
		       "--values rate",
		       s->path, number, values);
}

/* Reads a line; returns 1 as soon as columns and rows are known. */
static int take_head(void *context, int number, struct json_object *line, struct err *err)
{
	struct saved_series *s = context;
	struct json_object *row = report_line_item(line, "rows", 0);
	int ret;

	if (!is_refresh(s, number, line, &ret, err))
		return ret;
	ret = check_values(s, number, line, err);
	if (ret)
		return ret;
	if (!s->screen)
		take_columns(s, line);
	if (!row)
		return 0;
	ret = take_key(s, number, row, err);
	return ret ? ret : 1;
}

int saved_series_open(struct saved_series *s, const char *path, struct err *err)
{
	int ret;

	*s = (struct saved_series){.path = xstrdup(path)};
	ret = report_lines_visit(path, take_head, s, err);
	if (!ret)
		ret = err_set(err, ENODATA, "%s: no refresh has rows", path);
	return ret < 0 ? ret : 0;
}

void saved_series_done(struct saved_series *s)
{
	free(s->path);
	screen_free(s->screen);
	sample_machine_unref(s->machine);
	*s = (struct saved_series){.path = NULL};
}

/* ---- rows ---- */

/* An interval of the report. */
struct refresh {
	struct saved_series *of;
	struct series_interval at;
	double s;     /* its length */
	bool is_rate; /* counts are per second already */
};

static bool adds_up(const struct column *c)
{
	return c->kind == COLUMN_COUNT || c->kind == COLUMN_RATE;
}

static enum quality quality_of(const char *name)
{
	for (int i = QUALITY_FIRST_NONE; name && i < N_QUALITIES; i++)
		if (!strcmp(name, quality_table[i].name))
			return (enum quality)i;
	return QUALITY_NOT_READ;
}

static double number_of(const struct refresh *r, const struct column *c, struct json_object *row)
{
	const double number = report_line_number(report_line_group(row, "values"), c->id);

	return c->kind == COLUMN_COUNT && !r->is_rate ? number / r->s : number;
}

/* Returns the column %CPU; NULL: none. */
static const struct column *find_cpu(const struct screen *screen)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!strcmp(screen->column[i].id, "cpu"))
			return &screen->column[i];
	return NULL;
}

/* Adds the CPU time to the busy time. Without a column for it, the series is permanent. */
static void add_busy(const struct refresh *r, struct series *s, struct json_object *row)
{
	const struct column *cpu = find_cpu(r->of->screen);
	const double pct = cpu ? number_of(r, cpu, row) : (double)NAN;

	s->is_permanent = !cpu;
	if (isfinite(pct))
		s->busy_s += pct / 100 * r->s;
}

static uint64_t hash_of(const char *text)
{
	return text ? hash_text(text, strlen(text)) : 0;
}

/* Returns the series of a row. */
static struct series *find_series(const struct refresh *r, struct json_object *row)
{
	const bool is_machine = r->of->key == GROUP_MACHINE;
	const char *name = is_machine ? "all" : report_line_text(row, "name");
	const char *program = report_line_text(row, "program");
	struct series *s;

	name = name ? name : "";
	s = series_list_need(r->of->list,
			     (struct row_id){.kind = group_key_table[r->of->key].kind,
					     .id = hash_of(program),
					     .text = hash_of(name)},
			     name);
	if (program && !s->program)
		s->program = xstrdup(program);
	return s;
}

static void take_row(const struct refresh *r, struct json_object *row)
{
	const struct series_list *l = r->of->list;
	struct series *s = find_series(r, row);
	const bool again = s->n && s->at[s->n - 1].end_ns == r->at.end_ns;
	double *number = again ? &s->number[(s->n - 1) * l->n_columns] : series_append(l, s, r->at);

	add_busy(r, s, row);
	for (size_t i = 0; i < l->n_columns; i++) {
		const struct column *c = &r->of->screen->column[l->column[i]];
		const double one = number_of(r, c, row);
		const bool is_sum = again && adds_up(c);

		number[i] = is_sum ? number[i] + one : again ? (double)NAN : one;
		if (again && !is_sum)
			s->why[i] = QUALITY_DIFFER;
		else if (isnan(one))
			s->why[i] = quality_of(
				report_line_text(report_line_group(row, "quality"), c->id));
	}
}

/* Returns whether a refresh has no columns of its own, or the same as the first one. */
static bool has_columns(const struct saved_series *s, struct json_object *line)
{
	struct screen *own;
	struct json_object *column = report_line_item(line, "columns", 0);
	bool same;

	if (!column)
		return true;
	own = screen_new("", "");
	for (size_t i = 0; (column = report_line_item(line, "columns", i)); i++)
		add_column(own, column);
	same = own->n_columns == s->screen->n_columns;
	for (size_t i = 0; same && i < own->n_columns; i++) {
		const struct column *x = &own->column[i], *y = &s->screen->column[i];

		same = !strcmp(x->id, y->id) && x->unit == y->unit && x->kind == y->kind;
	}
	screen_free(own);
	return same;
}

/* Returns whether all rows of a refresh are of the kind of the first one. */
static bool has_kind(const struct saved_series *s, struct json_object *line)
{
	struct json_object *row;

	for (size_t i = 0; (row = report_line_item(line, "rows", i)); i++) {
		const char *kind = report_line_text(row, "kind");

		if (!kind || find_key(kind) != s->key)
			return false;
	}
	return true;
}

/* The screen of a live report may change; numbers of two screens are no series. */
static int check_alike(const struct saved_series *s, int number, struct json_object *line,
		       struct err *err)
{
	const int ret = check_values(s, number, line, err);
	const char *other = !has_columns(s, line) ? "columns"
			    : !has_kind(s, line)  ? "kinds of rows"
						  : NULL;

	if (ret || !other)
		return ret;
	return err_set(err, EINVAL,
		       "%s:%d: from here on, it has other %s than before: only reports of one "
		       "screen are compared",
		       s->path, number, other);
}

static int take_refresh(void *context, int number, struct json_object *line, struct err *err)
{
	struct saved_series *s = context;
	struct refresh r = {.of = s, .s = report_line_number(line, "interval_s")};
	const char *time = report_line_text(line, "time");
	struct json_object *row;
	uint64_t wall_ns;
	int ret;

	if (!is_refresh(s, number, line, &ret, err) || !(r.s > 0))
		return ret;
	if (!time || !clock_parse_time(time, &wall_ns) || r.s > INTERVAL_MAX_S)
		return refuse_line(s, number, err);
	ret = check_alike(s, number, line, err);
	if (ret)
		return ret;
	r.is_rate = report_line_text(line, "value_kind") != NULL;
	r.at = series_list_begin(s->list, wall_ns, (uint64_t)(r.s * NS_PER_S + 0.5));
	/* Times are rounded to ms, so a refresh right after a late one may have the same time. */
	r.at.end_ns += r.at.end_ns == s->end_ns;
	s->end_ns = r.at.end_ns;
	for (size_t i = 0; (row = report_line_item(line, "rows", i)); i++)
		if (report_line_number(row, "members") != 0)
			take_row(&r, row);
	return 0;
}

int saved_series_collect(struct saved_series *s, struct series_list *list, struct err *err)
{
	s->list = list;
	return report_lines_visit(s->path, take_refresh, s, err);
}
