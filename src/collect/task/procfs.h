/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs - the struct proc for the running machine: reads tasks from /proc.
 */
#ifndef COLLECT_TASK_PROCFS_H
#define COLLECT_TASK_PROCFS_H

#include "base/err.h"
#include "collect/task/proc.h"

/* Opens /proc. The caller frees the result with procfs_free(). Returns NULL with a sentence if
 * /proc is not mounted (-ENOENT), shows another PID namespace (-ESRCH) or cannot be read. */
struct proc *procfs_new(struct err *err);
void procfs_free(struct proc *proc);

#endif
