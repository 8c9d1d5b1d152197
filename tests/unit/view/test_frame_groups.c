/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of groups: the fields in place of PID and command, ratios of sums, and the order.
 */
#include "frame_rig.h"
#include "model/fold_groups.h"
#include "tap.h"
#include "view/format.h"
#include "view/view.h"

enum { CPU, IPC, P, N_COLUMNS };

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, " P", "%2.0f", NULL, "PROC_ID");
	return s;
}

/* Two tasks of joe, with a high IPC and little CPU time, and with a low IPC and much CPU time; one
 * task of root that cannot be counted. */
static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
	frame_rig_add(r, &(struct rig_task){.id = 10,
					    .name = "a",
					    .user = "joe",
					    .uid = 7,
					    .counting = COUNT_OK,
					    .count = {300, 100},
					    .cpu_ns = 100000000,
					    .processor = 1});
	frame_rig_add(r, &(struct rig_task){.id = 11,
					    .name = "b c",
					    .user = "joe",
					    .uid = 7,
					    .counting = COUNT_OK,
					    .count = {450, 900},
					    .cpu_ns = 400000000,
					    .processor = 2});
	frame_rig_add(r, &(struct rig_task){.id = 12,
					    .name = "a",
					    .user = "root",
					    .counting = COUNT_DENIED,
					    .cpu_ns = 200000000,
					    .processor = 3});
}

struct groups {
	struct delta delta;
	struct retired_groups retired;
};

static const struct frame *build(struct frame_rig *r, struct groups *g, enum group_key key)
{
	const struct grouping by = {
		.key = key,
		.filter = &r->view.filter,
		.watch = r->view.watching ? &r->view.watch : NULL,
		.use_cmdline = r->view.show_cmdline,
	};

	r->view.group = key;
	frame_rig_build(r);
	delta_init(&g->delta);
	retired_groups_init(&g->retired);
	fold_groups(&g->delta, &r->processes, &by, &g->retired);
	frame_build(&r->frame, &r->binding, &r->view, &g->delta, NULL, 1);
	return &r->frame;
}

static void done(struct groups *g)
{
	delta_done(&g->delta);
	retired_groups_done(&g->retired);
}

/* Compares the header and all rows, separated by ';'. */
static void check_text(const struct frame *f, const char *want, const char *what)
{
	struct strbuf text;

	strbuf_init(&text);
	format_header(&text, f);
	for (size_t i = 0; i < f->n; i++) {
		strbuf_addch(&text, ';');
		format_row(&text, f, &f->row[i]);
		format_row_command(&text, &f->row[i], false);
	}
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
}

static void test_rows(void)
{
	struct groups g;
	struct frame_rig r;

	begin(&r);
	check_text(build(&r, &g, GROUP_USER),
		   " USER [ %CPU]  IPC  P MEMBERS ;"
		   " joe    50.0  0.75  - 2;"
		   " root   20.0     ?  3 1",
		   "users, their members, and the ratio of sums, not 1.75");
	done(&g);
	check_text(build(&r, &g, GROUP_PROGRAM),
		   " PROGRAM [ %CPU]  IPC  P MEMBERS ;"
		   " b c       40.0  0.50  2 1;"
		   " a         30.0 3.00*  - 2",
		   "programs, one of which was not counted in whole");
	done(&g);
	check_text(build(&r, &g, GROUP_PROGRAM_USER),
		   " PROGRAM [ %CPU]  IPC  P MEMBERS ;"
		   " b c       40.0  0.50  2 1;"
		   " a         20.0     ?  3 1;"
		   " a         10.0  3.00  1 1",
		   "the same programs of two users");
	done(&g);
	r.view.safe_names = true;
	build(&r, &g, GROUP_PROGRAM);
	check_text(&r.frame,
		   " PROGRAM [ %CPU]  IPC  P MEMBERS ;"
		   " b_c       40.0  0.50  2 1;"
		   " a         30.0 3.00*  - 2",
		   "a name is one word where that was asked for");
	done(&g);
	frame_rig_done(&r);
}

static void test_order(void)
{
	struct groups g;
	struct frame_rig r;

	begin(&r);
	r.view.sort = N_COLUMNS;
	build(&r, &g, GROUP_USER);
	tap_str(r.frame.row[0].task->name, "root", "by members, the fewest first");
	done(&g);
	r.view.reverse = true;
	build(&r, &g, GROUP_USER);
	tap_str(r.frame.row[0].task->name, "joe", "or the most");
	done(&g);
	r.view.sort = SORT_PID;
	build(&r, &g, GROUP_PROGRAM);
	tap_str(r.frame.row[0].task->name, "b c",
		"by what stands in place of the PID, from Z to A");
	done(&g);
	r.view.reverse = false;
	build(&r, &g, GROUP_PROGRAM);
	tap_str(r.frame.row[0].task->name, "a", "or as texts are, from A");
	done(&g);
	frame_rig_done(&r);
}

static void test_filter(void)
{
	struct groups g;
	struct frame_rig r;

	begin(&r);
	r.view.filter.text = "a";
	build(&r, &g, GROUP_USER);
	tap_int(r.frame.n_all, 3, "three tasks");
	tap_int(r.frame.n_tasks, 2, "two pass");
	tap_str(r.frame.row[1].label, "1", "one of joe");
	tap_num(frame_value(&r.frame, &r.frame.row[1], CPU).number, 10,
		"what the other one did is not in it");
	done(&g);
	r.view.filter = (struct filter)FILTER_ALL;
	r.view.watch.pid = 11;
	r.view.watching = true;
	build(&r, &g, GROUP_USER);
	tap_ok(r.frame.row[0].watched && !r.frame.row[1].watched, "a group with a watched task");
	done(&g);
	frame_rig_done(&r);
}

int main(void)
{
	test_rows();
	test_order();
	test_filter();
	return tap_done();
}
