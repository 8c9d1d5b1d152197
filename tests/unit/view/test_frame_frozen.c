/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frozen order of rows.
 */
#include "base/strbuf.h"
#include "frame_rig.h"
#include "model/fact_list.h"
#include "tap.h"

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "CYC", "%5.0f", NULL, "delta(cycle)");
	frame_rig_init(r, s);
}

/* Compares the ids of the rows, in their order: "10 30 20". */
static void check_rows(struct frame_rig *r, const char *want, const char *what)
{
	const struct frame *f = frame_rig_build(r);
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < f->n; i++)
		strbuf_addf(&sb, "%s%d", i ? " " : "", (int)f->row[i].task->id);
	tap_str(sb.text, want, "%s", what);
	strbuf_done(&sb);
}

/* Rows keep their positions when their numbers change. New rows are added at the end. */
static void test_freeze(void)
{
	struct frame_rig r;

	begin(&r);
	for (int i = 1; i <= 3; i++)
		frame_rig_add(&r, &(struct rig_task){.id = 10 * i,
						     .counting = COUNT_OK,
						     .count = {100, 100},
						     .cpu_ns = 1000000 * (uint64_t)i});
	r.view.freeze = true;
	check_rows(&r, "30 20 10", "the order of the moment");
	for (int i = 0; i < 3; i++)
		task_set_fact(r.sample[1].task[i], FACT_CPU_NS, 9000000 - (uint64_t)i * 1000);
	check_rows(&r, "30 20 10", "stays, though others do more");
	frame_rig_add(&r, &(struct rig_task){.id = 15, .cpu_ns = 50000000});
	frame_rig_add(&r, &(struct rig_task){.id = 17, .cpu_ns = 80000000});
	check_rows(&r, "30 20 10 17 15", "new ones come at the end, the larger first");
	r.view.filter.pid = 20;
	check_rows(&r, "20", "others are not shown");
	r.view.filter.pid = 0;
	check_rows(&r, "30 20 10 17 15", "and have their places again");
	r.view.reverse = true;
	check_rows(&r, "30 20 10 15 17", "another sorting is done once");
	task_set_fact(r.sample[1].task[0], FACT_CPU_NS, 900000000);
	check_rows(&r, "30 20 10 15 17", "and stands then");
	r.view.freeze = false;
	check_rows(&r, "30 20 15 17 10", "until the order is free");
	frame_rig_done(&r);
}

int main(void)
{
	test_freeze();
	return tap_done();
}
