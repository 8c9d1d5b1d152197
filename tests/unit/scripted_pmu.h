/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripted_pmu - a fake kernel that counts, for tests: an implementation of struct perf_sys.
 *
 * It implements counting as in perf_event_open(2): groups, inheritance by new threads,
 * enable_on_exec, multiplexing, pinned groups on the caller itself (task 0), which runs all the
 * time, events of all tasks on one CPU, the sequence number in the mapped page of an event, and the
 * failures in its script. Tasks exist once pmu_task_add() was called. The test controls time:
 * pmu_run() lets a task run, and each event then counts pmu_rate(event) per nanosecond, so the true
 * counts are always known.
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

/* An event on one task. Clones are the copies that new threads inherit: they have no descriptor,
 * but point to the original. */
struct pmu_event {
	bool used, open;
	struct perf_event_attr attr;
	int tid;
	uint64_t id;
	struct pmu_event *leader;   /* of a leader: the event itself */
	struct pmu_event *original; /* for a clone; NULL: the event was opened */
	int cgroup_fd;              /* for an event on a CPU; -1: all tasks there */
	bool enabled;               /* for a leader */
	bool error;                 /* for a pinned leader: its group could not be scheduled */
	uint64_t value, enabled_ns, running_ns;
	struct perf_event_mmap_page *page; /* NULL: not mapped */
};

struct pmu_task {
	int tid;
	bool dead, denied;
	uint64_t run_ns;
	int core; /* the kind of cores on which it runs */
};

/* The properties and failures of the machine; all 0: a machine on which every call succeeds. */
struct pmu_script {
	/* The most PMU events in a group: opening more is EINVAL; 0: no limit. */
	int max_hardware;
	/* Groups with more PMU events than this can be opened, but are never scheduled; 0: no
	 * limit. */
	int never_above;
	int core_never_above[2]; /* like never_above, for each of two kinds of cores */
	/* Like never_above, for all tasks but the caller, as if other events were pinned on
	 * them. */
	int task_never_above;
	/* Bit c: a group that contains config c is never scheduled with more than 2 events. */
	uint64_t exclusive;
	bool no_mixing; /* a group permits events of one type only (else EINVAL) */
	/* Hybrid machine: types of the PMUs of the two kinds of cores; 0: one kind. */
	uint32_t core_type[2];
	int core_max[2]; /* like max_hardware, for each kind of cores */
	/* As on Arm before Linux 5.13: the first PMU counts generic events, whatever PMU is in
	 * their config. */
	bool no_extended;
	/* Config 0x8000 to 0x8300 only in a group led by 0x400, and only as RAW; else EINVAL. */
	bool topdown;
	/* Bit c: the second kind of cores does not have config c (ENOENT) */
	uint64_t no_atom;
	int no_visit[2];            /* errno of moving the caller to a kind of cores */
	int max_fds;                /* EMFILE beyond; 0: no limit */
	int refuse_exclude_guest;   /* errno of attr.exclude_guest */
	int refuse_modes;           /* errno of PMU events that exclude a mode */
	bool ignore_modes;          /* PMU events of the caller count in excluded modes */
	bool paranoid;              /* kernel mode is denied (EACCES), which is checked first */
	bool refuse_inherit_thread; /* as before Linux 5.13 (EINVAL) */
	uint64_t missing;           /* bit c: the event with config c does not exist (ENOENT) */
	int refusal;                /* errno of a missing event; 0: ENOENT */
	uint64_t denied;            /* bit c: the event with config c is not allowed (EACCES) */
	bool reversed;              /* read() returns the values in reverse order */
	/* Multiplexing: PMU events are scheduled for share_running of share_of ns; 0: always. */
	int share_running, share_of;
	bool read_zero; /* read() returns 0, as for an event in error state */
	int exiting;    /* a thread is exiting: this many reads fail with ECHILD; -1: all */
	int read_short; /* read() returns at most this many bytes; 0: all */
	bool stays;     /* tasks that run were on their CPU before, so that no page is updated */
	int no_map;     /* errno of mapping an event */
};

struct pmu_calls {
	int open, read, ioctl, close, visit, map;
};

struct pmu {
	struct perf_sys sys;
	struct pmu_script script;
	struct pmu_event event[PMU_FDS];
	struct pmu_task task[PMU_TASKS];
	int n_tasks, n_open, most_open;
	int core;  /* the kind of cores on which the caller runs */
	bool away; /* the caller was moved there */
	uint64_t next_id;
	struct pmu_calls calls;
	int orphans;   /* members whose leader was closed before them */
	int bad_calls; /* closed twice, read after close, flags without CLOEXEC, ... */
	/* Called after each successful open: lets a test move tasks. */
	void (*on_open)(struct pmu *pmu, void *context, int tid);
	void *context;
};

void pmu_init(struct pmu *pmu);
/* Makes the control pages of events mappable from now on. */
void pmu_map_pages(struct pmu *pmu);
void pmu_task_add(struct pmu *pmu, int tid);
/* The id of a pseudo task that stands for all tasks of a CPU. Add and run it like a task. */
#define PMU_CPU(cpu) (-2 - (cpu))
/* Adds a thread or a child process of `creator`, which inherits its events. A child does not
 * inherit those with inherit_thread. */
void pmu_made_add(struct pmu *pmu, int tid, int creator, bool child);
#define pmu_thread_add(pmu, tid, creator) pmu_made_add(pmu, tid, creator, false)
#define pmu_child_add(pmu, tid, creator)  pmu_made_add(pmu, tid, creator, true)
struct pmu_task *pmu_task(struct pmu *pmu, int tid);
void pmu_run(struct pmu *pmu, int tid, uint64_t ns);
void pmu_exec(struct pmu *pmu, int tid);
void pmu_exit(struct pmu *pmu, int tid);
/* Moves the events of a task to another one; to -1: to none. */
void pmu_move_events(struct pmu *pmu, int from, int to);
/* Gives a thread that executes a program the id of the first thread, which has ended. */
static inline void pmu_rename(struct pmu *pmu, int tid, int former)
{
	pmu_task(pmu, former)->tid = tid;
	pmu_move_events(pmu, former, tid);
}
/* Executes a program with other privileges: the kernel stops the events of the task. */
#define pmu_exec_protected(pmu, tid) pmu_move_events(pmu, tid, -1)
/* Returns the number of descriptors open on a task, without clones. */
int pmu_open_on(const struct pmu *pmu, int tid);

/* Returns the kind of cores whose PMU counts the event, -1 if any does. */
int pmu_core(const struct pmu *pmu, const struct perf_event_attr *attr);

/* Returns the counts per ns. A PMU in the upper half of config makes no difference. */
uint64_t pmu_rate(uint32_t type, uint64_t config);

#endif
