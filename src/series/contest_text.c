/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of contest: for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/short_number.h"
#include "base/text.h"
#include "series/contest.h"

#define NAME_WIDTH   18
#define N_WIDTH      4
#define MEAN_WIDTH   9
#define SD_WIDTH     9
#define CHANGE_WIDTH 8
#define MARGIN_WIDTH 6
#define CHANCE_WIDTH 6

/* So many reasons are named. */
#define REASONS_MAX 5

static void add_side(struct strbuf *out, const struct contest_side *side)
{
	strbuf_addf(out, "%s  ", side->label);
	text_add(out, side->what);
	strbuf_addstr(out, ": ");
	runs_add_ends(out, side->runs);
	strbuf_addch(out, '\n');
}

/* "12.3 % +- 0.4 %", and whether that is more or less. */
static void add_change(struct strbuf *out, const struct contest_row *row)
{
	strbuf_addf(out, "%.1f %%", fabs(row->change_pct));
	if (!isnan(row->margin_pct))
		strbuf_addf(out, " +- %.1f %%", row->margin_pct);
	strbuf_addf(out, " %s", row->change_pct < 0 ? "less" : "more");
}

static void add_winner(struct strbuf *out, const struct contest *c)
{
	const struct contest_row *row = &c->row[0];
	const char *b = c->side[1]->label;
	const int winner = contest_winner(c);

	if (winner >= 0)
		strbuf_addf(out, "%s is faster: %s takes ", c->side[winner]->label,
			    winner ? "it" : b);
	else if (row->result == COMPARISON_FEW)
		strbuf_addf(out, "too few rounds to tell a difference (--repeat %d): %s takes ",
			    VARIATION_LEAST, b);
	else
		strbuf_addf(out, "no difference can be told: %s takes ", b);
	add_change(out, row);
	strbuf_addstr(out, " time\n");
}

static void add_reason(struct strbuf *out, const struct contest_row *row, const char *before)
{
	strbuf_addstr(out, before);
	if (isnan(row->change_pct))
		short_number_align(out, row->difference.mean, 0);
	else
		strbuf_addf(out, " %.1f %%", fabs(row->change_pct));
	strbuf_addf(out, " %s ",
		    row->difference.mean >= 0          ? "more"
		    : row->measure->unit == UNIT_COUNT ? "fewer"
						       : "less");
	text_add(out, row->measure->name);
}

static void add_reasons(struct strbuf *out, const struct contest *c)
{
	const struct contest_row **row = xcalloc(c->n + 1, sizeof *row);
	const size_t n = contest_reasons(c, row);

	if (!n)
		strbuf_addstr(out, "nothing else differs by more than noise");
	else
		strbuf_addf(out, "what else differs: %s has", c->side[1]->label);
	for (size_t i = 0; i < n && i < REASONS_MAX; i++)
		add_reason(out, row[i], i ? "," : "");
	if (n > REASONS_MAX)
		strbuf_addf(out, " and %zu more that differ", n - REASONS_MAX);
	strbuf_addch(out, '\n');
	free(row);
}

static void add_head(struct strbuf *out, const struct contest *c)
{
	strbuf_addf(out, "\n  %-*s %*s", NAME_WIDTH, "MEASURE", N_WIDTH, "N");
	for (int k = 0; k < 2; k++)
		strbuf_addf(out, " %*s%s %*s%s", MEAN_WIDTH - 1, "MEAN ", c->side[k]->label,
			    SD_WIDTH - 1, "SD ", c->side[k]->label);
	strbuf_addf(out, " %*s %*s %*s  RESULT\n", CHANGE_WIDTH, "CHANGE", MARGIN_WIDTH, "+-",
		    CHANCE_WIDTH, "P");
}

/* Right-aligned; "-": nobody knows. sign: of a change; unit: stands behind it. */
static void add_number(struct strbuf *out, double number, bool sign, int digits, const char *unit,
		       int width)
{
	char text[32] = "-";

	if (!isnan(number))
		snprintf(text, sizeof text, "%s%.*f%s", sign && number >= 0 ? "+" : "", digits,
			 number, unit);
	strbuf_addf(out, " %*s", width, text);
}

static void add_row(struct strbuf *out, const struct contest *c, const struct contest_row *row)
{
	struct strbuf name;

	strbuf_init(&name);
	text_add(&name, row->measure->name);
	if (row->measure->unit != UNIT_COUNT)
		strbuf_addf(&name, ", %s", unit_table[row->measure->unit].name);
	strbuf_addf(out, "  %s", name.text);
	strbuf_pad(out, ' ', NAME_WIDTH - text_length(name.text));
	strbuf_done(&name);
	strbuf_addf(out, " %*zu", N_WIDTH, row->difference.n);
	for (int k = 0; k < 2; k++) {
		short_number_align(out, row->of[k].mean, MEAN_WIDTH);
		short_number_align(out, row->of[k].sd, SD_WIDTH);
	}
	add_number(out, row->change_pct, true, 1, "%", CHANGE_WIDTH);
	add_number(out, row->margin_pct, false, 1, "%", MARGIN_WIDTH);
	add_number(out, row->chance, false, 3, "", CHANCE_WIDTH);
	strbuf_addf(out, "  %s", comparison_result_name[row->result]);
	for (int k = 0; k < 2 && row->result == COMPARISON_UNKNOWN; k++)
		if (!row->of[k].n) {
			strbuf_addf(out, ": %s: %s", c->side[k]->label,
				    quality_table[row->why[k]].text);
			break;
		}
	strbuf_addch(out, '\n');
}

static void add_outliers(struct strbuf *out, const struct contest_side *side)
{
	char before[16];

	snprintf(before, sizeof before, "%s: ", side->label);
	for (size_t i = 0; i < side->runs->n_measures; i++)
		runs_add_outliers(out, side->runs, i, before);
}

void contest_add_text(struct strbuf *out, const struct contest *c)
{
	add_side(out, c->side[0]);
	add_side(out, c->side[1]);
	if (!c->n)
		return;
	strbuf_addch(out, '\n');
	add_winner(out, c);
	if (contest_is_tested(c))
		add_reasons(out, c);
	add_head(out, c);
	for (size_t i = 0; i < c->n; i++)
		add_row(out, c, &c->row[i]);
	strbuf_addf(
		out,
		"\nBoth ran in turns, N rounds; CHANGE is that of the rounds, +- what it is within "
		"in %g of "
		"100 cases,\nP the chance of such a change among equal commands: below %.2g, it "
		"is called more or less.\nThat of each row but the first is corrected for their "
		"number (Holm).\n",
		100 * VARIATION_CONFIDENCE, 1 - VARIATION_CONFIDENCE);
	for (int k = 0; k < 2; k++)
		add_outliers(out, c->side[k]);
}
