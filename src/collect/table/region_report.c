/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "profile/regions/lines.h"

static enum tt_reported find_end(const struct table_header *h, bool runs)
{
	if (runs)
		return TT_REPORTED_RUNS;
	return h->wall_end ? TT_REPORTED_ENDED : TT_REPORTED_CUT;
}

static void add_report_rows(struct regions_lines *l, const struct table_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_regions; i++) {
		struct table_row *row = table_copy_row(c, i);

		if (c->region[i].epoch && row->calls)
			regions_lines_add(l, c->region[i].label, row);
	}
}

void regions_report_make(struct regions_report *r, const struct table_copy *c,
			 const struct regions_form *form, bool runs)
{
	const char *fields = form->selection ? form->selection->fields : NULL;
	struct table_header header = c->header;
	struct tt_lacks lacks = table_copy_lacks(c);
	struct regions_lines lines;

	lacks.of = find_end(&header, runs);
	/* Leaves out a remark for the report that the process itself writes: that pieces of its
	 * table are missing in the file, for tiptop. */
	header.n_unseen = 0;
	r->wall_begin = header.wall_begin;
	strbuf_init(&r->head);
	strbuf_init(&r->rows);
	regions_lines_begin(&lines, form->format, &header,
			    header.wall_end ? header.wall_end : clock_ns(CLOCK_REALTIME), fields,
			    form->known);
	add_report_rows(&lines, c);
	tt_lacks_write(&lines.output, &regions_lines_lacks, &lacks);
	regions_lines_end(&lines, form->selection, &r->head, &r->rows);
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

void regions_reports_add(struct regions_report *r, size_t n, const struct dest *behind,
			 struct strbuf *out)
{
	array_sort(r, n, sizeof *r, compare);
	for (size_t i = 0; i < n; i++) {
		const bool stands = i ? !strcmp(r[i].head.text, r[i - 1].head.text)
				      : behind && dest_begins_with(behind, r[i].head.text);

		if (!stands)
			strbuf_add(out, r[i].head.text, r[i].head.len);
		strbuf_add(out, r[i].rows.text, r[i].rows.len);
	}
}
