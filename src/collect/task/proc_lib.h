/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_lib - the struct proc for the running machine: reads tasks from /proc.
 */
#ifndef COLLECT_TASK_PROC_LIB_H
#define COLLECT_TASK_PROC_LIB_H

#include "base/err.h"
#include "collect/task/proc.h"

/* Opens /proc. The caller frees the result with proc_lib_free(). Returns NULL with a sentence if
 * /proc is not mounted (-ENOENT), shows another PID namespace (-ESRCH) or cannot be read. */
struct proc *proc_lib_new(struct err *err);
void proc_lib_free(struct proc *proc);

#endif
