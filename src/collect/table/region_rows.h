/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rows - a source for the regions of code that programs measure by libtiptop: a row for each
 * region of each process.
 *
 * Nothing is counted here: the processes count, and write their tables (region_copy.h). So each
 * screen can be shown, and what was not counted has a reason. The rows of an ended process are
 * sampled once more with their final numbers: its table is read through a descriptor that outlives
 * it.
 *
 * A process without a table is looked at again after it has run: in each of the first refreshes,
 * later in every eighth. To look for a file among the mappings of a process costs 50 µs and more in
 * the kernel.
 */
#ifndef COLLECT_TABLE_REGION_ROWS_H
#define COLLECT_TABLE_REGION_ROWS_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"

/* Creates the source. proc and machine must outlive it. folder: where the processes of a command
 * leave their tables (inject/lib/table_file.h): only these are shown, none is missed, however
 * short-lived its process, and each is removed after its process has ended; NULL: look at all
 * processes. */
struct source *source_regions_new(struct proc *proc, const struct machine *machine,
				  const struct sample_machine *told, const char *folder);

#endif
