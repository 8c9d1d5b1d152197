/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ids of columns: derived, given, and conflicting ones.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/column.h"
#include "tap.h"

static struct strbuf reports;

static void collect(void *context, int line, const struct err *err)
{
	(void)context;
	strbuf_addf(&reports, "%d: %s%s\n", line, err->code == EINVAL ? "" : "(code?) ", err->text);
}

static void test_made(void)
{
	static const struct {
		const char *header, *id;
	} table[] = {
		{" %CPU", "cpu"},
		{" %SYS", "sys"},
		{"   P", "p"},
		{"  Mcycle", "mcycle"},
		{"  IPC", "ipc"},
		{" VCSW/s", "vcsw_s"},
		{"   %MIS/I", "mis_i"},
		{"TIME+", "time"},
		{"l1d-load:u", "l1d_load_u"},
		{"a % b", "a_b"},
		{"WAITms/s", "waitms_s"},
		{"\u00b5s \u20ac", "s"},
		{"3rd", "3rd"},
		{"_x_", "x"},
		{"%", "column"},
		{"", "column_2"},
		{"a-b", "a_b_2"},
		{"PID", "pid_2"},
		{"User", "user_2"},
		{"COMMAND", "command_2"},
	};
	struct screen *s = screen_new("made", NULL);

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		screen_add_column(s, table[i].header, "%5.1f", NULL, "1");
	column_ids_set(s, collect, NULL);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_str(s->column[i].id, table[i].id, "'%s'", table[i].header);
	tap_str(reports.text, "", "nothing to report");
	screen_free(s);
}

static struct column *add(struct screen *s, const char *header, const char *id)
{
	struct column *c = screen_add_column(s, header, "%5.1f", NULL, "1");

	c->line = 10 + (int)s->n_columns;
	screen_give_id(c, id);
	return c;
}

/* A given id is kept, even if an earlier column would derive the same one. */
static void test_given(void)
{
	struct screen *s = screen_new("given", NULL);

	add(s, "ipc", NULL);
	add(s, "B", "ipc");
	add(s, "C", "ipc_2");
	add(s, "IPC", NULL);
	column_ids_set(s, collect, NULL);
	tap_str(s->column[0].id, "ipc_3", "what is made makes way");
	tap_str(s->column[1].id, "ipc", "what is given stays");
	tap_str(s->column[2].id, "ipc_2", "so does what looks as if it were made");
	tap_str(s->column[3].id, "ipc_4", "the next one goes on");
	tap_str(reports.text, "", "nothing to report");
	screen_free(s);
}

static void test_refused(void)
{
	struct screen *s = screen_new("refused", NULL);

	add(s, " %A ", "same");
	add(s, "B", "same");
	add(s, "C", "Big");
	add(s, "D", "");
	add(s, "E", "pid");
	column_ids_set(s, collect, NULL);
	tap_str(reports.text,
		"12: screen 'refused': the id 'same' of the column 'B' in line 12 is that of the "
		"column '%A' in line 11: choose another one\n"
		"13: screen 'refused': the id 'Big' of the column 'C' in line 13 may have small "
		"letters, digits and '_' only\n"
		"14: screen 'refused': the id '' of the column 'D' in line 14 may have small "
		"letters, digits and '_' only\n"
		"15: screen 'refused': the id 'pid' of the column 'E' in line 15 is that of what "
		"stands beside the columns: choose another one\n",
		"each with its places");
	strbuf_reset(&reports);
	tap_str(s->column[0].id, "same", "the first one keeps it");
	tap_str(s->column[1].id, "b", "the other has one that is made");
	tap_ok(!s->column[1].id_given, "which is not written as given");
	tap_str(s->column[4].id, "e", "so has what wanted a name beside the columns");
	screen_free(s);
}

/* Built-in columns for different CPUs. */
static void test_alternatives(void)
{
	struct screen *s = screen_new("alternatives", NULL);

	add(s, "%L3", NULL)->optional = true;
	add(s, "%L3", NULL);
	add(s, "A", "own");
	add(s, "B", "own")->optional = true;
	column_ids_set(s, collect, NULL);
	tap_str(s->column[1].id, "l3", "alternatives share what is made");
	tap_str(s->column[3].id, "own", "and what is given");
	tap_str(reports.text, "", "nothing to report");
	screen_free(s);
}

/* A column that shows the user may have the id of the user field beside the columns. */
static void test_user(void)
{
	struct screen *s = screen_new("user", NULL);

	screen_add_column(s, "USER", "%s", NULL, "STATE");
	screen_add_column(s, "WHO", "%s", NULL, "USER");
	screen_give_id(&s->column[1], "user");
	screen_add_column(s, "USER", "%s", NULL, "USER");
	column_ids_set(s, collect, NULL);
	tap_str(s->column[0].id, "user_2", "another column is not the user");
	tap_str(s->column[1].id, "user", "the one that shows him is");
	tap_str(s->column[2].id, "user_3", "but one only");
	tap_str(reports.text, "", "nothing to report");
	screen_free(s);
}

#define MANY 100000

/* A quadratic algorithm would take minutes. */
static void test_many(void)
{
	struct screen *s = screen_new("many", NULL);
	char last[32];

	for (int i = 0; i < MANY; i++)
		screen_add_column(s, "same", "%5.1f", NULL, "1");
	column_ids_set(s, collect, NULL);
	snprintf(last, sizeof last, "same_%d", MANY);
	tap_str(s->column[MANY - 1].id, last, "the last of %d columns of one header", MANY);
	screen_free(s);
}

int main(void)
{
	strbuf_init(&reports);
	test_made();
	test_given();
	test_refused();
	test_alternatives();
	test_user();
	test_many();
	strbuf_done(&reports);
	return tap_done();
}
