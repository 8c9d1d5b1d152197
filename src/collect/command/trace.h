/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace - follows tasks through fork, clone, exec and exit by ptrace(2), on any kernel and as any
 * user.
 *
 *   trace_command() or trace_process()
 *   while (trace_next(&t, &event))      the task of the event waits until the next call
 *       ...
 *   trace_done()                        what still runs goes on by itself
 *
 * A task is followed from before its first instruction to its end, so that whoever opens counters
 * at TRACE_BORN misses nothing. Signals of the tasks go on to them; a stop (Ctrl-Z) is a stop.
 *
 * Where trace_next() has nothing more, SIGCHLD tells when to ask again; or trace_wait(). Ends are
 * taken with waitpid(2), but for that of `kept`: the caller must have no other children.
 *
 * The kernel's limits: one tracer a task, so what a debugger follows is refused (-EPERM); a
 * set-user-ID program that a followed task executes does not get its rights.
 *
 * Errors: -errno with a sentence.
 */
#ifndef COLLECT_COMMAND_TRACE_H
#define COLLECT_COMMAND_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "collect/command/trace_sys.h"

/* ---- list ----
 *
 * The tasks of a tracer, and what is known of each.
 *
 * A pointer to a task is valid until one is added or dropped.
 */

struct trace_task {
	pid_t task, process, creator;
	bool announced; /* its creator has told of it */
	bool waits;     /* it is at its first stop */
	bool born;      /* TRACE_BORN was given */
	bool stopped;   /* its process is stopped, and so it goes on with that */
};

/* Zeroed at the beginning. */
struct trace_list {
	struct trace_task *task; /* [n] */
	size_t n, cap;
};

/* ---- trace ---- */

enum trace_kind {
	TRACE_BORN, /* a task is there */
	TRACE_EXEC, /* its process has a new image; all other tasks of it have gone */
	TRACE_ENDED /* it has ended; what it counted can still be read */
};

struct trace_event {
	enum trace_kind kind;
	pid_t task, process;
	/* BORN: the task that made it, or, where that was killed before it could tell, who is its
	 * parent since; 0: it was there before */
	pid_t creator;
	pid_t former; /* EXEC: the number that the task had before; most often the same */
	int status;   /* ENDED: as waitpid(2) gives it */
};

struct trace {
	struct trace_sys *sys;
	bool children;           /* processes that are made are followed, too */
	struct trace_list tasks; /* those that live */
	pid_t held;              /* goes on at the next call; 0: none */
	/* A child of the caller that stays a zombie when it has ended, as the caller waits for it;
	 * 0: none. To be set before the command is followed. */
	pid_t kept;
	bool kept_ended; /* and has been told of */
	bool detaching;  /* all go on without being followed */
};

/* sys: borrowed. children: processes that a task makes are followed, too. */
void trace_init(struct trace *t, struct trace_sys *sys, bool children);
/* Follows a child of the caller that has not executed its command yet. */
int trace_command(struct trace *t, pid_t pid, struct err *err);
/* Waits until the command is at its first stop, which is its birth. False: it has ended before. To
 * be called behind trace_command(), where it is `kept`. */
bool trace_await_birth(struct trace *t, struct trace_event *out);
/* Follows a process that runs, with all of its threads. */
int trace_process(struct trace *t, pid_t pid, struct err *err);
/* Takes the next event. False: there is none at present. */
bool trace_next(struct trace *t, struct trace_event *out);
/* The task of the last event goes on already. */
void trace_continue(struct trace *t);
/* Waits until some task has something to tell, which may be no event. */
void trace_wait(struct trace *t);
/* The task of the last event, BORN or EXEC, is not followed any more. */
void trace_detach(struct trace *t);
/* Lets all tasks go on without being followed. Who cannot be let go at once, is by a later
 * trace_next(), which then has no event any more. */
void trace_detach_all(struct trace *t);
/* The same for good: what still could not be let go waits, where it stops, for the end of tiptop.
 */
void trace_done(struct trace *t);

#endif
