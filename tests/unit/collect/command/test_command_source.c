/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command with all its descendants as the single row of a source, on a scripted PMU. */
#include "collect/command/command_source.h"

#include "base/mem.h"
#include "fake_proc.h"
#include "model/delta.h"
#include "model/kinds.h"
#include "tap.h"

#define PID   42
#define CLOCK PERF_COUNT_SW_TASK_CLOCK

struct scene {
	struct pmu pmu;
	struct world world;
	struct source *source;
	struct sample sample[2];
	struct delta delta[2];
	int now;
	bool begun;
	struct err note;
};

static void begin(struct scene *s, int n)
{
	struct want want = {.filter = FILTER_ALL, .command = PID};

	*s = (struct scene){.now = 0};
	pmu_init(&s->pmu);
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, 1000000000);
	pmu_task_add(&s->pmu, PID);
	for (int i = 0; i < 2; i++) {
		sample_init(&s->sample[i]);
		delta_init(&s->delta[i]);
	}
	s->source = source_command_new(&s->pmu.sys, &s->world.proc, NULL, "make");
	event_set_init(&want.events);
	for (int i = 0; i < n; i++) {
		struct event *e = event_set_add(&want.events, "event");

		e->what = xstrdup("event");
		e->type = PERF_TYPE_HARDWARE;
		e->config = (uint64_t)i;
	}
	s->source->ops->configure(s->source, &want, &s->note);
}

static const struct delta_row *look(struct scene *s)
{
	const int old = s->now;
	struct err err = ERR_INIT;

	s->now = !old;
	world_wait(&s->world, 1000000000);
	tap_int(s->source->ops->next(s->source, &s->sample[s->now], &err), 0, "a sample");
	delta_compute(&s->delta[s->now], s->begun ? &s->delta[old] : NULL,
		      s->begun ? &s->sample[old] : NULL, &s->sample[s->now]);
	s->begun = true;
	return &s->delta[s->now].row[0];
}

static void end(struct scene *s)
{
	s->source->ops->free(s->source);
	for (int i = 0; i < 2; i++) {
		delta_done(&s->delta[i]);
		sample_done(&s->sample[i]);
	}
	tap_int(s->pmu.n_open, 0, "no descriptor is left open");
	tap_int(s->pmu.bad_calls + s->pmu.orphans, 0, "every call made sense");
}

static void check(struct value v, enum quality quality, double number, const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s", what);
	if (value_known(v))
		tap_num(v.number, number, "%s", what);
}

/* Runs the command, its child and a thread of the child. The child and its thread exit. */
static void run_family(struct pmu *pmu)
{
	pmu_run(pmu, PID, 5);
	pmu_exec(pmu, PID);
	pmu_run(pmu, PID, 1000);
	pmu_child_add(pmu, PID + 1, PID);
	pmu_thread_add(pmu, PID + 2, PID + 1);
	pmu_run(pmu, PID + 1, 1000);
	pmu_run(pmu, PID + 2, 1000);
	pmu_exit(pmu, PID + 2);
	pmu_exit(pmu, PID + 1);
}

static void test_sum(void)
{
	const double rate = (double)pmu_rate(PERF_TYPE_HARDWARE, 1);
	const struct delta_row *row;
	struct scene s;

	begin(&s, 2);
	tap_str(s.note.text, "", "all can be counted");
	row = look(&s);
	tap_int(s.sample[s.now].n, 1, "there is one row");
	tap_str(row->task->name, "make", "which is the command");
	tap_ok(kind_is(row->task->kind, &kind_cpu), "and is for screens of CPUs");
	run_family(&s.pmu);
	row = look(&s);
	check(row->increment[1], QUALITY_EXACT, 3000 * rate, "all from execve on, ended or not");
	check(row->cpu_ns, QUALITY_EXACT, 3000 * (double)pmu_rate(PERF_TYPE_SOFTWARE, CLOCK),
	      "its CPU time is that of all");
	pmu_run(&s.pmu, PID, 500);
	row = look(&s);
	check(row->increment[1], QUALITY_EXACT, 500 * rate, "then what was done since");
	end(&s);
}

/* While tasks exit, a read may fail. The interval is then unknown, not 0, and the next successful
 * read includes its counts. */
static void test_exits(void)
{
	const double rate = (double)pmu_rate(PERF_TYPE_HARDWARE, 0);
	const struct delta_row *row;
	struct scene s;

	begin(&s, 1);
	pmu_exec(&s.pmu, PID);
	pmu_run(&s.pmu, PID, 1000);
	look(&s);
	pmu_run(&s.pmu, PID, 1000);
	s.pmu.script.exiting = -1;
	row = look(&s);
	check(row->increment[0], QUALITY_NOT_READ, 0, "a reading that fails");
	pmu_run(&s.pmu, PID, 1000);
	s.pmu.script.exiting = 0;
	row = look(&s);
	tap_ok(value_known(row->increment[0]) && row->increment[0].number >= 1000 * rate &&
		       row->increment[0].number <= 2000 * rate,
	       "the next one has what was not read");
	end(&s);
}

/* An event that was running for a quarter of its enabled time is scaled. */
static void test_turns(void)
{
	const struct delta_row *row;
	struct scene s;

	begin(&s, 1);
	s.pmu.script.share_running = 1;
	s.pmu.script.share_of = 4;
	look(&s);
	pmu_exec(&s.pmu, PID);
	pmu_run(&s.pmu, PID, 4000);
	row = look(&s);
	check(row->increment[0], QUALITY_SCALED, 4000 * (double)pmu_rate(PERF_TYPE_HARDWARE, 0),
	      "a part of the time is scaled");
	end(&s);
}

int main(void)
{
	test_sum();
	test_exits();
	test_turns();
	return tap_done();
}
