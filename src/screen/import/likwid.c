/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of import: parses a performance group of likwid.
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
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/import/import.h"

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
