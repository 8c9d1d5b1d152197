/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs - the struct proc for the running machine: reads tasks from /proc, and the cache occupancy
 * and memory traffic of their resctrl groups; and the number of processes that the kernel has
 * killed for lack of memory.
 */
#ifndef COLLECT_TASK_PROCFS_H
#define COLLECT_TASK_PROCFS_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "collect/task/proc.h"
#include "model/detail.h"

/* ---- out of memory ----
 *
 * The number of processes that the kernel has killed on the whole machine for lack of memory. Only
 * the kernel log has their names.
 */

/* Reads the number since boot from /proc/vmstat. Returns 0; or -errno if it is unknown: Linux
 * before 4.13 does not count it. */
int oom_read_kills(uint64_t *n);
/* Parses the text of /proc/vmstat. Returns 0; -ENODATA if it has no line oom_kill. */
int oom_parse_kills(const char *text, uint64_t *n);

/* ---- resctrl ----
 *
 * Reads the cache occupancy and memory traffic of all resctrl groups, summed over all L3.
 *
 * Each group is a folder: the mount point is the root group, and the folders in it are control
 * groups. Each of these groups may have monitoring groups, in its folder mon_groups; its numbers
 * include theirs. A task is in the root group or in one control group, and may also be in one
 * monitoring group of that group. The innermost of these is what is called its group here.
 */

/* Parameters of resctrl_read(). */
struct resctrl_look {
	const char *mount;
	uint64_t mono_ns;
	const int *tid; /* [n_tids] threads of the task whose group is looked up */
	size_t n_tids;
	struct strbuf *text; /* scratch */
};

/* Reads all groups. Replaces the previous reading in `io`, and computes rates from both readings;
 * all 0: there is no previous reading. */
void resctrl_read(const struct resctrl_look *look, struct resctrl *io);

/* ---- tasks ---- */

/* Opens /proc. The caller frees the result with procfs_free(). Returns NULL with a sentence if
 * /proc is not mounted (-ENOENT), shows another PID namespace (-ESRCH) or cannot be read. */
struct proc *procfs_new(struct err *err);
void procfs_free(struct proc *proc);

#endif
