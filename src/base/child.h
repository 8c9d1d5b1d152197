/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child - waits for the end of one child process.
 *
 * A wait that a signal interrupts is resumed. A pid is never signalled after its process was
 * reaped, since it may then belong to another process.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#define CHILD_NO_LIMIT (-1)
#define CHILD_LOST     (-1) /* in place of a status: the child was reaped elsewhere */

/* Waits for the end of the child, at most limit_ms milliseconds (CHILD_NO_LIMIT: without a limit),
 * and reaps it. status: as from waitpid(2); may be NULL. Returns 0; -ETIMEDOUT: the child still
 * runs; -ECHILD: there is no such child. */
int child_await(pid_t pid, int limit_ms, int *status);
/* Waits as child_await() does, then kills a child that still runs. Returns its status, or
 * CHILD_LOST. */
int child_finish(pid_t pid, int limit_ms);

#endif
