/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_series.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "compare/saved_report.h"
#include "model/kinds.h"
#include "report/read.h"
#include "screen/column.h"

/* ---- saved_command ---- */

#define SIZE_MAX_REPORT ((size_t)256 << 20)

/* ---- lines ---- */

static struct value value_of(double number)
{
	return isnan(number) ? value_none(QUALITY_NOT_READ) : value_exact(number);
}

static enum unit unit_of(struct json_object *of)
{
	const char *name = report_line_text(of, "unit");
	const int unit = name ? unit_find(name) : UNIT_COUNT;

	return unit < 0 ? UNIT_COUNT : (enum unit)unit;
}

/* The largest status and signal of a process. */
#define STATUS_MAX 255
#define SIGNAL_MAX 127

/* A status that no process has is unknown. */
static struct run_end end_of(double status, double signal)
{
	const bool known = status >= 0 && status <= STATUS_MAX;

	return (struct run_end){.status = known ? (int)status : 0,
				.signal = signal > 0 && signal <= SIGNAL_MAX ? (int)signal : 0,
				.lost = !known};
}

/* A number of runs above this is none. */
#define N_RUNS_MAX 1e9

static long runs_of(double number)
{
	return number > 0 && number <= N_RUNS_MAX ? (long)number : 0;
}

/* Returns whether the measure is a time that the kernel may count in ticks. */
static bool is_coarse(const char *measure)
{
	return !strcmp(measure, "user") || !strcmp(measure, "system");
}

static void put(struct runs *r, const char *name, enum unit unit, double number)
{
	runs_put(r, name, unit, value_of(number))->coarse = is_coarse(name);
}

/* Adds the one run of a summary. */
static void add_run(struct runs *r, struct json_object *summary)
{
	static const char *const times[][2] = {
		{"wall_s", "wall"}, {"cpu_s", "CPU"}, {"user_s", "user"}, {"system_s", "system"}};
	const double status = report_line_number(summary, "status");
	struct json_object *events = report_line_group(summary, "events");
	/* A status above 128 may be that of a signal, or the program's own. */
	const struct run_end end = end_of(status, NAN);
	const char *event;

	r->wanted++;
	runs_begin(r, &end);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		put(r, times[i][1], UNIT_S, report_line_number(summary, times[i][0]));
	for (size_t i = 0; (event = report_line_member(summary, "events", i)); i++) {
		struct json_object *one = report_line_group(events, event);

		put(r, event, unit_of(one), report_line_number(one, "value"));
	}
}

/* Adds the runs of a summary of several runs. */
static void add_runs(struct runs *r, struct json_object *runs)
{
	struct json_object *end, *measure;

	r->wanted += runs_of(report_line_number(runs, "wanted"));
	r->warmups += runs_of(report_line_number(runs, "warmups"));
	for (size_t i = 0; (end = report_line_item(runs, "ends", i)); i++) {
		const struct run_end how = end_of(report_line_number(end, "status"),
						  report_line_number(end, "signal"));

		runs_begin(r, &how);
		for (size_t k = 0; (measure = report_line_item(runs, "measures", k)); k++) {
			const char *name = report_line_text(measure, "name");

			if (name)
				put(r, name, unit_of(measure),
				    report_line_list_number(measure, "values", i));
		}
	}
}

static int take_line(void *context, int number, struct json_object *line, struct err *err)
{
	struct runs *r = context;
	struct json_object *runs = report_line_group(line, "runs");
	const char *type = report_line_text(line, "type");

	(void)number, (void)err;
	if (type && !strcmp(type, "summary") && runs)
		add_runs(r, runs);
	else if (type && !strcmp(type, "summary"))
		add_run(r, line);
	return 0;
}

/* ---- files ---- */

/* Sets *context (a bool) to whether the file has a summary; returns 1, as only the first file
 * matters. */
static int match(void *context, const char *path, struct err *err)
{
	struct strbuf text;
	bool *has = context;

	(void)err;
	strbuf_init(&text);
	if (file_read_all(AT_FDCWD, path, SIZE_MAX_REPORT, &text) > 0)
		*has = strstr(text.text, "\n{\"type\":\"summary\",") != NULL;
	strbuf_done(&text);
	return 1;
}

bool saved_command_match(const char *word)
{
	bool has = saved_word_begins(word, "summary");

	if (!has && saved_word_is_list(word) && saved_word_begins(word, "refresh"))
		saved_word_visit(word, match, &has, NULL);
	return has;
}

static int read_file(void *context, const char *path, struct err *err)
{
	struct runs *r = context;
	const size_t before = r->n;
	int ret = report_lines_visit(path, take_line, r, err);

	if (!ret && r->n == before)
		ret = err_set(
			err, ENODATA,
			"%s: it has no summary of a command: 'tiptop --format json -- COMMAND' "
			"writes one",
			path);
	return ret;
}

int saved_command_read(struct runs *r, const char *word, struct err *err)
{
	return saved_word_visit(word, read_file, r, err);
}

/* ---- saved_series ---- */

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

/* Returns whether a line is a refresh. *ret: 0; or an error with a sentence, if reports of
 * refreshes have no such lines. */
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
