/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictions of what shorter holds would save, and reasons for none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/locks/halving.h"
#include "tap.h"

#define N      4 /* threads that use locks; one more does not */
#define CYCLES 100
#define MS     1000000
#define THINK  (8.0 * MS)
#define HOLD   (6.0 * MS)

static struct locks_past past[N + 1];
static struct locks_thread none;
static struct locks_instance instance[2];
static struct locks_line line[2];
static struct locks_copy copy;
static struct locks_report report;
static struct halvings h;

/* Sets n times with this mean and squared coefficient of variation. */
static void set(struct locks_quantity *q, uint64_t n, double mean, double variation)
{
	*q = (struct locks_quantity){.n = n,
				     .base = (uint64_t)mean,
				     .squares = variation * mean * mean * (double)(n - 1)};
}

/* Makes threads whose lives have these cycles, and hold and wait for locks for these times. A tick
 * is 1 ns. */
static void make_threads(double cycle, double hold, double wait)
{
	for (uint32_t i = 0; i <= N; i++) {
		const double life = CYCLES * cycle, k = i < N ? CYCLES : 0;

		past[i] = (struct locks_past){
			.tid = 100 + i,
			.number = i + 1,
			.begin = 1000,
			.end = 1000 + (uint64_t)life,
			.ticks = {(uint64_t)(k * wait), (uint64_t)(k * hold),
				  (uint64_t)(life - k * (wait + hold))},
			.acquisitions = (uint64_t)k * report.n,
			.instances = (uint32_t)report.n,
			.sched.total = {[LOCKS_TIMED] = 1, [LOCKS_RUN] = (uint64_t)(life / 50)},
		};
		for (int s = 0; s < LOCKS_STATES; s++)
			report.ticks[s] += past[i].ticks[s];
	}
}

/* Makes a process that is as the model says. */
static void make(const struct queue_model *m, double cycle, const double wait[])
{
	double hold = 0, waits = 0;

	report = (struct locks_report){.line = line, .n = m->n, .n_cpus = 2};
	for (size_t k = 0; k < m->n; k++) {
		struct locks_row *row = &line[k].sum;

		instance[k] = (struct locks_instance){
			.kind = LOCKS_MUTEX, .generation = 1, .owner_changes = N * CYCLES / 2};
		line[k] = (struct locks_line){.instance = &instance[k],
					      .sum = {.instance = (uint32_t)k + 1}};
		set(&row->phase[LOCKS_ACQUIRE], N * CYCLES, wait[k], 1);
		set(&row->phase[LOCKS_HOLD], N * CYCLES, m->lock[k].hold, m->lock[k].variation);
		row->contended = N * CYCLES / 2;
		row->waited = locks_sum(&row->phase[LOCKS_ACQUIRE]);
		locks_row_add(&report.all, row);
		hold += m->lock[k].hold;
		waits += wait[k];
	}
	make_threads(cycle, hold, waits);
	copy = (struct locks_copy){
		.header = {.n_pasts = N + 1,
			   .n_threads = N + 1,
			   .n_ended = N + 1,
			   .n_instances = (uint32_t)m->n,
			   .sample = 1,
			   .ns_per_tick = 1ull << 32},
		.instance = instance,
		.thread = &none,
		.n_threads = 1,
		.past = past,
	};
}

static const struct queue_model at_random = {N, THINK, {{1, HOLD, 1}}, 1};

static void make_random(void)
{
	double wait[QUEUE_LOCKS];
	const double cycle = queue_random(&at_random, wait);

	make(&at_random, cycle, wait);
}

static void check_saved(double want, size_t i, const char *what)
{
	halving_find(&h, &copy, &report);
	tap_ok(!h.reason && h.n > i && fabs(h.v[i].saved - want) < 0.005, "%s: %.3f, not %.3f (%s)",
	       what, h.n > i ? h.v[i].saved : -1, want, h.reason ? h.reason : "-");
}

static void test_predictions(void)
{
	struct queue_model m = at_random;
	double wait[QUEUE_LOCKS] = {0}, cycle = queue_random(&m, wait);

	make(&m, cycle, wait);
	m.lock[0].hold /= 2;
	check_saved(1 - queue_random(&m, wait) / cycle, 0, "threads at random times");
	tap_int(h.n_threads, N, "the threads");
	tap_int((long)h.v[0].hold, (long)HOLD, "the present hold time");
	/* Constant times: no thread waits. */
	m = (struct queue_model){N, 40.0 * MS, {{1, HOLD, 0}}, 1};
	make(&m, 46.0 * MS, (const double[]){0});
	check_saved(3.0 / 46, 0, "threads in step");
	/* The lock is always held, whatever the model. */
	m.think = 1.0 * MS;
	make(&m, N * HOLD, (const double[]){N * HOLD - HOLD - 1.0 * MS});
	check_saved(0.5, 0, "a lock that is always held");
	/* Always held by both models, but with half of the hold only if threads are in step. */
	m.think = THINK - 1.0 * MS;
	make(&m, N * HOLD, (const double[]){N * HOLD - HOLD - m.think});
	check_saved(0.458, 0, "threads that may be in step or not: the smaller saving");
	m = (struct queue_model){N, THINK, {{1, HOLD, 1}, {1, HOLD / 2, 1}}, 2};
	cycle = queue_random(&m, wait);
	make(&m, cycle, wait);
	m.lock[1].hold /= 2;
	check_saved(1 - queue_random(&m, wait) / cycle, 1, "the second one of two locks");
	tap_ok(h.n == 2 && h.v[0].instance == &instance[0], "the first one saves more");
	make(&(struct queue_model){N, 1000 * HOLD, {{1, HOLD, 1}}, 1}, 1001 * HOLD,
	     (const double[]){0});
	halving_find(&h, &copy, &report);
	tap_str(h.reason, "no lock is held for long", "what would save hardly anything");
}

/* Tests that there is no prediction, for this reason. */
static void check_none(const char *reason)
{
	halving_find(&h, &copy, &report);
	tap_str(h.n ? "a prediction" : h.reason, reason, "no prediction");
}

static void test_threads(void)
{
	make_random();
	copy.header.n_pasts = copy.header.n_threads = 1;
	check_none("fewer than two threads use locks");
	make_random();
	copy.kernel.alone = true;
	check_none("how long locks were held is not known");
	copy.kernel.alone = false;
	past[N].acquisitions = CYCLES / 20;
	for (int i = 0; i < N; i++)
		past[i].acquisitions -= 20;
	check_none("threads differ in how often they use locks");
	/* One thread has exited without a record of its own. */
	make_random();
	copy.header.n_threads++;
	copy.header.n_ended++;
	report.all.untimed[LOCKS_ACQUIRE] += CYCLES;
	check_none("threads differ in how often they use locks");
	make_random();
	past[1].acquisitions *= 2;
	check_none("threads differ in their use of locks");
	make_random();
	past[1].ticks[LOCKS_HOLDING] *= 2;
	check_none("threads differ in their use of locks");
	make_random();
	past[2].begin += (past[2].end - past[2].begin) / 4;
	check_none("threads do not run at the same time");
	make_random();
	for (int i = 0; i < N; i++)
		past[i].acquisitions = 5;
	report.all.phase[LOCKS_ACQUIRE].n = 5 * N;
	check_none("there are too few acquisitions");
	make_random();
	past[1].sched.total[LOCKS_TIMED] = 0;
	check_none("it is unknown how long each thread ran");
	make_random();
	for (int i = 0; i < N; i++)
		past[i].sched.total[LOCKS_DELAY] = (past[i].end - past[i].begin) / 10;
	check_none("threads waited for a CPU");
	make_random();
	for (int i = 0; i < N; i++)
		past[i].sched.total[LOCKS_RUN] = (past[i].end - past[i].begin) / 100 * 35;
	check_none("there would be too few CPUs");
}

static void test_locks(void)
{
	make_random();
	copy.header.sample = 100;
	check_none("not all acquisitions were timed");
	make_random();
	report.n_unmatched = 1;
	check_none("not all acquisitions were measured");
	make_random();
	report.all.n_under_way = 1;
	check_none("attempts to acquire a lock failed, or had not ended");
	make_random();
	for (int i = 0; i < N; i++)
		past[i].ticks[LOCKS_WAITING] += (past[i].end - past[i].begin) / 10;
	check_none("threads wait for more than locks");
	make_random();
	report.ticks[LOCKS_HOLDING] /= 2;
	check_none("a lock is held during a wait, or with another lock");
	make_random();
	line[0].sum.shared = 1;
	check_none("locks have readers or several processes, or share a row");
	make_random();
	instance[0].n_processes = 2;
	check_none("locks have readers or several processes, or share a row");
	make_random();
	line[0].sum.phase[LOCKS_HOLD].squares *= 3;
	check_none("hold times vary too much");
}

static void test_model(void)
{
	struct queue_model m = at_random;
	double wait[QUEUE_LOCKS], cycle = queue_random(&m, wait);

	/* Threads whose holds vary, and that do not wait although the model says that they do. */
	make(&m, THINK + HOLD, (const double[]){0});
	check_none("the waits are not those of the model");
	/* Waits that are longer than those of the model. */
	wait[0] += 0.2 * cycle;
	make(&m, 1.2 * cycle, wait);
	check_none("the waits are not those of the model");
	/* Constant holds with which both models agree, until they are halved. */
	m = (struct queue_model){N, 1.5 * HOLD, {{1, HOLD, 0}}, 1};
	make(&m, N * HOLD, (const double[]){1.5 * HOLD});
	check_none("it depends on whether threads run in step");
}

int main(void)
{
	test_predictions();
	test_threads();
	test_locks();
	test_model();
	return tap_done();
}
