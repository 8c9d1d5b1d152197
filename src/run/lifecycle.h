/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle - runs the command after "--", from its start to its end: one state machine for all
 * commands of tiptop that run another program.
 *
 *   LIFECYCLE_NONE     no command
 *   LIFECYCLE_WAITING  the child waits before its execve(2), until its counters are opened
 *   LIFECYCLE_RUNNING  the child was released: its execve(2) has succeeded, or it was killed before
 *   LIFECYCLE_ZOMBIE   the command has ended, not reaped: its clocks and /proc can still be read
 *   LIFECYCLE_REAPED   the command has ended and is reaped, or its execve(2) has failed
 *
 *   life.hooks = &hooks, life.context = ...
 *   lifecycle_run()      starts the command and waits until it has ended; or, in steps:
 *   lifecycle_start(), lifecycle_launch(), and lifecycle_wait() or lifecycle_advance()
 *   lifecycle_done()
 *
 * The states follow in this order. Each hook is called once:
 *
 *   started   the child waits: time to open counters, or to attach to it
 *   executed  the child was released: time to truncate files, which a command that cannot be
 *             executed leaves as they are
 *   zombie    time to read the command for the last time
 *   reaped    its times are included in those of RUSAGE_CHILDREN
 *
 *   module                   in started            in zombie          in reaped
 *   monitor                  begins the summary    reads all rows     prints the summary
 *   locks, calls, regions    watches processes     reads its clocks   -
 *   follow                   attaches by ptrace(2) -                  -
 *   --repeat, compare --run  begins to count       -                  takes the last counts
 *
 * lifecycle_done() ends a child that was not released; the state is then LIFECYCLE_NONE, as this
 * child never became the command. A stopped command has no state of its own: Ctrl-Z also stops
 * tiptop, which is in the same process group, so the shell sees the stop. Stops by ptrace(2) are
 * handled by the tracer.
 *
 * Only one function checks for the end of the command, by waitid(2) or the replacement that a test
 * sets. If other code has reaped the command, its exit status is unknown: `lost` is set, and the
 * status is LIFECYCLE_LOST_STATUS, the exit status of tiptop's own failures.
 */
#ifndef RUN_LIFECYCLE_H
#define RUN_LIFECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/err.h"
#include "run/wait.h"

/* ---- spawn ----
 *
 * Starts the command after "--": a child that waits before its execve(2) until its counters are
 * attached.
 *
 *   spawn_start()    creates the child, which has only the user's rights, and waits
 *   spawn_release()  lets the child execute the command; reports the errno of a failed execve(2)
 *   spawn_close()    closes the descriptors: a child that still waits exits
 */

/* The descriptors of the command from 0 to this number are /dev/null; its other standard
 * descriptors are those of tiptop. */
enum spawn_files { SPAWN_OURS = -1, SPAWN_NO_INPUT = 0, SPAWN_QUIET = 2 };

struct spawn {
	pid_t pid; /* 0: no child */
	int go_fd; /* a byte written here lets the child go on */
	/* The child writes two numbers here. First 0 when it waits, or the errno of a failed
	 * preparation; then the errno of a failed execve(2). End of file in place of the second
	 * number: execve(2) has succeeded, or the child was killed. */
	int failed_fd;
};

#define SPAWN_INIT                                                                                 \
	{                                                                                          \
		.go_fd = -1, .failed_fd = -1                                                       \
	}

/* ---- environment ----
 *
 * Gives the command the environment that the user gave tiptop.
 *
 * If the file of a program has capabilities, the C library removes the variables before main() with
 * which a user could change what the program does: LD_PRELOAD, LD_LIBRARY_PATH, TMPDIR and others,
 * see ld.so(8). tiptop works without these variables. The command has no such capabilities and
 * would get the variables from a shell, so the child restores them just before execve(2), from
 * /proc/self/environ, which still has the original text.
 */

/* Restores the variables that the C library removed. To be called in the child, after
 * privilege_allow_trace(): until then, /proc/self/environ belongs to root. Returns 0 or -errno. */
int environment_restore(void);

/* Sets the variables of this text, each "name=value" ended by a NUL, except those that are set
 * already and those named TIPTOP_..., which tiptop itself sets and removes. If LD_PRELOAD is set
 * already, appends the objects in the text to its list. Returns 0 or -errno. */
int environment_add(const char *text, size_t len);

/* ---- lifecycle ---- */

enum lifecycle_state {
	LIFECYCLE_NONE,
	LIFECYCLE_WAITING,
	LIFECYCLE_RUNNING,
	LIFECYCLE_ZOMBIE,
	LIFECYCLE_REAPED
};

/* Callbacks of the module that uses a lifecycle; NULL: none. They return 0, or -errno with a
 * sentence. An error ends the wait. */
struct lifecycle_hooks {
	int (*started)(void *context, struct err *err);
	int (*executed)(void *context, struct err *err);
	int (*zombie)(void *context,
		      struct err *err); /* if `lost` is set, it is called without a zombie */
	int (*reaped)(void *context, struct err *err);
	/* Reads the events of a tracer (collect/command/trace.h) for the command and its
	 * descendants, before lifecycle_advance() looks for the end. Without a command,
	 * lifecycle_advance() does nothing else. */
	int (*take)(void *context, struct err *err);
	/* Adds other descriptors and times to wait for until the end. */
	void (*add_waits)(void *context, struct wait *wait);
	void (*mark)(void *context); /* at SIGUSR2 */
	/* Each signal that ends tiptop is sent to the command. With second_ends_wait, only the
	 * first such signal is sent, and the second one ends the wait. Without a command, the first
	 * signal ends the wait. */
	bool second_ends_wait;
};

struct lifecycle {
	struct spawn spawn; /* spawn.pid 0: no command */
	enum lifecycle_state state;
	uint64_t released_ns; /* Time of the release, on CLOCK_MONOTONIC; 0: not released. */
	/* The execve(2) of the command failed; the status is that of a shell: 127 not found, 126
	 * not executable. */
	bool failed;
	bool lost; /* the command has ended, and its status is unknown */
	/* After the end, reaped or not, the status as in a shell: the exit status, or 128 + the
	 * number of the signal. */
	int status;
	int signal; /* the signal that ended the command; 0: none */
	/* waitid(2), or the replacement of a test. */
	int (*wait)(idtype_t type, id_t id, siginfo_t *info, int options);
	const struct lifecycle_hooks *hooks;
	void *context; /* passed to the hooks */
	const struct signals *signals;
	bool done;      /* the wait has ended; hooks may set it, too */
	bool left;      /* the wait ended while the command runs on */
	int end_signal; /* the last signal to end tiptop; 0: none */
};

#define LIFECYCLE_INIT                                                                             \
	{                                                                                          \
		.spawn = SPAWN_INIT, .wait = waitid                                                \
	}

#define LIFECYCLE_LOST_STATUS 1
#define LIFECYCLE_LOST_TEXT   "the command has ended, and its exit status is unknown"

/* Returns 0; or -ENOENT with a sentence if execvp(3) will find no file of this name: the state is
 * then as after a failed execve(2). To be called before a file is overwritten. */
int lifecycle_find(struct lifecycle *l, const char *command, struct err *err);
/* Starts the child, which waits; see spawn_start(). After an error, no child is left. Keeps a
 * pointer to `signals`. */
int lifecycle_start(struct lifecycle *l, char **argv, enum spawn_files files,
		    const struct signals *signals, struct err *err);
/* Lets the child execute the command. Returns 0; or -errno with a sentence why the command did not
 * start: the child has then been reaped if its execve(2) failed, else it still waits. */
int lifecycle_release(struct lifecycle *l, const char *command, struct err *err);
/* Calls the hook `started`, then lifecycle_release(), then the hook `executed`. */
int lifecycle_launch(struct lifecycle *l, const char *command, struct err *err);
/* Reads the events of a tracer; if the command has ended, calls the hooks `zombie` and `reaped`,
 * and reaps it in between. Call it after SIGCHLD. */
int lifecycle_advance(struct lifecycle *l, struct err *err);
/* Waits until the command has ended, and sends it the signals that end tiptop. */
int lifecycle_wait(struct lifecycle *l, struct err *err);
/* Runs the command from its start to its end: lifecycle_start(), lifecycle_launch(),
 * lifecycle_wait(). */
int lifecycle_run(struct lifecycle *l, char **argv, enum spawn_files files,
		  const struct signals *signals, struct err *err);
/* Returns whether the command has ended; does not reap it, so that its facts can still be read. */
bool lifecycle_has_ended(struct lifecycle *l);
/* Reaps the command, if it has ended. */
void lifecycle_reap(struct lifecycle *l);
/* Returns whether there is a command that is not reaped, whether it waits or was released. */
bool lifecycle_runs(const struct lifecycle *l);
/* Sends a signal to the command, unless the terminal has sent it already; then SIGCONT, so that a
 * stopped command sees the signal. Returns 0, or -errno with a sentence. */
int lifecycle_signal(const struct lifecycle *l, const struct signal_event *taken, struct err *err);
/* Returns the exit status for tiptop: that of the command if it was reaped, else 0; EXIT_FAILED
 * instead of 0 if tiptop itself has failed. */
int lifecycle_exit_status(const struct lifecycle *l, bool tiptop_failed);
/* Ends a child that still waits, and closes the descriptors. A released command continues to
 * run. */
void lifecycle_done(struct lifecycle *l);

#endif
