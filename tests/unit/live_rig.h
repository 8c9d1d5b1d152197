/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_rig - the live source on the scripted PMU and fake_proc, with a check of every number.
 *
 * rig_next() takes a sample, computes delta and fold, and compares every known number with the true
 * value: exact and scaled numbers must equal it, partial ones must not exceed it. The first wrong
 * number is described in rig.wrong. For this check, tasks must run for multiples of RIG_STEP_NS,
 * and only between samples. Samples are one second apart; the actions of a test happen halfway.
 */
#ifndef TESTS_LIVE_RIG_H
#define TESTS_LIVE_RIG_H

#include <sys/resource.h>

#include "collect/task/live.h"
#include "fake_proc.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "scripted_pmu.h"
#include "tap.h"

#define RIG_STEP_NS 40000u
#define ALL_FACTS   fact_all

#define RIG_SAMPLES 3

struct rig {
	struct pmu pmu;
	struct world world;
	struct fault_plan plan;
	struct faulty_sys sys;
	struct faulty_proc proc;
	struct source *source;
	struct sample sample[RIG_SAMPLES];
	struct delta delta[RIG_SAMPLES], processes;
	struct arena rows; /* of idle tasks */
	/* As in the pipeline: the sample shown; the sample to compare the next one with. */
	int current, newest;
	bool begun;
	/* The running time of each task at the previous sample and at the one before. */
	uint64_t run_before[WORLD_TASKS], run_older[WORLD_TASKS];
	char wrong[256];
	struct err note;     /* of the last configure */
	struct rlimit limit; /* the original limit of descriptors, while a test lowers it */
};

void rig_init(struct rig *r);
/* Like rig_init(), with the processes alpha (10) of one thread, and beta (20) of three threads. */
void rig_begin(struct rig *r);
/* Like rig_init(), with the process beta (20) of two threads. */
void rig_begin_beta(struct rig *r);
/* Like rig_init(), with n processes of one thread: 10, 20, 30 ... */
void rig_begin_tasks(struct rig *r, int n);
/* Sets the limit of descriptors from the next configure to the end, so that n_fds are left for
 * events on tiptop itself and for groups. */
void rig_limit(struct rig *r, long n_fds);
/* Frees everything. The open descriptors of the PMU can be counted afterwards. */
void rig_done(struct rig *r);
/* Frees everything, and checks that no number was wrong and nothing leaked. */
static inline void rig_end(struct rig *r, const char *what)
{
	rig_done(r);
	tap_str(r->wrong, "", "%s: no number is wrong", what);
	tap_int(r->pmu.n_open, 0, "%s: no descriptor is left open", what);
	tap_int(r->pmu.bad_calls, 0, "%s: every call made sense", what);
}

/* Lets a thread run for this number of steps. */
#define RUN(r, tid, steps) world_run(&(r)->world, tid, (steps)*RIG_STEP_NS)

/* The types of the PMUs of a hybrid machine. */
#define RIG_CORE 4
#define RIG_ATOM 10

/* What to count: n_events of the PMU, with config 0, 1, ... The other fields are as in struct
 * want. */
struct rig_want {
	int n_events;
	struct fact_set facts;
	bool hybrid; /* each event on both kinds of cores */
	bool threads, cmdline, collect;
	struct filter filter;
	int command;
	struct log *log; /* NULL: none */
};

/* n events of all tasks, and further fields: RIG_WANT(1, .threads = true). */
#define RIG_WANT(n, ...)                                                                           \
	{                                                                                          \
		.n_events = n, .filter = FILTER_ALL, ##__VA_ARGS__                                 \
	}

void rig_configure(struct rig *r, const struct rig_want *want);
/* Configures the source for the events from `first` on, without reopening counters that are open
 * already. */
bool rig_reconfigure(struct rig *r, const struct rig_want *want, int first);
int rig_next(struct rig *r);

const struct sample *rig_sample(const struct rig *r);
/* Returns the task with this id in the current sample, or NULL. */
const struct task *rig_task(const struct rig *r, int id);
/* Returns the row of a process, or of a thread if rows are threads, or NULL. */
const struct delta_row *rig_row(struct rig *r, int id);
/* Returns the events of the first task of the current sample. */
const struct sample_events *rig_events(const struct rig *r);
/* Returns the index of the event of a counter. */
int rig_event(const struct rig *r, int counter);
/* Returns the increment of a counter in a row, as "exact 40", "partial 40", "denied" ...; "none"
 * without a row. Valid until the next call. */
const char *rig_increment(struct rig *r, int id, int counter);
const char *rig_value(struct value v);

#endif
