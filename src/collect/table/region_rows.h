/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rows - a source for the regions of code that programs measure by libtiptop: a row for each
 * region of each process.
 *
 * Nothing is counted here: the processes count, and write their tables (region_table.h). So any
 * screen can be shown; events that were not counted are shown with the reason. The rows of an ended
 * process are sampled once more with their final numbers: its table is read through a descriptor
 * that outlives it.
 *
 * A process without a table is checked again after it has run: in each of its first refreshes,
 * later in every eighth, since searching the mappings of a process takes 50 µs or more in the
 * kernel.
 */
#ifndef COLLECT_TABLE_REGION_ROWS_H
#define COLLECT_TABLE_REGION_ROWS_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"

/* Creates the source. proc and machine must outlive it. folder: where the processes of a command
 * leave their tables (inject/lib/regions.h). Only these tables are shown, even those of
 * short-lived processes, and each is removed after its process has ended. NULL: search all
 * processes. */
struct source *source_regions_new(struct proc *proc, const struct machine *machine,
				  const struct sample_machine *description, const char *folder);

#endif
