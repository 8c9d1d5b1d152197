/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames with a row filter: which rows are shown, the numbers of hidden and unknown rows, and that
 * the filter changes no number of other rows.
 */
#include <stdlib.h>

#include "frame_rig.h"
#include "model/fold_groups.h"
#include "tap.h"
#include "view/row_filter.h"
#include "view/view.h"

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("s", NULL);

	screen_add_counter(s, "cycle", "CPU_CYCLES", "HARDWARE");
	screen_add_counter(s, "instr", "INSTRUCTIONS", "HARDWARE");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "Minstr", "%8.2f", NULL, "delta(instr) / 1e6");
	screen_add_column(s, "total", "%8.2f", NULL, "instr");
	return s;
}

static void set_filter(struct frame_rig *r, const char *text)
{
	const struct filter_list none = FILTER_LIST_INIT;
	struct err err = ERR_INIT;

	row_filter_free(r->view.row_filter);
	tap_ok(!row_filter_make(&r->view.row_filter, text, r->screen, &none, &err), "%s: %s", text,
	       err.text);
}

static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
	r->view.sort = SORT_PID;
	r->view.reverse = true;
}

static void done(struct frame_rig *r)
{
	row_filter_free(r->view.row_filter);
	frame_rig_done(r);
}

#define ADD(rig, ...) frame_rig_add(rig, &(struct rig_task){__VA_ARGS__})

static void add_tasks(struct frame_rig *r)
{
	ADD(r, .id = 10, .name = "make", .user = "db", .cpu_ns = 500000000, .count = {2000, 1000},
	    .counting = COUNT_OK);
	ADD(r, .id = 20, .name = "cc1", .user = "db", .cpu_ns = 300000000, .count = {500, 1000},
	    .counting = COUNT_OK, .parent = 10);
	ADD(r, .id = 30, .name = "ld", .user = "joe", .cpu_ns = 100000000,
	    .counting = COUNT_DENIED);
	ADD(r, .id = 40, .name = "sh", .user = "joe"); /* idle and not counted */
}

/* Compares the ids of the rows, then the numbers of tasks, of hidden and of unknown rows: "10 20 :
 * 4 1 1". */
static void check(struct frame_rig *r, const char *filter, const char *want)
{
	struct strbuf got;

	set_filter(r, filter);
	frame_rig_build(r);
	strbuf_init(&got);
	for (size_t i = 0; i < r->frame.n; i++)
		strbuf_addf(&got, "%d ", (int)r->frame.row[i].task->id);
	strbuf_addf(&got, ": %zu %zu %zu", r->frame.n_tasks, r->frame.n_hidden, r->frame.n_unknown);
	tap_str(got.text, want, "%s%s", filter, r->view.idle ? ", idle ones too" : "");
	strbuf_done(&got);
}

static void test_who(void)
{
	struct frame_rig r;

	begin(&r);
	add_tasks(&r);
	check(&r, "", "10 20 30 : 4 0 0");
	check(&r, "cpu > 20", "10 20 : 4 1 0");
	check(&r, "ipc < 1", "20 : 4 1 1");
	check(&r, "ipc < 1 || user == 'joe'", "20 30 : 4 1 0");
	/* a condition on the task alone is tested for idle tasks, too; hidden ones are not in
	 * n_tasks */
	check(&r, "user == 'db'", "10 20 : 2 2 0");
	check(&r, "c", "20 : 1 3 0");
	check(&r, "/^(ld|sh)$/", "30 : 2 2 0");
	check(&r, "under(10)", "10 20 : 2 2 0");
	check(&r, "nice == 0", ": 4 0 3");
	r.view.idle = true;
	check(&r, "cpu < 20", "30 40 : 4 2 0");
	check(&r, "user == 'joe'", "30 40 : 2 2 0");
	r.view.filter.uid = 77;
	check(&r, "cpu < 20", ": 0 0 0"); /* -u applies first */
	done(&r);
}

/* The parents of rows that pass are shown as ancestors. Sums include only rows that pass. */
static void test_tree_and_total(void)
{
	struct frame_rig r;

	begin(&r);
	add_tasks(&r);
	r.view.tree = r.view.total = true;
	check(&r, "ipc < 1", "10 20 : 4 1 1");
	tap_ok(r.frame.row[0].ancestor && !r.frame.row[1].ancestor, "the parent is only above");
	tap_num(frame_value(&r.frame, r.frame.total, 1).number, 0.5, "the sum is of what passes");
	r.view.tree = false;
	check(&r, "ipc > 0", "10 20 : 4 0 1");
	tap_num(frame_value(&r.frame, r.frame.total, 1).number, 1.25,
		"2500 instructions in 2000 cycles");
	done(&r);
}

static void test_groups(void)
{
	struct frame_rig r;
	struct delta groups;
	struct retired_groups retired;

	begin(&r);
	add_tasks(&r);
	set_filter(&r, "ipc < 1");
	frame_rig_build(&r);
	delta_init(&groups);
	retired_groups_init(&retired);
	r.view.group = GROUP_USER;
	row_filter_begin(r.view.row_filter, &r.binding, &r.sample[1], false);
	fold_groups(&groups, &r.processes,
		    &(struct grouping){.key = GROUP_USER,
				       .filter = &r.view.filter,
				       .test = row_filter_test(r.view.row_filter)},
		    &retired);
	frame_build(&r.frame, &r.binding, &r.view, &groups, NULL, 1);
	/* members are tested, not the group: its IPC with both members would be 1.25 */
	tap_ok(r.frame.n == 1 && !strcmp(r.frame.row[0].task->name, "db"),
	       "the group of who passes");
	tap_num(frame_value(&r.frame, &r.frame.row[0], 1).number, 0.5,
		"members are asked, before they are put together");
	tap_int((long)r.frame.n_hidden, 1, "one is hidden");
	tap_int((long)r.frame.n_unknown, 2, "of two it is unknown, an idle one among them");
	delta_done(&groups);
	retired_groups_done(&retired);
	done(&r);
}

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 32) % n);
}

/* The number of columns, whose cells without a filter are remembered. */
#define N_CELLS 4

struct seen {
	uint64_t id;
	struct value cell[N_CELLS];
};

static const struct seen *find_seen(const struct seen *seen, size_t n, uint64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (seen[i].id == id)
			return &seen[i];
	return NULL;
}

static bool same_cells(const struct frame *f, const struct frame_row *row, const struct value *a)
{
	for (size_t i = 0; i < N_CELLS; i++) {
		const struct value v = frame_value(f, row, i);

		if (a[i].quality != v.quality || a[i].share != v.share ||
		    (value_known(v) && a[i].number != v.number))
			return false;
	}
	return true;
}

static size_t remember(const struct frame *f, struct seen *seen)
{
	for (size_t i = 0; i < f->n; i++) {
		seen[i].id = f->row[i].task->id;
		for (size_t k = 0; k < N_CELLS; k++)
			seen[i].cell[k] = frame_value(f, &f->row[i], k);
	}
	return f->n;
}

/* A row that passes has the same numbers as without the filter, and no row is lost. */
static void test_numbers_stay(void)
{
	static const char *const filter[] = {
		"ipc < 1",     "cpu > 10 && ipc > 0.5",       "minstr > 0.0005 || user == 'u1'",
		"under(3)",    "!under(3) && cpu > 1",        "t",
		"/[0-4]$/",    "delta(instr) > delta(cycle)", "pid < 20",
		"total > 700",
	};
	static const char *const user[] = {"u0", "u1", "u2"};
	static const char *const name[] = {"t0", "t1", "t2", "t3", "t4", "t5", "x6"};
	struct seen seen[40];
	int wrong = 0, stayed = 0;

	for (int round = 0; round < 60; round++) {
		struct frame_rig r;
		size_t n;

		begin(&r);
		for (int id = 1; id <= 40; id++)
			ADD(&r, .id = id, .parent = (int)random_below((unsigned)id),
			    .name = name[random_below(7)], .user = user[random_below(3)],
			    .cpu_ns = random_below(3) * 100000000u,
			    .count = {random_below(1000), random_below(2000)},
			    .share_pct = random_below(2) ? 100 : 50,
			    .counting = random_below(4) ? COUNT_OK : COUNT_DENIED);
		r.view.idle = random_below(2);
		n = remember(frame_rig_build(&r), seen);
		for (size_t k = 0; k < sizeof filter / sizeof *filter; k++) {
			const struct filter_list none = FILTER_LIST_INIT;
			const struct frame *f;

			row_filter_free(r.view.row_filter);
			row_filter_make(&r.view.row_filter, filter[k], r.screen, &none, NULL);
			f = frame_rig_build(&r);
			stayed += (int)f->n;
			for (size_t i = 0; i < f->n; i++) {
				const struct seen *was = find_seen(seen, n, f->row[i].task->id);

				wrong += !was || !same_cells(f, &f->row[i], was->cell);
			}
			if (!row_filter_is_of_task(r.view.row_filter))
				wrong += f->n + f->n_hidden + f->n_unknown != n;
		}
		done(&r);
	}
	tap_int(wrong, 0, "no number of a row that stays is another one");
	tap_ok(stayed > 3000 && stayed < 15000, "some rows stay (%d)", stayed);
}

int main(void)
{
	test_who();
	test_tree_and_total();
	test_groups();
	test_numbers_stay();
	return tap_done();
}
