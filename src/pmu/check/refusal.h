/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal - explains why the kernel refused to count, or to trace by ptrace(2): the true cause and
 * the remedy, as a sentence. Reads the status of tasks, too.
 */
#ifndef PMU_CHECK_REFUSAL_H
#define PMU_CHECK_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

#define REFUSAL_CPU (-1)

/* What tiptop attempted when the kernel refused. */
struct refusal_attempt {
	/* The name of the event; NULL: cycles, to test whether there are hardware counters at
	 * all. */
	const char *event;
	pid_t tid;     /* the task; 0: tiptop itself; REFUSAL_CPU: all tasks on a CPU */
	bool kernel;   /* counting in the kernel was wanted */
	bool no_modes; /* the event cannot be counted in user mode alone */
	/* The PMU may be unable to count in user mode alone, which is unknown, since this user may
	 * not count in all modes (event.h: modes_denied). */
	bool untried;
	bool hardware;    /* the event is one of a hardware PMU */
	bool no_hardware; /* the machine has no hardware counters at all */
	/* Number and name of a common event of Arm that the PMU does not implement (event.h); NULL:
	 * this is not the cause. */
	const char *absent;
	/* An advice, as an imperative, how to need fewer descriptors; NULL: to count fewer tasks
	 * (-p, -u). */
	const char *fewer;
};

/* Returns the remedy for a user who has no permission to count, in the imperative. The user may be
 * root without a capability, as in a container. */
const char *refusal_remedy(void);

/* Sets err to the sentence for a perf_event_open(2) that returned ret (-errno): the true cause and
 * the remedy. Returns ret, negative. */
int refusal_explain(int ret, const struct refusal_attempt *attempt, struct err *err);

/* Sets err to a sentence for an event that counts in all modes because its PMU cannot exclude any
 * mode. */
void refusal_explain_modes(const char *event, struct err *err);

/* Tries to count cycles on tiptop itself. Returns 0, or -errno with the reason why hardware events
 * cannot be counted. all_modes may be NULL; *all_modes: the PMU can only count in all modes. */
int refusal_try_hardware(struct perf_sys *sys, bool kernel, bool *all_modes, struct err *err);

/* Tries to count all tasks on a CPU, with an event that needs no PMU. Returns 0, or -errno with the
 * reason. */
int refusal_try_cpus(struct perf_sys *sys, struct err *err);
/* Tries to count a control group on a CPU. group_fd: its open folder; path: its name in errors.
 * Returns as refusal_try_cpus() does. */
int refusal_try_cgroup(struct perf_sys *sys, int group_fd, const char *path, struct err *err);

/* ---- tasks ----
 *
 * Reads /proc/TID/status of one task, a process or a thread, that the user has named,
 * and explains in a sentence why ptrace(2) refuses to attach to it (EPERM).
 *
 * The file is read with the capabilities of the program (privilege.h), since with the mount option
 * hidepid, /proc shows users only their own tasks.
 *
 * The kernel does not report why it refuses. Therefore, tiptop collects facts about the task
 * afterwards, and tests them one after the other: the first fact that forbids tracing is the
 * reason.
 */

struct task_status {
	char state;  /* R S D T Z ... */
	int process; /* the process that the task belongs to */
	int parent;  /* the parent of `process` */
	long uid;    /* the effective user id */
	int tracer;  /* the process that traces the task by ptrace(2); 0: none */
	bool kernel; /* a kernel thread, which has no memory of its own */
};

/* Reads the status. Returns 0, or -errno if it cannot be read: the task does not exist, or is
 * hidden. */
int task_status_read(int tid, struct task_status *out);

/* ---- refusals of ptrace(2) ---- */

struct trace_facts {
	int task;
	bool command; /* the task is a child of tiptop that waits before its execve(2) */
	bool ended;   /* the task is a zombie, or gone */
	bool kernel;  /* the task is a kernel thread */
	int tracer;   /* the process that traces the task; 0: none */
	char tracer_name[16];
	int scope;      /* kernel.yama.ptrace_scope; 0 without Yama */
	bool root;      /* tiptop runs as root */
	long uid, user; /* effective user ids of the task and of tiptop */
	bool readable;  /* the user has permission to read the file of tiptop */
};

/* Fills in all fields but `task` and `command`, which the caller sets. A task without a status file
 * in /proc has ended. */
void trace_facts_read(struct trace_facts *f);
/* Sets err to a sentence with the first fact that forbids tracing. Returns -EPERM. */
int trace_refusal_explain(const struct trace_facts *f, struct err *err);

#endif
