/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resctrl - reads the cache occupancy and memory traffic of all resctrl groups, summed over all L3.
 *
 * A group is a folder: the mount point and the folders below it, and in each of these the folders
 * of mon_groups. The numbers of a group include those of its mon_groups. A task is in the mount
 * point or in one of the folders below it, and may be in one of the mon_groups of that folder, too:
 * its group here is the innermost of these.
 */
#ifndef COLLECT_TASK_RESCTRL_H
#define COLLECT_TASK_RESCTRL_H

#include "base/strbuf.h"
#include "collect/task/proc.h"
#include "model/detail.h"

#define RESCTRL_MOUNT "/sys/fs/resctrl"

/* Parameters of a reading. */
struct resctrl_look {
	const char *mount;
	uint64_t mono_ns;
	const int *tid; /* [n_tids] threads of the task of the detail */
	size_t n_tids;
	struct strbuf *text; /* scratch */
};

/* Reads all groups. `io` has the previous reading, from which rates are computed; all 0: there is
 * none. */
void resctrl_read(const struct resctrl_look *look, struct resctrl *io);
/* Reads the groups of this machine, for struct proc. */
void resctrl_read_here(struct proc *proc, const struct pid_list *own, struct resctrl *io);

#endif
