/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_rows_part - what the files of the source of regions have in common: the processes that it
 * watches.
 */
#ifndef COLLECT_TABLE_REGION_ROWS_PART_H
#define COLLECT_TABLE_REGION_ROWS_PART_H

#include "collect/source.h"
#include "collect/table/region_reading.h"

/* A process, and its table where it has one. */
struct watched {
	int pid;
	unsigned number;   /* of the table, in a folder; else 0 */
	char *path;        /* of the table, in a folder; NULL: it is of none */
	bool met;          /* it is in the list of this refresh */
	unsigned age;      /* refreshes since it was found */
	uint64_t clock_ns; /* its CPU clock, when it was looked at last; 0: that look failed */
	int fd;            /* of its table; -1: none */
	struct table_process process;
	struct table_copy copy;
	struct sample_events *events;
	bool read; /* its table has been read before */
	/* Of each region that has been seen, its last reading (NULL: none), its epoch, and when it
	 * began to count. */
	struct task **reading;
	uint32_t *epoch;
	uint64_t *start_ns;
	uint32_t n_regions;
};

struct regions {
	struct source source;
	struct proc *proc;
	const struct machine *machine;
	struct sample_machine *told;
	char *folder; /* NULL: the tables are looked for in what processes have mapped */
	struct want want;
	struct watched **v; /* by pid */
	size_t n, cap;
	struct pid_list pids;
	struct reading_units units;
	uint32_t number;
	uint64_t boot_ns; /* of this refresh */
	uint64_t generation;
	struct source_cost cost;
	bool seen; /* there have been regions */
	/* The only process that is wanted cannot be looked at, or its table cannot be read, which
	 * was said. */
	bool refused;
	char note[ERR_TEXT_MAX];
};

/* Adds a process. */
struct watched *regions_watch(struct regions *r, int pid);

/* Updates the list by the tables that are in the folder: each is met whose process still has it. */
void regions_update_kept(struct regions *r);

#endif
