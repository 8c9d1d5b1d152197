/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc - access to the tasks of the machine as a struct of functions. procfs implements it for
 * the running machine; tests replace it.
 *
 * The live source is built around the cost of each call (µs of CPU per task, measured on a 2-core
 * VM): pids() 1.2; cpu_clock() 0.9; facts() 8 to 12 for stat alone; walk() 11 to 15, and 9 more
 * with command lines. So a refresh calls cpu_clock() for every process that passes the filter, and
 * facts() and walk() mostly for processes that ran.
 *
 * Errors: -ESRCH: the task has ended. Any other -errno: the file or fact cannot be read.
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

/* A growing list of pids or tids. */
struct pid_list {
	int *v;
	size_t n, cap;
};

void pid_list_add(struct pid_list *list, int pid);
/* Compares two pids, for array_sort() and array_find(). */
int pid_compare(const void *a, const void *b);

/* The kernel truncates names of tasks to 15 bytes, those of kernel workers to 63. */
#define PROC_NAME_MAX 64

/* Facts of one task that change while it runs. */
struct proc_facts {
	struct fact_set known;
	uint64_t fact[FACT_MAX];
	/* [i]: the text of the fact FACT_FIRST_READ_TEXT + i, if known; valid until the next
	 * call. */
	const char *read[FACT_TEXTS_MAX];
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

/* The open files of a task whose facts are read at each refresh. Reading an open file takes half
 * the time of opening, reading and closing it. facts() opens the files; its caller owns them. */
struct proc_files {
	int fd[FACT_FILES_MAX]; /* -1: not open */
};

struct proc_files *proc_files_new(void);
/* Closes the files. files may be NULL. */
void proc_files_free(struct proc_files *files);

struct proc {
	/* Returns CLOCK_MONOTONIC, in ns. Takes some 30 ns, less than clocks(). */
	uint64_t (*now)(struct proc *self);
	void (*clocks)(struct proc *self, struct proc_clocks *out);
	/* Sets the load averages, the number of CPUs and the other fields of *out. *last_pid: the
	 * newest pid or tid of this PID namespace. Returns 0, or -errno: then the load averages and
	 * *last_pid are unknown. */
	int (*host)(struct proc *self, struct host *out, int *last_pid);
	/* Reads the use of CPUs and memory of the machine; sets out->cpu_error and
	 * out->memory_error. Arrays are allocated in the arena. */
	void (*use)(struct proc *self, struct machine_use *out, struct arena *arena);
	/* Lists the pids of all processes. Returns 0, or -errno. */
	int (*pids)(struct proc *self, struct pid_list *out);
	/* Lists the tids of one process. Returns 0, or -errno. */
	int (*tids)(struct proc *self, int pid, struct pid_list *out);
	/* Reads the CPU time of a process, in ns: that of all its threads, including those that
	 * have ended. Returns 0, or -errno. */
	int (*cpu_clock)(struct proc *self, int pid, uint64_t *ns);
	/* Calls visit for each of the n processes that still exists and can be read, or for all
	 * such processes (pids NULL). Returns 0, or -errno. */
	int (*walk)(struct proc *self, const int *pids, size_t n, bool cmdline, proc_visit visit,
		    void *context);
	/* Reads facts of one thread; tid 0: of a process as a whole, except that facts which the
	 * kernel has only per thread (per_thread) are those of the leader. State, name, start and
	 * the other facts in PID/stat are always read. files: where the files that are read stay
	 * open for the next call, whose pid and tid must be the same; NULL: they are closed.
	 * Returns 0, or -errno. */
	int (*facts)(struct proc *self, int pid, int tid, struct fact_set want,
		     struct proc_files *files, struct proc_facts *out);
	/* Reads the wanted facts that are not in PID/stat, and adds to *io those that can be read.
	 * io: the facts in PID/stat, as facts() or walk() has just read them. */
	void (*add_facts)(struct proc *self, int pid, int tid, struct fact_set want,
			  struct proc_files *files, struct proc_facts *io);
	/* Reads the current system call of a task, the kernel function in which it sleeps, its
	 * allowed CPUs, the idle time of all other CPUs, and the waiting times and the frozen state
	 * of its control groups. Values that cannot be read stay unknown. */
	void (*waits)(struct proc *self, int pid, int tid, struct detail_wait *out);
	/* Reads the memory limits and memory use of the control groups of a process; texts are
	 * allocated in the arena. Returns 0, or -errno. */
	int (*memory)(struct proc *self, int pid, struct arena *arena, struct detail_memory *out);
	/* Reads the resctrl groups as resctrl_read() does. own: the threads of the task whose
	 * details are shown, to find its group. io: the previous reading, which is replaced. */
	void (*resctrl)(struct proc *self, const struct pid_list *own, struct resctrl *io);
	/* Reads the resource limits of a process into out->limit and out->n_limits, allocated in
	 * out->limits_arena. Returns 0, or -errno. */
	int (*limits)(struct proc *self, int pid, struct detail *out);
};

#endif
