/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds - the kinds of things that rows are of. A further one is a further row here.
 */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "model/kind.h"

/* Processes, or their threads where these are the rows: the id is the pid or the tid, the owner the
 * process. */
extern const struct kind kind_task;

/* CPUs: the id is the number that the kernel gives them, which is the name, too; in the place of a
 * command line there is the place where it is. start_ns tells the times apart that it
 * came online. */
extern const struct kind kind_cpu;

/* Regions of code that programs measure themselves: the name is that of the region, the process has
 * the program's. */
extern const struct kind kind_region;
/* The id of region i of a process. */
uint64_t kind_region_id(int pid, uint32_t i);

/* Finds a kind by its name; NULL: there is none. */
const struct kind *kinds_find(const char *name);

#endif
