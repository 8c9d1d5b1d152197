/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of tasks through fork, exec and exit: they are read as written.
 */
#include <sqlite3.h>

#include "record/follow.h"
#include "record_rig.h"

#define WALL_NS 1700000000000000000ull

static char *words[] = {(char *)"sh", NULL};
static const struct record_follow_set sets[] = {{{"cycles", "a,b"}, 2}, {{"faults"}, 1}};
static struct value two[2], one[1];
static const struct record_follow_row rows[] = {
	{.time_ns = 17, .event = "init_lwp", .process = 10, .task = 10, .value = two},
	{.time_ns = 1000000001, .event = "fork", .process = 10, .task = 10, .made = 11},
	{.time_ns = 2000000000, .event = "exec", .process = 11, .image = "a '\xff' name"},
	{.time_ns = 3000000000,
	 .event = "exit",
	 .process = 10,
	 .set = 1,
	 .value = one,
	 .ended = true,
	 .how = 3 << 8},
};

#define N_ROWS (sizeof rows / sizeof *rows)

static struct record_writer *begin(void)
{
	const struct record_about of = {.kernel = "6.1.0", .version = "3.0.0", .command = words};
	struct record_writer *w;
	struct err err = ERR_INIT;

	tap_int(record_writer_new(&w, path, &of, &err), 0, "a writer %s", err.text);
	tap_int(record_writer_follow(w, sets, 2, WALL_NS, &err), 0, "of such rows %s", err.text);
	return w;
}

static void add_all(struct record_writer *w)
{
	struct err err = ERR_INIT;

	two[0] = value_count(~0ull - 1);
	two[1] = (struct value){1.5, 0.25, QUALITY_SCALED, 0};
	one[0] = value_none(QUALITY_DENIED);
	for (size_t i = 0; i < N_ROWS; i++)
		if (record_writer_add_follow(w, &rows[i], sets[rows[i].set].n, &err))
			tap_ok(false, "row %zu: %s", i, err.text);
}

static bool same_value(struct value x, struct value y)
{
	return x.quality == y.quality &&
	       (!value_known(x) ||
		(x.number == y.number && x.rest == y.rest && x.share == y.share));
}

static bool same_row(const struct record_follow_row *x, const struct record_follow_row *y)
{
	bool all = x->time_ns == y->time_ns && same(x->event, y->event) &&
		   x->process == y->process && x->task == y->task && x->made == y->made &&
		   same(x->image, y->image) && x->ended == y->ended && x->how == y->how &&
		   x->set == y->set && !x->value == !y->value;

	for (int c = 0; all && x->value && c < sets[x->set].n; c++)
		all = same_value(x->value[c], y->value[c]);
	return all;
}

/* Returns the number of rows; *as_they_were: whether all are equal to the written ones, for each
 * run. */
static size_t read_all(struct record_reader *r, bool *as_they_were)
{
	struct record_follow_row row;
	size_t n = 0;

	*as_they_were = true;
	while (record_reader_next_follow(r, &row, NULL) == 1)
		*as_they_were = same_row(&row, &rows[n++ % N_ROWS]) && *as_they_were;
	return n;
}

static void test_all(void)
{
	struct record_writer *w = begin();
	const struct record_follow_set *got;
	struct record_reader *r;
	struct sample s;
	int64_t at_ns;
	bool good;

	add_all(w);
	r = open_it();
	tap_int((long long)read_all(r, &good), N_ROWS, "all are there while it is written");
	tap_ok(good, "as they were");
	tap_ok(!record_reader_follow_is_cut(r), "more may come");
	tap_int(record_reader_follow_sets(r, &got), 2, "the sets");
	tap_ok(got[0].n == 2 && same(got[0].name[1], "a,b") && same(got[1].name[0], "faults"),
	       "and what is in them");
	sample_init(&s);
	tap_int(record_reader_peek(r, &at_ns, NULL), RECORD_END, "there is no sample");
	sample_done(&s);
	record_writer_close(w, NULL);
	tap_int((long long)read_all(r, &good), 0, "nothing came since");
	tap_ok(!record_reader_follow_is_cut(r), "it is whole");
	tap_ok(!record_reader_fault(r), "nothing is wrong");
	record_reader_free(r);
	w = begin();
	add_all(w);
	record_writer_close(w, NULL);
	r = open_it();
	tap_int((long long)read_all(r, &good), 2 * N_ROWS, "another run comes behind it");
	tap_ok(good, "with rows of its own");
	record_reader_free(r);
}

static void change(const char *sql)
{
	sqlite3 *db;

	sqlite3_open(path, &db);
	tap_int(sqlite3_exec(db, sql, NULL, NULL, NULL), 0, "%s", sql);
	sqlite3_close(db);
}

static void test_damaged(void)
{
	static const struct {
		const char *sql;
		size_t left;
		bool said;
	} tricks[] = {
		{"UPDATE run SET ended_ns = NULL", N_ROWS, false},
		{"UPDATE follow_row SET pid = -1 WHERE id = 2", N_ROWS - 1, true},
		{"UPDATE follow_row SET turn = 99 WHERE id = 1", N_ROWS - 1, true},
		{"UPDATE follow_row SET time_ns = -5 WHERE id = 2", N_ROWS - 1, true},
		{"UPDATE follow_row SET event = NULL, image = x'00', made = 9e18", 0, true},
		{"UPDATE follow_counter SET n = n + 7", N_ROWS - 2, true},
		{"DELETE FROM follow_counter", N_ROWS - 2, true},
		{"UPDATE follow_count SET count = 'x', quality = 1, n = n * 4e18", N_ROWS, false},
		{"DELETE FROM follow_row", 0, false},
	};

	for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++) {
		struct record_reader *r;
		struct record_writer *w;
		bool good;

		unlink(path);
		w = begin();
		add_all(w);
		record_writer_close(w, NULL);
		change(tricks[i].sql);
		r = open_it();
		tap_int((long long)read_all(r, &good), (long long)tricks[i].left, "rows are left");
		tap_int(record_reader_fault(r) != NULL, tricks[i].said, "what is wrong is said");
		tap_int(record_reader_follow_is_cut(r), i == 0, "it is cut, or not");
		record_reader_free(r);
	}
}

int main(void)
{
	rig_begin("follow");
	test_all();
	test_damaged();
	rig_end();
	return tap_done();
}
