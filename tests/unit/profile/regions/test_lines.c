/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tiptop's report of regions equals the program's own report, byte for byte. */
#include "profile/regions/lines.h"

#include "inject/lib/figures.h"
#include "inject/lib/lines.h"
#include "region_rig.h"
#include "tap.h"

#define WALL_NS 1700000000987654321ull
#define N_ROWS  6

struct own_output {
	struct tt_output output;
	struct strbuf text;
};

static ssize_t append(struct tt_output *o, const char *text, size_t size)
{
	strbuf_add(&((struct own_output *)(void *)o)->text, text, size);
	return (ssize_t)size;
}

static struct table_header make_header(bool full)
{
	struct table_header h = rig_header(77);

	snprintf(h.program, sizeof h.program, "pro\"gram");
	snprintf(h.host, sizeof h.host, "ho,st");
	h.wall_start = 1234567890123456789ull;
	if (!full) {
		h.n_events = 0;
		return h;
	}
	snprintf(h.rank, sizeof h.rank, "17");
	h.n_units = 2;
	snprintf(h.unit[0], sizeof h.unit[0], "items");
	snprintf(h.unit[1], sizeof h.unit[1], "a-very-long-unit-of-work");
	snprintf(h.event[0].reason, sizeof h.event[0].reason, "no \"reason\"");
	return h;
}

/* Makes rows of all qualities, with numbers that round up and down; one label is too long. */
static void make_row(struct table_row *row, unsigned i, char label[80])
{
	rig_fill_row(row, 3 + i * 1000003ull);
	for (uint32_t k = 0; k <= RIG_EVENTS; k++) {
		table_quantity(row, k)->squares = i * 1e7;
		table_quantity(row, k)->shifted = i * 12345;
	}
	row->work[0] = i;
	row->work[1] = 16 * i;
	if (i == 1)
		row->n_waited = 1;
	if (i == 2)
		table_quantity(row, 1)->n_scaled = 1;
	if (i == 3)
		table_quantity(row, 2)->n_unknown = row->calls;
	/* One job of some hours. */
	if (i == 5) {
		table_quantity(row, 1)->base = 40000000;
		row->work[0] = 1;
	}
	snprintf(label, 80, "reg\"ion, %0*u", i == 4 ? 40 : 1, i);
}

static const struct tt_lacks lacks = {.n_torn = 2, .n_abandoned = 1, .of = TT_REPORTED_CUT};

static void write_own(struct strbuf *out, const struct table_header *h, const char *format)
{
	const struct tt_lines *lines = tt_lines_find(format);
	struct own_output own = {.text = *out};
	uint64_t row[512];
	char label[80];

	tt_output_begin(&own.output, h, -1, append);
	own.output.wall_ns = WALL_NS;
	own.output.n_derived = tt_derived_n(h);
	lines->head(&own.output);
	for (unsigned i = 0; i < N_ROWS; i++) {
		make_row((void *)row, i, label);
		lines->row(&own.output, &(struct tt_subject){label, 0}, (void *)row);
	}
	tt_lacks_write(&own.output, lines, &lacks);
	tt_output_end(&own.output);
	*out = own.text;
}

static void write_report(struct strbuf *out, const struct table_header *h,
			 enum report_format_id format, const struct report_selection *selection)
{
	struct regions_lines lines;
	struct strbuf rows;
	uint64_t row[512];
	char label[80];

	strbuf_init(&rows);
	regions_lines_begin(&lines, format, h, WALL_NS, selection ? selection->fields : NULL, NULL);
	for (unsigned i = 0; i < N_ROWS; i++) {
		make_row((void *)row, i, label);
		regions_lines_add(&lines, label, (void *)row);
	}
	tt_lacks_write(&lines.output, &regions_lines_lacks, &lacks);
	regions_lines_end(&lines, selection, out, &rows);
	strbuf_add(out, rows.text, rows.len);
	strbuf_done(&rows);
}

static void check_same(bool full)
{
	const struct table_header h = make_header(full);

	for (int f = 0; f <= REPORT_AS_JSON; f++) {
		struct strbuf own, report;

		strbuf_init(&own);
		strbuf_init(&report);
		write_own(&own, &h, report_formats[f].name);
		write_report(&report, &h, (enum report_format_id)f, NULL);
		tap_str(report.text, own.text, "%s%s: both reports are the same",
			report_formats[f].name, full ? ", with events, units and a rank" : "");
		strbuf_done(&own);
		strbuf_done(&report);
	}
}

/* A requested field that the process lacks is empty, and notes on incomplete numbers come after all
 * rows. */
static void check_fields(void)
{
	const struct report_selection s = {
		.fields = "label,cycles mean,tiles", .sort = "calls", .rows = 2};
	const struct table_header h = make_header(true);
	struct strbuf out;

	strbuf_init(&out);
	write_report(&out, &h, REPORT_AS_CSV, &s);
	tap_str(out.text,
		"label,cycles mean,tiles\n"
		"\"reg\"\"ion, 5\",20.012,\n"
		"\"reg\"\"ion, 0000000000000000000000000000000000000004\",20.012,\n"
		"cut_short,,\nnot_counted instructions,,\ntorn,,\nabandoned,,\n",
		"fields, sorted, of some rows");
	strbuf_done(&out);
}

static void check_declared(void)
{
	struct report_own_type t;
	struct report_order order;
	struct strbuf names;

	strbuf_init(&names);
	regions_lines_declare_list(&t, " cycles:u , cpu/event=1,umask=2/,instructions:u");
	order = report_order_csv(&t.type);
	for (size_t i = 16; i < order.n; i += i + 1 < order.n ? 7 : 1)
		strbuf_addf(&names, "%s|", t.column[order.column[i]].csv);
	tap_str(names.text, "cycles:u|cpu/event=1,umask=2/|instructions:u|ipc|",
		"events by a list, and what is made of them");
	report_order_done(&t.type, &order);
	report_own_type_done(&t);
	strbuf_done(&names);
}

int main(void)
{
	check_same(false);
	check_same(true);
	check_fields();
	check_declared();
	return tap_done();
}
