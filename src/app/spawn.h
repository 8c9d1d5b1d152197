/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawn - the command behind "--": a child that waits before its execve(2) until its counters are attached.
 *
 *   spawn_start()    the child exists and waits
 *   spawn_release()  it goes on; says whether the command could be executed
 *   spawn_reap()     its end, without waiting
 */
#ifndef APP_SPAWN_H
#define APP_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct spawn {
	pid_t pid; /* 0: there is no command */
	int go_fd; /* a byte written here lets the child go on */
	bool released;
	int failed_fd; /* the child's errno comes from here if its execve(2) failed; nothing if it did not */
	bool ended;
	bool failed; /* its execve(2) failed; the exit status says how, as a shell would: 127 not found, 126 not
			executable */
	int status;  /* of waitpid(2), once ended */
};

/* quiet: the command's input and output are /dev/null, since the screen is tiptop's. To be called before tiptop changes
 * signals or limits for itself: the command gets them as they are. */
int spawn_start(struct spawn *s, char **argv, bool quiet, struct err *err);
/* 0; or -errno with the sentence why the command did not start, after which the child has been reaped. */
int spawn_release(struct spawn *s, const char *command, struct err *err);
/* Whether the command has ended; the zombie stays, so that its last facts can be read. */
bool spawn_has_ended(const struct spawn *s);
void spawn_reap(struct spawn *s);
/* What a shell would say: the exit status, or 128 + the signal's number. */
int spawn_exit_status(const struct spawn *s);
/* Ends a child that still waits, and closes the descriptors. */
void spawn_done(struct spawn *s);

#endif
