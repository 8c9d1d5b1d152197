/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report as a page: its data, and texts that must not end the elements with them. */
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/html.h"
#include "tap.h"

static const struct report_column lock_columns[] = {
	{.id = "name", .csv = "name", .title = "# lock", .width = -6, .role = REPORT_IS_NAME},
	{.id = "wait", .csv = "wait_ns", .title = "wait", .digits = 1, .per = 1e3, .unit = "us"},
	{.id = "hold", .members = 1},
	{.id = "histogram"},
	{.csv = "rank", .csv_place = -1},
};
static const struct report_type lock_type = {
	lock_columns, sizeof lock_columns / sizeof *lock_columns, NULL, 1, NULL};

REPORT_TYPE(sum, {.id = "pid"}, {.id = "words"});

static void add_lock(struct report *report, const char *name, struct value wait)
{
	struct report_record *r = report_add(report, &lock_type);

	record_text(r, "name", name);
	record_value(r, "wait", wait);
	record_group(r, "hold");
	record_list(r, "histogram", 2);
	for (int i = 1; i <= 4; i++)
		record_item(r, value_exact(i));
	record_count(r, "", 1);
}

static void make(struct report *report)
{
	struct report_record *r;

	report_init(report);
	report_note(report, "# </script><b>\n");
	r = report_add(report, &sum);
	record_count(r, "pid", 1ull << 60);
	record_list(r, "words", 1);
	record_item_text(r, "a\"b");
	report_heading(report, &lock_type);
	add_lock(report, "<!--<script>", value_count(1500));
	report_section(report, "of b\n");
	add_lock(report, "b", (struct value){4, 0.5F, QUALITY_SCALED, 0});
	add_lock(report, "c", value_none(QUALITY_DENIED));
}

/* Returns the JSON of the n-th element with data of this class; free() it. */
static char *data_of(const char *page, const char *name, int n)
{
	char *begin = strstr(page, name);
	char *copy;

	while (begin && n--)
		begin = strstr(begin + 1, name);
	if (!begin)
		return strdup("");
	copy = strdup(strchr(begin, '>') + 1);
	*strstr(copy, "</script>") = '\0';
	return copy;
}

static void is_data(const char *page, const char *name, const char *want, const char *what)
{
	char *data = data_of(page, name, 0);

	tap_str(data, want, "%s", what);
	free(data);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void check_report(void)
{
	struct report report;
	struct strbuf page;

	make(&report);
	strbuf_init(&page);
	report_write_html(&report, true, &page);
	is_data(page.text, "class=\"report\"",
		"{\"entries\":[{\"note\":\"# \\u003c/script>\\u003cb>\\u000a\"},"
		"{\"type\":0,\"rows\":[[1152921504606846976,{\"l\":[\"a\\\"b\"]}]]},"
		"{\"heading\":1},"
		"{\"type\":1,\"rows\":[[\"\\u003c!--\\u003cscript>\",1500,null,{\"l\":[[1,2],[3,4]]"
		"},1]]},"
		"{\"section\":\"of b\\u000a\"},"
		"{\"type\":1,\"rows\":[[\"b\",{\"q\":1,\"v\":4},null,{\"l\":[[1,2],[3,4]]},1],"
		"[\"c\",{\"q\":14},null,{\"l\":[[1,2],[3,4]]},1]]}],"
		"\"types\":[{\"columns\":[{\"id\":\"pid\"},{\"id\":\"words\"}],\"csv\":[],"
		"\"tables\":[]},"
		"{\"columns\":[{\"id\":\"name\",\"csv\":\"name\",\"title\":\"# "
		"lock\",\"role\":\"name\",\"left\":1},"
		"{\"id\":\"wait\",\"csv\":\"wait_ns\",\"title\":\"wait\",\"unit\":\"us\","
		"\"digits\":1,\"per\":1000},"
		"{\"id\":\"hold\",\"members\":1},{\"id\":\"histogram\"},{\"csv\":\"rank\"}],"
		"\"csv\":[4,0,1],\"tables\":[{\"order\":[0,1]}]}]}",
		"records, types, notes");
	tap_int((int)count(page.text, "<!--"), 1, "no text begins a comment");
	tap_int((int)count(page.text, "<script"), (int)count(page.text, "</script>"),
		"no text ends the data");
	tap_ok(strstr(page.text, "&lt;/script>"), "nor the text for readers without scripts");
	tap_ok(strstr(page.text, "default-src 'none'; script-src 'sha256-"), "the policy");
	tap_ok(page.len < 400 * 1024, "the page is small");
	strbuf_done(&page);
	report_done(&report);
}

/* Further reports have no head, so they can be appended to a page. */
static void check_head(void)
{
	struct report report, none;
	struct strbuf page, head;

	make(&report);
	report_init(&none);
	strbuf_init(&page);
	strbuf_init(&head);
	report_write_html(&none, true, &head);
	report_write_html(&report, true, &page);
	tap_ok(!strncmp(page.text, head.text, head.len), "an empty report is the head");
	tap_int(head.text[head.len - 1], '\n', "which ends its line");
	strbuf_reset(&page);
	report_write_html(&report, false, &page);
	tap_ok(!strncmp(page.text, "<script type=\"application/json\" class=\"report\">", 47),
	       "another one begins with its data");
	strbuf_done(&head);
	strbuf_done(&page);
	report_done(&none);
	report_done(&report);
}

/* A stream has its columns once, with the heading. */
static void check_stream(void)
{
	struct report report;
	struct strbuf out;

	report_init(&report);
	report.is_stream = true;
	strbuf_init(&out);
	add_lock(&report, "a", value_count(1));
	report_write_html(&report, false, &out);
	tap_str(out.text,
		"<script type=\"application/json\" class=\"report\">"
		"{\"entries\":[{\"type\":null,\"rows\":[[\"a\",1,null,{\"l\":[[1,2],[3,4]]},1]]}]}"
		"</script>\n",
		"a row of a stream");
	strbuf_done(&out);
	report_done(&report);
}

/* Records that are shown only in JSON, inside others, are not on the page. */
static void check_inner(void)
{
	struct report report;
	struct strbuf out;

	report_init(&report);
	strbuf_init(&out);
	record_absent(report_add_inner(&report, &sum), "pid");
	report_write_html(&report, false, &out);
	is_data(out.text, "class=\"report\"", "{\"entries\":[]}",
		"an inner record without a table");
	strbuf_done(&out);
	report_done(&report);
}

static void check_about(void)
{
	char *command[] = {(char *)"./a", (char *)"<b>", NULL};
	struct report report;
	struct strbuf out;

	report_init(&report);
	strbuf_init(&out);
	report.about = &(struct report_html_about){.of = "tiptop locks", .command = command};
	report_write_html(&report, true, &out);
	is_data(out.text, "class=\"about\"",
		"{\"of\":\"tiptop locks\",\"command\":[\"./a\",\"\\u003cb>\"]}",
		"what stands above: what is not known is left out");
	strbuf_reset(&out);
	report_html_add_stacks(&out, "Waits", "ns", "a;</script> 7\n");
	is_data(out.text, "class=\"stacks\"",
		"{\"title\":\"Waits\",\"unit\":\"ns\",\"folded\":\"a;\\u003c/script> 7\\u000a\"}",
		"stacks");
	strbuf_done(&out);
	report_done(&report);
}

int main(void)
{
	check_report();
	check_head();
	check_stream();
	check_inner();
	check_about();
	return tap_done();
}
