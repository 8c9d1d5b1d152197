/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress line, with a scripted clock and a fake terminal: when it is shown, its text, and
 * its removal.
 */
#include "base/progress.h"

#include <locale.h>

#include "tap.h"

#define MS 1000000ull

/* --- the clock and the terminal --- */

static uint64_t now;
static int columns;
static char line[200]; /* the line shown, or the last one that stays */
static int n_shown, n_added, n_removed;

static uint64_t read_clock(void)
{
	return now;
}

static int get_width(void)
{
	return columns;
}

static void show(const char *text)
{
	snprintf(line, sizeof line, "%s", text ? text : "");
	n_shown += text != NULL;
	n_removed += text == NULL;
}

static void add(const char *text)
{
	snprintf(line, sizeof line, "%s", text);
	n_added++;
}

static const struct progress_terminal own =
					      {
						      .now_ns = read_clock,
						      .width = get_width,
						      .show = show,
						      .add = add,
},
				      used_by_others = {
					      .shared = true,
					      .now_ns = read_clock,
					      .width = get_width,
					      .show = show,
					      .add = add,
};

static void begin(struct progress *p, const struct progress_terminal *terminal,
		  const struct progress_task *task)
{
	now = 5000 * MS;
	columns = 100;
	line[0] = '\0';
	n_shown = n_added = n_removed = 0;
	progress_begin(p, terminal, task);
}

/* --- the tests --- */

static void check_share(void)
{
	static const struct progress_task task = {.what = "reading r\033.db",
						  .track = {{NULL, 1000}}};
	struct progress p;

	begin(&p, &own, &task);
	tap_ok(progress_due_ns(&p) == now + 1000 * MS, "it is due with the first second");
	now += 999 * MS;
	progress_set(&p, 0, 200);
	tap_int(n_shown, 0, "nothing is shown in the first second");
	now += MS;
	progress_set(&p, 0, 250);
	tap_str(line, "tiptop: reading r?.db 25 % [#####...............] about 3 s left",
		"then what, how much and how long");
	now += 199 * MS;
	progress_set(&p, 0, 300);
	tap_int(n_shown, 1, "not more often than five times a second");
	now += MS;
	progress_update(&p);
	tap_int(n_shown, 2, "five times a second");
	columns = 51;
	now += 600 * MS;
	progress_set(&p, 0, 500);
	tap_str(line, "tiptop: reading r?.db 50 %, about 2 s left",
		"without the bar where that is too wide");
	columns = 20;
	now += 200 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: reading r?.", "cut, and the last column is free");
	progress_hide(&p);
	tap_str(line, "", "removed before something else is written");
	progress_hide(&p);
	tap_int(n_removed, 1, "once");
	now += 200 * MS;
	columns = 0;
	progress_set(&p, 0, 1100);
	tap_str(line, "", "nothing where nothing may be written");
	columns = 100;
	now += 200 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: reading r?.db 100 % [####################] about 1 s left",
		"never more than all, and never 0 s");
	progress_end(&p);
	tap_str(line, "", "nothing remains at the end");
	now += 2000 * MS;
	progress_update(&p);
	tap_str(line, "", "or after it");
}

static void check_background(void)
{
	static const struct progress_task task = {.what = "compiling"};
	struct progress p;

	begin(&p, &own, &task);
	now += 61500 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: compiling, 1 min 1 s so far",
		"of an unknown total, the time so far");
	columns = 0;
	now += 1000 * MS;
	progress_update(&p);
	progress_end(&p);
	tap_int(n_removed, 1,
		"a terminal that took nothing for a moment still has the line removed");
}

static void run_units(struct progress *p, int n, int first, int ms_a, int ms_b)
{
	for (int i = 0; i < n; i++) {
		const int track = (i + first) % 2;

		progress_begin_unit(p, track);
		now += (uint64_t)(track ? ms_b : ms_a) * MS;
		progress_end_unit(p);
	}
}

static void check_race(void)
{
	static const struct progress_task task = {
		.what = "run", .numbered = true, .track = {{"A", 10}, {"B", 10}}};
	struct progress p;

	begin(&p, &own, &task);
	progress_begin_unit(&p, 0);
	now += 1500 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: run 1 of 20 [....................] 1 s so far",
		"unknown while the first one runs");
	now += 500 * MS;
	progress_end_unit(&p);
	progress_begin_unit(&p, 1);
	tap_str(line, "tiptop: run 2 of 20 [#...................] 2 s so far",
		"unknown until one of each side is complete");
	now += 500 * MS;
	progress_end_unit(&p);
	run_units(&p, 4, 0, 2000, 500);
	progress_begin_unit(&p, 0);
	tap_str(line, "tiptop: run 7 of 20 [######..............] A 2.00 s, about 18 s left",
		"each side by its own mean");
	now += 1000 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: run 7 of 20 [######..............] A 2.00 s, about 17 s left",
		"the time that this one has taken is gone");
	now += 9000 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: run 7 of 20 [##########..........] A 2.00 s, about 16 s left",
		"one that takes longer may end at any time");
	tap_ok(progress_due_ns(&p) == now + 1000 * MS, "it is due to be shown again");
	progress_end_unit(&p);
	run_units(&p, 13, 1, 2000, 500);
	now += 1000 * MS;
	progress_update(&p);
	tap_str(line, "tiptop: run 20 of 20 [####################] about 1 s left",
		"the last one is done");
	progress_end(&p);
}

static void check_unequal(void)
{
	static const struct progress_task task = {.what = "names",
						  .track = {{NULL, 90}, {NULL, 10}}};
	struct progress p;

	begin(&p, &own, &task);
	now += 1000 * MS;
	progress_set(&p, 0, 90);
	tap_str(line, "tiptop: names 90 % [##################..] 1 s so far",
		"unknown while the slow ones have not begun");
	now += 1000 * MS;
	progress_set(&p, 1, 1);
	tap_str(line, "tiptop: names 18 % [###.................] about 9 s left",
		"the share is one of the time, as soon as that is known");
	progress_end(&p);
}

static void check_shared(void)
{
	static const struct progress_task task = {
		.what = "run", .numbered = true, .track = {{NULL, 400}}};
	struct progress p;

	begin(&p, &used_by_others, &task);
	progress_begin_unit(&p, 0);
	now += 2000 * MS;
	progress_update(&p);
	tap_int(n_added + n_shown, 0, "nothing is written while the command writes");
	tap_ok(!progress_due_ns(&p), "so there is nothing to wait for");
	progress_end_unit(&p);
	progress_begin_unit(&p, 0);
	tap_str(line, "tiptop: run 2 of 400 [....................] 2.00 s, about 13 min 18 s left",
		"a line before the next run");
	now += 999 * MS;
	progress_end_unit(&p);
	progress_begin_unit(&p, 0);
	tap_int(n_added, 1, "not within a second");
	now += MS;
	progress_end_unit(&p);
	progress_begin_unit(&p, 0);
	tap_int(n_added, 2, "after one");
	now += 97000 * MS;
	progress_end_unit(&p);
	progress_begin_unit(&p, 0);
	now += 9999 * MS;
	progress_end_unit(&p);
	progress_begin_unit(&p, 0);
	tap_int(n_added, 3, "later, not within a tenth of the time");
	progress_end(&p);
	tap_int(n_shown + n_removed, 0, "no line is replaced or removed");
}

static void check_durations(void)
{
	static const struct progress_task task = {.what = "x", .track = {{NULL, 100}}};
	struct progress p;
	struct strbuf text;

	strbuf_init(&text);
	begin(&p, &own, &task);
	now += 7384100 * MS;
	progress_set(&p, 0, 50);
	progress_add_line(&text, &p, now, 200);
	tap_str(text.text, "tiptop: x 50 % [##########..........] about 2 h 3 min left", "hours");
	strbuf_done(&text);
	progress_end(&p);
}

/* Wide characters have two columns each: the line is cut by columns, not inside a character. */
static void check_wide(void)
{
	static const struct progress_task task = {.what = "\u65e5\u672c\u8a9e",
						  .track = {{NULL, 100}}};
	struct progress p;
	struct strbuf text;

	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	strbuf_init(&text);
	begin(&p, &own, &task);
	progress_add_line(&text, &p, now, 11);
	tap_str(text.text, "tiptop: \u65e5", "half of the second one would be outside");
	strbuf_reset(&text);
	progress_add_line(&text, &p, now, 12);
	tap_str(text.text, "tiptop: \u65e5\u672c", "the second one fits");
	strbuf_done(&text);
	progress_end(&p);
	setlocale(LC_CTYPE, "C");
}

static void check_none(void)
{
	static const struct progress_task task = {.what = "x", .track = {{NULL, 100}}};
	struct progress p;

	begin(&p, NULL, &task);
	now += 2000 * MS;
	progress_begin_unit(&p, 0);
	progress_end_unit(&p);
	progress_set(&p, 0, 50);
	progress_set(NULL, 0, 50);
	progress_update(&p);
	progress_end(&p);
	tap_ok(!progress_due_ns(&p), "without a terminal, nothing is to be shown");
	tap_int(n_shown + n_added + n_removed, 0, "nor is it");
}

int main(void)
{
	check_share();
	check_background();
	check_race();
	check_unequal();
	check_shared();
	check_durations();
	check_wide();
	check_none();
	return tap_done();
}
