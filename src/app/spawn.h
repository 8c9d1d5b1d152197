/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawn - the command behind "--": a child that waits before its execve(2) until its
 * counters are attached.
 *
 *   spawn_start()    the child exists, has no rights but those of the user, and waits
 *   spawn_release()  it goes on; says whether the command could be executed
 *   spawn_has_ended(), spawn_reap()     its end, without waiting
 *
 * Both ask waitid(2) at one place. Where somebody else has taken the end of the command, it has
 * ended all the same, but nobody can say how: then the status is that of a failure of tiptop, and
 * `lost` tells it from one of the command.
 */
#ifndef APP_SPAWN_H
#define APP_SPAWN_H

#include <stdbool.h>
#include <sys/wait.h>

#include "app/signals.h"
#include "base/err.h"

/* Which of its standard files are /dev/null: those up to this number; the others are tiptop's. */
enum spawn_files { SPAWN_OURS = -1, SPAWN_NO_INPUT = 0, SPAWN_QUIET = 2 };

struct spawn {
	pid_t pid; /* 0: there is no command */
	int go_fd; /* a byte written here lets the child go on */
	bool released;
	/* The child writes 0 there when it waits; then its errno if its execve(2) failed, nothing
	 * if it did not. */
	int failed_fd;
	bool ended;
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

#define SPAWN_LOST_STATUS 1
#define SPAWN_LOST_TEXT   "the command has ended, but nobody can say with what status"

/* Starts the child. To be called before tiptop changes limits for itself: the command gets them as
 * they are, and the signals as they were at the start. */
int spawn_start(struct spawn *s, char **argv, enum spawn_files files, const struct signals *signals,
		struct err *err);
/* Lets the child execute the command. Returns 0; or -errno with the sentence why the command did
 * not start, after which the child has been reaped. */
int spawn_release(struct spawn *s, const char *command, struct err *err);
/* Whether the command has ended; the zombie stays, so that its last facts can be read. */
bool spawn_has_ended(struct spawn *s);
/* Reaps the command, if it has ended. */
void spawn_reap(struct spawn *s);
/* Whether the command runs, as far as is known. */
bool spawn_runs(const struct spawn *s);
/* Hands a signal on to the command, unless a key has sent it there already; and wakes a command
 * that was stopped, so that it sees the signal. */
int spawn_signal(const struct spawn *s, const struct signal_taken *taken, struct err *err);
/* Returns the exit status of tiptop: that of the command once it has ended, else 0. A child
 * that was not released was no command. Where tiptop itself has failed, EXIT_FAILED takes the place
 * of 0. */
int spawn_exit_status(const struct spawn *s, bool tiptop_failed);
/* Ends a child that still waits, and closes the descriptors. */
void spawn_done(struct spawn *s);

#endif
