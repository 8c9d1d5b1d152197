/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle - the command behind "--", from its start to its end: one state machine for all that
 * run one.
 *
 *   LIFECYCLE_NONE     there is no command
 *   LIFECYCLE_WAITING  the child waits before its execve(2), so that counters are
 * opened LIFECYCLE_RUNNING  it goes on: its execve(2) has succeeded, or it was killed before that
 *   LIFECYCLE_ZOMBIE   it has ended and was not reaped: its clocks and /proc can still be read
 *   LIFECYCLE_REAPED   it has ended for good, or its execve(2) has failed
 *
 *   life.hooks = &hooks, life.context = ...
 *   lifecycle_run()      starts the command and waits until it has ended; or, in steps:
 *   lifecycle_start(), lifecycle_launch(), and lifecycle_wait() or lifecycle_advance()
 *   lifecycle_done()
 *
 * It goes through these states in this order, and a hook is called once where it enters one:
 *
 *   started   it waits: counters are opened, or it is attached to
 *   zombie    what can be read of it for the last time is read
 *   reaped    its times are among those of RUSAGE_CHILDREN
 *
 *   user                     started               zombie             reaped
 *   monitor                  begins the summary    reads all rows     tells the summary
 *   locks, calls, regions    watches processes     reads its clocks   -
 *   follow                   is at its first stop  -                  -
 *   --repeat, compare --run  begins to count       -                  takes the last counts
 *
 * A child that ends without having been let go was no command: LIFECYCLE_NONE. A stop is no state:
 * the shell sees that of tiptop, which is in the same process group, and a stop by a tracer is the
 * tracer's.
 *
 * Its end is asked for at one place, by waitid(2) or what a test provides. Where another has taken
 * the end of the command, it has ended all the same, but its status is not known: then that is the
 * status of a failure of tiptop, and `lost` tells it from one of the command.
 */
#ifndef RUN_LIFECYCLE_H
#define RUN_LIFECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/err.h"
#include "run/signals.h"
#include "run/wait.h"

/* ---- spawn ----
 *
 * The start of the command behind "--": a child that waits before its execve(2) until its
 * counters are attached.
 *
 *   spawn_start()    the child exists, has no rights but those of the user, and waits
 *   spawn_release()  it goes on; says whether the command could be executed
 *   spawn_close()    closes the descriptors: a child that still waits exits
 */

/* Which of its standard files are /dev/null: those up to this number; the others are tiptop's. */
enum spawn_files { SPAWN_OURS = -1, SPAWN_NO_INPUT = 0, SPAWN_QUIET = 2 };

struct spawn {
	pid_t pid; /* 0: there is no child */
	int go_fd; /* a byte written here lets the child go on */
	/* The child writes 0 there when it waits; then its errno if its execve(2) failed, nothing
	 * if it did not. */
	int failed_fd;
};

#define SPAWN_INIT                                                                                 \
	{                                                                                          \
		.go_fd = -1, .failed_fd = -1                                                       \
	}

/* Starts the child. To be called before tiptop changes limits for itself: the command gets them as
 * they are, and the signals as they were at the start. -errno with a sentence; the child, if there
 * is one, then exits and has to be reaped. */
int spawn_start(struct spawn *s, char **argv, enum spawn_files files, const struct signals *signals,
		struct err *err);

/* ---- environment ----
 *
 * Gives the command the environment that the user gave tiptop.
 *
 * Where the file of a program gives capabilities, the C library removes variables before main() by
 * which a user could change what it does: LD_PRELOAD, LD_LIBRARY_PATH, TMPDIR and others, see
 * ld.so(8). tiptop goes without them. The command has no such capabilities, and another one would
 * run without them; so its process puts them back just before execve(2). The kernel still has the
 * original text, in /proc/self/environ.
 */

/* For the child only, once its user may attach to it: before, /proc/self/environ belongs to root.
 * 0 or -errno. */
int environment_restore(void);

/* Adds the variables of this text, each ending with a NUL, that are not set; of TIPTOP_..., which
 * tiptop itself sets and removes, none. To an LD_PRELOAD that is set, the objects of the text are
 * appended. 0 or -errno. */
int environment_add(const char *text, size_t len);

/* ---- lifecycle ---- */

enum lifecycle_state {
	LIFECYCLE_NONE,
	LIFECYCLE_WAITING,
	LIFECYCLE_RUNNING,
	LIFECYCLE_ZOMBIE,
	LIFECYCLE_REAPED
};

/* What its user does at each step; NULL: nothing. They return 0, or -errno with a sentence, which
 * ends the wait. */
struct lifecycle_hooks {
	int (*started)(void *context, struct err *err);
	int (*zombie)(void *context, struct err *err); /* or it is lost, and none is there */
	int (*reaped)(void *context, struct err *err);
	/* A provider of waits: takes what a tracer of the command and of all that it makes is told
	 * of them (collect/command/trace.h), before its end is looked for. Without a command, it is
	 * all. */
	int (*take)(void *context, struct err *err);
	/* Adds what else is waited for until the end. */
	void (*add_waits)(void *context, struct wait *wait);
	void (*mark)(void *context); /* SIGUSR2 has come */
	/* Each signal that is to end tiptop goes to the command; where this is set, the first one
	 * does, and the second one ends the wait. Without a command, the first one does so. */
	bool second_ends_wait;
};

struct lifecycle {
	struct spawn spawn; /* spawn.pid 0: there is no command */
	enum lifecycle_state state;
	/* Its execve(2) failed; the status is that of a shell: 127 not found, 126 not
	 * executable. */
	bool failed;
	bool lost; /* it has ended, and its status is not known */
	/* Once it has ended, reaped or not, what a shell would say: the exit status, or 128 + the
	 * signal's number. */
	int status;
	int signal; /* that ended it; 0: none */
	/* waitid(2), or that of a test. */
	int (*wait)(idtype_t type, id_t id, siginfo_t *info, int options);
	const struct lifecycle_hooks *hooks;
	void *context; /* of the hooks */
	const struct signals *signals;
	bool done;      /* nothing is waited for any more; hooks may set it, too */
	bool left;      /* the command goes on, and tiptop is to end */
	int end_signal; /* the last one that was to end tiptop; 0: none */
};

#define LIFECYCLE_INIT                                                                             \
	{                                                                                          \
		.spawn = SPAWN_INIT, .wait = waitid                                                \
	}

#define LIFECYCLE_LOST_STATUS 1
#define LIFECYCLE_LOST_TEXT   "the command has ended, but nobody can say with what status"

/* Starts the child, which waits; see spawn_start(). */
int lifecycle_start(struct lifecycle *l, char **argv, enum spawn_files files,
		    const struct signals *signals, struct err *err);
/* Lets the child execute the command. Returns 0; or -errno with the sentence why the command did
 * not start, after which the child has been reaped. */
int lifecycle_release(struct lifecycle *l, const char *command, struct err *err);
/* Calls the hook `started`, and lets the child go. */
int lifecycle_launch(struct lifecycle *l, const char *command, struct err *err);
/* To be called at SIGCHLD: takes what a tracer is told; where the command has ended, calls the
 * hooks of its end and reaps it. */
int lifecycle_advance(struct lifecycle *l, struct err *err);
/* Waits until the command has ended, and hands signals that are to end tiptop on to it. */
int lifecycle_wait(struct lifecycle *l, struct err *err);
/* All of that: from the start of the command to its end. */
int lifecycle_run(struct lifecycle *l, char **argv, enum spawn_files files,
		  const struct signals *signals, struct err *err);
/* Returns whether the command has ended; the zombie stays, so that its last facts can be read. */
bool lifecycle_has_ended(struct lifecycle *l);
/* Reaps the command, if it has ended. */
void lifecycle_reap(struct lifecycle *l);
/* Returns whether there is a command that was not reaped. */
bool lifecycle_runs(const struct lifecycle *l);
/* Hands a signal on to the command, unless a key has sent it there already; and wakes a command
 * that was stopped, so that it sees the signal. */
int lifecycle_signal(const struct lifecycle *l, const struct signal_event *taken, struct err *err);
/* Returns the exit status of tiptop: that of the command once it has ended, else 0. Where tiptop
 * itself has failed, EXIT_FAILED takes the place of 0. */
int lifecycle_exit_status(const struct lifecycle *l, bool tiptop_failed);
/* Ends a child that still waits, and closes the descriptors. A command that runs goes on. */
void lifecycle_done(struct lifecycle *l);

#endif
