/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_proc - a fake set of processes, for tests: an implementation of struct proc, which also
 * advances the scripted PMU.
 *
 * True values: all facts of a task are functions of its running time, so that a test can compute
 * each number: CPU_NS is that time; UTIME_NS is 3/4 of it, STIME_NS 1/4 and WAIT_NS 1/2. MINFLT is
 * one per µs, MAJFLT one per 10 µs, VCSW one per 100 ns, NVCSW one per 200 ns and MIGRATIONS one
 * per 400 ns. Facts of a process are sums over its threads, including ended ones; but facts that
 * the kernel has per thread are those of the leader.
 */
#ifndef TESTS_FAKE_PROC_H
#define TESTS_FAKE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/task/proc.h"
#include "scripted_pmu.h"

#define WORLD_TASKS 128

struct world_task {
	int pid, tid;
	uint64_t start_ns, run_ns;
	uint32_t uid;
	char name[16];
	const char *cmdline;
	const char *cgroup, *container, *executable; /* NULL: unknown */
	int session, parent;
	char state;
	bool gone; /* out of /proc; a zombie is still in it */
};

struct world_calls {
	int host, use, pids, tids, cpu_clock, walk_all, walk_some, facts, add_facts, waits, memory,
		limits, resctrl;
	int kept; /* calls of facts() that got files to keep open */
};

struct world {
	struct proc proc;
	struct pmu *pmu;
	struct world_task task[WORLD_TASKS];
	int n, last_pid;
	uint64_t now_ns;
	struct world_calls calls;
	struct machine_use use;       /* its pointers belong to the test */
	int error_clock, error_facts; /* errno of these calls, until changed; 0: they succeed */
	/* Of a thread, the file with CPU_NS cannot be read. */
	bool no_time;
	int error_limits; /* errno of limits(), until changed; 0: a task has one limit, "64" */
	/* The number of processes that a walk finds before it fails with ENOMEM; 0: all. */
	int walk_cut;
	/* Called before tids() returns its list: lets a test start threads. */
	void (*on_tids)(struct world *w, int pid);
	/* Called before facts(); tid 0: facts of the process. */
	void (*on_facts)(struct world *w, int tid);
};

void world_init(struct world *w, struct pmu *pmu);
/* Advances the clocks. */
void world_wait(struct world *w, uint64_t ns);
/* Starts a process with its leader. */
struct world_task *world_start(struct world *w, int pid, const char *name);
void world_start_thread(struct world *w, int pid, int tid, int creator);
struct world_task *world_task(struct world *w, int tid);
void world_run(struct world *w, int tid, uint64_t ns);
void world_exec(struct world *w, int pid, const char *name);
/* Ends a thread; a leader becomes a zombie. */
void world_exit(struct world *w, int tid);
/* Removes a process from /proc, with all its threads. */
void world_reap(struct world *w, int pid);

/* Returns the fact of a task that ran for this time. */
uint64_t world_fact(int fact, uint64_t run_ns);

struct faulty_proc {
	struct proc proc;
	struct proc *inner;
	struct fault_plan *plan;
};

void faulty_proc_init(struct faulty_proc *f, struct proc *inner, struct fault_plan *plan);

#endif
