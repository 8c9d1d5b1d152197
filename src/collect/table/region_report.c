/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_report.h"

#include <stdlib.h>
#include <string.h>

#include "inject/lib/derived.h"

/* An output that appends to a text. */
struct text_output {
	struct tt_output output; /* the first one */
	struct strbuf *text;
};

static ssize_t append(struct tt_output *o, const char *text, size_t size)
{
	strbuf_add(((struct text_output *)(void *)o)->text, text, size);
	return (ssize_t)size;
}

static enum tt_reported find_end(const struct table_header *h, bool runs)
{
	if (runs)
		return TT_REPORTED_RUNS;
	return h->wall_end ? TT_REPORTED_ENDED : TT_REPORTED_CUT;
}

static void write_rows(struct tt_output *o, const struct tt_lines *lines,
		       const struct table_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_regions; i++) {
		struct table_row *row = table_copy_row(c, i);

		if (c->region[i].epoch && row->calls)
			lines->row(o, &(struct tt_subject){c->region[i].label, 0}, row);
	}
}

void regions_report_make(struct regions_report *r, const struct table_copy *c, const char *format,
			 bool runs)
{
	const struct tt_lines *lines = tt_lines_find(format);
	struct table_header header = c->header;
	struct tt_lacks lacks = table_copy_lacks(c);
	struct text_output out;

	lacks.of = find_end(&header, runs);
	/* Leaves out a remark that only the own report of a process may have: that tiptop lacks
	 * pieces of it. */
	header.n_unseen = 0;
	r->wall_begin = header.wall_begin;
	strbuf_init(&r->head);
	strbuf_init(&r->rows);
	out.text = &r->head;
	tt_output_begin(&out.output, &header, -1, append);
	out.output.n_derived = tt_derived_n(&header);
	if (header.wall_end)
		out.output.wall_ns = header.wall_end;
	lines->head(&out.output);
	out.text = &r->rows;
	write_rows(&out.output, lines, c);
	tt_lacks_write(&out.output, lines, &lacks);
	tt_output_end(&out.output);
}

void regions_report_done(struct regions_report *r)
{
	strbuf_done(&r->head);
	strbuf_done(&r->rows);
}

static int compare(const void *x, const void *y)
{
	const struct regions_report *a = x, *b = y;

	return (a->wall_begin > b->wall_begin) - (a->wall_begin < b->wall_begin);
}

void regions_reports_add(struct regions_report *r, size_t n, const char *format, struct strbuf *out)
{
	const bool once = tt_lines_find(format)->once;

	qsort(r, n, sizeof *r, compare);
	for (size_t i = 0; i < n; i++) {
		if (!once || !i || strcmp(r[i].head.text, r[i - 1].head.text) != 0)
			strbuf_add(out, r[i].head.text, r[i].head.len);
		strbuf_add(out, r[i].rows.text, r[i].rows.len);
	}
}
