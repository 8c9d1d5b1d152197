/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON output is read back with the same columns. */
#include <errno.h>
#include <math.h>

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

static void check_lists(void)
{
	struct json_object *line = report_line_parse("{\"n\":7.5,\"x\":null,\"t\":\"7\",\"g\":{"
						     "\"m\":1},\"rows\":[{\"m\":2},3,{\"m\":4}]}");

	tap_num(report_line_number(line, "n"), 7.5, "a number");
	tap_ok(isnan(report_line_number(line, "x")) && isnan(report_line_number(line, "t")) &&
		       isnan(report_line_number(line, "none")),
	       "null, a text and nothing are none");
	tap_num(report_line_number(report_line_group(line, "g"), "m"), 1, "of a group");
	tap_ok(!report_line_group(line, "rows"), "a list is no group");
	tap_num(report_line_number(report_line_item(line, "rows", 2), "m"), 4, "of the third item");
	tap_ok(!report_line_item(line, "rows", 1) && !report_line_item(line, "rows", 3) &&
		       !report_line_item(line, "g", 0),
	       "neither a number, nor a fourth, nor a group is an item");
	tap_num(report_line_list_number(line, "rows", 1), 3, "a number of a list");
	tap_ok(isnan(report_line_list_number(line, "rows", 0)) &&
		       isnan(report_line_list_number(line, "rows", 3)) &&
		       isnan(report_line_list_number(line, "g", 0)),
	       "neither a group, nor a fourth item, nor one of a group");
	report_line_done(line);
}

/* Sums up the numbers of the lines; a line that is not an object counts 100 and ends the reading.
 */
static int add_line(void *context, int number, struct json_object *line, struct err *err)
{
	(void)err;
	*(double *)context += line ? number * report_line_number(line, "n") : 100;
	return line ? 0 : 1;
}

static void check_bytes(const char *text, size_t n, int ret, double sum, const char *what)
{
	static const char path[] = "read.lines";
	struct err err = ERR_INIT;
	double got = 0;
	FILE *out = fopen(path, "we");

	fwrite(text, 1, n, out);
	fclose(out);
	tap_int(report_lines_visit(path, add_line, &got, &err), ret, "%s", what);
	tap_num(got, sum, "and its numbers");
	remove(path);
}

static void check_file(const char *text, int ret, double sum, const char *what)
{
	check_bytes(text, strlen(text), ret, sum, what);
}

static void check_files(void)
{
	static const char with_zeros[] = "{\"n\":1}\n\0\0\0\n{\"n\":10}\n";
	struct err err = ERR_INIT;

	check_file("{\"n\":1}\n{\"n\":10}\n", 0, 21, "two lines");
	check_file("{\"n\":1}\n{\"n\":10}", 0, 21, "the last one without its end");
	check_file("{\"n\":1}\nx\n{\"n\":10}\n", 1, 101, "what a visit returns ends it");
	check_file("", -EINVAL, 0, "an empty file");
	check_bytes(with_zeros, sizeof with_zeros - 1, -EINVAL, 0,
		    "zeros, as a lost write leaves them");
	tap_int(report_lines_visit("none.lines", add_line, NULL, &err), -ENOENT, "no file");
	tap_str(err.text, "cannot read 'none.lines': No such file or directory", "is named");
}

int main(void)
{
	check_lists();
	check_files();
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
	tap_ok(!report_line_parse("{\"n\":1}{\"n\":2}") && !report_line_parse("{\"n\":1} 2"),
	       "two values on one line, of which one would be lost");
	report_line_done(report_line_parse("{\"n\":1} \t\r"));
	check_names();
	return tap_done();
}
