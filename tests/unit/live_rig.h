/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_rig - the live source over the scripted PMU and a small world, with a judge.
 *
 * rig_next() takes a sample, computes delta and fold, and compares every number that claims to be
 * known with the truth: exact and scaled ones must be equal to it, partial ones must not be above
 * it. The first one that is wrong is kept as a sentence in rig.wrong. For that to work, tasks run
 * for multiples of RIG_STEP_NS, and only between samples. One second lies between two samples; what
 * a test does happens in its middle.
 */
#ifndef TESTS_LIVE_RIG_H
#define TESTS_LIVE_RIG_H

#include <sys/resource.h>

#include "collect/task/live.h"
#include "fake_proc.h"
#include "model/delta.h"
#include "scripted_pmu.h"
#include "tap.h"

#define RIG_STEP_NS 40000u
#define ALL_FACTS   (FACT_BIT(N_FACTS) - 1)

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
	/* As in the pipeline: the sample that is shown; with which the next one is compared. */
	int current, newest;
	bool begun;
	/* Of each task of the world, at the previous sample and at the one before. */
	uint64_t run_before[WORLD_TASKS], run_older[WORLD_TASKS];
	char wrong[256];
	struct err note;     /* of the last configure */
	struct rlimit limit; /* where descriptors are limited: as it was */
};

void rig_init(struct rig *r);
/* The same, with alpha (10), which has one thread, and beta (20), which has three. */
void rig_begin(struct rig *r);
/* The same as rig_init(), with beta (20), which has two threads. */
void rig_begin_beta(struct rig *r);
/* The same, with so many processes of one thread: 10, 20, 30 ... */
void rig_begin_tasks(struct rig *r, int n);
/* From the next configure to the end, so many descriptors are left for events on oneself and for
 * groups. */
void rig_limit(struct rig *r, long n_fds);
/* Frees the source and all else; the descriptors of the PMU can be counted afterwards. */
void rig_done(struct rig *r);
/* The same, and checks that all went well: in the test itself, whose results are counted there. */
static inline void rig_end(struct rig *r, const char *what)
{
	rig_done(r);
	tap_str(r->wrong, "", "%s: no number is wrong", what);
	tap_int(r->pmu.n_open, 0, "%s: no descriptor is left open", what);
	tap_int(r->pmu.bad_calls, 0, "%s: every call made sense", what);
}

/* A thread runs for so many steps. */
#define RUN(r, tid, steps) world_run(&(r)->world, tid, (steps)*RIG_STEP_NS)

/* The types of the PMUs of a hybrid machine. */
#define RIG_CORE 4
#define RIG_ATOM 10

/* What to count: n_events of the PMU, config 0, 1, ... The rest is as in struct want. */
struct rig_want {
	int n_events;
	fact_mask facts;
	bool hybrid; /* each on both kinds of cores */
	bool threads, cmdline, collect;
	struct filter filter;
	int command;
	struct log *log; /* NULL: none */
};

/* So many events of all tasks, and what else is wanted: RIG_WANT(1, .threads = true). */
#define RIG_WANT(n, ...)                                                                           \
	{                                                                                          \
		.n_events = n, .filter = FILTER_ALL, ##__VA_ARGS__                                 \
	}

void rig_configure(struct rig *r, const struct rig_want *want);
/* Asks the source to go on with what it counts; the events are those from `first` on. */
bool rig_reconfigure(struct rig *r, const struct rig_want *want, int first);
int rig_next(struct rig *r);

const struct sample *rig_sample(const struct rig *r);
/* The task with this id in the present sample, or NULL. */
const struct task *rig_task(const struct rig *r, int id);
/* The row of a process, or of a thread where rows are threads, or NULL. */
const struct delta_row *rig_row(struct rig *r, int id);
/* Those of the first task of the present sample. */
const struct sample_events *rig_events(const struct rig *r);
/* The event of them that stands for counter i. */
int rig_event(const struct rig *r, int counter);
/* Its increment of counter i, as "exact 40", "partial 40", "denied" ...; "none" where there is no
 * row. Valid until the next call. */
const char *rig_increment(struct rig *r, int id, int counter);
const char *rig_value(struct value v);

#endif
