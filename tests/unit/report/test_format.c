/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report in each format: rows, their order, and the text for unknown values. */
#include <stdlib.h>

#include "report/format.h"
#include "tap.h"

static const struct report_column lock_columns[] = {
	{.id = "name", .csv = "name", .title = "# lock", .width = -6, .table = REPORT_EACH_TABLE},
	{.id = "wait", .csv = "wait_ns", .title = "wait us", .width = 9, .digits = 1, .per = 1e3},
	{.id = "hold", .members = 3},
	{.id = "mean", .csv = "mean", .csv_digits = 2, .title = "mean", .width = 4, .table = 1},
	{.id = "deep", .members = 1},
	{.id = "histogram"},
	{.id = "n", .csv = "n", .csv_place = -1, .title = "n", .width = 3, .place = -1},
	{.title = "last", .width = -5, .place = 1, .mark = REPORT_MARK_BEHIND},
	{.csv = "end", .csv_place = 1},
};
static const char *const notes[] = {NULL, "\n# the same, held\n"};
static const struct report_type lock_type = {
	lock_columns, sizeof lock_columns / sizeof *lock_columns, notes, 2, NULL};

static const struct report_column head_columns[] = {{.id = "type"}, {.id = "pids"}};
static const struct report_type head_type = {head_columns, 2, NULL, 0, NULL};

static void add_lock(struct report *report, const char *name, struct value wait, struct value last)
{
	struct report_record *r = report_add(report, &lock_type);

	record_text(r, "name", name);
	record_value(r, "wait", wait);
	record_group(r, "hold");
	record_number(r, "mean", 2.0 / 3);
	record_group(r, "deep");
	record_list(r, "histogram", 2);
	for (int i = 1; i <= 4; i++)
		record_item(r, value_exact(i));
	record_count(r, "n", 1ull << 60);
	record_value(r, "", last);
	record_text(r, "", "e,f");
}

static void make(struct report *report)
{
	struct report_record *r;

	report_init(report);
	report_note(report, "# a sentence\n");
	r = report_add(report, &head_type);
	record_text(r, "type", "locks");
	record_list(r, "pids", 1);
	record_item(r, value_exact(7));
	record_item_text(r, "eight");
	add_lock(report, "a", value_count(1500), value_exact(3));
	add_lock(report, "long \"\033 name", value_none(QUALITY_DENIED),
		 (struct value){4, 0.5F, QUALITY_SCALED, 0});
	r = report_add(report, &lock_type);
	record_text(r, "name", "none");
	record_absent(r, "wait");
	record_absent(r, "hold");
	record_absent(r, "n");
	record_absent(r, "");
	record_absent(r, "");
}

static void check(const struct report *report, enum report_format_id format, bool with_header,
		  const char *want, const char *what)
{
	struct strbuf out;

	strbuf_init(&out);
	report_formats[format].write(report, with_header, &out);
	tap_str(out.text, want, "%s: %s", report_formats[format].name, what);
	strbuf_done(&out);
}

#define N "1152921504606846976"

static void check_own_type(void)
{
	const struct report_column begin[] = {{.id = "pid"}};
	struct report_own_type t;
	struct report report;
	struct report_record *r;
	char name[] = "cycles";
	size_t events, event;

	report_own_type_init(&t, begin, 1);
	events = report_own_type_add(&t, (struct report_column){.id = "events"});
	event = report_own_type_add(&t, (struct report_column){.id = name});
	name[0] = '?';
	report_own_type_add(&t, (struct report_column){.id = "count", .csv = "count"});
	report_own_type_group(&t, event);
	report_own_type_group(&t, events);
	report_own_type_add(&t, (struct report_column){.id = "end"});
	report_init(&report);
	r = report_add(&report, &t.type);
	record_count(r, "pid", 1);
	record_group(r, "events");
	record_group(r, "cycles");
	record_count(r, "count", 2);
	record_count(r, "end", 3);
	check(&report, REPORT_AS_JSON, true,
	      "{\"pid\":1,\"events\":{\"cycles\":{\"count\":2}},\"end\":3}\n",
	      "a type made at run time keeps its names");
	check(&report, REPORT_AS_TEXT, true, "", "no column has a title: no table");
	report_done(&report);
	report_own_type_done(&t);
}

static const struct report_column told_columns[] = {{.id = "n"}};
static const struct report_type told_type = {told_columns, 1, NULL, 0, NULL};
static const struct report_column program_columns[] = {{.id = "program"}, {.id = "verdicts"}};
static const struct report_type program_type = {program_columns, 2, NULL, 0, NULL};

/* Adds a program with n verdicts, from entry `first` on. */
static void add_program(struct report *report, const char *name, size_t first, size_t n)
{
	struct report_record *program = report_add_inner(report, &program_type);

	record_text(program, "program", name);
	record_records(program, "verdicts", first, first + n);
}

/* Nested lists of records, and a group that is null. */
static void check_objects(void)
{
	static const struct report_column columns[] = {{.id = "command", .members = 1},
						       {.id = "words"},
						       {.id = "time"},
						       {.id = "programs"},
						       {.id = "end", .csv = "end"}};
	static const struct report_type type = {columns, 5, NULL, 0, NULL};
	struct report report;
	struct report_record *r;

	report_init(&report);
	for (int i = 0; i < 2; i++) {
		report_empty(&report);
		for (uint64_t n = 0; n < 3; n++)
			record_count(report_add_inner(&report, &told_type), "n", n);
		add_program(&report, "a", 0, 2);
		add_program(&report, NULL, 2, 0);
		add_program(&report, "b", 2, 1);
		r = report_add(&report, &type);
		record_unknown(r, "command");
		record_time(r, "time", 1700000000000000000);
		record_records(r, "programs", 3, report.n - 1);
		record_text(r, "end", "e");
		check(&report, REPORT_AS_JSON, true,
		      "{\"command\":null,\"time\":\"2023-11-14T22:13:20.000+00:00\",\"programs\":"
		      "[{\"program\":\"a\",\"verdicts\":[{\"n\":0},{\"n\":1}]},{\"program\":"
		      "null,\"verdicts\":[]},{\"program\":\"b\",\"verdicts\":[{\"n\":2}]}],"
		      "\"end\":\"e\"}\n",
		      "records in lists are objects");
		check(&report, REPORT_AS_CSV, true, "end\ne\n", "which CSV does not have");
	}
	report_done(&report);
}

/* Notes may contain names of events from other users' recordings. */
static void check_notes(void)
{
	static const char *const above[] = {"\n# x\033[31m of each\n"};
	static const struct report_column columns[] = {{.id = "n", .title = "n"}};
	static const struct report_type type = {columns, 1, above, 1, NULL};
	struct report report;

	report_init(&report);
	report_note(&report, "# y\033[31m\n\n# z");
	report_heading(&report, &type);
	report_section(&report, "\033z\n");
	check(&report, REPORT_AS_TEXT, true, "# y?[31m\n\n# z\n# x?[31m of each\nn\n?z\n",
	      "lines for people are harmless");
	report_done(&report);
}

static void check_empty(void)
{
	struct report report;

	report_init(&report);
	report_heading(&report, &head_type);
	report_heading(&report, &lock_type);
	check(&report, REPORT_AS_JSON, true, "", "a heading is no record");
	check(&report, REPORT_AS_CSV, true, "n,name,wait_ns,mean,end\n",
	      "the header of the first type that has one");
	check(&report, REPORT_AS_TEXT, true,
	      "  n # lock   wait us last\n\n# the same, held\n# lock mean\n", "the headings");
	report_done(&report);
}

static void add_row(struct report *report, const struct report_type *type, struct value count,
		    const char *remark)
{
	struct report_record *r = report_add(report, type);

	record_optional_count(r, "lwp", value_known(count) ? 8 : 0);
	record_text(r, "event", "tick");
	record_value(r, "count", count);
	record_optional_text(r, "", remark);
}

/* Records that are written one by one (streamed). */
static void check_stream(void)
{
	static const struct report_column columns[] = {
		{.id = "lwp", .csv = "lwp", .title = "lwp", .width = 4, .blank = true},
		{.id = "event", .csv = "event", .title = "event", .width = -6},
		{.id = "count", .title = "count", .width = 5, .mark = REPORT_TILDE_BEHIND},
		{.title = "", .blank = true},
	};
	static const char *const above[] = {"# above\n"};
	static const struct report_type type = {columns, 4, above, 1, NULL};
	struct report report;

	report_init(&report);
	report.is_stream = true;
	report_heading(&report, &type);
	check(&report, REPORT_AS_TEXT, true, "# above\n lwp event  count\n", "a heading alone");
	report_empty(&report);
	add_row(&report, &type, (struct value){3, 0.5F, QUALITY_PARTIAL, 0}, NULL);
	check(&report, REPORT_AS_TEXT, true, "   8 tick      3~\n",
	      "a record without a heading, and no blanks behind it");
	add_row(&report, &type, value_count(1234567), "# remark");
	add_row(&report, &type, value_none(QUALITY_GONE), "# x");
	check(&report, REPORT_AS_TEXT, true,
	      "   8 tick      3~\n   8 tick   1234567 # remark\n     tick       - # x\n",
	      "a wide number moves nothing in other records");
	check(&report, REPORT_AS_CSV, false, "8,tick\n8,tick\n,tick\n", "no header");
	report_done(&report);
}

static const struct report_column change_columns[] = {
	{.id = "name", .title = "# name", .width = -4, .indent = 2},
	{.id = "n", .csv = "n", .title = "n", .width = 8, .style = REPORT_SHORT, .unknown = "?"},
	{.id = "pct", .title = "+-", .width = 4, .digits = 1, .sign = true, .unit = "%"},
	{.id = "mean", .title = "mean", .digits = 2, .style = REPORT_ROUND},
	{.title = "", .width = -1},
};
static const struct report_type change_type = {change_columns, 5, NULL, 1, NULL};

static const struct report_column outer_columns[] = {{.id = "rows"},
						     {.id = "none"},
						     {.id = "end", .members = 1},
						     {.id = "status"},
						     {.id = "last"}};
static const struct report_type outer_type = {outer_columns, 5, NULL, 0, NULL};

static const struct report_column plain_columns[] = {{.id = "pid"}};
static const struct report_type plain_type = {plain_columns, 1, NULL, 0, NULL};

static void add_change(struct report *report, const char *name, double n, double pct, double mean)
{
	struct report_record *r = report_add_inner(report, &change_type);

	record_text(r, "name", name);
	record_number(r, "n", n);
	record_number(r, "pct", pct);
	record_number(r, "mean", mean);
	record_text(r, "", *name == 'b' ? "" : "last");
}

/* Records in a list of another record; and sections of a table. */
static void check_inner(void)
{
	struct report report;
	struct report_record *r;

	report_init(&report);
	report_heading(&report, &change_type);
	report_section(&report, "\nfirst\n");
	add_change(&report, "a", 1234567, 0, 12.345);
	record_text(report_add(&report, &plain_type), "pid", "7");
	add_change(&report, "b", NAN, -1.25, 7);
	report_section(&report, "\nsecond\n");
	add_change(&report, "long name", 0.123456789, NAN, 123.45);
	r = report_add(&report, &outer_type);
	record_records(r, "rows", 0, report.n - 1);
	record_records(r, "none", 0, 0);
	record_unknown(r, "end");
	record_count(r, "last", 1);
	check(&report, REPORT_AS_TEXT, true,
	      "# name             n    +-  mean\n"
	      "\nfirst\n"
	      "  a             1.2M +0.0% 12.35 last\n"
	      "  b                ? -1.2%     7\n"
	      "\nsecond\n"
	      "  long name   0.1235     -   123 last\n",
	      "one table of several sections");
	check(&report, REPORT_AS_CSV, true, "n\n1234567\n\n0.123456789\n", "inner records");
	check(&report, REPORT_AS_JSON, true,
	      "{\"pid\":\"7\"}\n{\"rows\":[{\"name\":\"a\",\"n\":1234567,\"pct\":0,\"mean\":12.345}"
	      ",{\"name\":"
	      "\"b\",\"n\":null,\"pct\":-1.25,\"mean\":7},{\"name\":\"long "
	      "name\",\"n\":0.123456789,\"pct\":null,\"mean\":123.45}],\"none\":[],\"end\":null,"
	      "\"last\":1}\n",
	      "records in a list of another one");
	report_done(&report);
}

static void check_find(const char *name, unsigned formats, int want, const char *sentence)
{
	struct err err = ERR_INIT;
	enum report_format_id format;
	const int ret = report_find_format(&format, name, formats, &err);

	tap_int(ret ? -1 : (int)format, want, "the format '%s'", name ? name : "(none)");
	tap_str(ret ? err.text : "", sentence, "the sentence");
}

static void check_names(void)
{
	check_find(NULL, REPORT_ALL_FORMATS, REPORT_AS_TEXT, "");
	check_find("csv", REPORT_ALL_FORMATS, REPORT_AS_CSV, "");
	check_find("csv", REPORT_NO_CSV, -1,
		   "--format: there is no format 'csv': text, json or html");
	check_find("jsn", REPORT_ALL_FORMATS, -1,
		   "--format: there is no format 'jsn' (did you mean 'json'?): text, csv, json or "
		   "html");
	tap_str(report_format_at(REPORT_NO_CSV, 1), "json", "names of a set");
	tap_ok(!report_format_at(REPORT_NO_CSV, 3), "and no more");
}

/* A list is one JSON array; a long cell does not widen its column. */
static void check_list(void)
{
	const struct report_column columns[] = {
		{.id = "name", .csv = "name", .title = "#name", .width = -1, .max_width = -6},
		{.id = "text", .csv = "text", .title = "text", .width = -1},
	};
	const struct report_type type = {columns, 2, NULL, 1, NULL};
	static const char *const names[] = {"a", "seven77", "sixsix"};
	struct report report;

	report_init(&report);
	report.is_list = true;
	check(&report, REPORT_AS_JSON, true, "[]\n", "a list without records");
	for (int i = 0; i < 2; i++) {
		struct report_record *r = report_add(&report, &type);

		record_text(r, "name", names[i]);
		record_text(r, "text", "x");
	}
	check(&report, REPORT_AS_JSON, true,
	      "[{\"name\":\"a\",\"text\":\"x\"},{\"name\":\"seven77\",\"text\":\"x\"}]\n",
	      "a list is one array");
	check(&report, REPORT_AS_TEXT, true, "#name text\na     x\nseven77 x\n",
	      "a cell that is too wide counts for nothing");
	report_empty(&report);
	record_text(report_add(&report, &type), "name", names[2]);
	record_text(&report.entry[0].record, "text", "x");
	check(&report, REPORT_AS_TEXT, true, "#name  text\nsixsix x\n", "and one that is not does");
	report_done(&report);
}

/* Columns that declare how they are quoted in CSV, as programs that always quote would write
 * them. */
static void check_declared(void)
{
	static const struct report_column columns[] = {
		{.id = "name", .csv = "name", .csv_quotes = REPORT_QUOTE_TEXTS},
		{.id = "s", .csv = "a \"s\"", .csv_quotes = REPORT_QUOTE_HEADING, .json_digits = 3},
		{.id = "t", .csv = "t", .csv_quotes = REPORT_QUOTE_HEADING | REPORT_QUOTE_TEXTS},
	};
	static const struct report_type type = {columns, 3, NULL, 0, NULL};
	struct report_record *r;
	struct report report;

	report_init(&report);
	r = report_add(&report, &type);
	record_text(r, "name", "");
	record_value(r, "s", value_exact(1.5));
	record_value(r, "t", value_exact(2));
	r = report_add(&report, &type);
	record_text(r, "name", "a\"\n");
	record_unknown(r, "s");
	record_text(r, "t", "t");
	check(&report, REPORT_AS_CSV, true,
	      "name,\"a \"\"s\"\"\",\"t\"\n\"\",1.5,2\n\"a\"\"\ufffd\",,\"t\"\n",
	      "quotes where they are declared");
	check(&report, REPORT_AS_JSON, true,
	      "{\"name\":\"\",\"s\":1.500,\"t\":2}\n"
	      "{\"name\":\"a\\\"\\u000a\",\"s\":null,\"t\":\"t\"}\n",
	      "and digits in JSON");
	report_done(&report);
}

int main(void)
{
	struct report report;

	setenv("TZ", "UTC", 1);
	make(&report);
	check(&report, REPORT_AS_JSON, true,
	      "{\"type\":\"locks\",\"pids\":[7,\"eight\"]}\n"
	      "{\"name\":\"a\",\"wait\":1500,\"hold\":{\"mean\":0.6666666666666666,\"deep\":"
	      "{\"histogram\":[[1,2],[3,4]]}},\"n\":" N "}\n"
	      "{\"name\":\"long \\\"\\u001b name\",\"wait\":null,\"hold\":{\"mean\":"
	      "0.6666666666666666,\"deep\":{\"histogram\":[[1,2],[3,4]]}},\"n\":" N "}\n"
	      "{\"name\":\"none\"}\n",
	      "groups, lists, null and what is absent");
	check(&report, REPORT_AS_CSV, true,
	      "n,name,wait_ns,mean,end\n" N ",a,1500,0.67,\"e,f\"\n" N
	      ",\"long \"\"\ufffd name\",,0.67,\"e,f\"\n,none,,,\n",
	      "a header, and all digits but where they are declared");
	check(&report, REPORT_AS_CSV, false,
	      N ",a,1500,0.67,\"e,f\"\n" N ",\"long \"\"\ufffd name\",,0.67,\"e,f\"\n,none,,,\n",
	      "no header twice");
	check(&report, REPORT_AS_TEXT, true,
	      "# a sentence\n"
	      "                  n # lock         wait us last\n" N " a                  1.5 3\n" N
	      " long \"? name         - 4~\n"
	      "                  - none                 - -\n"
	      "\n# the same, held\n"
	      "# lock       mean\n"
	      "a               1\n"
	      "long \"? name    1\n"
	      "none            -\n",
	      "two tables, as wide as what is in them");
	report_done(&report);
	check_own_type();
	check_notes();
	check_empty();
	check_stream();
	check_objects();
	check_inner();
	check_names();
	check_list();
	check_declared();
	return tap_done();
}
