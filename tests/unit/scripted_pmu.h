/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripted_pmu - a fake kernel that counts, for tests: an implementation of struct perf_sys.
 *
 * It implements counting as in perf_event_open(2): groups, inheritance by new threads,
 * enable_on_exec, multiplexing, pinned groups on the caller itself (task 0), which runs all the
 * time, events of all tasks on one CPU, and the failures in its script. Tasks exist once
 * pmu_task_add() was called. The test controls time: pmu_run() lets a task run, and each event then
 * counts pmu_rate(event) per nanosecond, so the true counts are always known.
 *
 * A fault_plan describes failures: the n-th call of any kind, or all calls of one kind from the
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
	struct pmu_event *leader;   /* the event itself if it leads */
	struct pmu_event *original; /* of a clone; NULL: the event was opened */
	int cgroup_fd;              /* of an event of a CPU; -1: of all tasks there */
	bool enabled;               /* of a leader */
	bool error;                 /* of a pinned leader: its group did not get onto the PMU */
	uint64_t value, enabled_ns, running_ns;
};

struct pmu_task {
	int tid;
	bool dead, denied;
	uint64_t run_ns;
	int core; /* the kind of cores that it runs on */
};

/* The properties and failures of the machine; all 0: a machine on which every call succeeds. */
struct pmu_script {
	/* The largest number of events of the PMU in a group (EINVAL above); 0: no limit. */
	int max_hardware;
	/* Groups of more events of the PMU open, but never get onto it; 0: none. */
	int never_above;
	int core_never_above[2]; /* the same, for each of two kinds of cores */
	/* The same for all tasks but the caller, as if other events were pinned on them. */
	int task_never_above;
	/* Bit c: a group with config c never gets onto the PMU above 2 events. */
	uint64_t exclusive;
	bool no_mixing; /* a group takes events of one type only (EINVAL) */
	/* Hybrid: the types of the PMUs of two kinds of cores; 0: one kind. */
	uint32_t core_type[2];
	int core_max[2]; /* as max_hardware, for each of them */
	/* As on Arm before Linux 5.13: the first PMU counts generic events, whatever PMU their
	 * config names. */
	bool no_extended;
	/* Config 0x8000 to 0x8300 only behind the leader 0x400, and for RAW: EINVAL. */
	bool topdown;
	/* Bit c: the second kind of cores does not have config c (ENOENT) */
	uint64_t no_atom;
	int no_visit[2];          /* the errno of moving to a kind of cores */
	int max_fds;              /* EMFILE beyond; 0: no limit */
	int refuse_exclude_guest; /* the errno that attr.exclude_guest gets */
	int refuse_modes;         /* the errno of events of the PMU that exclude a mode */
	bool paranoid; /* the kernel may not be counted (EACCES), checked before all else */
	bool refuse_inherit_thread; /* as before Linux 5.13 (EINVAL) */
	uint64_t missing;           /* bit c: the event with config c does not exist (ENOENT) */
	int refusal;                /* the errno that a missing event gets; 0: ENOENT */
	uint64_t denied;            /* bit c: the event with config c is not allowed (EACCES) */
	bool reversed;              /* read() gives the values in another order */
	/* Multiplexing: events of the PMU are on it for share_running of share_of ns; 0: always. */
	int share_running, share_of;
	bool read_zero; /* read() returns 0: error state */
	int exiting;    /* a thread exits: this number of reads fail with ECHILD; -1: all */
	int read_short; /* read() returns at most this number of bytes; 0: all */
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
	bool away; /* the caller was moved there */
	uint64_t next_id;
	struct pmu_calls calls;
	int orphans;   /* members whose leader was closed first */
	int bad_calls; /* closed twice, read after close, flags without CLOEXEC, ... */
	/* Called after each successful open: lets a test move tasks. */
	void (*on_open)(struct pmu *pmu, void *context, int tid);
	void *context;
};

void pmu_init(struct pmu *pmu);
void pmu_task_add(struct pmu *pmu, int tid);
/* The number of the pseudo task that stands for all tasks of a CPU; to be added and run like a
 * task. */
#define PMU_CPU(cpu) (-2 - (cpu))
/* Adds a thread or child of `creator`, which inherits its events; a child only those that are not
 * for threads alone (inherit_thread). */
void pmu_made_add(struct pmu *pmu, int tid, int creator, bool child);
#define pmu_thread_add(pmu, tid, creator) pmu_made_add(pmu, tid, creator, false)
#define pmu_child_add(pmu, tid, creator)  pmu_made_add(pmu, tid, creator, true)
struct pmu_task *pmu_task(struct pmu *pmu, int tid);
void pmu_run(struct pmu *pmu, int tid, uint64_t ns);
void pmu_exec(struct pmu *pmu, int tid);
void pmu_exit(struct pmu *pmu, int tid);
/* Moves the events of a task to another one; -1: to none. */
void pmu_move_events(struct pmu *pmu, int from, int to);
/* Gives a thread that executes a program the id of the first thread, which has ended. */
static inline void pmu_rename(struct pmu *pmu, int tid, int former)
{
	pmu_task(pmu, former)->tid = tid;
	pmu_move_events(pmu, former, tid);
}
/* execve(2) of a program with other privileges: its events stop counting. */
#define pmu_exec_protected(pmu, tid) pmu_move_events(pmu, tid, -1)
/* Returns the number of descriptors open on a task, without clones. */
int pmu_open_on(const struct pmu *pmu, int tid);

/* Returns the kind of cores whose PMU counts the event; -1: any. */
int pmu_core(const struct pmu *pmu, const struct perf_event_attr *attr);

/* Returns the events per nanosecond; the PMU in the upper half of config makes no difference. */
uint64_t pmu_rate(uint32_t type, uint64_t config);

#endif
