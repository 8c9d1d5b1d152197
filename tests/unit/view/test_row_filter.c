/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row filters: a text, a regular expression, a condition or a named filter; the rows that pass; and
 * the positions of errors.
 */
#include <errno.h>

#include "base/mem.h"
#include "frame_rig.h"
#include "tap.h"
#include "view/row_filter.h"
#include "view/view.h"

static const struct rig_task tasks[] = {
	{.id = 10,
	 .name = "make",
	 .cmdline = "/usr/bin/make -j2 a<b",
	 .user = "db",
	 .cpu_ns = 500000000},
	{.id = 20, .name = "cc1", .cmdline = "cc1 x.c", .user = "root", .cpu_ns = 250000000},
	{.id = 30, .name = "/sbin/x", .user = "db", .cpu_ns = 100000000}, /* a kernel thread */
	{.id = 40, .name = "worker", .process = "make all", .user = "eve", .cpu_ns = 1000000},
};

#define N_TASKS (sizeof tasks / sizeof *tasks)

static struct filter_list named = FILTER_LIST_INIT;

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("s", NULL);

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	frame_rig_init(r, s);
	for (size_t i = 0; i < N_TASKS; i++)
		frame_rig_add(r, &tasks[i]);
	r->view.sort = SORT_PID;
	r->view.reverse = true;
	frame_rig_build(r);
}

enum { TEXT, CONDITION };

static const struct {
	const char *text, *want, *of_cmdline;
	int kind;
} kind_table[] = {
	{"make", "ynny", "ynny", TEXT},
	{"Make", "nnnn", "nnnn", TEXT},
	{"cc", "nynn", "nynn", TEXT},
	{"all", "nnny", "nnny", TEXT},
	{"-j2", "nnnn", "ynnn", TEXT},
	{"pid", "nnnn", "nnnn", TEXT}, /* a name without a comparison is a text */
	{"cpu", "nnnn", "nnnn", TEXT},
	{"20", "nnnn", "nnnn", TEXT},
	{"make all", "nnny", "nnny", TEXT},
	{"make -j2", "nnnn", "ynnn", TEXT},
	{"\"a<b\"", "nnnn", "ynnn", TEXT},
	{"'make'", "ynny", "ynny", TEXT},
	{"\"\"", "yyyy", "yyyy", TEXT},
	{"\"@x\"", "nnnn", "nnnn", TEXT},
	/* closed by a slash that is not escaped; otherwise a text */
	{"/make/", "ynny", "ynny", TEXT},
	{"/^make$/", "ynnn", "nnnn", TEXT},
	{"/^(make|cc[0-9]+)$/", "yynn", "nnnn", TEXT},
	{"/^make( all)?$/", "ynny", "nnny", TEXT},
	{"/usr/bin", "nnnn", "ynnn", TEXT},
	{"/usr/bin/", "nnnn", "ynnn", TEXT},
	{"/^\\/sbin/", "nnyn", "nnyn", TEXT},
	{"/^/sbin\\/", "nnnn", "nnnn", TEXT},
	{"/sbin\\\\/", "nnnn", "nnnn", TEXT}, /* the backslash is escaped, not the slash */
	{"/", "nnyn", "ynyn", TEXT},
	{"/a < b/", "nnnn", "nnnn", TEXT},
	{"cpu > 20", "yynn", "yynn", CONDITION},
	{"cpu > 20 && user == \"db\"", "ynnn", "ynnn", CONDITION},
	{"user == 'db'", "ynyn", "ynyn", CONDITION},
	{"'db' == user", "ynyn", "ynyn", CONDITION},
	{"\"db\" == \"db\"", "yyyy", "yyyy", CONDITION},
	{"command == 'make'", "ynnn", "nnnn", CONDITION},
	{"command == 'cc1 x.c'", "nnnn", "nynn", CONDITION},
	{"cpu gt 20", "yynn", "yynn", CONDITION},
	{"!(cpu gt 20)", "nnyy", "nnyy", CONDITION},
	{"under(20)", "nynn", "nynn", CONDITION},
	{"nice == 0", "????", "????", CONDITION},
	{"a eq", "nnnn", "nnnn", TEXT},
	{"eq a", "nnnn", "nnnn", TEXT},
	{"make and all", "nnnn", "nnnn", TEXT}, /* without a comparison, no condition */
	{"@busy", "yynn", "yynn", CONDITION},
	{"@make", "ynny", "ynny", TEXT},
	{"@re", "nynn", "nnnn", TEXT},
};

static void test_kinds(void)
{
	struct frame_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof kind_table / sizeof *kind_table; i++) {
		struct row_filter *f = NULL;
		struct err err = ERR_INIT;

		if (!tap_ok(!row_filter_make(&f, kind_table[i].text, r.screen, &named, &err),
			    "%s: %s", kind_table[i].text, err.text))
			continue;
		tap_str(row_filter_text(f), kind_table[i].text, "it is what was given");
		tap_int(row_filter_is_condition(f), kind_table[i].kind == CONDITION,
			"whether it is a condition");
		for (int cmdline = 0; cmdline < 2; cmdline++) {
			char got[N_TASKS + 1] = "";

			row_filter_begin(f, &r.binding, &r.sample[1], cmdline);
			for (size_t k = 0; k < N_TASKS; k++)
				got[k] = "ny?"[row_filter_match(f, r.frame.row[k].task,
								r.frame.row[k].from)];
			tap_str(got, cmdline ? kind_table[i].of_cmdline : kind_table[i].want,
				"%s %s", kind_table[i].text,
				cmdline ? "where command lines are shown" : "of names");
		}
		row_filter_free(f);
	}
	frame_rig_done(&r);
}

static void test_faults(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"ipc < 0.5",
		 "column 1: there is no counter, variable or column 'ipc' in this screen"},
		{"cpu <", "column 6: a number, a name or '(' is expected, not the end"},
		{"cpu > 20 &",
		 "column 10: one of + - * / < <= > >= == != and or is expected, not '&'"},
		{"a<b", "column 1: there is no counter, variable or column 'a' in this screen"},
		{"cpu gt x",
		 "column 8: there is no counter, variable or column 'x' in this screen"},
		{"user == db",
		 "column 9: there is no counter, variable or column 'db' in this screen"},
		{"under(", "column 7: a whole number is expected, not the end"},
		{"cpu || ", "column 8: a number, a name or '(' is expected, not the end"},
		{"/(/", "column 2: this is not a regular expression: missing closing parenthesis"},
		{"/(a)\\1/",
		 "column 2: extended regular expressions have no references back (\\1), "
		 "which may take minutes to match: write the text out"},
		{"//", "column 2: the regular expression is empty"},
		{"@no", "column 2: no filter is called 'no': there are @busy, @make, @re, @wrong"},
		{"@", "column 2: no filter is called '': there are @busy, @make, @re, @wrong"},
		{"@wrong", "column 2: the filter 'wrong' (ipc < 1): column 1: there is no counter, "
			   "variable or column 'ipc' in this screen"},
	};
	struct filter_list none = FILTER_LIST_INIT;
	struct row_filter *f = NULL;
	struct err err = ERR_INIT;
	struct frame_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		tap_ok(row_filter_make(&f, table[i].text, r.screen, &named, &err) < 0 && !f,
		       "%s is refused", table[i].text);
		tap_str(err.text, table[i].want, "its sentence");
	}
	tap_ok(row_filter_make(&f, "@x", r.screen, &none, &err) < 0, "a name where there is none");
	tap_int(row_filter_make(&f, "nosuch > 1", r.screen, &none, NULL), -ENOENT,
		"the sentence may be ignored");
	tap_str(err.text,
		"column 2: no filter is called 'x': tiptoprc(5) says how to name one; in quotes it "
		"is a "
		"text to look for",
		"says what to do");
	f = (struct row_filter *)&err;
	tap_ok(!row_filter_make(&f, "", r.screen, &named, NULL) && !f,
	       "an empty text is no filter");
	row_filter_free(NULL);
	frame_rig_done(&r);
}

/* Any text is a filter, or is refused with a message and the position of the error. */
static void test_fuzz(void)
{
	static const char *const word[] = {
		"cpu",  "ipc", "user", "\"db\"", "'",  "\"", "/", "\\", "<",      "==",     "&&",
		"||",   "!",   "(",    ")",      "[",  "]",  "1", "0x", "under(", "delta(", "@",
		"busy", " ",   "\xc3", "eq",     "lt", "*",  "+", "^",  "{",      "}",      "nice",
	};
	uint64_t state = 88172645463325252u;
	int made = 0, refused = 0, bad = 0;
	struct frame_rig r;

	begin(&r);
	for (int i = 0; i < 20000; i++) {
		struct row_filter *f = NULL;
		struct err err = ERR_INIT;
		struct strbuf text;
		char *copy;

		strbuf_init(&text);
		for (int n = i % 9; n; n--) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			strbuf_addstr(&text, word[(state >> 32) % (sizeof word / sizeof *word)]);
		}
		copy = xstrdup(text.text); /* exact size: ASan sees a longer read */
		if (row_filter_make(&f, copy, r.screen, &named, &err)) {
			size_t column = expr_fault_column(&err);

			refused++;
			bad += f || !column || column > strlen(copy) + 1;
		} else if (f) {
			made++;
			row_filter_begin(f, &r.binding, &r.sample[1], false);
			for (size_t k = 0; k < N_TASKS; k++)
				bad += row_filter_match(f, r.frame.row[k].task,
							r.frame.row[k].from) > TRI_UNKNOWN;
		}
		row_filter_free(f);
		free(copy);
		strbuf_done(&text);
	}
	tap_int(bad, 0, "20000 texts of random words");
	tap_ok(made > 1000 && refused > 1000, "some are filters (%d), some are refused (%d)", made,
	       refused);
	frame_rig_done(&r);
}

/* A row whose name takes too many steps is shown, and a message says so. */
static void test_slow(void)
{
	struct row_filter *f = NULL;
	struct err err = ERR_INIT;
	char text[4097];
	struct task task = {.name = text, .process = ""};

	memset(text, 'a', sizeof text - 1);
	snprintf(text + sizeof text - 4, 4, "--x");
	if (!tap_ok(!row_filter_make(&f, "/(a|aa)+x/", NULL, &named, &err), "repeats of repeats"))
		return;
	tap_int(row_filter_timed_out(f, &err), 0, "nothing to say");
	tap_int(row_filter_match(f, &task, NULL), TRI_TRUE, "a row without an answer passes");
	tap_int(row_filter_timed_out(f, &err), -ETIME, "it is said");
	tap_str(err.text,
		"the filter '/(a|aa)+x/' takes too long on some names, whose rows are shown "
		"unfiltered: simplify its repeats",
		"in a sentence");
	row_filter_begin(f, NULL, NULL, false);
	tap_int(row_filter_timed_out(f, NULL), 0, "the next refresh may have none");
	task.process = "aax";
	tap_int(row_filter_match(f, &task, NULL), TRI_TRUE, "another name of it matches");
	tap_int(row_filter_timed_out(f, NULL), 0, "so the answer is known");
	row_filter_free(f);
	tap_int(row_filter_timed_out(NULL, NULL), 0, "without a filter");
}

int main(void)
{
	filter_list_add(&named, "busy", "cpu > 20", "What is busy");
	filter_list_add(&named, "make", "make", NULL);
	filter_list_add(&named, "re", "/^cc1$/", NULL);
	filter_list_add(&named, "wrong", "ipc < 1", NULL);
	test_kinds();
	test_faults();
	test_fuzz();
	test_slow();
	filter_list_done(&named);
	return tap_done();
}
