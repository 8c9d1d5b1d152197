/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/change.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"

/* Within so many standard deviations are 95 % of what is normally distributed. */
#define DEVIATIONS 1.96

static const char *const phase_names[SAVED_AMOUNTS] = {"acquire", "hold", "release"};
static const struct saved_amount nothing;

/* --- what has changed --- */

static double time_of(const struct saved_entry *l)
{
	double ns = 0;

	for (int p = 0; l && p < SAVED_AMOUNTS; p++)
		ns += l->amount[p].n * l->amount[p].mean;
	return ns;
}

static int compare_rows(const void *a, const void *b)
{
	const struct saved_change_row *x = a, *y = b;

	if (fabs(x->ns) != fabs(y->ns))
		return fabs(x->ns) < fabs(y->ns) ? 1 : -1;
	return saved_compare(x->entry[x->entry[0] ? 0 : 1], y->entry[y->entry[0] ? 0 : 1]);
}

void saved_change_make(struct saved_change *c, const struct saved *a, const struct saved *b)
{
	size_t i = 0, k = 0;

	c->row = xcalloc(a->n + b->n + 1, sizeof *c->row);
	c->n = 0;
	while (i < a->n || k < b->n) {
		const int order = i == a->n   ? 1
				  : k == b->n ? -1
					      : saved_compare(&a->entry[i], &b->entry[k]);
		struct saved_change_row *row = &c->row[c->n++];

		row->entry[0] = order <= 0 ? &a->entry[i++] : NULL;
		row->entry[1] = order >= 0 ? &b->entry[k++] : NULL;
		row->ns = time_of(row->entry[1]) - time_of(row->entry[0]);
	}
	qsort(c->row, c->n, sizeof *c->row, compare_rows);
}

void saved_change_done(struct saved_change *c)
{
	free(c->row);
	*c = (struct saved_change){.n = 0};
}

/* --- numbers of a row; NaN: not known --- */

static const struct saved_amount *phase_of(const struct saved_change_row *row, int side, int p)
{
	return row->entry[side] ? &row->entry[side]->amount[p] : &nothing;
}

static double mean_of(const struct saved_amount *p)
{
	return p->n > 0 ? p->mean : (double)NAN;
}

static double change_pct(const struct saved_amount *a, const struct saved_amount *b)
{
	return mean_of(a) > 0 ? 100 * (mean_of(b) / mean_of(a) - 1) : (double)NAN;
}

static double margin_pct(const struct saved_amount *a, const struct saved_amount *b)
{
	const double x = saved_stddev(a), y = saved_stddev(b);

	return mean_of(a) > 0 ? 100 * DEVIATIONS * sqrt(x * x / a->n + y * y / b->n) / mean_of(a)
			      : (double)NAN;
}

/* --- text --- */

static void add_text_ns(struct strbuf *out, double number)
{
	if (isnan(number))
		strbuf_addf(out, " %10s", "-");
	else
		strbuf_addf(out, " %10.0f", number);
}

static void add_text_pct(struct strbuf *out, double number, bool is_change)
{
	if (isnan(number))
		strbuf_addf(out, " %9s", "-");
	else
		strbuf_addf(out, is_change ? " %+8.1f%%" : " %8.1f%%", number);
}

static void add_text_side(struct strbuf *out, const char *label, const struct saved_entry *l)
{
	strbuf_addf(out, "  %s ", label);
	if (!l) {
		strbuf_addstr(out, "nowhere");
		return;
	}
	strbuf_addf(out, "%.0f acquired", l->count);
	if (!isnan(l->contended) && l->count > 0)
		strbuf_addf(out, " (%.1f %% contended)", 100 * l->contended / l->count);
}

static void add_text_phase(struct strbuf *out, const struct saved_change_row *row, int p)
{
	const struct saved_amount *a = phase_of(row, 0, p), *b = phase_of(row, 1, p);

	if (!(a->n > 0) && !(b->n > 0))
		return;
	strbuf_addf(out, "    %-8s", phase_names[p]);
	for (int side = 0; side < 2; side++) {
		add_text_ns(out, mean_of(side ? b : a));
		add_text_ns(out, saved_stddev(side ? b : a));
	}
	add_text_pct(out, change_pct(a, b), true);
	add_text_pct(out, margin_pct(a, b), false);
	strbuf_addch(out, '\n');
}

static void add_text_row(const struct saved_change *c, struct strbuf *out,
			 const struct saved_change_row *row)
{
	const struct saved_entry *l = row->entry[row->entry[0] ? 0 : 1];

	(void)c;
	text_add(out, l->name);
	strbuf_addf(out, " (%s), acquired by ", l->kind[0] ? l->kind : "-");
	text_add(out, l->caller[0] ? l->caller : "-");
	strbuf_addf(out, ": %+.3f ms\n ", row->ns / 1e6);
	add_text_side(out, "A", row->entry[0]);
	add_text_side(out, "B", row->entry[1]);
	strbuf_addch(out, '\n');
	for (int p = 0; p < SAVED_AMOUNTS; p++)
		add_text_phase(out, row, p);
}

static void add_text_head(const struct saved_change *c, struct strbuf *out)
{
	for (int side = 0; side < 2; side++) {
		strbuf_addf(out, "# %s  ", side ? "B" : "A");
		text_add(out, c->what[side]);
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "# Times of each are in ns; +- is what as many independent calls would "
			   "differ by, and no more is known of two runs.\n");
	strbuf_addf(out, "#   %-8s %10s %10s %10s %10s %9s %9s\n", "", "MEAN A", "SD A", "MEAN B",
		    "SD B", "CHANGE", "+-");
}

/* --- CSV --- */

static void add_csv_head(const struct saved_change *c, struct strbuf *out)
{
	(void)c;
	strbuf_addstr(out, "name,kind,caller,phase,n_a,mean_a_ns,stddev_a_ns,n_b,mean_b_ns,"
			   "stddev_b_ns,change_pct,margin_pct,lock_change_ns\n");
}

static void add_csv_number(struct strbuf *out, double number)
{
	strbuf_addch(out, ',');
	if (!isnan(number))
		strbuf_addf(out, "%.3f", number);
}

static void add_csv_row(const struct saved_change *c, struct strbuf *out,
			const struct saved_change_row *row)
{
	const struct saved_entry *l = row->entry[row->entry[0] ? 0 : 1];

	(void)c;
	for (int p = 0; p < SAVED_AMOUNTS; p++) {
		const struct saved_amount *a = phase_of(row, 0, p), *b = phase_of(row, 1, p);

		csv_add_text(out, l->name);
		strbuf_addch(out, ',');
		csv_add_text(out, l->kind);
		strbuf_addch(out, ',');
		csv_add_text(out, l->caller);
		strbuf_addf(out, ",%s", phase_names[p]);
		for (int side = 0; side < 2; side++) {
			strbuf_addf(out, ",%.0f", (side ? b : a)->n);
			add_csv_number(out, mean_of(side ? b : a));
			add_csv_number(out, saved_stddev(side ? b : a));
		}
		add_csv_number(out, change_pct(a, b));
		add_csv_number(out, margin_pct(a, b));
		add_csv_number(out, row->ns);
		strbuf_addch(out, '\n');
	}
}

/* --- JSON --- */

static void add_json_side(struct strbuf *out, const char *key, const struct saved_amount *p)
{
	json_key(out, key);
	json_begin(out, '{');
	json_member_number(out, "n", p->n);
	json_member_number(out, "mean", mean_of(p));
	json_member_number(out, "stddev", saved_stddev(p));
	json_end(out, '}');
}

static void add_json_row(const struct saved_change *c, struct strbuf *out,
			 const struct saved_change_row *row)
{
	const struct saved_entry *l = row->entry[row->entry[0] ? 0 : 1];

	json_begin(out, '{');
	json_member_text(out, "type", "lock_change");
	json_member_text(out, "name", l->name);
	json_member_text(out, "kind", l->kind);
	json_member_text(out, "caller", l->caller);
	json_member_text(out, "a", row->entry[0] ? c->what[0] : NULL);
	json_member_text(out, "b", row->entry[1] ? c->what[1] : NULL);
	json_member_number(out, "change_ns", row->ns);
	for (int p = 0; p < SAVED_AMOUNTS; p++) {
		const struct saved_amount *a = phase_of(row, 0, p), *b = phase_of(row, 1, p);

		json_key(out, phase_names[p]);
		json_begin(out, '{');
		add_json_side(out, "a", a);
		add_json_side(out, "b", b);
		json_member_number(out, "change_pct", change_pct(a, b));
		json_member_number(out, "margin_pct", margin_pct(a, b));
		json_end(out, '}');
	}
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* --- all --- */

static const struct format {
	void (*head)(const struct saved_change *c, struct strbuf *out); /* NULL: none */
	void (*row)(const struct saved_change *c, struct strbuf *out,
		    const struct saved_change_row *row);
} formats[] = {
	[SAVED_TEXT] = {add_text_head, add_text_row},
	[SAVED_CSV] = {add_csv_head, add_csv_row},
	[SAVED_JSON] = {NULL, add_json_row},
};

void saved_change_add(const struct saved_change *c, enum saved_format format, size_t n,
		      struct strbuf *out)
{
	if (formats[format].head)
		formats[format].head(c, out);
	for (size_t i = 0; i < c->n && i < n; i++)
		formats[format].row(c, out, &c->row[i]);
}
