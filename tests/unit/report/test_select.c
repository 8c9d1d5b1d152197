/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The effect of --fields, --sort and --rows on a report. */
#include "report/format.h"
#include "report/select.h"
#include "tap.h"

static const struct report_column head_columns[] = {{.id = "type"}, {.id = "pid"}};
static const struct report_type head_type = {head_columns, 2, NULL, 0, NULL};

static const struct report_column line_columns[] = {
	{.id = "type"},
	{.id = "name", .csv = "name", .title = "# name", .width = -8, .table = REPORT_EACH_TABLE},
	{.id = "hold", .members = 2},
	{.id = "mean", .csv = "mean_ns", .csv_digits = 2, .title = "us", .width = 9, .per = 1e3},
	{.id = "histogram"},
	{.csv = "source"},
	{.id = "n", .csv = "n", .title = "n", .width = 3, .table = 1},
};
static const char *const notes[] = {NULL, "# and\n"};
static const struct report_type line_type = {line_columns, 7, notes, 2, NULL};

static void add(struct report *report, const char *type, const char *name, struct value mean,
		const char *source)
{
	struct report_record *r = report_add(report, &line_type);

	record_text(r, "type", type);
	record_text(r, "name", name);
	record_group(r, "hold");
	record_value(r, "mean", mean);
	record_list(r, "histogram", 1);
	record_item(r, value_exact(1));
	record_optional_text(r, "", source);
	record_count(r, "n", 1ull << 60);
}

static void make(struct report *report)
{
	struct report_record *r;

	report_init(report);
	report_note(report, "# a sentence\n");
	r = report_add(report, &head_type);
	record_text(r, "type", "head");
	record_count(r, "pid", 7);
	report_heading(report, &line_type);
	add(report, "group", "g", value_exact(1), NULL);
	add(report, "line", "b", value_exact(10), "b.c");
	add(report, "line", "c", value_none(QUALITY_DENIED), NULL);
	add(report, "line", "a", value_exact(20.5), "a file.c");
	add(report, "line", "d", value_exact(10), NULL);
}

static void check(struct report_selection s, enum report_format_id format, const char *want,
		  const char *what)
{
	struct report report;
	struct strbuf out;

	strbuf_init(&out);
	make(&report);
	report_select(&report, &s);
	report_formats[format].write(&report, true, &out);
	tap_str(out.text, want, "%s: %s", report_formats[format].name, what);
	strbuf_done(&out);
	report_done(&report);
}

static void check_parted(struct report_selection s, const char *want, const char *what)
{
	struct report report;
	struct strbuf out;

	strbuf_init(&out);
	report_init(&report);
	report_heading(&report, &line_type);
	report_section(&report, "of b\n");
	add(&report, "line", "b", value_exact(1), NULL);
	report_section(&report, "of a\n");
	add(&report, "line", "a", value_exact(2), "a.c");
	report_select(&report, &s);
	report_write_text(&report, true, &out);
	tap_str(out.text, want, "%s", what);
	strbuf_done(&out);
	report_done(&report);
}

static void test_sections(void)
{
	check_parted((struct report_selection){.sort = "mean_ns"},
		     "#name mean_ns source                   n\n"
		     "a        2.00 a.c    1152921504606846976\n"
		     "b        1.00 -      1152921504606846976\n",
		     "what is sorted is one table of all fields");
	check_parted((struct report_selection){.fields = "name"}, "#name\nb\na\n",
		     "and so is what has some fields");
	check_parted((struct report_selection){.rows = 1},
		     "# name          us\n"
		     "of b\nb                0\nof a\na                0\n"
		     "# and\n"
		     "# name                     n\n"
		     "of b\nb        1152921504606846976\nof a\na        1152921504606846976\n",
		     "else the sections stay");
}

/* Headings of events may contain commas. */
static void test_commas(void)
{
	static const struct report_column columns[] = {{.csv = "a", .title = "a"},
						       {.csv = "a,b", .title = "a,b"},
						       {.csv = "b", .title = "b"}};
	static const struct report_type type = {columns, 3, NULL, 1, NULL};
	const struct report_selection s = {.fields = "a,b,b,a"};
	struct err err = ERR_INIT;
	struct report report;
	struct report_record *r;
	struct strbuf out;

	strbuf_init(&out);
	report_init(&report);
	r = report_add(&report, &type);
	for (uint64_t i = 1; i <= 3; i++)
		record_count(r, "", i);
	tap_int(report_select_check(&s, &type, &err), 0, "a field with a comma: %s", err.text);
	report_select(&report, &s);
	report_write_csv(&report, true, &out);
	tap_str(out.text, "\"a,b\",b,a\n2,3,1\n", "is the longest one that fits");
	strbuf_done(&out);
	report_done(&report);
}

static void check_refused(struct report_selection s, const char *want)
{
	struct err err = ERR_INIT;

	s.of = "the table";
	tap_ok(report_select_check(&s, &line_type, &err) < 0, "refused: %s", want);
	tap_str(err.text, want, "with this sentence");
}

static void test_fields(void)
{
	const struct report_selection s = {.fields = "n,source,mean_ns"};

	check(s, REPORT_AS_CSV,
	      "n,source,mean_ns\n"
	      "1152921504606846976,,1.00\n1152921504606846976,b.c,10.00\n1152921504606846976,,\n"
	      "1152921504606846976,a file.c,20.50\n1152921504606846976,,10.00\n",
	      "fields in their order");
	check(s, REPORT_AS_TEXT,
	      "# a sentence\n"
	      "#n                  source   mean_ns\n"
	      "1152921504606846976 -           1.00\n"
	      "1152921504606846976 b.c        10.00\n"
	      "1152921504606846976 -              -\n"
	      "1152921504606846976 a file.c   20.50\n"
	      "1152921504606846976 -          10.00\n",
	      "one table, with the numbers of CSV");
	check((struct report_selection){.fields = "name,mean_ns", .rows = 1}, REPORT_AS_JSON,
	      "{\"type\":\"head\",\"pid\":7}\n"
	      "{\"type\":\"group\",\"name\":\"g\",\"mean_ns\":1}\n"
	      "{\"type\":\"line\",\"name\":\"b\",\"mean_ns\":10}\n",
	      "the type is there, too, and what is no table stays");
}

static void test_sort(void)
{
	check((struct report_selection){.fields = "name", .sort = "mean_ns"}, REPORT_AS_CSV,
	      "name\ng\na\nb\nd\nc\n", "numbers: largest first, what is unknown last, groups stay");
	check((struct report_selection){.fields = "name", .sort = "mean_ns:asc"}, REPORT_AS_CSV,
	      "name\ng\nb\nd\na\nc\n", "smallest first, and what is unknown still last");
	check((struct report_selection){.fields = "name", .sort = "name"}, REPORT_AS_CSV,
	      "name\ng\na\nb\nc\nd\n", "texts: from A to Z");
	check((struct report_selection){.fields = "name", .sort = "name:desc"}, REPORT_AS_CSV,
	      "name\ng\nd\nc\nb\na\n", "from Z to A");
	check((struct report_selection){.fields = "name", .sort = "mean_ns", .rows = 2},
	      REPORT_AS_CSV, "name\ng\na\nb\n", "the first two of each group");
	check((struct report_selection){.sort = "name", .rows = 2}, REPORT_AS_TEXT,
	      "# a sentence\n"
	      "# name          us\n"
	      "g                0\n"
	      "a                0\n"
	      "b                0\n"
	      "# and\n"
	      "# name                     n\n"
	      "g        1152921504606846976\n"
	      "a        1152921504606846976\n"
	      "b        1152921504606846976\n",
	      "all columns and tables stay");
}

/* A column may have numbers, texts and absent cells. */
static void test_mixed(void)
{
	static const char *const want[] = {"3\n2\n1\na\nb\n\n", "1\n2\n3\na\nb\n\n",
					   "3\n2\n1\nb\na\n\n"};
	static const char *const sort[] = {"key", "key:asc", "key:desc"};
	static const struct report_column column[] = {{.id = "key", .csv = "key"}};
	static const struct report_type type = {.column = column, .n = 1};

	for (int k = 0; k < 3; k++) {
		struct report report;
		struct strbuf out;

		strbuf_init(&out);
		report_init(&report);
		for (const char *cell = "1b2-a3"; *cell; cell++) {
			struct report_record *r = report_add(&report, &type);

			if (*cell >= 'a')
				record_text(r, "key", *cell == 'a' ? "a" : "b");
			else
				record_value(r, "key",
					     *cell == '-' ? value_none(QUALITY_DENIED)
							  : value_exact(*cell - '0'));
		}
		report_select(&report, &(struct report_selection){.sort = sort[k]});
		report_write_csv(&report, false, &out);
		tap_str(out.text, want[k], "--sort %s: numbers, texts, absent cells", sort[k]);
		strbuf_done(&out);
		report_done(&report);
	}
}

/* Remarks in a table are not sorted or limited with its records. */
static void test_remarks(void)
{
	static const struct report_type remark = {.column = line_columns, .n = 2};
	const struct report_selection s = {.fields = "name", .sort = "name", .rows = 1};
	struct report report;
	struct strbuf out;

	strbuf_init(&out);
	report_init(&report);
	add(&report, "line", "b", value_exact(1), NULL);
	add(&report, "line", "a", value_exact(2), NULL);
	for (const char *name = "zyx"; *name; name++) {
		struct report_record *r = report_add_remark(&report, &remark);

		record_text(r, "type", "lack");
		record_text(r, "name", name);
	}
	report_select(&report, &s);
	report_write_csv(&report, true, &out);
	tap_str(out.text, "name\na\nzyx\nyx\nx\n", "remarks stay, in their order");
	strbuf_done(&out);
	report_done(&report);
}

int main(void)
{
	struct err err = ERR_INIT;

	test_fields();
	test_sort();
	test_mixed();
	test_sections();
	test_commas();
	test_remarks();
	tap_int(report_select_check(&(struct report_selection){.fields = "n,name",
							       .sort = "mean_ns:desc",
							       .rows = 3},
				    &line_type, &err),
		0, "what is right is taken");
	check_refused((struct report_selection){.fields = "name,sorce"},
		      "--fields: the table has no field 'sorce' (did you mean 'source'?): its "
		      "fields are name, "
		      "mean_ns, source, n");
	check_refused((struct report_selection){.fields = "n,n"},
		      "the field 'n' (--fields) is named twice");
	check_refused(
		(struct report_selection){.fields = "n,"},
		"--fields: the table has no field '': its fields are name, mean_ns, source, n");
	check_refused(
		(struct report_selection){.sort = "type"},
		"--sort: the table has no field 'type': its fields are name, mean_ns, source, n");
	check_refused((struct report_selection){.sort = "n:up"},
		      "--sort: 'n' may be followed by ':asc' or ':desc', not ':up'");
	return tap_done();
}
