/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cursor.h"

#include "model/kinds.h"
#include "tap.h"
#include "tui/key.h"
#include "tui/keys.h"

#define N_TASKS 200

static const struct kind kind_name = {.name = "name", .id_is_text = true};

/* Tasks, and rows of the first frame.n of them. */
struct list {
	struct task task[N_TASKS];
	struct frame_row row[N_TASKS];
	struct frame frame;
	uint32_t seed;
};

static unsigned dice(struct list *l, unsigned n)
{
	l->seed = l->seed * 1664525 + 1013904223;
	return (l->seed >> 8) % n;
}

static void make(struct list *l, size_t n)
{
	*l = (struct list){.frame = {.kind = &kind_task, .n = n}};
	l->frame.row = l->row;
	for (size_t i = 0; i < N_TASKS; i++) {
		l->task[i] = (struct task){
			.kind = &kind_task, .id = 100 + i, .start_ns = 1, .name = "x"};
		l->row[i].task = &l->task[i];
	}
}

/* Simulates a refresh: the number of rows, their order, and one task change. */
static void shuffle(struct list *l)
{
	l->frame.n = 1 + dice(l, N_TASKS);
	for (size_t i = N_TASKS - 1; i > 0; i--) {
		size_t k = dice(l, (unsigned)i + 1);
		struct frame_row row = l->row[i];

		l->row[i] = l->row[k];
		l->row[k] = row;
	}
	/* One task exits, and its id is reused. */
	l->task[dice(l, N_TASKS)].start_ns++;
}

/* Returns the index of the task's row, N_TASKS if it has none. */
static size_t place_of(const struct list *l, const struct row_id *id)
{
	for (size_t i = 0; i < l->frame.n; i++)
		if (l->row[i].task->id == id->id && l->row[i].task->start_ns == id->start_ns)
			return i;
	return N_TASKS;
}

static void test_reorderings(void)
{
	struct list l;
	struct cursor c = {.held = false};
	struct scroll rows = {.n = N_TASKS, .page = 20};
	int on_task = 0, on_place = 0, visible = 0, stayed = 0;

	make(&l, N_TASKS);
	cursor_fit(&c, &l.frame);
	cursor_key(&c, &rows, &l.frame, KEYCODE_PGDN);
	for (int i = 0; i < 1000; i++) {
		const struct cursor before = c;
		size_t now, last;

		shuffle(&l);
		now = place_of(&l, &before.row);
		last = l.frame.n - 1;
		cursor_fit(&c, &l.frame);
		scroll_fit(&rows, l.frame.n, 20);
		scroll_show(&rows, c.index);
		stayed += now < N_TASKS;
		on_task += now < N_TASKS && c.index == now && c.row.id == before.row.id;
		on_place += now == N_TASKS &&
			    c.index == (before.index < last ? before.index : last) &&
			    row_id_is(&c.row, l.row[c.index].task);
		visible += c.index >= rows.top && c.index < rows.top + 20;
	}
	tap_ok(stayed > 200 && stayed < 900, "in 1000 refreshes, tasks stay %d times", stayed);
	tap_int(on_task, stayed, "the cursor stays on its task, wherever that goes");
	tap_int(on_place, 1000 - stayed, "where the task goes, it stays on its place");
	tap_int(visible, 1000, "its row is visible");
}

static void test_place(void)
{
	struct list l;
	struct cursor c = {.by_place = true};
	struct scroll rows = {.n = N_TASKS, .page = 20};

	make(&l, N_TASKS);
	cursor_fit(&c, &l.frame);
	cursor_key(&c, &rows, &l.frame, KEYCODE_DOWN);
	for (int i = 0; i < 10; i++) {
		shuffle(&l);
		l.frame.n = 10;
		cursor_fit(&c, &l.frame);
		tap_int(c.index, 1, "by place: the second row");
		tap_ok(row_id_is(&c.row, l.row[1].task), "even if another task is there now");
	}
}

static void test_first(void)
{
	struct list l;
	struct cursor c = {.held = false};
	struct scroll rows = {.n = N_TASKS, .page = 20};
	uint64_t id;

	make(&l, N_TASKS);
	cursor_fit(&c, &l.frame);
	shuffle(&l);
	cursor_fit(&c, &l.frame);
	tap_int(c.index, 0, "at the start it is the first row");
	tap_ok(row_id_is(&c.row, l.row[0].task), "its row is that one");
	tap_ok(!cursor_key(&c, &rows, &l.frame, KEYCODE_UP) && !c.held, "UP leaves it there");
	cursor_key(&c, &rows, &l.frame, KEYCODE_DOWN);
	cursor_key(&c, &rows, &l.frame, KEYCODE_UP);
	id = c.row.id;
	l.row[5] = l.row[0];
	l.row[0] = (struct frame_row){.task = &(struct task){.kind = &kind_task, .id = 7}};
	l.frame.n = 10;
	cursor_fit(&c, &l.frame);
	tap_int(c.row.id, id, "moved there, it stays on the task");
	tap_int(c.index, 5, "where that has gone");
	cursor_key(&c, &rows, &l.frame, KEYCODE_HOME);
	shuffle(&l);
	cursor_fit(&c, &l.frame);
	tap_int(c.index, 0, "HOME: the first row again");
}

static void test_keys(void)
{
	static const struct {
		int key;
		size_t index, top;
		bool moves;
	} step[] = {
		{KEYCODE_DOWN, 1, 0, true},    {KEYCODE_PGDN, 11, 10, true},
		{KEYCODE_UP, 10, 10, true},    {KEYCODE_UP, 9, 9, true},
		{KEYCODE_PGDN, 19, 15, true},  {KEYCODE_PGDN, 24, 15, true},
		{KEYCODE_DOWN, 24, 15, false}, {KEYCODE_PGUP, 14, 5, true},
		{KEYCODE_PGUP, 4, 0, true},    {KEYCODE_PGUP, 0, 0, true},
		{KEYCODE_UP, 0, 0, false},     {KEYCODE_END, 24, 15, true},
		{KEYCODE_END, 24, 15, false},  {KEYCODE_HOME, 0, 0, true},
		{KEYCODE_HOME, 0, 0, false},
	};
	struct list l;
	struct cursor c = {.held = false};
	struct scroll rows = {.n = 25, .page = 10};

	make(&l, 25);
	cursor_fit(&c, &l.frame);
	for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
		tap_int(cursor_key(&c, &rows, &l.frame, step[i].key), step[i].moves,
			"step %zu: whether something changes", i);
		tap_int(c.index, step[i].index, "the row");
		tap_int(rows.top, step[i].top, "the first line");
	}
}

static void test_edges(void)
{
	struct list l;
	struct cursor c = {.held = false};
	struct scroll rows = {.n = 0, .page = 0};
	struct row_id id;

	make(&l, 0);
	cursor_fit(&c, &l.frame);
	tap_ok(!cursor_row(&c, &l.frame), "without rows there is no current one");
	tap_ok(!cursor_key(&c, &rows, &l.frame, KEYCODE_DOWN), "and no way to go");
	l.frame.n = 9;
	cursor_fit(&c, &l.frame);
	cursor_key(&c, &rows, &l.frame, KEYCODE_END);
	id = c.row;
	l.frame.n = 0;
	cursor_fit(&c, &l.frame);
	l.frame.n = 20;
	l.row[15] = l.row[8];
	l.row[8].task = &l.task[100];
	cursor_fit(&c, &l.frame);
	tap_ok(c.row.id == id.id && c.index == 15, "a frame without rows in between loses nothing");
	l.row[2].watched = true;
	tap_ok(cursor_subject(&c, &l.frame) == &l.row[15], "keys are about the current row");
	cursor_key(&c, &rows, &l.frame, KEYCODE_HOME);
	tap_ok(cursor_subject(&c, &l.frame) == &l.row[2],
	       "or about what is watched, until a row is chosen");
}

/* Rows of a kind whose id is a text are identified by that text. */
static void test_texts(void)
{
	static const char *const name[] = {"a", "b", "c"};
	struct list l;
	struct cursor c = {.held = false};

	make(&l, 3);
	for (size_t i = 0; i < 3; i++)
		l.task[i] = (struct task){.kind = &kind_name, .name = name[i]};
	cursor_put(&c, &l.frame, 1);
	l.task[0].name = "b";
	l.task[1].name = "a";
	cursor_fit(&c, &l.frame);
	tap_int(c.index, 0, "a group is found by its name");
	l.task[0].kind = &kind_task;
	cursor_fit(&c, &l.frame);
	tap_int(c.index, 0, "rows of another kind are others");
	tap_str(c.row.kind->name, "process", "and the one at its place is current");
}

int main(void)
{
	test_reorderings();
	test_place();
	test_first();
	test_keys();
	test_edges();
	test_texts();
	return tap_done();
}
