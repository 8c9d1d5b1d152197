/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/anonymous.h"

#define WIDTH 15 /* minimum width of a counter's column in text */

void report_counts_init(struct report_counts *c, enum report_format_id format, int n_sets,
			const char *first)
{
	*c = (struct report_counts){.format = format, .first = first, .n_sets = n_sets};
	c->set = xcalloc((size_t)n_sets + 1, sizeof *c->set);
	report_init(&c->report);
	c->report.is_stream = true;
}

void report_counts_done(struct report_counts *c)
{
	for (int s = 0; s < c->n_sets; s++) {
		report_choice_done(&c->set[s].choice);
		report_own_type_done(&c->set[s].type);
		free(c->set[s].name);
	}
	free(c->set);
	report_done(&c->report);
}

void report_counts_name(struct report_counts *c, int set, const char *const name[], int n)
{
	struct report_counts_set *s = &c->set[set];

	s->n = n;
	s->name = xcalloc((size_t)n + 1, sizeof *s->name);
	memcpy(s->name, name, (size_t)n * sizeof *name);
	if (n > c->n_columns)
		c->n_columns = n;
}

/* --- types --- */

/* Returns the number in the name of a counter's column, as 1 in "pic1"; < 0: it is not numbered. */
static int number_of(const struct report_counts *c, int column)
{
	return column - (c->first != NULL);
}

/* Returns the width of the columns of the counts: WIDTH, or, with only one set, the length of the
 * longest counter name if that is larger. */
static int find_width(const struct report_counts *c, const struct report_counts_set *set)
{
	int width = WIDTH;

	for (int i = c->first != NULL; c->n_sets == 1 && i < set->n; i++)
		if ((int)strlen(set->name[i]) > width)
			width = (int)strlen(set->name[i]);
	return width;
}

static void add_counts(const struct report_counts *c, struct report_counts_set *set)
{
	struct report_column column = {
		.width = find_width(c, set), .blank = true, .mark = REPORT_TILDE_BEHIND};
	struct strbuf pic;

	strbuf_init(&pic);
	for (int i = 0; i < c->n_columns; i++) {
		strbuf_reset(&pic);
		strbuf_addf(&pic, "pic%d", number_of(c, i));
		column.id = i < set->n ? set->name[i] : NULL;
		column.title = number_of(c, i) < 0 ? c->first
			       : c->n_sets > 1     ? pic.text
						   : set->name[i];
		column.csv = column.title;
		report_own_type_add(&set->type, column);
	}
	strbuf_done(&pic);
}

static void add_columns(const struct report_counts *c, struct report_counts_set *set)
{
	struct report_own_type *t = &set->type;
	size_t group = report_own_type_add(t, (struct report_column){.id = "counts"});

	add_counts(c, set);
	report_own_type_group(t, group);
	group = report_own_type_add(t, (struct report_column){.id = "quality"});
	for (int i = 0; i < set->n; i++)
		report_own_type_add(t, (struct report_column){.id = set->name[i]});
	report_own_type_group(t, group);
	report_own_type_add(t, (struct report_column){.csv = "quality", .width = -12});
}

void report_counts_declare(struct report_counts *c, const struct report_column *before,
			   size_t n_before, const struct report_column *behind, size_t n_behind)
{
	for (int s = 0; s < c->n_sets; s++) {
		struct report_own_type *t = &c->set[s].type;

		report_own_type_init(t, before, n_before);
		add_columns(c, &c->set[s]);
		for (size_t i = 0; i < n_behind; i++)
			report_own_type_add(t, behind[i]);
		report_own_type_settle(t);
	}
}

void report_counts_add_group(struct report_own_type *t, const char *const name[], size_t n)
{
	const size_t group = report_own_type_add(t, (struct report_column){.id = "counts"});

	for (size_t i = 0; i < n; i++)
		report_own_type_add(t, (struct report_column){.id = name[i],
							      .role = REPORT_IS_NUMBER,
							      .amount = name[i],
							      .event = name[i]});
	report_own_type_group(t, group);
}

int report_counts_choose(struct report_counts *c, const char *fields, const char *of,
			 struct err *err)
{
	const int ret = fields && c->n_sets
				? report_choice_check(fields, &c->set[0].type.type, of, err)
				: 0;

	if (!fields || ret)
		return ret;
	c->chosen = true;
	for (int s = 0; s < c->n_sets; s++) {
		struct report_counts_set *set = &c->set[s];

		report_choice_init(&set->choice, &set->type.type, fields, true, "");
		report_own_type_settle(set->choice.to);
	}
	return 0;
}

/* --- rows --- */

static void write_entry(struct report_counts *c, bool with_header, struct strbuf *out)
{
	report_formats[c->format].write(&c->report, with_header, out);
	report_empty(&c->report);
}

void report_counts_header(struct report_counts *c, struct strbuf *out)
{
	report_heading(&c->report, c->chosen ? &c->set[0].choice.to->type : &c->set[0].type.type);
	write_entry(c, c->format != REPORT_AS_HTML || !c->page_begun, out);
}

struct report_record *report_counts_begin(struct report_counts *c, int set)
{
	c->current = set;
	return report_add(&c->report, &c->set[set].type.type);
}

void report_counts_write(struct report_counts *c, struct strbuf *out)
{
	if (c->chosen)
		report_choice_apply(&c->set[c->current].choice, &c->report.entry[0].record);
	report_anonymize(&c->report, c->anonymous);
	write_entry(c, false, out);
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

/* Returns the id of the next column to fill; "": the column has no id. */
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

void report_counts_put(const struct report_counts *c, struct report_record *r, int set,
		       const struct value *value)
{
	const int n = c->set[set].n;

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

void report_counts_add_names(const struct report_counts *c, int set, struct strbuf *out)
{
	const int begin = c->first != NULL;

	for (int i = begin; i < c->set[set].n; i++)
		strbuf_addf(out, "%spic%d=%s", i > begin ? "," : "", i - begin,
			    c->set[set].name[i]);
}
