/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc - access to the tasks of the machine as a struct of functions, which tests replace. The real
 * one is proc_lib.
 *
 * The live source is built around the cost of each call (µs of CPU per task, measured on a 2-core
 * VM): pids() 1.2; cpu_clock() 0.9; facts() 8 to 12 for stat alone; walk() 15, or 30 for chosen
 * pids. So a refresh calls cpu_clock() for every process and the others only for those that ran.
 *
 * Errors: -ESRCH means that the task has gone; other -errno values that the fact cannot be read.
 */
#ifndef COLLECT_TASK_PROC_H
#define COLLECT_TASK_PROC_H

#include <stddef.h>
#include <stdint.h>

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

/* The kernel truncates names of tasks to 15 bytes, those of kernel workers to 63. */
#define PROC_NAME_MAX 64

/* Facts of one task that change while it runs. */
struct proc_facts {
	fact_mask known;
	uint64_t fact[N_NUMBER_FACTS];
	/* Facts from FACT_FIRST_READ_TEXT on, if known; valid until the next call. */
	const char *read[N_READ_TEXTS];
	uint64_t start_ns;
	char state;
	char name[PROC_NAME_MAX];
};

/* A process as a walk reports it. Strings are valid during the visit only. */
struct proc_process {
	int pid;
	uint32_t uid;
	const char *user;
	const char *cmdline; /* NULL: not requested, or empty */
	struct proc_facts facts;
};

typedef void (*proc_visit)(void *context, const struct proc_process *process);

/* The open files of a task of which facts are read at each refresh: reading an open file costs half
 * of opening, reading and closing it. Owned by the caller of facts(), which opens the files. */
struct proc_files {
	int fd[N_FACT_FILES]; /* -1: not open */
};

/* The most descriptors of one task. */
#define PROC_FILES_MAX (N_FACT_FILES - 1)

struct proc_files *proc_files_new(void);
/* Closes the files. files may be NULL. */
void proc_files_free(struct proc_files *files);

struct proc {
	/* Returns CLOCK_MONOTONIC alone, which costs some 30 ns. */
	uint64_t (*now)(struct proc *self);
	void (*clocks)(struct proc *self, struct proc_clocks *out);
	/* Sets the load averages and the number of CPUs. *last_pid: the newest pid or tid of the
	 * machine. Returns 0, or -errno. */
	int (*host)(struct proc *self, struct host *out, int *last_pid);
	/* Sets the use of CPUs and memory, or the errors. Arrays are allocated in the arena. */
	void (*use)(struct proc *self, struct machine_use *out, struct arena *arena);
	/* Lists the pids of all processes. Returns 0, or -errno. */
	int (*pids)(struct proc *self, struct pid_list *out);
	/* Lists the tids of one process. Returns 0, or -errno. */
	int (*tids)(struct proc *self, int pid, struct pid_list *out);
	/* Reads the CPU time of a process, in ns: that of all its threads, including those that
	 * have ended. Returns 0, or -errno. */
	int (*cpu_clock)(struct proc *self, int pid, uint64_t *ns);
	/* Calls visit for each of the n processes that still exists, or for all processes (pids
	 * NULL). Returns 0, or -errno. */
	int (*walk)(struct proc *self, const int *pids, size_t n, bool cmdline, proc_visit visit,
		    void *context);
	/* Reads facts of one thread, or (tid 0) of a process as a whole, whose per_thread facts are
	 * then those of the leader. State, name, start and the other facts of the same file are
	 * always read. files: reads them there, and opens the wanted ones; NULL: opens and closes
	 * them. Returns 0, or -errno. */
	int (*facts)(struct proc *self, int pid, int tid, fact_mask want, struct proc_files *files,
		     struct proc_facts *out);
	/* Reads the system call of a task, the place in the kernel where it sleeps, and the waits
	 * of its control groups; what cannot be read stays unknown. */
	void (*waits)(struct proc *self, int pid, int tid, struct detail_wait *out);
	/* Reads limits and use of memory of the control groups of a process; texts are in the
	 * arena. Returns 0, or -errno. */
	int (*memory)(struct proc *self, int pid, struct arena *arena, struct detail_memory *out);
	/* Reads the resctrl groups, as resctrl_read(). own: threads of the task of the detail. */
	void (*resctrl)(struct proc *self, const struct pid_list *own, struct resctrl *io);
	/* Reads the resource limits of a process: sets limit and n_limits, which are in the arena
	 * of limits. Returns 0, or -errno. */
	int (*limits)(struct proc *self, int pid, struct detail *out);
};

#endif
