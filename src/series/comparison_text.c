/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of comparison: for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/short_number.h"
#include "base/text.h"
#include "series/comparison_part.h"

/* So many names of what ran on one side only. */
#define ALONE_MAX 10

#define NAME_WIDTH   9
#define N_WIDTH      4
#define MEAN_WIDTH   8
#define SD_WIDTH     7
#define CHANGE_WIDTH 8
#define MARGIN_WIDTH 6

static void add_side(struct strbuf *out, const struct comparison_side *side)
{
	const struct series_list *l = &side->list;
	const struct sample_machine *m = side->machine;

	strbuf_addf(out, "%s  ", side->screen.label);
	text_add(out, side->what);
	if (!l->n_intervals) {
		strbuf_addstr(out, ": no intervals\n");
		return;
	}
	strbuf_addstr(out, ": ");
	clock_add_date(out, l->span.begin_ns);
	strbuf_addstr(out, " to ");
	clock_add_date(out, l->span.end_ns);
	strbuf_addf(out, ", %zu interval%s of %.3g s", l->n_intervals,
		    l->n_intervals == 1 ? "" : "s", l->interval_s);
	if (m && *m->host) {
		strbuf_addstr(out, " on ");
		text_add(out, m->host);
	}
	if (m && *m->model) {
		strbuf_addstr(out, " (");
		text_add(out, m->arch);
		strbuf_addch(out, ' ');
		text_add(out, m->model);
		strbuf_addch(out, ')');
	}
	strbuf_addch(out, '\n');
}

static void add_head(struct strbuf *out, const struct comparison *c)
{
	add_side(out, c->side[0]);
	add_side(out, c->side[1]);
	strbuf_addstr(out, "Screen ");
	text_add(out, c->side[0]->screen.screen->name);
	strbuf_addf(
		out,
		": mean and standard deviation over the N intervals that have a number; counts\n"
		"are per second. Noise alone makes a change of more than +- in %g of 100 "
		"cases:\n" COMPARISON_METHOD "\n\n",
		100 * (1 - MEANS_CONFIDENCE));
	strbuf_addf(out, "  %-*s", NAME_WIDTH, "COLUMN");
	for (int k = 0; k < 2; k++) {
		const char *label = c->side[k]->screen.label;

		strbuf_addf(out, " %*s %*s%s %*s%s", N_WIDTH, "N", MEAN_WIDTH - 1, "MEAN ", label,
			    SD_WIDTH - 1, "SD ", label);
	}
	strbuf_addf(out, " %*s %*s  RESULT\n", CHANGE_WIDTH, "CHANGE", MARGIN_WIDTH, "+-");
}

static void add_percent(struct strbuf *out, double percent, bool sign, int width)
{
	char text[32] = "-";

	if (!isnan(percent))
		snprintf(text, sizeof text, "%s%.1f%%", sign && percent >= 0 ? "+" : "", percent);
	strbuf_addf(out, " %*s", width, text);
}

static void add_reason(struct strbuf *out, const struct comparison *c,
		       const struct comparison_cell *cell)
{
	for (int k = 0; k < 2; k++)
		if (!cell->of[k].n) {
			strbuf_addf(out, ": %s: %s", c->side[k]->screen.label,
				    quality_table[cell->why[k]].text);
			return;
		}
}

/* What is a count of the interval is per second here. */
static void add_name(struct strbuf *out, const struct column *column)
{
	struct strbuf name;
	const char *text;
	int len;

	strbuf_init(&name);
	text = screen_column_name(column, &len);
	strbuf_add(&name, text, (size_t)len);
	strbuf_addstr(&name, column->kind == COLUMN_COUNT ? "/s" : "");
	strbuf_addstr(out, "  ");
	text_add(out, name.text);
	strbuf_pad(out, ' ', NAME_WIDTH - text_length(name.text));
	strbuf_done(&name);
}

static void add_cell(struct strbuf *out, const struct comparison *c, size_t i,
		     const struct comparison_cell *cell)
{
	add_name(out, c->column[i]);
	for (int k = 0; k < 2; k++) {
		strbuf_addf(out, " %*zu", N_WIDTH, cell->of[k].n);
		short_number_align(out, cell->of[k].mean, MEAN_WIDTH);
		short_number_align(out, cell->of[k].sd, SD_WIDTH);
	}
	add_percent(out, cell->change_pct, true, CHANGE_WIDTH);
	add_percent(out, cell->margin_pct, false, MARGIN_WIDTH);
	strbuf_addf(out, "  %s", comparison_result_name[cell->result]);
	if (cell->result == COMPARISON_UNKNOWN)
		add_reason(out, c, cell);
	strbuf_addch(out, '\n');
}

static void add_series(struct strbuf *out, const struct series *s)
{
	if (s->program) {
		text_add(out, s->program);
		strbuf_addstr(out, ": ");
	}
	text_add(out, s->name);
}

static bool is_of_same_name(const struct comparison_pair *pair)
{
	const struct series *a = pair->of[0], *b = pair->of[1];

	return !strcmp(a->name, b->name) && (!a->program || !strcmp(a->program, b->program));
}

static void add_pair(struct strbuf *out, const struct comparison *c,
		     const struct comparison_pair *pair)
{
	strbuf_addch(out, '\n');
	add_series(out, pair->of[0]);
	if (!is_of_same_name(pair)) {
		strbuf_addf(out, " (%s) and ", c->side[0]->screen.label);
		add_series(out, pair->of[1]);
		strbuf_addf(out, " (%s)", c->side[1]->screen.label);
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < c->n_columns; i++)
		add_cell(out, c, i, &pair->cell[i]);
}

static void add_alone(struct strbuf *out, const struct comparison *c, int side)
{
	const size_t n = c->n_alone[side];

	if (!n)
		return;
	strbuf_addf(out, "Only in %s:", c->side[side]->screen.label);
	for (size_t i = 0; i < n && i < ALONE_MAX; i++) {
		strbuf_addstr(out, i ? ", " : " ");
		add_series(out, c->alone[side][i]);
	}
	if (n > ALONE_MAX)
		strbuf_addf(out, " and %zu more", n - ALONE_MAX);
	strbuf_addch(out, '\n');
}

static void add_foot(struct strbuf *out, const struct comparison *c)
{
	if (c->n_more || c->n_alone[0] || c->n_alone[1] || c->n_unlike)
		strbuf_addch(out, '\n');
	if (c->n_more)
		strbuf_addf(out, "In both, and not shown: %zu more (--rows 0 shows all)\n",
			    c->n_more);
	add_alone(out, c, 0);
	add_alone(out, c, 1);
	for (size_t i = 0; i < c->n_unlike; i++) {
		strbuf_addstr(out, "Not compared: ");
		text_add(out, c->unlike[i].id);
		strbuf_addstr(out, ": ");
		text_add(out, c->unlike[i].why);
		strbuf_addch(out, '\n');
	}
}

void comparison_add_text(struct strbuf *out, const struct comparison *c)
{
	add_head(out, c);
	for (size_t i = 0; i < c->n_pairs; i++)
		add_pair(out, c, &c->pair[i]);
	add_foot(out, c);
}
