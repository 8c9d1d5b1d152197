/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifecycle - the command behind "--", from its start to its end: one state machine for all that
 * run one.
 *
 *   LIFECYCLE_NONE     there is no command
 *   LIFECYCLE_WAITING  the child waits before its execve(2) (spawn.h), so that counters are opened
 *   LIFECYCLE_RUNNING  it goes on: its execve(2) has succeeded, or it was killed before that
 *   LIFECYCLE_ZOMBIE   it has ended and was not reaped: its clocks and /proc can still be read
 *   LIFECYCLE_REAPED   it has ended for good, or its execve(2) has failed
 *
 * It goes through these states in this order. A child that ends without having been let go was no
 * command: LIFECYCLE_NONE. A stop is no state: the shell sees that of tiptop, which is in the same
 * process group, and a stop by a tracer is the tracer's.
 *
 * Its end is asked for at one place, by waitid(2) or what a test provides. Where another has taken
 * the end of the command, it has ended all the same, but its status is not known: then that is the
 * status of a failure of tiptop, and `lost` tells it from one of the command.
 */
#ifndef APP_LIFECYCLE_H
#define APP_LIFECYCLE_H

#include <stdbool.h>
#include <sys/wait.h>

#include "app/signals.h"
#include "app/spawn.h"
#include "base/err.h"

enum lifecycle_state {
	LIFECYCLE_NONE,
	LIFECYCLE_WAITING,
	LIFECYCLE_RUNNING,
	LIFECYCLE_ZOMBIE,
	LIFECYCLE_REAPED
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
/* Returns whether the command has ended; the zombie stays, so that its last facts can be read. */
bool lifecycle_has_ended(struct lifecycle *l);
/* Reaps the command, if it has ended. */
void lifecycle_reap(struct lifecycle *l);
/* Returns whether there is a command that was not reaped. */
bool lifecycle_runs(const struct lifecycle *l);
/* Hands a signal on to the command, unless a key has sent it there already; and wakes a command
 * that was stopped, so that it sees the signal. */
int lifecycle_signal(const struct lifecycle *l, const struct signal_taken *taken, struct err *err);
/* Returns the exit status of tiptop: that of the command once it has ended, else 0. Where tiptop
 * itself has failed, EXIT_FAILED takes the place of 0. */
int lifecycle_exit_status(const struct lifecycle *l, bool tiptop_failed);
/* Ends a child that still waits, and closes the descriptors. A command that runs goes on. */
void lifecycle_done(struct lifecycle *l);

#endif
