/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of import: parses the files of likwid and perf into their parts, which stay texts.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/import/import.h"

void foreign_file_done(struct foreign_file *f)
{
	for (size_t i = 0; i < f->n_counters; i++) {
		free(f->counter[i].alias);
		free(f->counter[i].event);
		free(f->counter[i].terms);
		free(f->counter[i].lack);
	}
	for (size_t i = 0; i < f->n_metrics; i++) {
		free(f->metric[i].name);
		free(f->metric[i].formula);
		free(f->metric[i].desc);
		free(f->metric[i].unit);
		free(f->metric[i].threshold);
		free(f->metric[i].pmu);
	}
	free(f->counter);
	free(f->metric);
	free(f->desc);
	*f = (struct foreign_file){.desc = NULL};
}

struct foreign_counter *foreign_file_add_counter(struct foreign_file *f)
{
	struct foreign_counter *c;

	f->counter = xgrow(f->counter, &f->cap_counters, f->n_counters + 1, sizeof *f->counter);
	c = &f->counter[f->n_counters++];
	*c = (struct foreign_counter){.alias = NULL};
	return c;
}

struct foreign_metric *foreign_file_add_metric(struct foreign_file *f)
{
	struct foreign_metric *m;

	f->metric = xgrow(f->metric, &f->cap_metrics, f->n_metrics + 1, sizeof *f->metric);
	m = &f->metric[f->n_metrics++];
	*m = (struct foreign_metric){.factor = 1};
	return m;
}

/* ---- likwid ----
 *
 * Parses a performance group of likwid.
 *
 *   SHORT  Double Precision MFLOP/s
 *   EVENTSET
 *   FIXC0  INSTR_RETIRED_ANY
 *   PMC0:EDGEDETECT:THRESHOLD=0x1  FP_ARITH_INST_RETIRED_SCALAR_DOUBLE
 *   METRICS
 *   DP [MFLOP/s]  1.0E-06*(PMC0*2.0+PMC1)/time
 *   LONG
 *   text for people
 *
 * The formula of a metric is the last word of its line.
 */

#define BLANKS " \t\r"

enum part { PART_HEAD, PART_EVENTS, PART_METRICS, PART_TEXT };

struct reader {
	struct foreign_file *file;
	const char *path;
	enum part part;
	int line;
};

static const struct {
	const char *word;
	enum part part;
} headings[] = {{"EVENTSET", PART_EVENTS}, {"METRICS", PART_METRICS}, {"LONG", PART_TEXT}};

static void begin_term(struct strbuf *terms)
{
	if (terms->len)
		strbuf_addch(terms, ',');
}

/* Appends the term of perf for an option of likwid, "edge=1" for "EDGEDETECT". Returns false if
 * there is none. */
static bool add_option(struct strbuf *terms, const char *option)
{
	static const struct {
		const char *option, *term;
	} table[] = {{"EDGEDETECT", "edge=1"}, {"INVERT", "inv=1"}, {"THRESHOLD=", "cmask="}};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t n = strlen(table[i].option);
		bool with_value = table[i].option[n - 1] == '=';

		if (strncmp(option, table[i].option, n) != 0 || (!with_value && option[n]))
			continue;
		begin_term(terms);
		strbuf_addf(terms, "%s%s", table[i].term, with_value ? option + n : "");
		return true;
	}
	return false;
}

/* Returns whether the counter is one of the cores: its name is one of `words` with a number. TMA0
 * and the following are Intel's top-down metrics. */
static bool is_of_core(const char *alias)
{
	static const char *const words[] = {"FIXC", "PMC", "TMA"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);

		if (!strncmp(alias, words[i], n))
			return alias[n] && !alias[n + strspn(alias + n, "0123456789")];
	}
	return false;
}

/* Returns a copy of the next word at *at, which the caller frees, and moves *at after the word;
 * NULL: there is no word. */
static char *next_word(const char **at, const char *separators)
{
	const char *start = *at + strspn(*at, separators);
	size_t len = strcspn(start, separators);

	*at = start + len;
	return len ? xstrndup(start, len) : NULL;
}

/* Parses a counter with its options: "PMC0:EDGEDETECT:THRESHOLD=0x1". */
static void read_counter(struct foreign_counter *c, const char *text)
{
	struct strbuf terms;
	char *option;

	strbuf_init(&terms);
	c->alias = next_word(&text, ":");
	while ((option = next_word(&text, ":"))) {
		if (!add_option(&terms, option) && !c->lack)
			c->lack = xasprintf("the option '%s' of the counter '%s' has no "
					    "counterpart",
					    option, c->alias);
		free(option);
	}
	c->terms = terms.len ? xstrdup(terms.text) : NULL;
	strbuf_done(&terms);
}

static int read_event(struct reader *r, const char *line, struct err *err)
{
	char *counter = next_word(&line, BLANKS), *event = next_word(&line, BLANKS);
	struct foreign_counter *c;
	int ret = 0;

	if (event && counter[0] != ':') {
		c = foreign_file_add_counter(r->file);
		c->event = event;
		read_counter(c, counter);
		if (!is_of_core(c->alias) && !c->lack)
			c->lack = xasprintf("the counter '%s' (%s) is outside of the cores, and "
					    "so not counted per task",
					    c->alias, event);
	} else {
		ret = err_set(err, EINVAL, "%s:%d: a counter and its event are expected, not '%s'",
			      r->path, r->line, counter);
		free(event);
	}
	free(counter);
	return ret;
}

/* Moves the unit in the name, "DP [MFLOP/s]", to m->unit. */
static void split_unit(struct foreign_metric *m)
{
	char *open = strrchr(m->name, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close || close[1])
		return;
	m->unit = xstrndup(open + 1, (size_t)(close - open - 1));
	while (open > m->name && strchr(BLANKS, open[-1]))
		open--;
	*open = '\0';
}

static int read_metric(struct reader *r, char *line, struct err *err)
{
	size_t len = strlen(line);
	struct foreign_metric *m;
	char *formula;

	while (strchr(BLANKS, line[len - 1]))
		line[--len] = '\0';
	formula = line + len;
	while (formula > line && !strchr(BLANKS, formula[-1]))
		formula--;
	len = (size_t)(formula - line);
	while (len && strchr(BLANKS, line[len - 1]))
		len--;
	if (!len)
		return err_set(err, EINVAL,
			       "%s:%d: a metric is a name and a formula without blanks, not '%s'",
			       r->path, r->line, line);
	m = foreign_file_add_metric(r->file);
	m->name = xstrndup(line, len);
	m->formula = xstrdup(formula);
	m->line = r->line;
	split_unit(m);
	return 0;
}

static bool is_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(line, word, n) && (!line[n] || strchr(BLANKS, line[n]));
}

static int read_line(struct reader *r, char *line, struct err *err)
{
	line += strspn(line, BLANKS);
	for (size_t i = 0; r->part != PART_TEXT && i < sizeof headings / sizeof *headings; i++)
		if (is_word(line, headings[i].word)) {
			r->part = headings[i].part;
			return 0;
		}
	if (!*line || r->part == PART_TEXT || *line == '#')
		return 0;
	if (r->part == PART_EVENTS)
		return read_event(r, line, err);
	if (r->part == PART_METRICS)
		return read_metric(r, line, err);
	if (is_word(line, "SHORT") && !r->file->desc)
		r->file->desc = xstrdup(line + 5 + strspn(line + 5, BLANKS));
	else if (!is_word(line, "REQUIRE_NOHT"))
		return err_set(
			err, EINVAL,
			"%s:%d: '%.40s' stands before EVENTSET: this is not a group of likwid",
			r->path, r->line, line);
	return 0;
}

int foreign_read_likwid(struct foreign_file *f, const char *path, const char *text, struct err *err)
{
	struct reader r = {.file = f, .path = path};
	int ret = 0;

	f->likwid = true;
	while (!ret && *text) {
		size_t len = strcspn(text, "\n");
		char *line = xstrndup(text, len);

		r.line++;
		ret = read_line(&r, line, err);
		free(line);
		text += len + (text[len] == '\n');
	}
	if (!ret && !f->n_metrics)
		ret = err_set(err, EINVAL, "%s: there is no metric after a line METRICS", path);
	return ret;
}

/* ---- perf ----
 *
 * Parses metrics of perf, as in tools/perf/pmu-events of Linux, with json-c.
 *
 *   [{"MetricName": "tma_retiring", "MetricExpr": "topdown\\-retiring / slots",
 *     "ScaleUnit": "100%", "BriefDescription": "...", "MetricThreshold": "tma_retiring > 0.7",
 *     "Unit": "cpu_core"}, ...]
 *
 * Objects without a MetricName are events, which are ignored.
 */

/* The maximal depth of nested arrays and objects, more than such files have. */
#define DEPTH_MAX 16

static int line_of(const char *text, size_t offset)
{
	int line = 1;

	for (size_t i = 0; i < offset && text[i]; i++)
		line += text[i] == '\n';
	return line;
}

/* Returns a copy of the text of a key; NULL: none. The caller frees it. */
static char *take_text(const struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return xstrdup(json_object_get_string(value));
}

/* Sets factor and unit of the metric from the text of "ScaleUnit", "100%" or "1per_instr"; frees
 * the text. NULL: the factor is 1. */
static void take_scale(struct foreign_metric *m, char *text)
{
	char *end = text;

	m->factor = text ? strtod(text, &end) : 1;
	if (end == text)
		m->factor = 1;
	m->unit = end && *end ? xstrdup(end) : NULL;
	free(text);
}

static void take_metric(struct foreign_file *f, const struct json_object *object)
{
	char *name = take_text(object, "MetricName");
	struct foreign_metric *m;

	if (!name)
		return;
	m = foreign_file_add_metric(f);
	m->name = name;
	m->formula = take_text(object, "MetricExpr");
	m->desc = take_text(object, "BriefDescription");
	if (!m->desc)
		m->desc = take_text(object, "PublicDescription");
	m->threshold = take_text(object, "MetricThreshold");
	m->pmu = take_text(object, "Unit");
	take_scale(m, take_text(object, "ScaleUnit"));
}

static int take_array(struct foreign_file *f, const char *path, struct json_object *array,
		      struct err *err)
{
	size_t n =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *object = json_object_array_get_idx(array, i);

		if (json_object_is_type(object, json_type_object))
			take_metric(f, object);
	}
	if (f->n_metrics)
		return 0;
	return err_set(err, EINVAL,
		       "%s: there is no metric in it: an array of objects with MetricName and "
		       "MetricExpr is expected, as perf has them",
		       path);
}

int foreign_read_perf(struct foreign_file *f, const char *path, const char *text, struct err *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *array;
	size_t end;
	int ret;

	if (!tokener)
		return err_set(err, ENOMEM, "out of memory");
	array = json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
	end = json_tokener_get_parse_end(tokener);
	if (!array)
		ret = err_set(err, EINVAL, "%s:%d: bad JSON: %s", path, line_of(text, end),
			      json_tokener_error_desc(json_tokener_get_error(tokener)));
	else if (text[end + strspn(text + end, " \t\r\n")])
		ret = err_set(err, EINVAL, "%s:%d: bad JSON: there is text after its end", path,
			      line_of(text, end));
	else
		ret = take_array(f, path, array, err);
	json_object_put(array);
	json_tokener_free(tokener);
	return ret;
}
