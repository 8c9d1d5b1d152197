/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of runs: for people. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/short_number.h"
#include "base/text.h"
#include "series/runs.h"

#define NUMBER_WIDTH 10
#define N_WIDTH      5

/* More names are not read; JSON has all. */
#define NAMED_MAX 10

void run_add_end(struct strbuf *out, const struct run_end *end)
{
	if (end->lost)
		strbuf_addstr(out, " with a status that nobody knows");
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

static void add_measure(struct strbuf *out, const struct runs *r, size_t i)
{
	const struct run_measure *m = &r->measure[i];
	const struct value worst = runs_worst(r, i);
	struct variation s;

	runs_variation(r, i, &s);
	short_number_align(out, s.mean, NUMBER_WIDTH);
	short_number_align(out, s.margin, NUMBER_WIDTH);
	short_number_align(out, s.sd, NUMBER_WIDTH);
	short_number_align(out, s.least, NUMBER_WIDTH);
	short_number_align(out, s.most, NUMBER_WIDTH);
	strbuf_addf(out, " %*zu ", N_WIDTH, s.n);
	if (m->unit != UNIT_COUNT)
		strbuf_addf(out, "%s ", unit_table[m->unit].name);
	text_add(out, m->name);
	if (!value_known(worst))
		strbuf_addf(out, ": %s", quality_table[worst.quality].text);
	else if (worst.quality != QUALITY_EXACT)
		strbuf_addf(out, " (%s)", quality_table[worst.quality].name);
	strbuf_addch(out, '\n');
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
		strbuf_addf(out, "%s run %zu:", named++ ? "," : "", k + 1);
		short_number_align(out, m->value[k].number, 0);
	}
	if (n > named)
		strbuf_addf(out, " and %zu more", n - named);
	if (n)
		strbuf_addch(out, '\n');
	free(mark);
}

void runs_add_text(struct strbuf *out, const struct runs *r, const char *before)
{
	strbuf_addf(out, "%s %*s %*s %*s %*s %*s %*s\n", before, NUMBER_WIDTH, "MEAN", NUMBER_WIDTH,
		    "+-", NUMBER_WIDTH, "SD", NUMBER_WIDTH, "LEAST", NUMBER_WIDTH, "MOST", N_WIDTH,
		    "RUNS");
	for (size_t i = 0; i < r->n_measures; i++) {
		strbuf_addstr(out, before);
		add_measure(out, r, i);
	}
	strbuf_addf(out,
		    "%s+-: the mean of many more such runs is within this in %g of 100 cases "
		    "(Student's t)\n",
		    before, 100 * VARIATION_CONFIDENCE);
	for (size_t i = 0; i < r->n_measures; i++)
		runs_add_outliers(out, r, i, before);
}
