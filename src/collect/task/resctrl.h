/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resctrl - reads what the groups of resctrl hold and move, of all L3 together.
 *
 * A group is a folder: the mount and those below it, and in each of them those of mon_groups. What
 * a group has counts as well what those of its mon_groups have. A task is in the mount, or in one
 * of the folders below, and there perhaps in one of mon_groups: its group here is the last of
 * these.
 */
#ifndef COLLECT_TASK_RESCTRL_H
#define COLLECT_TASK_RESCTRL_H

#include "base/strbuf.h"
#include "collect/task/proc.h"
#include "model/detail.h"

#define RESCTRL_MOUNT "/sys/fs/resctrl"

/* What is asked for. */
struct resctrl_look {
	const char *mount;
	uint64_t mono_ns;
	const int *tid; /* [n_tids] threads of the task that is looked at */
	size_t n_tids;
	struct strbuf *text; /* scratch */
};

/* Reads all groups anew. `io` has what was read before, from which rates are computed; all 0
 * begins. */
void resctrl_read(const struct resctrl_look *look, struct resctrl *io);
/* The same of this machine: for struct proc. */
void resctrl_read_here(struct proc *proc, const struct pid_list *own, struct resctrl *io);

#endif
