/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of the interval, per second, in total and since a mark; and the numbers that are the same
 * in all of them.
 */
#include "frame_rig.h"
#include "model/fact_list.h"
#include "screen/compile.h"
#include "tap.h"
#include "view/format.h"

enum { COUNT, IPC, RATE, CPU, FAULTS, MIXED, STATE, SCALED };

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("test", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, "COUNT", "%5.0f", NULL, "delta(instr)");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "RATE", "%4.0f", NULL, "rate(instr)");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "NS", "%5.0f", NULL, "delta(CPU_NS)");
	screen_add_column(s, "GHZ", "%5.3f", NULL, "delta(cycle) / delta(CPU_NS)");
	screen_add_column(s, "N", "%5.0f", NULL, "NUM_THREADS");
	screen_add_column(s, "K", "%5.3f", NULL, "delta(cycle) / 1000");
	return s;
}

static void check(const struct frame *f, size_t row, int column, enum quality quality,
		  double number, const char *what)
{
	struct value v = frame_value(f, &f->row[row], column);

	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: quality", what);
	tap_num(v.number, quality < QUALITY_FIRST_NONE ? number : (double)NAN, "%s", what);
}

/* Builds a frame. The samples are half a second apart; at the first, each event had counted 100. */
static const struct frame *show(struct frame_rig *r, enum values values)
{
	r->view.values = values;
	return frame_rig_build(r);
}

static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
	r->sample[1].mono_ns = r->sample[0].mono_ns + 500000000;
	frame_rig_add(r, &(struct rig_task){.id = 10,
					    .counting = COUNT_OK,
					    .count = {300, 200},
					    .cpu_ns = 250000000,
					    .num_threads = 3});
}

static void test_kinds(void)
{
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	f = show(&r, VALUES_INTERVAL);
	check(f, 0, COUNT, QUALITY_EXACT, 300, "a count of the interval");
	check(f, 0, IPC, QUALITY_EXACT, 1.5, "a ratio");
	check(f, 0, RATE, QUALITY_EXACT, 600, "a rate");
	f = show(&r, VALUES_RATE);
	check(f, 0, COUNT, QUALITY_EXACT, 600, "the count, per second");
	check(f, 0, SCALED, QUALITY_EXACT, 0.4, "one that is divided by a number, too");
	check(f, 0, FAULTS, QUALITY_EXACT, 500000000, "and one of /proc");
	check(f, 0, IPC, QUALITY_EXACT, 1.5, "the ratio stays");
	check(f, 0, RATE, QUALITY_EXACT, 600, "so does the rate");
	f = show(&r, VALUES_TOTAL);
	check(f, 0, COUNT, QUALITY_EXACT, 400, "the count in total");
	check(f, 0, IPC, QUALITY_EXACT, 400.0 / 300, "the ratio of totals, not of ratios");
	check(f, 0, SCALED, QUALITY_EXACT, 0.3, "divided by a number");
	check(f, 0, FAULTS, QUALITY_EXACT, 250005000, "what /proc counts, since the task began");
	check(f, 0, MIXED, QUALITY_EXACT, 200.0 / 250000000, "what has both is of the interval");
	check(f, 0, RATE, QUALITY_EXACT, 600, "a rate has no total");
	check(f, 0, CPU, QUALITY_EXACT, 50, "nor has the use of a CPU");
	check(f, 0, STATE, QUALITY_EXACT, 3, "a state is what it is");
	f = show(&r, VALUES_SINCE_MARK);
	check(f, 0, COUNT, QUALITY_EXACT, 300, "the count since the mark");
	check(f, 0, IPC, QUALITY_EXACT, 1.5 - 1, "how the ratio has changed");
	check(f, 0, SCALED, QUALITY_EXACT, 0.2, "divided by a number");
	check(f, 0, FAULTS, QUALITY_EXACT, 250000000, "what /proc counts");
	check(f, 0, MIXED, QUALITY_EXACT, 200.0 / 250000000, "what has both is of the interval");
	check(f, 0, RATE, QUALITY_EXACT, 600, "a rate stays");
	check(f, 0, CPU, QUALITY_EXACT, 50, "so does the use of a CPU");
	check(f, 0, STATE, QUALITY_EXACT, 3, "and a state");
	frame_rig_done(&r);
}

/* An unknown count is unknown in each kind of values. */
static void test_quality(void)
{
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 20, .counting = COUNT_DENIED, .cpu_ns = 1000});
	r.view.total = true;
	for (int k = 0; k < N_VALUES; k++) {
		f = show(&r, (enum values)k);
		check(f, 1, COUNT, QUALITY_DENIED, 0, "a count that is not allowed");
		check(f, 1, IPC, QUALITY_DENIED, 0, "a ratio of it");
		tap_str(quality_table[frame_value(f, f->total, COUNT).quality].name, "partial",
			"makes the sum partial");
		tap_num(frame_value(f, f->total, COUNT).number,
			frame_value(f, &f->row[0], COUNT).number, "which is of the same values");
	}
	frame_rig_done(&r);
}

/* A task that began after the mark has counts since then, but no earlier ratio for comparison. The
 * row of totals has the change of the ratio of sums. */
static void test_young(void)
{
	const struct frame *f;
	struct strbuf text;
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 20,
					     .counting = COUNT_OK,
					     .count = {50, 150},
					     .cpu_ns = 1000,
					     .fresh = true});
	r.view.total = true;
	r.sample[1].task[1]->start_ns = r.sample[0].boot_ns + 1;
	f = show(&r, VALUES_SINCE_MARK);
	check(f, 1, COUNT, QUALITY_EXACT, 150, "the counts of a young one");
	check(f, 1, FAULTS, QUALITY_EXACT, 6000, "what /proc has about it");
	check(f, 1, IPC, QUALITY_DIVZERO, 0, "its ratio has none to be compared with");
	tap_num(frame_value(f, f->total, COUNT).number, 450, "the sum over all");
	tap_num(frame_value(f, f->total, IPC).number, 450.0 / 450 - 1, "the change of its ratio");
	tap_ok(f->mark_wall_ns == r.sample[0].wall_ns, "the frame knows since when");
	strbuf_init(&text);
	format_row_cell(&text, f, &f->row[0], IPC);
	tap_str(text.text, "+0.50", "a change has a sign");
	strbuf_reset(&text);
	format_row_cell(&text, f, f->total, IPC);
	tap_str(text.text, "+0.00", "none, too");
	strbuf_reset(&text);
	format_row_cell(&text, f, &f->row[0], COUNT);
	tap_str(text.text, "  300", "a count has none");
	strbuf_done(&text);
	frame_rig_done(&r);
}

/* The kind of a column follows from its expression. */
static void test_columns(void)
{
	static const struct {
		const char *text;
		enum column_kind kind;
		bool has_total;
	} row[] = {
		{"delta(a) / 1e6", COLUMN_COUNT, true},
		{"delta(a) + delta(b)", COLUMN_COUNT, true},
		{"max(delta(a) - delta(b), 0)", COLUMN_COUNT, true},
		{"-delta(a)", COLUMN_COUNT, true},
		{"if(delta(a) gt 0, delta(a), delta(b))", COLUMN_COUNT, true},
		{"delta(a) * delta(b) / delta(a)", COLUMN_COUNT, true},
		{"delta(MINFLT)", COLUMN_COUNT, true},
		{"delta(a) + delta(MINFLT)", COLUMN_COUNT, false},
		{"100 * delta(a) / delta(b)", COLUMN_RATIO, true},
		{"1 - delta(a) / delta(b) + 0 * delta(a)", COLUMN_RATIO, true},
		{"rate(a) / rate(b)", COLUMN_RATIO, true},
		{"delta(a) / delta(CPU_NS)", COLUMN_RATIO, false},
		{"rate(a) / 1e6", COLUMN_RATE, false},
		{"CPU_TOT", COLUMN_RATE, false},
		{"CPU_SYS / CPU_TOT", COLUMN_OTHER, false},
		{"delta(a) + 1", COLUMN_OTHER, false},
		{"delta(a) * delta(b)", COLUMN_OTHER, false},
		{"delta(a) / rate(a)", COLUMN_OTHER, false},
		{"if(delta(a) gt 100, delta(a), 0)", COLUMN_OTHER, false},
		{"a / b", COLUMN_STATE, false},
		{"RSS_KB", COLUMN_STATE, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct screen *s = screen_new("x", "");

		screen_add_counter(s, "a", "0", NULL);
		screen_add_counter(s, "b", "1", NULL);
		screen_add_column(s, "X", "%f", NULL, row[i].text);
		screen_add_column(s, "Y", "%f", NULL, "a + b");
		screen_compile(s, frame_rig_report, (void *)"screen", NULL);
		tap_int(s->column[0].kind, row[i].kind, "%s", row[i].text);
		tap_int(s->column[0].has_total, row[i].has_total, "%s: whether it has a total",
			row[i].text);
		screen_free(s);
	}
}

static void set_children(struct frame_rig *r, int i, uint64_t before, uint64_t now)
{
	task_set_fact(r->sample[0].task[i], FACT_CHILD_NS, before);
	task_set_fact(r->sample[1].task[i], FACT_CHILD_NS, now);
}

/* With option with_ended, %CPU includes children that ended in the interval: in the row of their
 * parent, if known, but not in the total. */
static void test_with_ended(void)
{
	const struct rig_task idle = {.id = 20, .counting = COUNT_OK, .count = {0, 0}};
	const struct rig_task thread = {
		.id = 30, .pid = 10, .counting = COUNT_OK, .count = {1, 1}, .cpu_ns = 50000000};
	const struct frame *f;
	struct frame_rig r;

	begin(&r);
	frame_rig_add(&r, &idle);
	set_children(&r, 0, 7000000000, 8000000000);
	set_children(&r, 1, 0, 100000000);
	r.view.total = true;
	f = show(&r, VALUES_INTERVAL);
	tap_int((long)f->n, 1, "one process ran");
	check(f, 0, CPU, QUALITY_EXACT, 50, "its own time");
	r.view.with_ended = true;
	f = show(&r, VALUES_INTERVAL);
	check(f, 0, CPU, QUALITY_EXACT, 50 + 200, "with that of children in the interval");
	tap_int((long)f->n, 2, "one that only had children is not idle");
	check(f, 1, CPU, QUALITY_EXACT, 20, "as they ran");
	tap_num(frame_value(f, f->total, CPU).number, 50,
		"the sum has what ran, which had rows of its own");
	fact_remove(&r.sample[1].task[0]->known, FACT_CHILD_NS);
	f = show(&r, VALUES_INTERVAL);
	check(f, 0, CPU, QUALITY_PARTIAL, 50,
	      "without the time of its children, its own is a part");
	frame_rig_done(&r);
	begin(&r);
	frame_rig_add(&r, &thread);
	set_children(&r, 0, 0, 100000000);
	fact_remove(&r.sample[1].task[1]->known, FACT_CHILD_NS);
	r.view.threads = r.sample[0].threads = r.sample[1].threads = true;
	r.view.with_ended = true;
	f = show(&r, VALUES_INTERVAL);
	check(f, 0, CPU, QUALITY_EXACT, 70, "the first thread stands for its process");
	check(f, 1, CPU, QUALITY_EXACT, 10, "the other one for itself");
	frame_rig_done(&r);
}

int main(void)
{
	test_with_ended();
	test_kinds();
	test_quality();
	test_young();
	test_columns();
	return tap_done();
}
