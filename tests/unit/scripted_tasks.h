/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripted_tasks - a small kernel of tasks, for tests: it stands behind struct trace_sys.
 *
 * It does what ptrace(2), wait(2) and execve(2) say of seized tasks, and nothing in an order of its
 * own: before each call of the tracer, some tasks take a step each, drawn by a seed. They work,
 * make threads and processes (by fork, vfork, clone, some of them CLONE_UNTRACED), execute
 * programs, end, end together, get signals that stop and continue them, and are killed amid all of
 * that. So
 *
 *   - a new task reaches its first stop before or after its creator tells of it, which may be
 * killed before it can;
 *   - execve(2) of a thread ends the others, without those of them that stand amid fork(2) telling
 *     what they have made; it goes on once the tracer has taken their ends, and gets the number of
 *     the first thread, which ends silently;
 *   - a first thread that ends is a zombie of which wait(2) tells once all others were taken;
 *   - a killed task leaves its stop, and ptrace(2) of it is -ESRCH;
 *   - whose parent has ended is a child of process 1; numbers are used again.
 *
 * What was true of each task is kept in its struct st_life.
 */
#ifndef TESTS_SCRIPTED_TASKS_H
#define TESTS_SCRIPTED_TASKS_H

#include <stdint.h>

#include "collect/command/trace_sys.h"

#define ST_TASKS   24 /* at once */
#define ST_LIVES   96 /* in all */
#define ST_TRACER  2  /* the process that traces */
#define ST_COMMAND 100

/* What became of a task, and is kept. */
struct st_life {
	pid_t task, process, creator; /* the number at its end; of its creator, when it was made */
	struct st_life *by;           /* who has made it; NULL: it was there */
	bool over;                    /* it has ended, or is about to */
	pid_t former;                 /* its number before its last execve(2) */
	bool traced, seized;          /* from its beginning on; while it ran */
	bool runs;                    /* it has done something */
	bool replaced;                /* its number went to a thread that executed a program */
	int status;                   /* of its end, as the tracer took it */
	uint64_t work;
	/* For the test. */
	int births, ends;
	uint64_t before; /* what it had done when its counters were opened */
};

struct st_task {
	bool used;
	struct st_life *life;
	pid_t task;
	struct st_process *process;
	bool traced, children; /* and so is what it makes: threads; and processes, too */
	bool trap;             /* it stops before it does anything more */
	bool notified;         /* its process goes on: it stops once more */
	int event;             /* PTRACE_EVENT_... with this message comes next; 0: none */
	unsigned long message;
	bool stopped, listens;
	int status;               /* of the stop; 0: the tracer has taken it */
	bool event_stop;          /* of PTRACE_EVENT_STOP */
	bool alone;               /* it runs, although its process is stopped */
	struct st_process *vfork; /* it waits until this one executes or ends */
	bool waits;               /* before the execve(2) of the command */
	bool executes;            /* it waits until the others have ended */
	bool dying, dead;
	int code; /* of its end */
};

struct st_process {
	bool used;
	pid_t process, parent;
	bool ended_by_all; /* all its threads end with this code */
	int code;
	int stopped; /* by this signal; 0: it is not */
};

struct st_kernel;

/* For a test that mirrors the tasks; NULL where it does not. */
struct st_hooks {
	void (*made)(struct st_kernel *k, pid_t task, pid_t creator, bool process);
	void (*worked)(struct st_kernel *k, pid_t task, uint64_t n);
	/* former != task: a thread takes the number of the first one, which has ended. */
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
	bool reuses;       /* numbers are used again */
	bool keeps;        /* the command stays a zombie, for the caller */
	bool finishes;     /* tasks do nothing more but end */
	const char *wrong; /* the first thing that must not be; NULL: nothing */
};

/* A command that waits before its execve(2), a child of the tracer. */
void st_init(struct st_kernel *k, uint64_t seed);
/* Lets it execute. */
void st_release(struct st_kernel *k);
/* Gives it so many threads more that run, and lets the first one end. */
void st_add_threads(struct st_kernel *k, int n, bool first_ends);
unsigned st_draw(struct st_kernel *k, unsigned n);
/* Lets up to n tasks take a step. False: none can. */
bool st_run(struct st_kernel *k, unsigned n);
/* Whether a task can do something, or the tracer has something to take. */
bool st_is_alive(struct st_kernel *k);
void st_check(struct st_kernel *k, bool good, const char *what);
/* The latest that had this number. */
struct st_life *st_life(struct st_kernel *k, pid_t task);
/* Checks that no task waits for the tracer, which has let all go. */
void st_check_let_go(struct st_kernel *k);

/* For scripted_tracer.c: the two halves of the kernel. */
struct trace_sys st_sys(void);
struct st_task *st_find(struct st_kernel *k, pid_t task);
bool st_is_first(const struct st_task *t);
/* Tasks of a process, with its zombies. */
int st_count_tasks(const struct st_kernel *k, const struct st_process *p);
/* Removes zombies whose ends no tracer has to take. */
void st_reap(struct st_kernel *k);
void st_stop_process(struct st_kernel *k, struct st_process *p, int signal);
/* Whether wait(2) tells the tracer of it. options: WEXITED, WSTOPPED, or both. */
bool st_is_reportable(const struct st_kernel *k, const struct st_task *t, int options);

#endif
