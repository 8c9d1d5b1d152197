/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripted_pmu - a small kernel that counts, for tests: it stands behind struct perf_sys.
 *
 * It does what perf_event_open(2) says of counting: groups, inheritance by new threads,
 * enable_on_exec, multiplexing, pinned groups on the caller itself (task 0), which runs all the
 * time, events of everybody on one CPU, and the failures that its script asks for. Tasks exist once
 * pmu_task_add() was called. Time is what the test says: pmu_run() lets a task run, and each event
 * then counts pmu_rate(event) a nanosecond, so that the truth is always known.
 *
 * fault_plan is a wrapper's memory: the n-th call of any kind, or all calls of one kind from the
 * n-th on, fail with a given errno. faulty_sys wraps a struct perf_sys, faulty_proc (fake_proc.h) a
 * struct proc; both may share one plan.
 */
#ifndef TESTS_SCRIPTED_PMU_H
#define TESTS_SCRIPTED_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "faulty_sys.h"
#include "pmu/perf/sys.h"

#define PMU_FDS      256
#define PMU_TASKS    128
#define PMU_FIRST_FD 1000

/* An event on one task. Clones, which new threads inherit, have no descriptor but point
 * to the original. */
struct pmu_event {
	bool used, open;
	struct perf_event_attr attr;
	int tid;
	uint64_t id;
	struct pmu_event *leader;   /* itself where it leads */
	struct pmu_event *original; /* of a clone; NULL for what was opened */
	int cgroup_fd;              /* of an event of a CPU; -1: of all that runs there */
	bool enabled;               /* of a leader: it counts */
	bool error;                 /* of a pinned leader: its group did not get onto the PMU */
	uint64_t value, enabled_ns, running_ns;
};

struct pmu_task {
	int tid;
	bool dead, denied;
	uint64_t run_ns;
	int core; /* the kind of cores that it runs on */
};

/* What the machine is like; 0 everywhere is a machine that does all that it is asked for. */
struct pmu_script {
	/* At most so many events of the PMU in a group (EINVAL); 0: no limit. */
	int max_hardware;
	/* Groups of more events of the PMU open, but never get onto it; 0: none. */
	int never_above;
	int core_never_above[2]; /* the same, for each of two kinds of cores */
	/* The same for all tasks but the caller: somebody's events are pinned on them. */
	int task_never_above;
	/* Bit c: a group with config c never gets onto the PMU above 2 events. */
	uint64_t exclusive;
	bool no_mixing; /* a group takes events of one type only (EINVAL) */
	/* Hybrid: the types of the PMUs of two kinds of cores; 0: one kind. */
	uint32_t core_type[2];
	int core_max[2]; /* as max_hardware, for each of them */
	/* As Arm before 5.13: the first PMU counts what is generic, whatever type it names. */
	bool no_extended;
	/* Config 0x8000 to 0x8300 only behind the leader 0x400, and for RAW: EINVAL. */
	bool topdown;
	/* Bit c: the second kind of cores does not have config c (ENOENT) */
	uint64_t no_atom;
	int no_visit[2];          /* the errno of going to a kind of cores */
	int max_fds;              /* EMFILE beyond; 0: no limit */
	int refuse_exclude_guest; /* the errno that attr.exclude_guest gets */
	int refuse_modes; /* the errno that any mode to be left out gets, for events of the PMU */
	bool paranoid;    /* the kernel may not be counted (EACCES), which comes before all else */
	bool refuse_inherit_thread; /* as before Linux 5.13 (EINVAL) */
	uint64_t missing;           /* bit c: the event with config c does not exist (ENOENT) */
	uint64_t denied;            /* bit c: the event with config c is not allowed (EACCES) */
	bool reversed;              /* read() gives the values in another order */
	/* Multiplexing: events of the PMU are on it for share_running of share_of ns; 0: always. */
	int share_running, share_of;
	bool read_zero; /* read() gives 0: error state */
	int exiting;    /* a thread exits: so many reads fail with ECHILD; -1: all */
	int read_short; /* read() gives so many bytes at most; 0: all */
};

struct pmu_calls {
	int open, read, ioctl, close, visit;
};

struct pmu {
	struct perf_sys sys;
	struct pmu_script script;
	struct pmu_event event[PMU_FDS];
	struct pmu_task task[PMU_TASKS];
	int n_tasks, n_open, most_open;
	int core;  /* the kind of cores that the caller runs on */
	bool away; /* it was put there */
	uint64_t next_id;
	struct pmu_calls calls;
	int orphans;   /* members whose leader was closed before them */
	int bad_calls; /* closed twice, read after close, flags without CLOEXEC, ... */
	/* Called after each successful open: a test lets tasks move meanwhile. */
	void (*on_open)(struct pmu *pmu, void *context, int tid);
	void *context;
};

void pmu_init(struct pmu *pmu);
void pmu_task_add(struct pmu *pmu, int tid);
/* The number by which all that runs on a CPU is a task, to be added and run as one. */
#define PMU_CPU(cpu) (-2 - (cpu))
/* What `creator` makes, a thread or a child: it inherits the creator's events, a child those that
 * are not for threads alone. */
void pmu_made_add(struct pmu *pmu, int tid, int creator, bool child);
#define pmu_thread_add(pmu, tid, creator) pmu_made_add(pmu, tid, creator, false)
#define pmu_child_add(pmu, tid, creator)  pmu_made_add(pmu, tid, creator, true)
struct pmu_task *pmu_task(struct pmu *pmu, int tid);
void pmu_run(struct pmu *pmu, int tid, uint64_t ns);
void pmu_exec(struct pmu *pmu, int tid);
void pmu_exit(struct pmu *pmu, int tid);
/* Its events are of another task from now on; -1: of none. */
void pmu_move_events(struct pmu *pmu, int from, int to);
/* A thread that executes a program takes the number of the first one, which has ended. */
static inline void pmu_rename(struct pmu *pmu, int tid, int former)
{
	pmu_task(pmu, former)->tid = tid;
	pmu_move_events(pmu, former, tid);
}
/* execve(2) of a program with other rights: its events count no more. */
#define pmu_exec_protected(pmu, tid) pmu_move_events(pmu, tid, -1)
/* Descriptors open on a task; clones are not counted. */
int pmu_open_on(const struct pmu *pmu, int tid);

/* The kind of cores whose PMU counts it; -1: it is counted anywhere. */
int pmu_core(const struct pmu *pmu, const struct perf_event_attr *attr);

/* Events a nanosecond; the PMU in the upper half of config makes no difference. */
uint64_t pmu_rate(uint32_t type, uint64_t config);

#endif
