/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rows - the regions of code that programs measure by libtiptop, as a source: a row for each
 * region of each process that has some.
 *
 * Nothing is counted here: the processes count, and write it into their tables (region_copy.h). So
 * each screen may be shown of it, and what was not counted has a reason. A process that has ended
 * is in one sample more, with its final numbers: its table is read through a descriptor that
 * outlives it.
 *
 * Whoever has no table yet is looked at again when it has run, at every eighth refresh after the
 * first ones: to look for a file among what a process has mapped takes the kernel 50 µs and more.
 */
#ifndef COLLECT_TABLE_REGION_ROWS_H
#define COLLECT_TABLE_REGION_ROWS_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"

/* proc and machine must outlive the source. folder: NULL; or where the processes of a command leave
 * their tables (inject/lib/table_file.h): only those are shown, none is missed, however short its
 * process lives, and each is removed when its process has ended. */
struct source *source_regions_new(struct proc *proc, const struct machine *machine,
				  const struct sample_machine *told, const char *folder);

#endif
