/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_source - samples of a command with all that it makes, as the one row that there is.
 *
 * The counters are opened on the child that is to become the command, and count from its first
 * instruction. Whatever it makes inherits them: processes and threads, also those that live too
 * short a while for any sample to see them. As in the rows of tasks, events that are more than the
 * PMU has counters for take turns.
 */
#ifndef COLLECT_COMMAND_COMMAND_SOURCE_H
#define COLLECT_COMMAND_COMMAND_SOURCE_H

#include "collect/source.h"
#include "collect/task/proc.h"

/* The command is that of the want; once it runs, its counters stay as they are. name: what the row
 * is called, copied. The seams must outlive the source; of `told`, which may be NULL, a reference
 * is taken. */
struct source *source_command_new(struct perf_sys *sys, struct proc *proc,
				  const struct sample_machine *told, const char *name);

#endif
