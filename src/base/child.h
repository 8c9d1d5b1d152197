/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child - waits for the end of one child process.
 *
 * Interrupted waits go on. Every child is reaped once. After that its pid may belong to another
 * process, so it is never signalled.
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
