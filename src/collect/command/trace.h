/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace - follows tasks through fork, clone, exec and exit by ptrace(2), on any kernel and as any
 * user.
 *
 *   trace_command() or trace_process()
 *   while (trace_next(&t, &event))      the task of the event waits until the next call
 *       ...
 *   trace_done()                        detaches from all tasks; they go on
 *
 * A task that a followed task creates is followed from before its first instruction in user mode to
 * its end. Signals are passed on to the tasks; a stop by a signal (Ctrl-Z) takes effect.
 *
 * After trace_next() has returned false, wait for SIGCHLD, or call trace_wait(). Ends are reaped
 * with waitpid(2), except that of `kept`: the caller must have no other children.
 *
 * Limits of the kernel: a task has one tracer, so a task followed by a debugger is refused
 * (-EPERM); a set-user-ID program that a followed task executes does not get its rights.
 *
 * Errors: -errno with a sentence.
 */
#ifndef COLLECT_COMMAND_TRACE_H
#define COLLECT_COMMAND_TRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "pmu/check/refusal.h"

/* ---- kernel ----
 *
 * The kernel interface of a tracer, as a struct of functions.
 *
 * All calls of the kernel go through a struct trace_sys. A test can put a scripted kernel in its
 * place, which reports stops and ends in any order that is legal. Such a kernel embeds the struct
 * as its first member and finds its own state through `self`.
 *
 * All functions but is_thread() return -errno on failure.
 */

/* IDs of tasks; free() the array. */
struct trace_tasks {
	pid_t *task; /* [n] */
	size_t n, cap;
};

struct trace_sys {
	/* ptrace(2) with a number as data: the options of PTRACE_SEIZE, the signal of PTRACE_CONT
	 * and PTRACE_DETACH. */
	int (*request)(struct trace_sys *self, int request, pid_t task, unsigned long number);
	/* PTRACE_GETEVENTMSG */
	int (*message)(struct trace_sys *self, pid_t task, unsigned long *out);
	/* waitpid(2) with __WALL. task -1: any. */
	pid_t (*take)(struct trace_sys *self, pid_t task, int *status, int options);
	/* waitid(2) with __WALL. task -1: any. */
	int (*wait)(struct trace_sys *self, pid_t task, siginfo_t *out, int options);
	bool (*is_thread)(struct trace_sys *self, pid_t task, pid_t process);
	int (*status)(struct trace_sys *self, pid_t task, struct task_status *out);
	/* threads() adds the threads of a process to *out, children() the children of a task. */
	int (*threads)(struct trace_sys *self, pid_t process, struct trace_tasks *out);
	int (*children)(struct trace_sys *self, pid_t task, struct trace_tasks *out);
};

/* Returns the status that waitpid(2) would have returned for this result of waitid(2). */
int trace_status(const siginfo_t *info);

/* Returns the interface to the kernel of this machine. */
struct trace_sys trace_kernel(void);

/* ---- list ----
 *
 * The tasks of a tracer, with their states.
 *
 * A pointer to a task is valid until a task is added or dropped.
 */

struct trace_task {
	pid_t task, process, creator;
	bool announced; /* its creator has reported it */
	bool waits;     /* it is at its first stop */
	bool seized;    /* it ran when it was followed, and has not stopped since */
	bool born;      /* TRACE_BORN was returned */
	/* its process is stopped by a signal, and stays so when the task continues */
	bool stopped;
};

/* Initialize with zeros. */
struct trace_list {
	struct trace_task *task; /* [n] */
	size_t n, cap;
};

/* ---- trace ---- */

enum trace_kind {
	TRACE_BORN, /* a new task, or a task that existed before it was followed */
	TRACE_EXEC, /* its process has a new image; the other tasks of the process are gone */
	TRACE_ENDED /* it has ended; its counters can still be read */
};

struct trace_event {
	enum trace_kind kind;
	pid_t task, process;
	/* BORN: the task that created this task; or its present parent, if the creator was killed
	 * before it could report this task; 0: it existed before it was followed */
	pid_t creator;
	pid_t former; /* EXEC: the ID of the task before the exec, mostly the same */
	int status;   /* ENDED: as from waitpid(2) */
};

struct trace {
	struct trace_sys *sys;
	bool children;           /* follow new processes, too */
	struct trace_list tasks; /* the living tasks */
	/* the task of the last event, which continues at the next call; 0: none */
	pid_t held;
	/* A child of the caller that stays a zombie after its end, as the caller waits for it; 0:
	 * none. Set it before the command is followed. */
	pid_t kept;
	/* a running process of which some threads may not be followed yet; 0: none */
	pid_t attached;
	bool kept_ended; /* the end of `kept` was reported */
	bool detaching;  /* all tasks are being detached */
};

/* Initializes the tracer. sys: borrowed. children: follow the processes that tasks create, too. */
void trace_init(struct trace *t, struct trace_sys *sys, bool children);
/* Follows a child of the caller that has not executed its command yet. Returns 0, or -errno with a
 * sentence. */
int trace_command(struct trace *t, pid_t pid, struct err *err);
/* Waits until the command is at its first stop, and sets *out to its TRACE_BORN. Returns false if
 * it ended before. Call it after trace_command(); the command must be `kept`. */
bool trace_await_birth(struct trace *t, struct trace_event *out);
/* Follows a running process with all its threads. Returns 0, or -errno with a sentence. */
int trace_process(struct trace *t, pid_t pid, struct err *err);
/* Continues the task of the last event, and returns the next event; false: none at present. */
bool trace_next(struct trace *t, struct trace_event *out);
/* Continues the task of the last event. */
void trace_continue(struct trace *t);
/* Waits until a task changes its state. trace_next() may return no event for that change. */
void trace_wait(struct trace *t);
/* Detaches from the task of the last event, BORN or EXEC. */
void trace_detach(struct trace *t);
/* Detaches from all tasks. Tasks that cannot be detached at once are detached by later calls of
 * trace_next(), which then returns no events. */
void trace_detach_all(struct trace *t);
/* Detaches from all tasks and frees the list: tasks that could not be detached wait at their next
 * stop until tiptop ends. */
void trace_done(struct trace *t);

#endif
