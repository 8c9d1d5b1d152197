/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up names: stable, distinct, and only where they are wanted. */
#include "report/anonymous.h"

#include "report/format.h"
#include "report/report.h"
#include "tap.h"

REPORT_TYPE(row, {.id = "user"}, {.csv = "host_a"}, {.id = "command"}, {.id = "name"},
	    {.id = "list"}, {.id = "n"});

REPORT_TYPE(thread, {.id = "tid"}, {.id = "name"}, {.id = "row"});

static void check_clean(struct anonymous *a, const char *text, const char *wanted)
{
	tap_str(anonymous_clean(a, text), wanted, "%s", text);
}

static void test_clean(void)
{
	char *const command[] = {(char *)"bin/tool", (char *)"--key=roadmap", (char *)"x", NULL};
	struct anonymous a = {.on = true};

	anonymous_text(&a, ANONYMOUS_USER, "bob");
	anonymous_text(&a, ANONYMOUS_HOST, "node1.example.org");
	anonymous_text(&a, ANONYMOUS_HOST, "node1");
	anonymous_command(&a, command);
	check_clean(&a, "bob's, not bobby's", "user1's, not bobby's");
	check_clean(&a, "on node1.example.org and node1", "on host1 and host2");
	check_clean(&a, "in /srv/bob/work/lib.so, and ./bob", "in lib.so, and user1");
	check_clean(&a, "src/secret/lock.c:12 +0x1f", "lock.c:12 +0x1f");
	check_clean(&a, "cpu/config=0x1/ 1/s kworker/0:1 /", "cpu/config=0x1/ 1/s kworker/0:1 /");
	check_clean(&a, "~/x/ (/a/b)", "x (b)");
	check_clean(&a, "it ran bin/tool --key=roadmap x twice", "it ran tool twice");
	check_clean(&a, "with --key=roadmap", "with ...");
	anonymous_done(&a);
}

/* Cells are replaced by their columns, others by what these have shown. */
static void test_report(void)
{
	struct anonymous a = {.on = true};
	struct report_record *r;
	struct report report;
	struct strbuf text;

	report_init(&report);
	report_note(&report, "# bob on mars ran /opt/x/tool -f bob.txt\n");
	r = report_add(&report, &row);
	record_text(r, "user", "bob");
	record_text(r, "", "mars");
	record_text(r, "command", "/opt/x/tool -f bob.txt");
	record_text(r, "name", "lock of bob in /srv/a.c");
	record_list(r, "list", 1);
	record_item_text(r, "/srv/b.c");
	record_item(r, value_count(3));
	record_count(r, "n", 7);
	report_anonymize(&report, &a);
	strbuf_init(&text);
	report_write_json(&report, true, &text);
	tap_str(text.text,
		"{\"user\":\"user1\",\"command\":\"tool\",\"name\":\"lock of user1 in a.c\","
		"\"list\":[\"b.c\",3],\"n\":7}\n",
		"a record");
	tap_str(report.entry[0].note, "# user1 on host1 ran tool\n", "a note");
	strbuf_reset(&text);
	a.on = false;
	report_anonymize(&report, &a);
	report_anonymize(&report, NULL);
	tap_str(report.entry[0].note, "# user1 on host1 ran tool\n", "nothing to do");
	strbuf_done(&text);
	report_done(&report);
	anonymous_done(&a);
}

/* What a program calls its threads may be the name of a user. */
static void test_threads(void)
{
	static const char line[] = "{\"tid\":7,\"name\":\"thread1\",\"row\":\"of thread1\"}\n";
	struct anonymous a = {.on = true};
	struct report report;
	struct report_record *r;
	struct strbuf text;

	report_init(&report);
	r = report_add(&report, &thread);
	record_count(r, "tid", 7);
	record_text(r, "name", "bob@acme");
	record_text(r, "row", "of bob@acme");
	report_anonymize(&report, &a);
	strbuf_init(&text);
	report_write_json(&report, true, &text);
	tap_str(text.text, line, "a thread");
	strbuf_done(&text);
	report_done(&report);
	anonymous_done(&a);
}

static void test_check(void)
{
	struct err err = ERR_INIT;

	tap_int(report_check_anonymous(true, REPORT_AS_HTML, &err), 0, "a page");
	tap_int(report_check_anonymous(false, REPORT_AS_CSV, &err), 0, "not asked for");
	tap_ok(report_check_anonymous(true, REPORT_AS_CSV, &err) < 0, "other formats: %s",
	       err.text);
}

int main(void)
{
	struct anonymous a = {.on = false};

	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "alice", "switched off");
	tap_str(anonymous_program(&a, "/opt/x y"), "/opt/x y", "a program, too");
	a.on = true;
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "user1", "a user");
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "bob"), "user2", "another one");
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "user1", "the first one again");
	tap_str(anonymous_text(&a, ANONYMOUS_HOST, "alice"), "host1", "a host of that name");
	tap_str(anonymous_text(&a, ANONYMOUS_CONTAINER, ""), "", "no container");
	tap_str(anonymous_text(&a, ANONYMOUS_CONTAINER, "?"), "?", "an unknown one");
	tap_ok(!anonymous_text(&a, ANONYMOUS_USER, NULL), "NULL");
	tap_str(anonymous_program(&a, "/opt/alice/bin/tool"), "tool", "a program without folders");
	tap_str(anonymous_program(&a, "postgres: alice"), "postgres", "and without arguments");
	tap_str(anonymous_program(&a, "kworker/0:1"), "kworker/0:1", "a thread of the kernel");
	tap_str(anonymous_program(&a, "/"), "/", "a bare slash");
	tap_str(anonymous_program(&a, ": x"), ":", "a bare colon");
	anonymous_done(&a);
	test_clean();
	test_report();
	test_threads();
	test_check();
	return tap_done();
}
