/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripted_tasks - a fake kernel of tasks, for tests: an implementation of struct trace_sys.
 *
 * It behaves like ptrace(2), wait(2) and execve(2) with seized tasks, in random orders: before each
 * call of the tracer, some tasks make a step each, chosen by a seed. They work, create threads and
 * processes (by fork, vfork, clone, some of them CLONE_UNTRACED), execute programs, end, end
 * together, get signals that stop and continue them, and are killed at any moment. So
 *
 *   - a new task reaches its first stop before or after its creator's event, and the creator may be
 *     killed before that event;
 *   - execve(2) of a thread ends the others; those in fork(2) report no event for their new task;
 *     the thread continues once the tracer has waited for their ends, and gets the id of the first
 *     thread, which ends without an event;
 *   - a first thread that ends is a zombie, reported by wait(2) after all other threads;
 *   - a killed task leaves its stop, and ptrace(2) of it is -ESRCH;
 *   - orphans become children of process 1; ids are reused.
 *
 * The true history of each task is in its struct st_life.
 */
#ifndef TESTS_SCRIPTED_TASKS_H
#define TESTS_SCRIPTED_TASKS_H

#include <stdint.h>

#include "collect/command/trace.h"

#define ST_TASKS   24 /* most tasks at a time */
#define ST_LIVES   96 /* most tasks in total */
#define ST_TRACER  2  /* pid of the tracer */
#define ST_COMMAND 100

/* The history of a task, kept after its end. */
struct st_life {
	pid_t task, process, creator; /* the id at its end; creator: when it was created */
	struct st_life *by;           /* its creator; NULL: it existed at the start */
	bool over;                    /* it has ended, or is about to */
	pid_t former;                 /* its id before its last execve(2) */
	bool traced, seized;          /* traced from its start; seized (PTRACE_SEIZE) later */
	bool runs;                    /* it has done some work */
	bool replaced;                /* its id went to a thread that executed a program */
	int status;                   /* its wait status, as reported to the tracer */
	uint64_t work;
	/* counted by the test */
	int births, ends;
	uint64_t before; /* its work when its counters were opened */
};

struct st_task {
	bool used;
	struct st_life *life;
	pid_t task;
	struct st_process *process;
	bool traced, children; /* traced, with the threads it creates; with processes, too */
	bool trap;             /* it stops before its next step */
	bool notified;         /* its process continues: it has to stop once more */
	int event;             /* the next PTRACE_EVENT_..., with this message; 0: none */
	unsigned long message;
	bool stopped, listens;
	int status;               /* of the stop; 0: the tracer has waited for it */
	bool event_stop;          /* the stop is a PTRACE_EVENT_STOP */
	bool alone;               /* it runs, although its process is stopped */
	struct st_process *vfork; /* it waits until this process executes or ends */
	bool waits;               /* it waits before the execve(2) of the command */
	bool executes;            /* in execve(2): waits for the exits of the other threads */
	bool dying, dead;
	int code; /* its wait status at its end */
};

struct st_process {
	bool used;
	pid_t process, parent;
	bool ended_by_all; /* all its threads end with this code */
	int code;
	int stopped; /* stopped by this signal; 0: not stopped */
};

struct st_kernel;

/* Callbacks for a test that mirrors the tasks; NULL: none. */
struct st_hooks {
	void (*made)(struct st_kernel *k, pid_t task, pid_t creator, bool process);
	void (*worked)(struct st_kernel *k, pid_t task, uint64_t n);
	/* former: the thread's id before; if it differs from task, the first thread has ended. */
	void (*executed)(struct st_kernel *k, pid_t task, pid_t former);
	void (*ended)(struct st_kernel *k, pid_t task);
};

struct st_kernel {
	struct trace_sys sys;
	struct st_hooks hooks;
	void *context;
	uint64_t seed;
	struct st_task task[ST_TASKS];
	struct st_process process[ST_TASKS];
	struct st_life life[ST_LIVES];
	int n_lives;
	pid_t next;
	bool reuses;       /* ids are reused */
	bool handles;      /* the tracer handles a change: until the next, no id is reused */
	bool keeps;        /* the command stays a zombie, for the caller */
	bool finishes;     /* tasks only end from now on */
	const char *wrong; /* the first error of the tracer; NULL: none */
};

/* Starts a command, a child of the tracer, that waits before its execve(2). */
void st_init(struct st_kernel *k, uint64_t seed);
/* Lets the command execute. */
void st_release(struct st_kernel *k);
/* Adds n running threads to the command; first_ends: its first thread ends. */
void st_add_threads(struct st_kernel *k, int n, bool first_ends);
unsigned st_draw(struct st_kernel *k, unsigned n);
/* Lets up to n tasks make a step each. Returns false if none can. */
bool st_run(struct st_kernel *k, unsigned n);
/* Returns whether a task can make a step, or an event is pending for the tracer. */
bool st_is_alive(struct st_kernel *k);
void st_check(struct st_kernel *k, bool good, const char *what);
/* Returns the latest task with this id. */
struct st_life *st_life(struct st_kernel *k, pid_t task);
/* Checks that no task waits for the tracer after it has detached from all. */
void st_check_let_go(struct st_kernel *k);

/* For scripted_tracer.c: the functions that both files of the fake kernel share. */
struct trace_sys st_sys(void);
struct st_task *st_find(struct st_kernel *k, pid_t task);
bool st_is_first(const struct st_task *t);
/* Returns the number of tasks of a process, including zombies. */
int st_count_tasks(const struct st_kernel *k, const struct st_process *p);
/* Removes zombies for which no tracer has to wait. */
void st_reap(struct st_kernel *k);
void st_stop_process(struct st_kernel *k, struct st_process *p, int signal);
/* Returns whether wait(2) reports the task to the tracer. options: WEXITED, WSTOPPED, or both. */
bool st_is_reportable(const struct st_kernel *k, const struct st_task *t, int options);

#endif
