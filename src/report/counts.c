/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/counts.h"

#include <string.h>

#define WIDTH 15 /* of a column in text, at least */

/* The number of a column; < 0: it has none. */
static int number_of(const struct report_counts *c, int column)
{
	return column - (c->first != NULL);
}

/* All columns of text are as wide as the longest name. */
static int find_width(const struct report_counts *c, const char *const name[], int n)
{
	int width = WIDTH;

	for (int i = c->first != NULL; c->n_sets == 1 && i < n; i++)
		if ((int)strlen(name[i]) > width)
			width = (int)strlen(name[i]);
	return width;
}

static void add_columns(struct report_own_type *t, const struct report_counts *c,
			const char *const name[], int n)
{
	struct report_column column = {
		.width = find_width(c, name, n), .blank = true, .mark = REPORT_TILDE_BEHIND};
	struct strbuf pic;

	strbuf_init(&pic);
	for (int i = 0; i < c->n_columns; i++) {
		strbuf_reset(&pic);
		strbuf_addf(&pic, "pic%d", number_of(c, i));
		column.id = i < n ? name[i] : NULL;
		column.title = number_of(c, i) < 0 ? c->first : c->n_sets > 1 ? pic.text : name[i];
		column.csv = column.title;
		report_own_type_add(t, column);
	}
	strbuf_done(&pic);
}

void report_counts_add(struct report_own_type *t, const struct report_counts *c,
		       const char *const name[], int n)
{
	size_t group = report_own_type_add(t, (struct report_column){.id = "counts"});

	add_columns(t, c, name, n);
	report_own_type_group(t, group);
	group = report_own_type_add(t, (struct report_column){.id = "quality"});
	for (int i = 0; i < n; i++)
		report_own_type_add(t, (struct report_column){.id = name[i]});
	report_own_type_group(t, group);
	report_own_type_add(t, (struct report_column){.csv = "quality"});
}

static void add_quality(struct strbuf *out, const struct report_counts *c, int column,
			enum quality quality)
{
	strbuf_addstr(out, out->len ? " " : "");
	if (number_of(c, column) < 0)
		strbuf_addstr(out, c->first);
	else
		strbuf_addf(out, "pic%d", number_of(c, column));
	strbuf_addf(out, ":%s", quality_table[quality].name);
}

/* The id of a column that has one, or not. */
static const char *next_id(const struct report_record *r)
{
	const char *id = r->type->column[r->next].id;

	return id ? id : "";
}

static void put_qualities(struct report_record *r, const struct report_counts *c,
			  const struct value *value, int n)
{
	struct strbuf text;
	int exact = 0;

	while (exact < n && value[exact].quality == QUALITY_EXACT)
		exact++;
	if (exact == n) {
		record_absent(r, "quality");
		record_absent(r, "");
		return;
	}
	strbuf_init(&text);
	record_group(r, "quality");
	for (int i = 0; i < n; i++) {
		const enum quality quality = value[i].quality;
		const bool is_exact = quality == QUALITY_EXACT;

		record_optional_text(r, next_id(r), is_exact ? NULL : quality_table[quality].name);
		if (!is_exact)
			add_quality(&text, c, i, quality);
	}
	record_text(r, "", text.text);
	strbuf_done(&text);
}

void report_counts_put(struct report_record *r, const struct report_counts *c,
		       const struct value *value, int n)
{
	if (!value) {
		record_absent(r, "counts");
		record_absent(r, "quality");
		record_absent(r, "");
		return;
	}
	record_group(r, "counts");
	for (int i = 0; i < c->n_columns; i++)
		if (i < n)
			record_value(r, next_id(r), value[i]);
		else
			record_absent(r, next_id(r));
	put_qualities(r, c, value, n);
}

void report_counts_add_names(const struct report_counts *c, const char *const name[], int n,
			     struct strbuf *out)
{
	const int begin = c->first != NULL;

	for (int i = begin; i < n; i++)
		strbuf_addf(out, "%spic%d=%s", i > begin ? "," : "", i - begin, name[i]);
}
