/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows as a tree: the rows, their order, and the sum of a collapsed node.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "frame_rig.h"
#include "tap.h"
#include "view/frame.h"
#include "view/view.h"

enum { CPU, IPC, CYCLES, RES };

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "CYC", "%5.0f", NULL, "delta(cycle)");
	screen_add_column(s, "TH", "%5.0f", NULL, "NUM_THREADS");
	return s;
}

static void begin(struct frame_rig *r, struct collapse *c)
{
	frame_rig_init(r, make_screen());
	r->view.tree = r->view.total = true;
	*c = (struct collapse){.all = false};
	r->view.collapse = c;
}

static void done(struct frame_rig *r, struct collapse *c)
{
	collapse_done(c);
	frame_rig_done(r);
}

#define ADD(rig, ...) frame_rig_add(rig, &(struct rig_task){.counting = COUNT_OK, __VA_ARGS__})

/* A shell (10) with the children compiler (20) and sleep (30); the compiler has the children 21 and
 * 22. Of these, only the compiler and its children run. */
static void add_family(struct frame_rig *r)
{
	ADD(r, .id = 1, .name = "init");
	ADD(r, .id = 10, .parent = 1, .name = "sh");
	ADD(r, .id = 20, .parent = 10, .name = "cc", .count = {100, 100}, .cpu_ns = 10000000);
	ADD(r, .id = 21, .parent = 20, .name = "as", .count = {300, 100}, .cpu_ns = 20000000);
	ADD(r, .id = 22, .parent = 20, .name = "ld", .count = {50, 200}, .cpu_ns = 30000000);
	ADD(r, .id = 30, .parent = 10, .name = "sleep", .num_threads = 5);
	ADD(r, .id = 40, .parent = 1, .name = "busy", .count = {1000, 1000}, .cpu_ns = 500000000);
}

/* Compares rows as text: ids with '>' for each level, '?' after rows that are ancestors only, '+'
 * after collapsed rows ("1? >40 >10?"). */
static void check_rows(struct frame_rig *r, const char *want, const char *what)
{
	const struct frame *f = frame_rig_build(r);
	struct strbuf sb;

	strbuf_init(&sb);
	for (size_t i = 0; i < f->n; i++) {
		const struct frame_row *row = &f->row[i];

		strbuf_addstr(&sb, i ? " " : "");
		for (int k = 0; k < row->depth; k++)
			strbuf_addch(&sb, '>');
		strbuf_addf(&sb, "%d%s%s", (int)row->task->id, row->ancestor ? "?" : "",
			    row->collapsed ? "+" : "");
	}
	tap_str(sb.text, want, "%s", what);
	strbuf_done(&sb);
}

static const struct frame_row *find(const struct frame *f, int id)
{
	static struct value none[4] = {{0, 1, QUALITY_GONE, 0}};
	static const struct frame_row no_row = {.cell = none};

	for (size_t i = 0; i < f->n; i++)
		if (f->row[i].task->id == (uint64_t)id)
			return &f->row[i];
	tap_ok(false, "there is a row of %d", id);
	return &no_row;
}

static void test_order(void)
{
	struct collapse c;
	struct frame_rig r;

	begin(&r, &c);
	add_family(&r);
	check_rows(&r, "1? >40 >10? >>20 >>>22 >>>21",
		   "those above what ran, siblings by what they show");
	tap_int((long)find(&r.frame, 21)->parent, 20, "a row tells whose it is");
	tap_int((long)find(&r.frame, 1)->parent, 1, "a root is its own");
	tap_int(find(&r.frame, 22)->rails, 4, "below the first of two goes a line");
	tap_int(find(&r.frame, 21)->rails, 0, "below the last there is none");
	tap_int(find(&r.frame, 40)->rails, 1, "as on each level");
	r.view.reverse = true;
	check_rows(&r, "1? >10? >>20 >>>21 >>>22 >40", "the other way round, in each family");
	r.view.reverse = false;
	r.view.sort = SORT_PID;
	check_rows(&r, "1? >40 >10? >>20 >>>22 >>>21", "by pid");
	r.view.idle = true;
	check_rows(&r, "1 >40 >10 >>30 >>20 >>>22 >>>21", "with idle ones");
	r.view.tree = false;
	check_rows(&r, "40 30 22 21 20 10 1", "no tree");
	done(&r, &c);
}

static void test_filter(void)
{
	struct collapse c;
	struct frame_rig r;

	begin(&r, &c);
	add_family(&r);
	r.view.filter.text = "ld";
	check_rows(&r, "1? >10? >>20? >>>22", "those above what the filter lets pass");
	tap_str(r.frame.total->label, "1 task", "are not in the total");
	tap_num(frame_value(&r.frame, r.frame.total, CYCLES).number, 200,
		"which is that of what passes");
	tap_num(frame_value(&r.frame, find(&r.frame, 20), CYCLES).number, 100,
		"their own numbers are theirs");
	tap_int(r.frame.n_tasks, 1, "one passes");
	done(&r, &c);
}

static void test_collapsed(void)
{
	const struct frame_row *row;
	struct collapse c;
	struct frame_rig r;

	begin(&r, &c);
	add_family(&r);
	frame_rig_build(&r);
	tap_ok(collapse_set(&c, find(&r.frame, 20), true), "a node is collapsed");
	tap_ok(!collapse_set(&c, find(&r.frame, 20), true), "only once");
	check_rows(&r, "1? >40 >10? >>20+", "what is below is gone");
	row = find(&r.frame, 20);
	tap_num(frame_value(&r.frame, row, CYCLES).number, 400, "its cycles are those of three");
	tap_num(frame_value(&r.frame, row, IPC).number, 450.0 / 400,
		"the ratio is that of the sums, not of ratios");
	tap_num(frame_value(&r.frame, row, CPU).number, 6, "and so is the time");
	tap_str(row->label, "cc", "the name is its own");
	tap_int(row->from->n_members, 3, "it stands for three");
	collapse_set(&c, find(&r.frame, 10), true);
	check_rows(&r, "1? >40 >10+", "the node above, which was only there for it");
	row = find(&r.frame, 10);
	tap_num(frame_value(&r.frame, row, CYCLES).number, 400, "has the same sum");
	tap_num(frame_value(&r.frame, row, RES).number, 5 + 4, "what is idle below it counts, too");
	tap_num(frame_value(&r.frame, r.frame.total, CYCLES).number, 1400,
		"the total is as it was");
	collapse_set(&c, find(&r.frame, 10), false);
	check_rows(&r, "1? >40 >10? >>20+", "expanded, what was collapsed below still is");
	r.view.filter.text = "as";
	check_rows(&r, "1? >10? >>20+", "of what the filter leaves out");
	tap_num(frame_value(&r.frame, find(&r.frame, 20), CYCLES).number, 100, "nothing is added");
	done(&r, &c);
}

static void test_all(void)
{
	struct collapse c;
	struct frame_rig r;

	begin(&r, &c);
	add_family(&r);
	collapse_toggle_all(&c);
	check_rows(&r, "1? >40 >10+", "all but roots");
	collapse_set(&c, find(&r.frame, 10), false);
	check_rows(&r, "1? >40 >10? >>20+", "one is expanded, and what is below stays");
	collapse_set(&c, find(&r.frame, 1), true);
	check_rows(&r, "1+", "a root can be collapsed by itself");
	tap_num(frame_value(&r.frame, find(&r.frame, 1), CYCLES).number, 1400,
		"it is all there is");
	collapse_toggle_all(&c);
	check_rows(&r, "1? >40 >10? >>20 >>>22 >>>21", "all expanded again");
	collapse_set(&c, find(&r.frame, 20), true);
	collapse_toggle_all(&c);
	check_rows(&r, "1? >40 >10? >>20 >>>22 >>>21", "first all are expanded");
	done(&r, &c);
}

static void test_threads(void)
{
	struct collapse c;
	struct frame_rig r;

	begin(&r, &c);
	r.view.threads = true;
	ADD(&r, .id = 10, .name = "sh", .count = {10, 10}, .cpu_ns = 1000000, .num_threads = 2);
	ADD(&r, .id = 11, .pid = 10, .name = "sh", .count = {30, 10}, .cpu_ns = 3000000);
	ADD(&r, .id = 12, .parent = 10, .name = "ls", .count = {10, 10}, .cpu_ns = 2000000);
	check_rows(&r, "10 >11 >12", "threads are below their process, as its children are");
	collapse_set(&c, find(&r.frame, 10), true);
	check_rows(&r, "10+", "they collapse together");
	tap_num(frame_value(&r.frame, find(&r.frame, 10), IPC).number, 50.0 / 30, "to one ratio");
	tap_num(frame_value(&r.frame, find(&r.frame, 10), RES).number, 3,
		"in which a process is once");
	done(&r, &c);
}

/* Random parents, with cycles: each task has exactly one row, and no count is lost when rows are
 * collapsed. */
static void test_random(void)
{
	unsigned wrong = 0;

	for (unsigned seed = 0; seed < 200; seed++) {
		int n = 1 + (int)(seed % 30), seen[40] = {0};
		double cycles = 0, all = 0;
		const struct frame *f;
		struct collapse c;
		struct frame_rig r;

		srand(seed);
		begin(&r, &c);
		for (int i = 1; i <= n; i++) {
			uint64_t count = 1 + (uint64_t)(rand() % 1000);

			all += (double)count;
			ADD(&r, .id = i, .parent = rand() % (n + 3), .count = {1, count},
			    .cpu_ns = 1 + count);
		}
		f = frame_rig_build(&r);
		for (size_t i = 0; i < f->n; i++) {
			wrong += seen[f->row[i].task->id]++;
			wrong += i == 0 && f->row[i].depth;
			wrong += i > 0 && f->row[i].depth > f->row[i - 1].depth + 1;
		}
		wrong += f->n != (size_t)n;
		for (int i = 0; i < 5; i++)
			collapse_set(&c, &f->row[(size_t)rand() % f->n], true);
		f = frame_rig_build(&r);
		for (size_t i = 0; i < f->n; i++)
			cycles += frame_value(f, &f->row[i], CYCLES).number;
		wrong += cycles != all || frame_value(f, f->total, CYCLES).number != all;
		done(&r, &c);
	}
	tap_int(wrong, 0, "200 woods: each task once, and no count is lost");
}

int main(void)
{
	test_order();
	test_filter();
	test_collapsed();
	test_all();
	test_threads();
	test_random();
	return tap_done();
}
