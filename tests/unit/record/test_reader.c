/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader returns the written samples, in order and from any position on.
 */
#include "record_rig.h"
#include "sql_number.h"

static void write_all(void)
{
	struct record_writer *w;

	unlink(path);
	tap_int(record_writer_new(&w, path, &about, NULL), 0, "a writer");
	for (size_t i = 0; i < N_SAMPLES; i++)
		if (record_writer_sample(w, written[i], NULL))
			tap_ok(false, "sample %zu is written", i);
	record_writer_close(w, NULL);
}

static void check_places(const struct sample_machine *m)
{
	tap_int(m->n_places, 3, "where its CPUs are");
	tap_int((int)sample_machine_share(m, 0, 1), SHARE_L3, "what two of them share");
	tap_int((int)sample_machine_share(m, 1, 2), SHARE_L2, "and the next two");
	tap_int(m->place[2].first[SHARE_NODE], -1, "what was not known is not known");
}

static void test_all(void)
{
	struct record_reader *r = open_it();
	struct sample *s = sample_new();
	const struct record_span *span;
	size_t n;

	check_from(r, 0, N_SAMPLES, "as it was written");
	tap_int(record_reader_next(r, s, NULL), RECORD_END, "then it ends");
	tap_int(record_reader_next(r, s, NULL), RECORD_END, "each time");
	tap_int(record_reader_spans(r, &span, &n, NULL), 0, "its times");
	tap_int((long long)n, 1, "go on without a break");
	tap_ok(!span->begin_ns && span->end_ns == at(N_SAMPLES - 1), "from 0 to its length");
	tap_ok(span->begin_wall_ns == written[0]->wall_ns &&
		       span->end_wall_ns == written[N_SAMPLES - 1]->wall_ns,
	       "by the wall clock, from the first sample to the last");
	tap_int(sample_events_n(record_reader_events(r)), 4, "equal events are one");
	tap_ok(record_reader_user(r, "me") % 3 > 0, "a user by name");
	tap_int(record_reader_user(r, "nobody"), -1, "and one who is not there");
	tap_ok(!record_reader_fault(r), "nothing is wrong");
	tap_int(sample_machine_kind(record_reader_machine(r), 2), 1, "the kinds of its CPUs");
	tap_int(record_reader_machine(r)->n_cpus, 3, "and how many are distinguished");
	check_places(record_reader_machine(r));
	tap_ok(!record_reader_is_open(r), "no process writes it");
	sample_unref(s);
	record_reader_free(r);
}

static void test_jumps(void)
{
	struct record_reader *r = open_it();
	static const size_t to[] = {0, 399, 1, 200, 199, 398, 149, 150, 151, 20, 299, 300, 301};

	for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
		tap_int(record_reader_seek(r, at(to[i]) + 7, NULL), 0, "a jump");
		check_from(r, to[i], N_SAMPLES, "a jump by time");
	}
	record_reader_seek(r, -1, NULL);
	check_from(r, 0, N_SAMPLES, "before the first is the first");
	record_reader_seek(r, at(100), NULL);
	check_from(r, 100, N_SAMPLES, "again");
	record_reader_skip(r, -99, NULL);
	check_from(r, 300, N_SAMPLES, "back by steps");
	record_reader_seek(r, at(200), NULL);
	tap_int(record_reader_step_back(r, NULL), 1, "one more before it");
	check_from(r, 199, N_SAMPLES, "a lead");
	record_reader_seek(r, -1, NULL);
	tap_int(record_reader_step_back(r, NULL), 0, "but not before the first");
	check_from(r, 0, N_SAMPLES, "no lead");
	record_reader_skip(r, -1000, NULL);
	check_from(r, 0, N_SAMPLES, "not before the first");
	record_reader_free(r);
}

/* Skips samples after a seek to the sample i. */
static void check_skip(size_t i)
{
	struct record_reader *r = open_it();

	record_reader_seek(r, at(i), NULL);
	tap_int(record_reader_skip(r, 3, NULL), 0, "on after a jump to %zu", i);
	check_from(r, i + 2, N_SAMPLES, "the next one was the first");
	record_reader_seek(r, at(i), NULL);
	tap_int(record_reader_skip(r, -3, NULL), 0, "back after a jump to %zu", i);
	check_from(r, i - 4, N_SAMPLES, "the one before counts as read");
	record_reader_free(r);
}

static void test_skips(void)
{
	const size_t keyframe = (size_t)sql_number(path, "SELECT min(sample) FROM keyframe") - 1;

	check_skip(keyframe);
	check_skip(keyframe + 1);
}

static void test_runs(void)
{
	struct record_writer *w;
	struct record_reader *r;
	struct sample *a = sample_new(), *b = sample_new(), *s = sample_new();

	record_writer_new(&w, path, &about, NULL);
	s->wall_ns = written[N_SAMPLES - 1]->wall_ns + 5;
	sample_add(s, task_ref(written[10]->task[0]));
	record_writer_sample(w, s, NULL);
	record_writer_close(w, NULL);
	r = open_it();
	record_reader_seek(r, at(N_SAMPLES - 1), NULL);
	tap_int(record_reader_next(r, a, NULL), 0, "the last of one run");
	tap_int(record_reader_next(r, b, NULL), 0, "and the first of another");
	tap_ok(a->generation != b->generation, "are not compared");
	tap_int((int)b->n, 1, "it has nothing of the run before");
	sample_unref(a);
	sample_unref(b);
	sample_unref(s);
	record_reader_free(r);
}

int main(void)
{
	rig_begin("reader");
	write_all();
	test_all();
	test_jumps();
	test_skips();
	test_runs();
	rig_end();
	return tap_done();
}
