/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of runs: for programs. */
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "series/runs.h"

static void add_outliers(struct strbuf *out, const struct runs *r, size_t i)
{
	bool *mark = xcalloc(r->n + 1, sizeof *mark);

	runs_mark_outliers(r, i, mark);
	json_key(out, "outliers");
	json_begin(out, '[');
	for (size_t k = 0; k < r->n; k++)
		if (mark[k])
			json_count(out, k + 1);
	json_end(out, ']');
	free(mark);
}

static void add_measure(struct strbuf *out, const struct runs *r, size_t i)
{
	const struct run_measure *m = &r->measure[i];
	struct variation s;

	runs_variation(r, i, &s);
	json_begin(out, '{');
	json_key(out, "name");
	json_text(out, m->name);
	json_key(out, "unit");
	json_text(out, unit_table[m->unit].name);
	json_key(out, "quality");
	json_text(out, quality_table[runs_worst(r, i).quality].name);
	json_member_count(out, "n", s.n);
	json_member_number(out, "mean", s.mean);
	json_member_number(out, "margin", s.margin);
	json_member_number(out, "sd", s.sd);
	json_member_number(out, "least", s.least);
	json_member_number(out, "most", s.most);
	add_outliers(out, r, i);
	json_key(out, "values");
	json_begin(out, '[');
	for (size_t k = 0; k < r->n; k++)
		json_value(out, m->value[k]);
	json_end(out, ']');
	json_end(out, '}');
}

static void add_end(struct strbuf *out, const struct run_end *end)
{
	json_begin(out, '{');
	json_key(out, "status");
	if (end->lost)
		json_text(out, NULL);
	else
		json_count(out, (uint64_t)end->status);
	json_key(out, "signal");
	if (end->signal)
		json_count(out, (uint64_t)end->signal);
	else
		json_text(out, NULL);
	json_end(out, '}');
}

void runs_add_json(struct strbuf *out, const struct runs *r)
{
	json_begin(out, '{');
	json_member_count(out, "n", r->n);
	json_member_count(out, "wanted", (uint64_t)r->wanted);
	json_member_count(out, "warmups", (uint64_t)r->warmups);
	json_member_number(out, "confidence", VARIATION_CONFIDENCE);
	json_key(out, "ends");
	json_begin(out, '[');
	for (size_t i = 0; i < r->n; i++)
		add_end(out, &r->end[i]);
	json_end(out, ']');
	json_key(out, "stopped_by");
	if (r->stop)
		add_end(out, &r->stop_end);
	else
		json_text(out, NULL);
	json_key(out, "measures");
	json_begin(out, '[');
	for (size_t i = 0; i < r->n_measures; i++)
		add_measure(out, r, i);
	json_end(out, ']');
	json_end(out, '}');
}
