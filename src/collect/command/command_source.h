/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_source - a source whose only row is a command with all its descendants.
 *
 * The counters are opened on the child that becomes the command, and count from its first
 * instruction. All processes and threads that it creates inherit them, also those too short-lived
 * for any sample. As in rows of tasks, events are multiplexed if the PMU has too few counters.
 */
#ifndef COLLECT_COMMAND_COMMAND_SOURCE_H
#define COLLECT_COMMAND_COMMAND_SOURCE_H

#include "collect/source.h"
#include "collect/task/proc.h"

/* Creates the source. configure() opens the counters on the child process want.command before it
 * runs; later screens go on with them. name: the name of the row, copied. sys and proc must outlive
 * the source. description: that of the machine for its samples, of which a reference is taken;
 * NULL: none. */
struct source *source_command_new(struct perf_sys *sys, struct proc *proc,
				  const struct sample_machine *description, const char *name);

#endif
