/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON output is read back with the same columns. */
#include "report/format.h"
#include "report/read.h"
#include "tap.h"

/* clang-format off */
REPORT_TYPE(type,
	{.id = "type"},
	{.id = "name"},
	{.csv = "more"},
	{.id = "wait", .members = 4}, {.id = "n"}, {.id = "events", .members = 1}, {.id = "a,b"}, {.id = "max"},
	{.id = "limits"},
	{.id = "last"});
/* clang-format on */

/* Reads a line, and compares the result written again. */
static void check(const char *line, const char *want, const char *what)
{
	struct json_object *object = report_line_parse(line);
	struct report report;
	struct strbuf text;

	report_init(&report);
	strbuf_init(&text);
	report_line_read(object, report_add(&report, &type));
	report_write_json(&report, true, &text);
	text.text[text.len - 1] = '\0';
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
	report_done(&report);
	report_line_done(object);
}

static void check_again(const char *line, const char *what)
{
	check(line, line, what);
}

static void check_names(void)
{
	struct json_object *line =
		report_line_parse("{\"type\":\"x\",\"n\":7,\"events\":{\"a\":1,\"b\":null}}");

	tap_str(report_line_text(line, "type"), "x", "a text");
	tap_ok(!report_line_text(line, "none"), "one that is not there");
	tap_str(report_line_member(line, "events", 1), "b", "the second of a group");
	tap_ok(!report_line_member(line, "events", 2), "which has two");
	tap_ok(!report_line_member(line, "n", 0) && !report_line_member(line, "none", 0),
	       "a number has none");
	tap_ok(report_line_has(line, "events", NULL) && report_line_has(line, "events", "b"),
	       "a group, and a member that is null");
	tap_ok(!report_line_has(line, "events", "c") && !report_line_has(line, "n", NULL),
	       "neither another one, nor another group");
	report_line_done(line);
}

int main(void)
{
	check_again("{\"type\":\"t\",\"name\":\"a, "
		    "\\\"b\\\"\",\"wait\":{\"n\":2,\"events\":{\"a,b\":0.1},"
		    "\"max\":null},\"last\":9007199254740991}",
		    "all columns");
	check_again("{\"name\":null,\"wait\":null,\"last\":-1.5e-300}", "what is not known");
	check_again("{}", "nothing");
	check_again("{\"wait\":{\"max\":1}}", "a part of a group");
	check("{\"last\":1,\"other\":{\"n\":3},\"wait\":{\"max\":2,\"n\":1},\"limits\":[[1,2],[3,4]"
	      "]}",
	      "{\"wait\":{\"n\":1,\"max\":2},\"last\":1}",
	      "another order, other members, and a list");
	check("{\"wait\":7,\"name\":{\"n\":1}}", "{\"name\":null,\"wait\":{}}",
	      "what is no group, and a group where there is none");
	tap_ok(!report_line_parse("") && !report_line_parse("[1]") && !report_line_parse("7") &&
		       !report_line_parse("{\"a\":") && !report_line_parse("null"),
	       "what is no object");
	check_names();
	return tap_done();
}
