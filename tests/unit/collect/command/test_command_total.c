/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command with all its descendants as one row, on a scripted PMU. */
#include "collect/command/command_total.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "fake_proc.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "tap.h"

#define PID   42
#define CLOCK PERF_COUNT_SW_TASK_CLOCK

struct scene {
	struct pmu pmu;
	struct world world;
	struct command_total *whole;
	struct sample begin, end;
	struct delta first, last;
	struct err note;
	bool alone; /* no rows of single tasks beside the total */
};

/* Begins the command total; the rows count n events of the PMU, and page faults if the set has room
 * for them. */
static void begin(struct scene *s, int n)
{
	struct event_set set;
	struct event *e;

	event_set_init(&set);
	for (int i = 0; i < n; i++) {
		e = event_set_add(&set, "event");
		e->what = xstrdup("event");
		e->type = PERF_TYPE_HARDWARE;
		e->config = (uint64_t)i;
	}
	e = event_set_add(&set, "page-faults");
	if (e) {
		e->type = PERF_TYPE_SOFTWARE;
		e->config = PERF_COUNT_SW_PAGE_FAULTS;
		e->core = EVENT_NO_CORE;
	}
	sample_init(&s->begin);
	sample_init(&s->end);
	delta_init(&s->first);
	delta_init(&s->last);
	s->note = (struct err)ERR_INIT;
	s->whole = command_total_new(&s->pmu.sys, &s->world.proc, NULL, &set, "make",
				     s->alone ? COMMAND_TOTAL_ALONE : COMMAND_TOTAL_REPORTED,
				     &s->note);
	command_total_follow(s->whole, PID, &s->note, NULL);
	command_total_sample(s->whole, &(struct rusage){.ru_maxrss = 0}, &s->begin);
	delta_compute(&s->first, NULL, NULL, &s->begin);
}

static void machine(struct scene *s)
{
	s->alone = false;
	pmu_init(&s->pmu);
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, 1000000000);
	pmu_task_add(&s->pmu, PID);
}

/* Takes a sample. Returns the row of the command total. */
static const struct delta_row *look(struct scene *s, const struct rusage *used)
{
	world_wait(&s->world, 1000000000);
	command_total_sample(s->whole, used, &s->end);
	delta_compute(&s->last, &s->first, &s->begin, &s->end);
	return &s->last.row[0];
}

static void end(struct scene *s)
{
	command_total_free(s->whole);
	delta_done(&s->first);
	delta_done(&s->last);
	sample_done(&s->begin);
	sample_done(&s->end);
	tap_int(s->pmu.n_open, 0, "no descriptor is left open");
	tap_int(s->pmu.bad_calls + s->pmu.orphans, 0, "every call made sense");
}

/* Returns the increment of an event, which the plan may have moved to another place in the row. */
static struct value increment(const struct delta_row *row, enum event_kind kind, uint64_t config)
{
	for (int i = 0; i < row->events->n; i++)
		if (row->events->event[i].kind == kind && row->events->event[i].config == config)
			return row->increment[i];
	return value_none(QUALITY_UNSUPPORTED);
}

/* Returns whether no group has both software and hardware events: then software events need not
 * wait for the PMU. */
static bool apart(const struct delta_row *row)
{
	const struct sample_events *set = row->events;

	for (int i = 0; i < set->n; i++)
		for (int k = 0; k < set->n; k++)
			if (set->event[i].kind == EVENT_SOFTWARE &&
			    set->event[k].kind == EVENT_HARDWARE &&
			    set->event[i].group == set->event[k].group)
				return false;
	return true;
}

static void check(struct value v, enum quality quality, double number, const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s", what);
	if (value_known(v))
		tap_num(v.number, number, "%s", what);
}

/* A child, its thread and a grandchild; the child and the grandchild exit. */
static void run_family(struct pmu *pmu)
{
	pmu_run(pmu, PID, 5);
	pmu_exec(pmu, PID);
	pmu_run(pmu, PID, 1000);
	pmu_child_add(pmu, PID + 1, PID);
	pmu_thread_add(pmu, PID + 2, PID + 1);
	pmu_child_add(pmu, PID + 3, PID + 2);
	for (int i = 1; i <= 3; i++)
		pmu_run(pmu, PID + i, 1000);
	pmu_exit(pmu, PID + 3);
	pmu_exit(pmu, PID + 1);
}

static double rate(uint32_t type, uint64_t config)
{
	return (double)pmu_rate(type, config);
}

static void test_sum(void)
{
	const struct rusage used = {.ru_utime = {.tv_sec = 2, .tv_usec = 3},
				    .ru_stime = {.tv_usec = 500000},
				    .ru_minflt = 7,
				    .ru_majflt = 8,
				    .ru_nvcsw = 9,
				    .ru_nivcsw = 10};
	const struct delta_row *row;
	struct scene s;

	machine(&s);
	begin(&s, 2);
	tap_str(s.note.text, "", "all can be counted");
	run_family(&s.pmu);
	row = look(&s, &used);
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_EXACT, 4000 * rate(PERF_TYPE_HARDWARE, 0),
	      "the sum of all from execve on");
	check(increment(row, EVENT_HARDWARE, 1), QUALITY_EXACT, 4000 * rate(PERF_TYPE_HARDWARE, 1),
	      "of each event");
	check(row->cpu_ns, QUALITY_EXACT, 4000 * rate(PERF_TYPE_SOFTWARE, CLOCK),
	      "the task clock is the CPU time");
	check(delta_fact(row, FACT_UTIME_NS), QUALITY_EXACT, 2.000003e9, "time in user mode");
	check(delta_fact(row, FACT_STIME_NS), QUALITY_EXACT, 0.5e9, "and in the kernel");
	check(delta_fact(row, FACT_MINFLT), QUALITY_EXACT, 7, "faults");
	check(delta_fact(row, FACT_MAJFLT), QUALITY_EXACT, 8, "that had to wait");
	check(delta_fact(row, FACT_VCSW), QUALITY_EXACT, 9, "switches because it waited");
	check(delta_fact(row, FACT_NVCSW), QUALITY_EXACT, 10, "and because others ran");
	check(increment(row, EVENT_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS), QUALITY_EXACT,
	      4000 * rate(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS),
	      "what the kernel counts comes without being asked for");
	tap_ok(apart(row), "in a group of its own");
	tap_str(row->task->name, "make", "the name");
	tap_ok(!command_total_ends(s.whole).each, "a kernel that does not tell of ends");
	check(command_total_ended_count(s.whole, 0), QUALITY_NOT_COUNTED, 0,
	      "what they have counted");
	end(&s);
}

/* Without counters, CPU time is that of the children that were waited for (struct rusage). */
static void test_denied(void)
{
	const struct rusage used = {.ru_utime = {.tv_sec = 1}, .ru_stime = {.tv_sec = 1}};
	const struct delta_row *row;
	struct scene s;

	machine(&s);
	pmu_task(&s.pmu, PID)->denied = true;
	begin(&s, 1);
	tap_ok(s.note.code, "why nothing is counted is said");
	row = look(&s, &used);
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_DENIED, 0, "a count that is forbidden");
	check(row->cpu_ns, QUALITY_EXACT, 2e9, "CPU time by the times of the ended");
	end(&s);
}

/* Returns the number of hardware events that are open on the command. */
static int n_hardware(const struct pmu *pmu)
{
	int n = 0;

	for (int i = 0; i < PMU_FDS; i++)
		n += pmu->event[i].used && pmu->event[i].tid == PID &&
		     pmu->event[i].attr.type == PERF_TYPE_HARDWARE;
	return n;
}

/* A PMU of four counters, n of which the rows need; the total uses the others. */
static void test_room(int n, int of_whole)
{
	const struct delta_row *row;
	struct scene s;

	machine(&s);
	s.pmu.script.never_above = 4;
	begin(&s, n);
	tap_int(n_hardware(&s.pmu), of_whole, "rows take %d of four counters, the whole %d", n,
		of_whole);
	tap_ok(!s.note.code == (n == of_whole), "what is not counted is said");
	run_family(&s.pmu);
	row = look(&s, NULL);
	for (int i = 0; i < n; i++)
		check(increment(row, EVENT_HARDWARE, (uint64_t)i),
		      i < of_whole ? QUALITY_EXACT : QUALITY_NOT_COUNTED,
		      4000 * rate(PERF_TYPE_HARDWARE, (uint64_t)i), "an event of the whole");
	check(increment(row, EVENT_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS), QUALITY_EXACT,
	      4000 * rate(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	      "events of the kernel are counted all the same");
	end(&s);
}

static void test_full(void)
{
	struct scene s;

	machine(&s);
	begin(&s, EVENT_SET_MAX);
	tap_int(s.note.code, ENOSPC, "events that fill the set leave none for the command");
	end(&s);
}

/* An event that the machine lacks needs no counter, and does not prevent the others in its
 * group. */
static void test_absent(bool alone, bool denied)
{
	const enum quality why = denied ? QUALITY_DENIED : QUALITY_UNSUPPORTED;
	const struct delta_row *row;
	struct scene s;

	machine(&s);
	s.alone = alone;
	s.pmu.script.never_above = 4;
	*(denied ? &s.pmu.script.denied : &s.pmu.script.missing) = 1 << 1 | 1 << 3;
	begin(&s, 4);
	tap_ok(!strstr(s.note.text, "no counters left"), "there are counters left");
	run_family(&s.pmu);
	row = look(&s, NULL);
	for (int i = 0; i < 4; i++)
		check(increment(row, EVENT_HARDWARE, (uint64_t)i), i % 2 ? why : QUALITY_EXACT,
		      4000 * rate(PERF_TYPE_HARDWARE, (uint64_t)i),
		      "beside events that are absent");
	end(&s);
}

/* While tasks exit, a read may fail. It is repeated; a count that stays unread is unknown, not
 * 0. */
static void test_exiting(void)
{
	const struct delta_row *row;
	struct scene s;

	machine(&s);
	begin(&s, 1);
	run_family(&s.pmu);
	s.pmu.script.exiting = 30;
	row = look(&s, NULL);
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_EXACT, 4000 * rate(PERF_TYPE_HARDWARE, 0),
	      "read in the end");
	s.pmu.script.exiting = -1;
	row = look(&s, NULL);
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_NOT_READ, 0, "not to be read");
	end(&s);
}

/* Without rows, the total may use all counters. It can follow one run of a command after
 * another. */
static void test_runs(void)
{
	const struct rusage ten = {.ru_minflt = 10}, thirty = {.ru_minflt = 30};
	const struct delta_row *row;
	struct run_sum sum;
	struct delta first, all;
	struct scene s;

	machine(&s);
	s.pmu.script.never_above = 4;
	s.alone = true;
	run_sum_init(&sum);
	delta_init(&first);
	delta_init(&all);
	begin(&s, 5);
	tap_int(n_hardware(&s.pmu), 4, "alone, it has all four counters");
	tap_ok(strstr(s.note.text, "no counters left: choose a screen") != NULL, "which is said");
	run_family(&s.pmu);
	look(&s, &ten);
	run_sum_add(&sum, &s.begin, &s.end);
	world_wait(&s.world, 5000000000);
	pmu_task_add(&s.pmu, PID + 10);
	command_total_follow(s.whole, PID + 10, &s.note, NULL);
	tap_int(n_hardware(&s.pmu), 0, "the counters of the first run are closed");
	command_total_sample(s.whole, &ten, &s.begin);
	delta_compute(&s.first, NULL, NULL, &s.begin);
	pmu_exec(&s.pmu, PID + 10);
	pmu_run(&s.pmu, PID + 10, 500);
	row = look(&s, &thirty);
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_EXACT, 500 * rate(PERF_TYPE_HARDWARE, 0),
	      "the second run by itself");
	run_sum_add(&sum, &s.begin, &s.end);
	delta_compute(&first, NULL, NULL, &sum.begin);
	delta_compute(&all, &first, &sum.begin, &sum.end);
	row = &all.row[0];
	check(increment(row, EVENT_HARDWARE, 0), QUALITY_EXACT, 4500 * rate(PERF_TYPE_HARDWARE, 0),
	      "both runs together");
	check(increment(row, EVENT_HARDWARE, 4), QUALITY_NOT_COUNTED, 0, "what found no counter");
	check(delta_fact(row, FACT_MINFLT), QUALITY_EXACT, 30, "their faults");
	tap_num((double)all.interval_ns, 2e9, "their time, without that in between");
	delta_done(&first);
	delta_done(&all);
	run_sum_done(&sum);
	end(&s);
}

int main(void)
{
	test_sum();
	test_denied();
	test_room(2, 2);
	test_room(3, 1);
	test_room(4, 0);
	test_room(6, 0);
	test_full();
	for (int i = 0; i < 4; i++)
		test_absent(i & 1, i & 2);
	test_exiting();
	test_runs();
	return tap_done();
}
