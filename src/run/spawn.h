/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawn - the start of the command behind "--": a child that waits before its execve(2) until its
 * counters are attached. What becomes of it then is in lifecycle.h.
 *
 *   spawn_start()    the child exists, has no rights but those of the user, and waits
 *   spawn_release()  it goes on; says whether the command could be executed
 *   spawn_close()    closes the descriptors: a child that still waits exits
 */
#ifndef RUN_SPAWN_H
#define RUN_SPAWN_H

#include <sys/types.h>

#include "base/err.h"
#include "run/signals.h"

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
/* Lets the child execute the command. *error: why it could not (an errno); 0: it could, or was
 * killed. -errno with a sentence: it still waits. */
int spawn_release(struct spawn *s, const char *command, int *error, struct err *err);
/* Returns the exit status that shells use where a command cannot be executed: 127 not found, 126
 * not executable. */
int spawn_status_of(int error);
void spawn_close(struct spawn *s);

#endif
