/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_process - what sources of tables have in common that processes keep of themselves: whose
 * table it is, whether that one lives, and the samples that it is shown in.
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

/* Asks who it is. False: there is no such process, and nothing is set but the pid. */
bool table_process_read(struct table_process *p, struct proc *proc, int pid);
void table_process_done(struct table_process *p);

/* When the process with this number was started (field 22 of /proc/PID/stat); 0: there is none. */
uint64_t table_process_start(int pid);
/* Whether the process with this start (field 22 of /proc/PID/stat) is there; and whether it runs:
 * one that has ended, and whose status nobody has fetched yet, does not. */
bool table_process_exists(int pid, uint64_t start_ticks);
bool table_process_lives(int pid, uint64_t start_ticks);
/* Whether the filter lets its pid and its user pass; that of names is the frame's. */
bool table_process_is_wanted(int pid, const struct filter *f);

/* Empties the sample, and tells the moment. */
void tables_begin_sample(struct sample *out, struct proc *proc);
/* A reading of what could not be read now: nothing is known of the interval. */
struct task *tables_unknown_reading(const struct task *last);

#endif
