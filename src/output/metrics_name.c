/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of metrics: names and help texts.
 *
 * node_exporter drops a metric that two files explain in different words. So the help text of a
 * column depends only on the name of its metric, which columns of several screens may share: it is
 * the description of the built-in columns of this name, in the unit of the metric, if all agree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "output/metrics_part.h"
#include "screen/built_in.h"
#include "screen/compile.h"

/* For each unit, the suffix of metric names and the factor to the base unit. */
static const struct {
	const char *suffix;
	double factor;
	const char *cut;   /* removed from the end of an id, as the suffix says it */
	const char *begin; /* removed from the begin of an id */
} base_unit[N_UNITS] = {
	[UNIT_NONE] = {"", 1, "", ""},
	[UNIT_TEXT] = {"", 0, "", ""},
	[UNIT_COUNT] = {"", 1, "", ""},
	[UNIT_PERCENT] = {"_ratio", 0.01, "", ""},
	[UNIT_PER_1000] = {"_per_1000", 1, "", ""},
	[UNIT_RATIO] = {"_ratio", 1, "", ""},
	[UNIT_PER_S] = {"_per_second", 1, "_s", ""},
	[UNIT_MILLION] = {"", 1e6, "", "m"},
	[UNIT_MILLION_PER_S] = {"_per_second", 1e6, "_s", "m"},
	[UNIT_MS_PER_S] = {"_ratio", 0.001, "ms_s", ""},
	[UNIT_GHZ] = {"_hertz", 1e9, "ghz", ""},
	[UNIT_NS] = {"_seconds", 1e-9, "", ""},
	[UNIT_US] = {"_seconds", 1e-6, "", ""},
	[UNIT_MS] = {"_seconds", 1e-3, "", ""},
	[UNIT_S] = {"_seconds", 1, "", ""},
	[UNIT_BYTES] = {"_bytes", 1, "", ""},
	[UNIT_KIB] = {"_bytes", 1024, "", ""},
};

/* Phrases about a unit in descriptions of columns, and their replacement in help texts. */
static const struct {
	enum unit unit;
	const char *said, *means;
} wording[] = {
	{UNIT_PERCENT, "(% of ", "(1 is all of "},
	{UNIT_PERCENT, "(%)", "(1 is all)"},
	{UNIT_PERCENT, "per 100 instructions", "per instruction"},
	{UNIT_PERCENT, "per 100 branches", "per branch"},
	{UNIT_MILLION, " (millions)", ""},
	{UNIT_MILLION_PER_S, "(millions per", "(per"},
	{UNIT_MILLION_PER_S, "(millions of ", "("},
	{UNIT_MS_PER_S, "(ms per second)", "(seconds per second)"},
	{UNIT_GHZ, "(GHz)", "(Hz)"},
	{UNIT_NS, "(ns)", "(seconds)"},
	{UNIT_US, "(us)", "(seconds)"},
	{UNIT_MS, "(ms)", "(seconds)"},
	{UNIT_NS, "(minutes and seconds)", "(seconds)"},
	{UNIT_KIB, "(KiB)", "(bytes)"},
};

#define UNEXPLAINED "Column of a screen, in the last interval: --list-columns explains it."

/* Appends a text reduced to lower-case letters, digits and '_'. */
static void add_name(struct strbuf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + ('a' - 'A'));
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			strbuf_addch(out, c);
		else if (out->text[out->len - 1] != '_')
			strbuf_addch(out, '_');
	}
}

static void set_name(struct strbuf *name, const char *text, size_t n, const char *suffix)
{
	strbuf_reset(name);
	strbuf_addstr(name, METRICS_PREFIX);
	add_name(name, text, n);
	strbuf_addstr(name, suffix);
}

void metrics_name_set(struct strbuf *name, const char *text, const char *suffix)
{
	set_name(name, text, strlen(text), suffix);
}

/* Removes the unit from the id, as the suffix says it: "mflop_s" becomes flop_per_second. */
void metrics_name_set_column(struct strbuf *name, const struct column *column)
{
	const char *id = column->id, *cut = base_unit[column->unit].cut,
		   *begin = base_unit[column->unit].begin;
	size_t n = strlen(id), n_cut = strlen(cut), n_begin = strlen(begin);

	if (n > n_cut && !strcmp(id + n - n_cut, cut))
		n -= n_cut;
	if (n > n_begin && !strncmp(id, begin, n_begin)) {
		id += n_begin;
		n -= n_begin;
	}
	set_name(name, id, n, base_unit[column->unit].suffix);
	/* The suffix "_total" is reserved for counters. */
	if (name->len > 6 && !strcmp(name->text + name->len - 6, "_total"))
		strbuf_addstr(name, "_now");
}

double metrics_unit_factor(enum unit unit)
{
	return base_unit[unit].factor;
}

/* Returns a column's description in the unit of its metric; the caller frees it. */
static char *reword(const struct column *column)
{
	for (size_t i = 0; i < sizeof wording / sizeof *wording; i++) {
		const char *said = wording[i].said, *at = strstr(column->desc, said);

		if (at && column->unit == wording[i].unit)
			return xasprintf("%.*s%s%s", (int)(at - column->desc), column->desc,
					 wording[i].means, at + strlen(said));
	}
	return xstrdup(column->desc);
}

/* Adds the help of a column. An expression 0 / 0 is skipped: it is a placeholder on CPUs without
 * the event. */
static void add_column(struct metrics_helps *h, const struct column *column)
{
	struct strbuf name;

	if (screen_column_is_text(column) || !strcmp(column->text, "0 / 0"))
		return;
	strbuf_init(&name);
	metrics_name_set_column(&name, column);
	h->row = xgrow(h->row, &h->cap, h->n + 1, sizeof *h->row);
	h->row[h->n++] = (struct metrics_help){name.text, reword(column)};
}

static int compare(const void *a, const void *b)
{
	const struct metrics_help *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Keeps one row for each name, without a help text if columns differ. */
static void unite(struct metrics_helps *h)
{
	size_t n = 0;

	array_sort(h->row, h->n, sizeof *h->row, compare);
	for (size_t i = 0; i < h->n; i++) {
		struct metrics_help *last = n ? &h->row[n - 1] : NULL;

		if (!last || compare(last, &h->row[i])) {
			h->row[n++] = h->row[i];
			continue;
		}
		if (last->help && strcmp(last->help, h->row[i].help) != 0) {
			free(last->help);
			last->help = NULL;
		}
		free(h->row[i].name);
		free(h->row[i].help);
	}
	h->n = n;
}

static void ignore(void *context, int line, const struct err *err)
{
	(void)context;
	(void)line;
	(void)err;
}

void metrics_helps_init(struct metrics_helps *h)
{
	struct screen_list list = {.n = 0};

	*h = (struct metrics_helps){.n = 0};
	screen_list_add_built_in(&list, 0, screen_built_in_n);
	for (size_t i = 0; i < list.n; i++) {
		screen_compile(list.v[i], ignore, NULL, NULL);
		for (size_t c = 0; c < list.v[i]->n_columns; c++)
			add_column(h, &list.v[i]->column[c]);
	}
	screen_list_done(&list);
	unite(h);
}

void metrics_helps_done(struct metrics_helps *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->row[i].name);
		free(h->row[i].help);
	}
	free(h->row);
}

const char *metrics_helps_find(const struct metrics_helps *h, const char *name)
{
	const struct metrics_help wanted = {.name = (char *)name};
	const struct metrics_help *found =
		array_find(&wanted, h->row, h->n, sizeof *h->row, compare);

	return found && found->help ? found->help : UNEXPLAINED;
}
