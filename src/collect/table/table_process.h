/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_process - functions for all sources of tables: the process of a table, whether it is alive,
 * and the beginning of samples.
 */
#ifndef COLLECT_TABLE_TABLE_PROCESS_H
#define COLLECT_TABLE_TABLE_PROCESS_H

#include <stdbool.h>

#include "collect/source.h"
#include "collect/task/proc.h"

struct table_process {
	int pid;
	uint32_t uid;
	uint64_t start_ns;
	char *user, *name, *cmdline; /* cmdline NULL: none */
};

/* Reads the process with this pid. Returns false if there is none; only the pid is set then. */
bool table_process_read(struct table_process *p, struct proc *proc, int pid);
void table_process_done(struct table_process *p);

/* Returns the start of the process with this pid (field 22 of /proc/PID/stat); 0: there is none. */
uint64_t table_process_start(int pid);
/* Return whether the process with this start (field 22 of /proc/PID/stat) exists; and whether it is
 * alive, which a zombie is not. */
bool table_process_exists(int pid, uint64_t start_ticks);
bool table_process_lives(int pid, uint64_t start_ticks);
/* Returns whether a process with this pid is alive, whatever its start. */
bool table_process_runs(int pid);
/* Returns whether the filter accepts this pid and its user. The name is not checked here, but by
 * the frame. */
bool table_process_is_wanted(int pid, const struct filter *f);

/* Empties the sample, and sets its times and its host. */
void tables_begin_sample(struct sample *out, struct proc *proc);
/* Returns a reading for a row that cannot be read now: its facts and counts are unknown. */
struct task *tables_unknown_reading(const struct task *last);

#endif
