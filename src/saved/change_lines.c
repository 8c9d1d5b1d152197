/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of change: its rows as text, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "saved/change.h"
#include "stats/variation.h"

static const struct saved_entry *names_of(const struct saved_change_row *row)
{
	return row->entry[row->entry[0] ? 0 : 1];
}

static bool is_time(const char *unit)
{
	return unit && !strcmp(unit, "ns");
}

/* --- text --- */

static void add_text_number(struct strbuf *out, double number)
{
	const bool small = fabs(number) < 100 && number != floor(number);

	if (isnan(number))
		strbuf_addf(out, " %10s", "-");
	else
		strbuf_addf(out, small ? " %10.2f" : " %10.0f", number);
}

static void add_text_pct(struct strbuf *out, double number, bool is_change)
{
	if (isnan(number))
		strbuf_addf(out, " %9s", "-");
	else
		strbuf_addf(out, is_change ? " %+8.1f%%" : " %8.1f%%", number);
}

static void add_text_difference(struct strbuf *out, const char *name,
				const struct saved_difference *d)
{
	strbuf_addf(out, "    %-8s", name);
	for (int side = 0; side < 2; side++) {
		add_text_number(out, d->of[side].mean);
		add_text_number(out, d->of[side].sd);
	}
	add_text_pct(out, d->change_pct, true);
	add_text_pct(out, d->margin_pct, false);
	strbuf_addch(out, '\n');
}

static void add_text_contended(struct strbuf *out, const struct saved_change_row *row)
{
	const double *pct = row->contended_pct;

	if (isnan(pct[0]) && isnan(pct[1]))
		return;
	strbuf_addstr(out, "    contended");
	for (int side = 0; side < 2; side++)
		if (isnan(pct[side]))
			strbuf_addf(out, "  %s -", side ? "B" : "A");
		else
			strbuf_addf(out, "  %s %.1f %%", side ? "B" : "A", pct[side]);
	strbuf_addch(out, '\n');
}

static void add_text_all(const struct saved_change *c, struct strbuf *out,
			 const struct saved_change_row *row)
{
	const bool time = is_time(c->unit_of_all);

	strbuf_addstr(out, ": ");
	if (isnan(row->change)) {
		strbuf_addch(out, '-');
		return;
	}
	strbuf_addf(out, time ? "%+.3f" : "%+.0f", time ? row->change / 1e6 : row->change);
	if (!isnan(row->margin))
		strbuf_addf(out, time ? " +- %.3f" : " +- %.0f",
			    time ? row->margin / 1e6 : row->margin);
	strbuf_addch(out, ' ');
	text_add(out, time ? "ms" : c->unit_of_all);
}

static void add_text_row(const struct saved_change *c, struct strbuf *out,
			 const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);

	text_add(out, e->name);
	if (c->type->kind) {
		strbuf_addstr(out, " (");
		text_add(out, e->kind[0] ? e->kind : "-");
		strbuf_addch(out, ')');
	}
	if (c->type->has_callers) {
		strbuf_addstr(out, ", acquired by ");
		text_add(out, e->caller[0] ? e->caller : "-");
	}
	add_text_all(c, out, row);
	if (!row->entry[0] || !row->entry[1])
		strbuf_addf(out, ", in %s only", row->entry[0] ? "A" : "B");
	strbuf_addch(out, '\n');
	add_text_difference(out, c->type->did, &row->count);
	add_text_contended(out, row);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i] && (row->amount[i].of[0].n > 0 || row->amount[i].of[1].n > 0))
			add_text_difference(out, c->type->amount[i], &row->amount[i]);
}

static bool knows_margins(const struct saved_change *c)
{
	return c->side[0]->n >= VARIATION_LEAST && c->side[1]->n >= VARIATION_LEAST;
}

static void add_text_units(const struct saved_change *c, struct strbuf *out)
{
	const bool time = is_time(c->unit_of_all);

	strbuf_addstr(out, time ? "# Times of each are in ns" : "# Numbers are ");
	if (time && c->type->in_modes && c->unit[1])
		strbuf_addf(out, ", %s and %s are ", c->type->amount[1], c->type->amount[2]);
	if (time && c->type->time && c->unit[1])
		strbuf_addf(out, ", %s is ", c->type->amount[1]);
	if (!time || ((c->type->in_modes || c->type->time) && c->unit[1])) {
		text_add(out, c->unit[1]);
		strbuf_addstr(out, " of each");
	}
	if (!c->several)
		strbuf_addstr(out, "; +- is what as many independent calls would differ by, and no "
				   "more is known of two runs.\n");
	else
		strbuf_addf(out,
			    "; means of runs, how these differ, and +-, by what they would "
			    "differ if nothing had changed%s.\n",
			    knows_margins(c) ? "" : ", of which less than 3 of a side say nothing");
}

static void add_text_head(const struct saved_change *c, struct strbuf *out)
{
	for (int side = 0; side < 2; side++) {
		strbuf_addf(out, "# %s  ", side ? "B" : "A");
		text_add(out, c->side[side]->what);
		strbuf_addch(out, '\n');
	}
	add_text_units(c, out);
	strbuf_addf(out, "#   %-8s %10s %10s %10s %10s %9s %9s\n", "", "MEAN A", "SD A", "MEAN B",
		    "SD B", "CHANGE", "+-");
}

/* --- CSV --- */

static void add_csv_head(const struct saved_change *c, struct strbuf *out)
{
	(void)c;
	strbuf_addstr(out, "name,kind,caller,phase,unit,n_a,mean_a,stddev_a,n_b,mean_b,stddev_b,"
			   "change_pct,margin_pct,all_change,all_margin\n");
}

static void add_csv_number(struct strbuf *out, double number)
{
	strbuf_addch(out, ',');
	if (!isnan(number))
		strbuf_addf(out, "%.3f", number);
}

static void add_csv_difference(struct strbuf *out, const struct saved_change_row *row,
			       const char *name, const char *unit, const struct saved_difference *d)
{
	const struct saved_entry *e = names_of(row);

	csv_add_text(out, e->name);
	strbuf_addch(out, ',');
	csv_add_text(out, e->kind);
	strbuf_addch(out, ',');
	csv_add_text(out, e->caller);
	strbuf_addf(out, ",%s,", name);
	csv_add_text(out, unit);
	for (int side = 0; side < 2; side++) {
		strbuf_addf(out, ",%.0f", d->of[side].n);
		add_csv_number(out, d->of[side].mean);
		add_csv_number(out, d->of[side].sd);
	}
	add_csv_number(out, d->change_pct);
	add_csv_number(out, d->margin_pct);
	add_csv_number(out, row->change);
	add_csv_number(out, row->margin);
	strbuf_addch(out, '\n');
}

static void add_csv_row(const struct saved_change *c, struct strbuf *out,
			const struct saved_change_row *row)
{
	add_csv_difference(out, row, c->type->count, "", &row->count);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i])
			add_csv_difference(out, row, c->type->amount[i], c->unit[i],
					   &row->amount[i]);
}

/* --- JSON --- */

static void add_json_figure(struct strbuf *out, const char *key, const struct saved_figure *f)
{
	json_key(out, key);
	json_begin(out, '{');
	json_member_number(out, "n", f->n);
	json_member_number(out, "mean", f->mean);
	json_member_number(out, "stddev", f->sd);
	json_end(out, '}');
}

static void add_json_difference(struct strbuf *out, const char *name, const char *unit,
				const struct saved_difference *d)
{
	json_key(out, name);
	json_begin(out, '{');
	json_member_text(out, "unit", unit);
	add_json_figure(out, "a", &d->of[0]);
	add_json_figure(out, "b", &d->of[1]);
	json_member_number(out, "change_pct", d->change_pct);
	json_member_number(out, "margin_pct", d->margin_pct);
	json_end(out, '}');
}

static void add_json_row(const struct saved_change *c, struct strbuf *out,
			 const struct saved_change_row *row)
{
	const struct saved_entry *e = names_of(row);
	struct strbuf type;

	strbuf_init(&type);
	strbuf_addf(&type, "%s_change", c->type->line);
	json_begin(out, '{');
	json_member_text(out, "type", type.text);
	json_member_text(out, "name", e->name);
	if (c->type->kind)
		json_member_text(out, c->type->kind, e->kind);
	if (c->type->has_callers)
		json_member_text(out, "caller", e->caller);
	json_member_text(out, "a", row->entry[0] ? c->side[0]->what : NULL);
	json_member_text(out, "b", row->entry[1] ? c->side[1]->what : NULL);
	json_member_text(out, "unit", c->unit_of_all);
	json_member_number(out, "change", row->change);
	json_member_number(out, "margin", row->margin);
	add_json_difference(out, c->type->count, NULL, &row->count);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (c->unit[i])
			add_json_difference(out, c->type->amount[i], c->unit[i], &row->amount[i]);
	json_end(out, '}');
	strbuf_addch(out, '\n');
	strbuf_done(&type);
}

/* --- all --- */

static const struct format {
	void (*head)(const struct saved_change *c, struct strbuf *out); /* NULL: none */
	void (*row)(const struct saved_change *c, struct strbuf *out,
		    const struct saved_change_row *row);
} formats[] = {
	[REPORT_AS_TEXT] = {add_text_head, add_text_row},
	[REPORT_AS_CSV] = {add_csv_head, add_csv_row},
	[REPORT_AS_JSON] = {NULL, add_json_row},
};

void saved_change_add(const struct saved_change *c, enum report_format_id format, size_t n,
		      struct strbuf *out)
{
	if (formats[format].head)
		formats[format].head(c, out);
	for (size_t i = 0; i < c->n && i < n; i++)
		formats[format].row(c, out, &c->row[i]);
}
