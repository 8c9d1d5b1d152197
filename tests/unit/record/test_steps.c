/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of a recording have all that happened in their samples: sums over them are those over the
 * samples, whatever tasks do in between.
 */
#include <stdlib.h>
#include <unistd.h>

#include "model/delta.h"
#include "model/fact_list.h"
#include "model/fold.h"
#include "model/kinds.h"
#include "record/reader.h"
#include "record/writer.h"
#include "tap.h"

#define N_SLOTS   20
#define N_SAMPLES 400
#define SECOND_NS 1000000000ull

/* A slot of the simulated machine: it has one task after another. */
struct slot {
	struct task *task; /* its last reading; NULL: none lives */
	uint64_t id;       /* the first slot uses its id again */
};

/* Sums over the intervals of a recording. */
struct sums {
	double cpu_ns, count, rss;
	size_t intervals, tasks, dead, born, unknown;
	bool partial;
};

static char folder[128], path[160];
static struct slot slot[N_SLOTS];
static struct sample_events *events;
static uint64_t seed = 11;
static bool switching; /* every third sample, the screen changes to another one: A, B, A */
static bool renaming;  /* tasks change their names */

static unsigned chance(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Returns a new reading of the task of the slot; old: the previous one, NULL: the task begins. */
static struct task *read_task(const struct slot *at, const struct sample *s, const struct task *old)
{
	static const struct fact_set facts = FACT_SET(FACT_CPU_NS, FACT_VCSW, FACT_RSS_KB),
				     more = FACT_SET(FACT_CPU_NS, FACT_VCSW, FACT_RSS_KB,
						     FACT_MINFLT);
	static const char *const names[] = {"alpha", "beta", "gamma"};
	struct task *t;

	t = task_new(&kind_task, switching && s->number / 3 % 2 ? more : facts, 1,
		     &(struct task_texts){.user = "me",
					  .name = old && (chance(10) || !renaming)
							  ? old->name
							  : names[chance(3)]});
	t->id = t->owner = at->id;
	t->start_ns = old ? old->start_ns : s->boot_ns - SECOND_NS / 2;
	t->state = 'R';
	t->counting = COUNT_OK;
	t->facts_read = s->number;
	task_set_events(t, events);
	task_set_fact(t, FACT_CPU_NS,
		      (old ? task_fact(old, FACT_CPU_NS) : 0) + 1000000 * chance(900));
	task_set_fact(t, FACT_VCSW, (old ? task_fact(old, FACT_VCSW) : 0) + chance(50));
	task_set_fact(t, FACT_RSS_KB, 4096);
	/* The counters of a new task are opened when it is found. */
	if (old) {
		t->count[0].value = old->count[0].value + 1000 * chance(900);
		t->count[0].enabled_ns = old->count[0].enabled_ns + 1000 + chance(900);
		t->count[0].running_ns = t->count[0].enabled_ns;
	}
	return t;
}

/* Ends a task: its counters are read once more, its facts maybe not. */
static struct task *end_task(const struct slot *at, const struct sample *s)
{
	struct task *t = read_task(at, s, at->task);

	t->dead = true;
	t->lost = chance(2);
	if (!t->lost)
		return t;
	task_set_fact(t, FACT_CPU_NS, task_fact(at->task, FACT_CPU_NS));
	task_set_fact(t, FACT_VCSW, task_fact(at->task, FACT_VCSW));
	t->facts_read = at->task->facts_read;
	return t;
}

/* Simulates one slot up to the sample: a task begins, runs, or ends. */
static void live(struct slot *at, struct sample *s)
{
	const unsigned fate = chance(20);
	struct task *next;

	if (!at->task && fate < 8) {
		at->id += at != slot ? N_SLOTS : 0;
		at->task = read_task(at, s, NULL);
	} else if (at->task && fate == 0) { /* leaves, as with a filter */
		task_unref(at->task);
		at->task = NULL;
	} else if (at->task && fate < 14) {
		next = fate < 3 ? end_task(at, s) : read_task(at, s, at->task);
		task_unref(at->task);
		at->task = next;
	}
	if (at->task)
		sample_add(s, task_ref(at->task));
	if (at->task && at->task->dead) {
		task_unref(at->task);
		at->task = NULL;
	}
}

static void write_all(void)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	const struct sample_event event = {
		.given = "cycles", .pmu = "cpu", .kind = EVENT_HARDWARE, .modes = MODES_ALL};
	struct record_writer *w;
	struct sample *s;
	int failed = 0;

	events = sample_events_new(&event, 1);
	failed |= record_writer_new(&w, path, &about, NULL);
	for (size_t i = 0; i < N_SLOTS; i++)
		slot[i].id = 100 + i;
	for (uint32_t n = 1; n <= N_SAMPLES; n++) {
		s = sample_new();
		s->number = n;
		s->mono_ns = s->boot_ns = n * SECOND_NS;
		s->wall_ns = 1700000000 * SECOND_NS + s->mono_ns;
		s->generation = n < 250 ? 1 : 2;
		for (size_t i = 0; i < N_SLOTS; i++)
			live(&slot[i], s);
		sample_sort(s);
		failed |= record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	failed |= record_writer_close(w, NULL);
	tap_int(failed, 0, "a recording");
	sample_events_unref(events);
	for (size_t i = 0; i < N_SLOTS; i++) {
		task_unref(slot[i].task);
		slot[i].task = NULL;
	}
}

static void add_row(struct sums *sums, const struct delta_row *row)
{
	const struct value cpu = delta_fact(row, FACT_CPU_NS);

	if (value_known(cpu) && cpu.quality != QUALITY_STALE)
		sums->cpu_ns += cpu.number;
	else
		sums->partial = true;
	sums->partial |= cpu.quality == QUALITY_PARTIAL;
	if (value_known(row->increment[0]))
		sums->count += row->increment[0].number;
	else
		sums->unknown++;
	sums->rss += row->task->dead ? 0 : delta_fact_now(row, FACT_RSS_KB).number;
	sums->born += row->born && !row->old;
	sums->dead += row->task->dead;
	sums->tasks++;
}

/* Sums up the recording from a sample on, up to a recorded time, in steps. */
static struct sums sum_up(int64_t from_ns, int64_t to_ns, uint64_t step_ns)
{
	struct sample *s[2] = {sample_new(), sample_new()};
	struct delta d[2], processes;
	struct record_reader *r;
	struct sums sums = {.cpu_ns = 0};
	int64_t at_ns;

	delta_init(&d[0]);
	delta_init(&d[1]);
	delta_init(&processes);
	tap_int(record_reader_new(&r, path, NULL), 0, "steps of %g s", (double)step_ns / SECOND_NS);
	record_reader_seek(r, from_ns, NULL);
	record_reader_set_step(r, step_ns, to_ns);
	for (int k = 0; !record_reader_peek(r, &at_ns, NULL) && at_ns <= to_ns; k = !k) {
		if (record_reader_next(r, s[k], NULL))
			break;
		delta_compute(&d[k], &d[!k], at_ns > from_ns ? s[!k] : NULL, s[k]);
		fold_processes(&processes, &d[k]);
		sums.intervals += d[k].interval_ns > 0;
		for (size_t i = 0; d[k].interval_ns && i < processes.n; i++)
			add_row(&sums, &processes.row[i]);
	}
	tap_ok(!record_reader_fault(r), "nothing is damaged");
	record_reader_free(r);
	delta_done(&processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&d[k]);
		sample_unref(s[k]);
	}
	return sums;
}

static void check_steps(int64_t from_s, int64_t to_s, unsigned step_s)
{
	const int64_t from_ns = from_s * (int64_t)SECOND_NS, to_ns = to_s * (int64_t)SECOND_NS;
	const struct sums each = sum_up(from_ns, to_ns, 0),
			  steps = sum_up(from_ns, to_ns, step_s * SECOND_NS);
	/* No step is across the change of generations, which takes an interval away. */
	const int64_t before = from_s < 248 ? (to_s < 248 ? to_s : 248) - from_s : 0,
		      after = to_s > 249 ? to_s - (from_s < 249 ? 249 : from_s) : 0;

	tap_int((long long)each.intervals, before + after, "all samples");
	/* Nor does a step include the reuse of an id. */
	tap_ok((int64_t)steps.intervals >=
			       (before + step_s - 1) / step_s + (after + step_s - 1) / step_s &&
		       (step_s == 1 || steps.intervals < each.intervals),
	       "few steps: %zu", steps.intervals);
	tap_num(steps.cpu_ns, each.cpu_ns, "the CPU time");
	tap_num(steps.count, each.count, "what was counted");
	tap_int((long long)steps.born, (long long)each.born, "the tasks that began");
	tap_int((long long)steps.dead, (long long)each.dead, "those that ended");
	tap_ok(steps.partial, "some of whose time is not known");
	tap_ok(step_s == 1 || (steps.tasks < each.tasks && steps.unknown < each.unknown),
	       "with fewer rows: %zu instead of %zu, %zu instead of %zu without counts",
	       steps.tasks, each.tasks, steps.unknown, each.unknown);
}

/* Checks that the moments of a step sum up to its CPU time; raises *most to the largest CPU usage.
 */
static void check_moments(const struct record_moments *m, const struct delta *d, double *most)
{
	struct sums sums = {.cpu_ns = 0};
	uint32_t last = 0;
	bool ordered = true;
	double cpu_ns = 0;

	for (size_t i = 0; i < d->n; i++)
		add_row(&sums, &d->row[i]);
	for (size_t i = 0; i < m->n; i++) {
		cpu_ns += (double)m->v[i].cpu * (double)SECOND_NS;
		*most = (double)m->v[i].cpu > *most ? (double)m->v[i].cpu : *most;
		ordered &= m->v[i].sample >= last && m->v[i].sample < m->n_samples;
		last = m->v[i].sample;
	}
	tap_ok(ordered, "%zu moments in the order of %zu samples", m->n, m->n_samples);
	tap_ok(cpu_ns > sums.cpu_ns - 1e3 && cpu_ns < sums.cpu_ns + 1e3,
	       "have all of the CPU time: %g, %g", cpu_ns, sums.cpu_ns);
}

static void test_moments(void)
{
	struct sample *s[2] = {sample_new(), sample_new()};
	struct record_reader *r;
	struct delta d[2];
	double most = 0;

	delta_init(&d[0]);
	delta_init(&d[1]);
	record_reader_new(&r, path, NULL);
	record_reader_keep_moments(r);
	record_reader_set_step(r, 20 * SECOND_NS, INT64_MAX);
	for (int i = 0; !record_reader_next(r, s[i % 2], NULL); i++) {
		const struct record_moments *m = record_reader_moments(r);

		delta_compute(&d[i % 2], i ? &d[!(i % 2)] : NULL, i ? s[!(i % 2)] : NULL, s[i % 2]);
		if (m)
			check_moments(m, &d[i % 2], &most);
		else
			tap_ok(!i || s[i % 2]->mono_ns - s[!(i % 2)]->mono_ns == SECOND_NS,
			       "a sample alone has no moments");
	}
	tap_ok(most > 0.89 && most < 0.9, "the most CPU time of a second: %g", most);
	record_reader_free(r);
	for (int k = 0; k < 2; k++) {
		delta_done(&d[k]);
		sample_unref(s[k]);
	}
}

static void test_extent(void)
{
	struct record_extent extent;
	struct record_reader *r;

	record_reader_new(&r, path, NULL);
	tap_int(record_reader_extent(r, INT64_MAX, &extent, NULL), 0, "how long it is");
	tap_int(extent.samples, N_SAMPLES - 1, "samples");
	tap_ok(extent.ns == (N_SAMPLES - 1) * (int64_t)SECOND_NS, "time");
	tap_ok(extent.readings > 2 * N_SAMPLES, "readings");
	record_reader_seek(r, 100 * (int64_t)SECOND_NS, NULL);
	record_reader_extent(r, 110 * (int64_t)SECOND_NS, &extent, NULL);
	tap_int(extent.samples, 10, "a part of it");
	record_reader_extent(r, 50 * (int64_t)SECOND_NS, &extent, NULL);
	tap_int(extent.samples, 0, "none before its begin");
	record_reader_free(r);
}

/* A task has readings in two tables, whose order is not that of the samples. */
static void test_switching(void)
{
	write_all();
	check_steps(0, N_SAMPLES - 1, 7);
	check_steps(0, N_SAMPLES - 1, 60);
	test_moments();
	unlink(path);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/steps.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/r.db", folder);
	renaming = true;
	write_all();
	check_steps(0, N_SAMPLES - 1, 1);
	check_steps(0, N_SAMPLES - 1, 2);
	check_steps(0, N_SAMPLES - 1, 7);
	check_steps(0, N_SAMPLES - 1, 60);
	check_steps(0, N_SAMPLES - 1, 1000);
	check_steps(13, 201, 60);
	check_steps(260, 300, 9);
	test_moments();
	test_extent();
	unlink(path);
	switching = true;
	test_switching();
	renaming = false;
	test_switching();
	rmdir(folder);
	return tap_done();
}
