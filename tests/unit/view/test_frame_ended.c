/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of tasks that ended in an interval, in addition to the rows shown.
 */
#include "frame_rig.h"
#include "model/fold_groups.h"
#include "tap.h"

enum { CPU, IPC };

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_counter(s, "instr", "1", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	frame_rig_init(r, s);
}

/* Ended tasks are listed if the filter lets them pass, even if no row is shown. */
static void test_tasks(void)
{
	struct frame ended;
	struct frame_rig r;

	begin(&r);
	frame_init(&ended);
	frame_rig_add(&r, &(struct rig_task){.id = 10,
					     .counting = COUNT_OK,
					     .count = {30, 10},
					     .cpu_ns = 1000,
					     .dead = true});
	frame_rig_add(&r, &(struct rig_task){.id = 20, .dead = true});
	frame_rig_add(&r, &(struct rig_task){.id = 30, .uid = 5, .cpu_ns = 1000, .dead = true});
	frame_rig_add(&r, &(struct rig_task){.id = 40, .cpu_ns = 1000});
	r.view.filter.uid = 0;
	r.view.cpu_min = 50;
	tap_int(frame_rig_build(&r)->n, 0, "all of them are below the threshold");
	for (int k = 0; k < 2; k++) {
		frame_build_ended(&ended, &r.frame);
		tap_int(ended.n, 2, "two of this user have ended");
		tap_ok(ended.row[0].task->id == 10 && ended.row[1].task->id == 20, "these");
		tap_ok(frame_value(&ended, &ended.row[0], IPC).number == 3,
		       "with their final numbers");
	}
	frame_done(&ended);
	frame_rig_done(&r);
}

/* In a frame of groups, a member that ends has no row, but is listed. */
static void test_members(void)
{
	struct frame ended;
	struct grouping by = {.key = GROUP_USER};
	struct delta groups;
	struct retired_groups retired;
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 12, .user = "joe", .uid = 7, .cpu_ns = 1000});
	frame_rig_add(&r, &(struct rig_task){.id = 13,
					     .name = "a",
					     .user = "joe",
					     .uid = 7,
					     .counting = COUNT_OK,
					     .count = {100, 400},
					     .cpu_ns = 1000,
					     .dead = true});
	frame_rig_build(&r);
	frame_init(&ended);
	delta_init(&groups);
	retired_groups_init(&retired);
	r.view.group = GROUP_USER;
	by.filter = &r.view.filter;
	fold_groups(&groups, &r.processes, &by, &retired);
	frame_build(&r.frame, &r.binding, &r.view, &groups, NULL, 1);
	frame_build_ended(&ended, &r.frame);
	tap_int(ended.n, 1, "the end of a member");
	tap_ok(ended.row[0].task->id == 13 &&
		       frame_value(&ended, &ended.row[0], IPC).number == 0.25,
	       "its own ratio");
	frame_done(&ended);
	retired_groups_done(&retired);
	delta_done(&groups);
	frame_rig_done(&r);
}

int main(void)
{
	test_tasks();
	test_members();
	return tap_done();
}
