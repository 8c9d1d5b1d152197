/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of a record must be filled in the order of the columns: another order is a bug, and
 * aborts the program. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"
#include "tap.h"

static const struct report_column columns[] = {
	{.id = "name"},  {.id = "wait", .members = 2}, {.id = "mean"}, {.id = "limits"},
	{.csv = "more"},
};
static const struct report_type type = {columns, sizeof columns / sizeof *columns, NULL, 0, NULL};

static void fill(struct report_record *r)
{
	record_text(r, "name", "a");
	record_group(r, "wait");
	record_number(r, "mean", 2.5);
	record_list(r, "limits", 2);
	record_item(r, value_exact(1));
	record_item_text(r, "b");
	record_count(r, "", UINT64_MAX);
}

static void check_cells(void)
{
	struct report report;
	struct report_record *r;
	uint64_t count = 0;

	report_init(&report);
	r = report_add(&report, &type);
	fill(r);
	tap_str(record_text_of(r, &r->cell[0]), "a", "a text");
	tap_int(r->cell[1].kind, REPORT_GROUP, "a group");
	tap_ok(r->cell[2].value.number == 2.5, "a member");
	tap_int(r->cell[3].list.n, 2, "the items of a list");
	tap_str(record_text_of(r, &r->item[1]), "b", "one is a text");
	tap_ok(value_is_count(r->cell[4].value, &count) && count == UINT64_MAX,
	       "a column without an id, with all bits of a count");
	r = report_add(&report, &type);
	record_textf(r, "name", "%d %s", 7, "b");
	record_group(r, "wait");
	record_time(r, "mean", 0);
	tap_str(record_text_of(r, &r->cell[0]), "7 b", "a text that is put together");
	tap_ok(strstr(record_text_of(r, &r->cell[2]), ":00.000+"), "a moment");
	r = report_add(&report, &type);
	record_text(r, "name", NULL);
	record_absent(r, "wait");
	record_number(r, "", NAN);
	tap_ok(!value_known(r->cell[0].value), "a text that is not known");
	tap_ok(r->cell[1].kind == REPORT_ABSENT && r->cell[2].kind == REPORT_ABSENT &&
		       r->cell[3].kind == REPORT_ABSENT,
	       "a group is absent with its members");
	tap_ok(!value_known(r->cell[4].value), "a number that is not known");
	report_empty(&report);
	tap_int(report.n, 0, "a report is emptied");
	report_done(&report);
}

static void fill_wrong(struct report_record *r)
{
	record_count(r, "wait", 1);
}

static void fill_beyond(struct report_record *r)
{
	fill(r);
	record_count(r, "", 1);
}

static void fill_without_group(struct report_record *r)
{
	record_text(r, "name", "a");
	record_absent(r, "wait");
	record_count(r, "", 1);
}

/* Returns whether this function aborts, in a child. */
static bool is_refused(void (*do_it)(struct report_record *r))
{
	int status;
	const pid_t child = fork();

	if (!child) {
		struct report_record r;

		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		record_init(&r, &type);
		do_it(&r);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGABRT;
}

int main(void)
{
	tap_ok(!is_refused(fill_without_group), "a group is absent with all of its members");
	check_cells();
	tap_ok(!is_refused(fill), "a record is filled in its order");
	tap_ok(is_refused(fill_wrong), "not in another one");
	tap_ok(is_refused(fill_beyond), "nor beyond its end");
	return tap_done();
}
