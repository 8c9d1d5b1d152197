/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child - waits for the end of one child process.
 *
 * Interrupted waits go on. Every child is reaped once: behind that, its number may be another
 * process's, and it is never signalled here.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#define CHILD_NO_LIMIT (-1)
#define CHILD_LOST     (-1) /* in place of a status: it was reaped elsewhere */

/* Waits for the end, at most so many milliseconds, and reaps the child. status: as waitpid(2) has
 * it; may be NULL. -ETIMEDOUT: it still runs. -ECHILD: there is no such child. */
int child_await(pid_t pid, int limit_ms, int *status);
/* The same, and kills a child that still runs then. Returns its status, or CHILD_LOST. */
int child_finish(pid_t pid, int limit_ms);

#endif
