/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw counts of a row are those of all tasks in its sum, whatever filters exclude.
 */
#include "frame_rig.h"
#include "model/fold_groups.h"
#include "tap.h"
#include "view/frame.h"
#include "view/page.h"
#include "view/row_filter.h"
#include "view/view.h"

/* The value of each counter at the first sample of the rig. */
#define FIRST 100

struct raw_rig {
	struct frame_rig rig;
	struct collapse collapse;
	struct delta groups;
	struct retired_groups retired;
};

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, "CYC", "%5.0f", NULL, "delta(cycle)");
	screen_add_column(s, "CPU", "%5.1f", NULL, "CPU_TOT");
	return s;
}

#define ADD(r, ...) frame_rig_add(&(r)->rig, &(struct rig_task){.counting = COUNT_OK, __VA_ARGS__})

/* A shell (10) with the children compiler (20), which has two threads and a child (21), and sleep
 * (30). */
static void begin(struct raw_rig *r)
{
	*r = (struct raw_rig){.collapse.all = false};
	frame_rig_init(&r->rig, make_screen());
	r->rig.view.collapse = &r->collapse;
	r->rig.view.sort = SORT_PID;
	r->rig.view.reverse = true;
	delta_init(&r->groups);
	retired_groups_init(&r->retired);
	ADD(r, .id = 10, .name = "sh", .user = "a", .count = {1000}, .cpu_ns = 10000000);
	ADD(r, .id = 20, .parent = 10, .name = "cc", .user = "a", .count = {2000},
	    .cpu_ns = 20000000);
	ADD(r, .id = 25, .pid = 20, .name = "cc", .user = "a", .count = {500}, .cpu_ns = 1000000);
	ADD(r, .id = 21, .parent = 20, .name = "as", .user = "b", .count = {4000},
	    .cpu_ns = 400000000);
	ADD(r, .id = 30, .parent = 10, .name = "sleep", .user = "a");
	ADD(r, .id = 40, .name = "other", .user = "b", .count = {8000}, .cpu_ns = 90000000);
}

static void end(struct raw_rig *r)
{
	row_filter_free(r->rig.view.row_filter);
	collapse_done(&r->collapse);
	delta_done(&r->groups);
	retired_groups_done(&r->retired);
	frame_rig_done(&r->rig);
}

static void set_filter(struct raw_rig *r, const char *text)
{
	const struct filter_list none = FILTER_LIST_INIT;

	row_filter_free(r->rig.view.row_filter);
	tap_int(row_filter_make(&r->rig.view.row_filter, text, r->rig.screen, &none, NULL), 0,
		"--filter '%s'", text);
}

/* Checks the raw counts of the row with this name: those of n threads, which together counted
 * `counted` in the interval, as the row shows, too. */
static void check(const struct frame *f, const char *name, int n, uint64_t counted)
{
	const struct frame_row *row = f->row;
	struct raw_count raw;

	while (strcmp(row->task->name, name) != 0)
		row++;
	raw_read(f, row, 0, 1, &raw);
	tap_int(raw.n, n, "%d threads", n);
	tap_int((long)raw.sum.value, (long)(counted + (uint64_t)n * FIRST), "their counts");
	tap_int((long)row->from->increment[0].number, (long)counted, "as the row has them");
}

static void test_process(void)
{
	struct raw_rig r;

	begin(&r);
	r.rig.view.filter.text = "cc";
	check(frame_rig_build(&r.rig), "cc", 2, 2500);
	end(&r);
}

static void test_collapsed(void)
{
	struct raw_rig r;

	begin(&r);
	r.rig.view.tree = true;
	frame_rig_build(&r.rig);
	check(&r.rig.frame, "sh", 1, 1000);
	collapse_set(&r.collapse, &r.rig.frame.row[0], true);
	check(frame_rig_build(&r.rig), "sh", 5, 7500);
	r.rig.view.filter.text = "s";
	check(frame_rig_build(&r.rig), "sh", 3, 5000);
	r.rig.view.filter = (struct filter)FILTER_ALL;
	set_filter(&r, "cpu > 5");
	check(frame_rig_build(&r.rig), "sh", 1, 4000);
	set_filter(&r, "cyc >= 0");
	check(frame_rig_build(&r.rig), "sh", 5, 7500);
	set_filter(&r, "user == 'a'");
	check(frame_rig_build(&r.rig), "sh", 4, 3500);
	end(&r);
}

static const struct frame *build_groups(struct raw_rig *r)
{
	struct view *view = &r->rig.view;
	const struct grouping by = {
		.key = GROUP_USER,
		.filter = &view->filter,
		.test = row_filter_test(view->row_filter),
	};

	frame_rig_build(&r->rig);
	view->group = GROUP_USER;
	fold_groups(&r->groups, &r->rig.processes, &by, &r->retired);
	frame_build(&r->rig.frame, &r->rig.binding, view, &r->groups, NULL, 1);
	view->group = GROUP_PROCESS;
	return &r->rig.frame;
}

static void check_groups(struct raw_rig *r, int n, uint64_t counted)
{
	const struct frame *f = build_groups(r);

	r->rig.view.group = GROUP_USER;
	check(f, "a", n, counted);
	r->rig.view.group = GROUP_PROCESS;
}

static void test_groups(void)
{
	struct raw_rig r;

	begin(&r);
	check_groups(&r, 4, 3500);
	r.rig.view.filter.text = "s";
	check_groups(&r, 2, 1000);
	r.rig.view.filter = (struct filter)FILTER_ALL;
	set_filter(&r, "cpu > 1.5");
	check_groups(&r, 2, 2500);
	r.rig.view.idle = true;
	set_filter(&r, "cyc == 0");
	check_groups(&r, 1, 0);
	end(&r);
}

int main(void)
{
	test_process();
	test_collapsed();
	test_groups();
	return tap_done();
}
