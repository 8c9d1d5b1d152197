/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The looks of rows and numbers: by quality, and by the thresholds of their columns.
 */
#include "base/mem.h"
#include "frame_rig.h"
#include "model/fact_list.h"
#include "tap.h"
#include "tui/paint_parts.h"

struct fixture {
	struct frame_rig rig;
	struct layout layout;
	struct canvas canvas;
	struct strbuf text;
};

static void begin(struct fixture *f)
{
	struct screen *s = screen_new("mine", "");
	struct column *ipc;

	*f = (struct fixture){.canvas = CANVAS_INIT};
	strbuf_init(&f->text);
	screen_add_counter(s, "cycle", "CPU_CYCLES", NULL);
	screen_add_counter(s, "instr", "INSTRUCTIONS", NULL);
	screen_add_column(s, " CYCLE", "%6.0f", NULL, "delta(cycle)");
	ipc = screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	ipc->warn.text = xstrdup("< 0.5");
	ipc->crit.text = xstrdup("lt 0.25");
	frame_rig_init(&f->rig, s);
}

static void end(struct fixture *f)
{
	frame_rig_done(&f->rig);
	canvas_done(&f->canvas);
	strbuf_done(&f->text);
}

static void add(struct fixture *f, int id, uint64_t cycles, uint64_t instructions, int share_pct)
{
	frame_rig_add(&f->rig, &(struct rig_task){.id = id,
						  .name = "x",
						  .counting = COUNT_OK,
						  .cpu_ns = 500000000,
						  .count = {cycles, instructions},
						  .share_pct = share_pct});
}

/* Returns the letters of the looks of all rows, valid until the next call. */
static const char *looks(struct fixture *f)
{
	const struct frame *frame = frame_rig_build(&f->rig);
	const struct scroll rows = {.n = frame->n, .page = frame->n};

	canvas_resize(&f->canvas, 40, (int)frame->n);
	layout_fit(&f->layout, frame, 0, frame->n, 40);
	rows_paint(&f->canvas, 0, frame, &f->layout, &rows, NULL);
	strbuf_reset(&f->text);
	canvas_dump(&f->canvas, true, &f->text);
	return strstr(f->text.text, "--\n") + 3;
}

static void test_thresholds(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.sort = 2;
	add(&f, 1, 1000, 600, 0);
	add(&f, 2, 1000, 500, 0);
	add(&f, 3, 1000, 499, 0);
	add(&f, 4, 1000, 249, 0);
	add(&f, 5, 1000, 400, 50);
	add(&f, 6, 0, 400, 0);
	tap_str(looks(&f),
		"    n    nnnn  nnnn  N\n"
		"    n    nnnn  nnnn  N\n"
		"    n    nnnn  uuuu  N\n"
		"    n    nnnn  xxxx  N\n"
		"    n    rrrrr uuuuu N\n"
		"    n       n     f  N\n",
		"numbers beyond the thresholds are seen, those that are unknown are not beyond");
	f.rig.view.sort = 1;
	tap_str(looks(&f),
		"    n    nnnn  NNNN  n\n"
		"    n    nnnn  NNNN  n\n"
		"    n    nnnn  UUUU  n\n"
		"    n    rrrrr UUUUU n\n"
		"    n    nnnn  XXXX  n\n"
		"    n       n     F  n\n",
		"also in the sorting column");
	end(&f);
}

/* Long numbers keep their columns, with a blank between them. */
static void test_long_numbers(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.sort = 2;
	add(&f, 1, 1000, 999000, 0);
	add(&f, 2, 123456, 123456000, 0);
	add(&f, 3, 123456, 12345600, 50);
	add(&f, 4, 123456, 1234567890, 0);
	add(&f, 5, 12345678, 1234567, 0);
	looks(&f);
	*strstr(f.text.text, "--\n") = '\0';
	tap_str(f.text.text,
		"    1    1000 999.00  x\n"
		"    2  123456 1000.0  x\n"
		"    3  246912~ 100.0~ x\n"
		"    4  123456  10000  x\n"
		"    5  12.35M   0.10  x\n",
		"long numbers are shortened, but none loses a digit to the mark before it");
	end(&f);
}

/* The row of totals has no thresholds, which are for single tasks. */
static void test_total(void)
{
	struct fixture f;

	begin(&f);
	add(&f, 1, 1000, 100, 0);
	f.rig.view.total = true;
	looks(&f);
	canvas_resize(&f.canvas, 40, 1);
	tap_ok(f.rig.frame.total != NULL, "there is a row of totals");
	rows_paint_total(&f.canvas, 0, &f.rig.frame, &f.layout);
	strbuf_reset(&f.text);
	canvas_dump(&f.canvas, true, &f.text);
	tap_ok(!strpbrk(strstr(f.text.text, "--\n"), "xXuU"), "its sums have no thresholds");
	end(&f);
}

/* The row of an ended task has one mark, and no alarm or mark on its numbers. */
static void test_ended(void)
{
	struct screen *s = screen_new("mine", "");
	struct column *nice = screen_add_column(s, " NI", "%3.0f", NULL, "NICE");
	struct fixture f = {.canvas = CANVAS_INIT};

	nice->crit.text = xstrdup("> 1");
	strbuf_init(&f.text);
	frame_rig_init(&f.rig, s);
	for (int id = 1; id <= 2; id++) {
		frame_rig_add(&f.rig,
			      &(struct rig_task){
				      .id = id, .name = "x", .cpu_ns = 500000000, .dead = id == 1});
		frame_rig_set_fact(f.rig.sample[1].task[id - 1], FACT_NICE, 5);
		f.rig.sample[1].task[id - 1]->facts_read = 99;
	}
	f.rig.view.sort = 1;
	tap_str(looks(&f),
		"dddddd   d  D\n"
		"    n    xx N\n",
		"an alarm is for one that runs");
	strbuf_reset(&f.text);
	canvas_dump(&f.canvas, false, &f.text);
	tap_ok(strstr(f.text.text, "1x   5  x") && strstr(f.text.text, "2    5' x"),
	       "what is not new has a mark where the row has none");
	end(&f);
}

/* Digits: the fifth, from the smallest to the largest number of the column, in which a number
 * is. */
static void test_heat(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.sort = 2;
	add(&f, 1, 100, 100, 0);
	add(&f, 2, 479, 479, 0);
	add(&f, 3, 480, 480, 0);
	add(&f, 4, 1619, 1000, 0);
	add(&f, 5, 1000, 500, 50);
	add(&f, 6, 1100, 110, 0);
	f.rig.view.heat = true;
	tap_str(looks(&f),
		"    n     111  5555  N\n"
		"    n     111  5555  N\n"
		"    n     222  5555  N\n"
		"    n    4444  3333  N\n"
		"    n    55555 33333 N\n"
		"    n    3333  xxxx  N\n",
		"each number by its place in its column; one that is scaled keeps its mark, a "
		"threshold "
		"goes before");
	f.rig.view.values = VALUES_RATE;
	tap_ok(!!strchr(looks(&f), '5'), "also a count in a second");
	f.rig.view.heat = false;
	tap_ok(!strpbrk(looks(&f), "12345"), "without the option, none has heat");
	end(&f);
}

/* Values that cannot be compared have no heat. */
static void test_no_heat(void)
{
	struct fixture f;

	begin(&f);
	f.rig.view.heat = true;
	f.rig.view.sort = 2;
	add(&f, 1, 1000, 600, 0);
	add(&f, 2, 1000, 800, 0);
	add(&f, 3, 0, 0, 0);
	tap_str(looks(&f),
		"    n    5555  1111  N\n"
		"    n    5555  5555  N\n"
		"    n       1     f  N\n",
		"what is not known has none");
	end(&f);
	begin(&f);
	f.rig.view.heat = true;
	add(&f, 1, 1000, 600, 0);
	add(&f, 2, 1000, 800, 0);
	f.rig.view.sort = 2;
	tap_str(looks(&f),
		"    n    nnnn  1111  N\n"
		"    n    nnnn  5555  N\n",
		"nor have numbers that are all the same");
	end(&f);
}

int main(void)
{
	test_thresholds();
	test_long_numbers();
	test_total();
	test_ended();
	test_heat();
	test_no_heat();
	return tap_done();
}
