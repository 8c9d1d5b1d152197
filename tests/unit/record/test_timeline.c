/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded time of a file whose wall clock was set, and of several runs with different clocks.
 */
#include "record_rig.h"

#define S_NS    1000000000
#define START_S 1700000000

static struct record_writer *writer;
static uint32_t number;

static void begin_run(void)
{
	struct err err = ERR_INIT;

	record_writer_close(writer, NULL);
	tap_int(record_writer_new(&writer, path, &about, &err), 0, "a writer %s", err.text);
	number = 0;
}

/* Adds n samples, one per second on both clocks. */
static void add(int64_t mono_s, int64_t wall_s, int n)
{
	for (int i = 0; i < n; i++) {
		struct sample *s = sample_new();

		s->number = ++number;
		s->generation = 1;
		s->mono_ns = s->boot_ns = (uint64_t)((mono_s + i) * S_NS);
		s->wall_ns = (uint64_t)((wall_s + i) * S_NS);
		record_writer_sample(writer, s, NULL);
		sample_unref(s);
	}
}

/* Reads the next sample. Returns its wall clock time in s, -1 if there is none. */
static long long next_s(struct record_reader *r)
{
	struct sample *s = sample_new();
	const long long wall_s =
		record_reader_next(r, s, NULL) ? -1 : (long long)(s->wall_ns / S_NS);

	sample_unref(s);
	return wall_s;
}

static void jump(struct record_reader *r, double at_s, long long want_s, const char *what)
{
	record_reader_seek(r, (int64_t)(at_s * S_NS), NULL);
	tap_int(next_s(r), want_s, "%s", what);
}

static double find_wall(struct record_reader *r, int64_t wall_s, double after_s)
{
	int64_t at_ns = 0;

	record_reader_find_wall(r, (uint64_t)(wall_s * S_NS), (int64_t)(after_s * S_NS), &at_ns,
				NULL);
	return (double)at_ns / S_NS;
}

/* After ten minutes, the clock is set back by half an hour, and an hour follows. */
static void test_set_back(void)
{
	const struct record_span *span;
	struct record_reader *r;
	size_t n;

	begin_run();
	add(100, START_S, 601);
	add(701, START_S - 1800, 3600);
	r = open_it();
	record_reader_spans(r, &span, &n, NULL);
	tap_int((long long)n, 2, "the clock was set once");
	tap_int(span[1].end_ns / S_NS, 4200, "recorded time goes on");
	tap_int(span[1].begin_ns / S_NS, 601, "through that");
	jump(r, 0, START_S, "the begin is the begin");
	jump(r, 600, START_S + 600, "before the clock was set");
	jump(r, 601.5, START_S - 1800, "behind it");
	jump(r, 4000, START_S - 1800 + 3399, "to the end");
	jump(r, 1e6, START_S - 1800 + 3599, "and no further");
	tap_num(find_wall(r, START_S + 90, 0), 90, "the first time that the clock shows this");
	tap_num(find_wall(r, START_S + 90, 91), 601 + 1890, "and the next one");
	tap_num(find_wall(r, START_S - 60, 0), 601 + 1740, "what it shows later only");
	tap_num(find_wall(r, START_S - 7200, 0), -1e-9,
		"what it never shows is before the first sample");
	tap_ok(find_wall(r, START_S + 7200, 0) > 1e6, "or behind all");
	record_reader_seek(r, 700ll * S_NS, NULL);
	tap_int(next_s(r), START_S - 1800 + 99, "where it stands");
	tap_int(record_reader_at(r, 800ull * S_NS) / S_NS, 700, "is known in recorded time");
	tap_int(record_reader_at(r, 740ull * S_NS) / S_NS, 640, "and a moment before it");
	record_reader_free(r);
}

/* Two more runs: one with a wall clock that begins at 0, one with a correct clock. */
static void test_runs(void)
{
	const struct record_span *span;
	struct record_reader *r;
	size_t n;

	begin_run();
	add(10, 5, 61);
	begin_run();
	add(10, START_S + 100000, 61);
	r = open_it();
	record_reader_spans(r, &span, &n, NULL);
	tap_int((long long)n, 4, "each run is a part");
	tap_int(span[3].end_ns / S_NS, 4320, "between which no time passes");
	jump(r, 4200 + 30.5, 35, "into the second run");
	jump(r, 4260 + 30.5, START_S + 100030, "into the third one");
	tap_num(find_wall(r, 25, 0), 4220.000000001, "by the time that its clock showed");
	tap_num(find_wall(r, START_S + 50000, 0), 4260.000000001,
		"between runs: before the next one");
	record_reader_seek(r, 4200ll * S_NS, NULL);
	tap_int(next_s(r), START_S - 1800 + 3599, "the last of a run");
	tap_int(next_s(r), 5, "and the first of the next");
	record_reader_free(r);
}

int main(void)
{
	rig_begin("timeline");
	test_set_back();
	test_runs();
	record_writer_close(writer, NULL);
	rig_end();
	return tap_done();
}
