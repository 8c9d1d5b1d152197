/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc - the tasks of the machine, as a struct of functions: the seam that a test replaces.
 *
 * What each call costs decides how the live source works (µs of CPU a task, measured on a 2-core
 * VM): pids() 1.2; cpu_clock() 0.9; facts() 8 to 12 for stat alone; walk() 15, or 30 for chosen
 * pids. So a refresh asks cpu_clock() of everyone and the rest only of those that ran.
 *
 * Errors: -ESRCH means that the task has gone; other -errno values that this fact cannot be had.
 */
#ifndef COLLECT_TASK_PROC_H
#define COLLECT_TASK_PROC_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/detail.h"
#include "model/fact.h"
#include "model/sample.h"

struct proc_clocks {
	uint64_t mono_ns, boot_ns, wall_ns;
};

/* A growing list of pids or tids, in the order that the kernel gives them. */
struct pid_list {
	int *v;
	size_t n, cap;
};

void pid_list_add(struct pid_list *list, int pid);
/* Compares two pids, for qsort() and bsearch(). */
int pid_compare(const void *a, const void *b);

/* The kernel cuts names of tasks at 15 bytes, those of kernel workers at 63. */
#define PROC_NAME_MAX 64

/* What changes while a task runs. */
struct proc_facts {
	fact_mask known;
	uint64_t fact[N_NUMBER_FACTS];
	/* The facts from FACT_FIRST_READ_TEXT on, where known; valid until the next call. */
	const char *read[N_READ_TEXTS];
	uint64_t start_ns;
	char state;
	char name[PROC_NAME_MAX];
};

/* What a walk tells of a process. Strings are valid during the visit only. */
struct proc_process {
	int pid;
	uint32_t uid;
	const char *user;
	const char *cmdline; /* NULL where it was not asked for or is empty */
	struct proc_facts facts;
};

typedef void (*proc_visit)(void *context, const struct proc_process *process);

struct proc {
	/* CLOCK_MONOTONIC alone, which costs some 30 ns. */
	uint64_t (*now)(struct proc *self);
	void (*clocks)(struct proc *self, struct proc_clocks *out);
	/* The load averages and the number of CPUs. *last_pid: the newest pid or tid of the
	 * machine. */
	int (*host)(struct proc *self, struct host *out, int *last_pid);
	/* What CPUs and memory are used for, or why that is not known. What it points to lies in
	 * the arena. */
	void (*use)(struct proc *self, struct machine_use *out, struct arena *arena);
	/* The pids of all processes. */
	int (*pids)(struct proc *self, struct pid_list *out);
	/* The tids of one process. */
	int (*tids)(struct proc *self, int pid, struct pid_list *out);
	/* The CPU clock of a process: the time of all its threads, those that have ended
	 * included. */
	int (*cpu_clock)(struct proc *self, int pid, uint64_t *ns);
	/* Calls visit for each of the named processes that still exists, or for all processes (pids
	 * NULL). */
	int (*walk)(struct proc *self, const int *pids, size_t n, bool cmdline, proc_visit visit,
		    void *context);
	/* Facts of one thread, or (tid 0) of a process as a whole, whose per_thread facts are then
	 * the leader's. State, name, start and the other facts that lie in the same file come in
	 * any case. */
	int (*facts)(struct proc *self, int pid, int tid, fact_mask want, struct proc_facts *out);
	/* In which system call a task is, where in the kernel it sleeps, and what its control group
	 * has waited for so far: what cannot be read stays unknown. */
	void (*waits)(struct proc *self, int pid, int tid, struct detail_wait *out);
	/* What the control groups of a process say of memory; texts lie in the arena. */
	int (*memory)(struct proc *self, int pid, struct arena *arena, struct detail_memory *out);
	/* What groups of tasks hold of caches; own: threads of the task that is looked at. */
	void (*resctrl)(struct proc *self, const struct pid_list *own, struct resctrl *io);
	/* What a process may use at most: sets limit and n_limits, which lie in the arena of
	 * limits. */
	int (*limits)(struct proc *self, int pid, struct detail *out);
};

/* /proc and libproc2. */
struct proc *proc_lib_new(struct err *err);
void proc_lib_free(struct proc *proc);

#endif
