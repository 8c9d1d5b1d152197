/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables - what preloaded objects write of their processes, as a source: a row for each row of each
 * table that is found (table_folder.h).
 *
 * What is in a table is known to a struct tables_use, one for each kind of rows. Nothing is counted
 * here: so each screen may be shown of it. A table is opened once, and its descriptor outlives the
 * file: a process that has ended is in one sample more, with its final numbers, however it ended;
 * so is one that began and ended between two samples. A process that executes another program has
 * another table, and the rows of the first one end.
 *
 * A reading has the events that its process was asked for. What it has not counted is unknown.
 *
 * All of a row that is new since the last sample is of that interval (COUNT_WHOLE).
 */
#ifndef COLLECT_TABLE_TABLES_H
#define COLLECT_TABLE_TABLES_H

#include "base/strbuf.h"
#include "collect/table/table_process.h"
#include "pmu/event/machine.h"

struct tables_use {
	const struct kind *kind;
	const char *what; /* "locks", as folders and sentences have it */
	/* machine: what its events are resolved for; it outlives the table. */
	void *(*make)(const struct machine *machine);
	void (*free)(void *table);
	/* Reads it. ended: the process has gone; so what it was writing then is taken as it stands.
	 * -errno with a sentence, which goes on from "the table of locks of the process 4711"; then
	 * the rows of the last reading are there still. */
	int (*read)(void *table, int fd, bool ended, struct err *err);
	/* What there is to be said of the process beside its rows, once: the next sentence in place
	 * of what is in `out`. False: there is none. NULL: never. */
	bool (*tell)(void *table, struct strbuf *out);
	/* The number of its rows, which never falls: row i stays row i. */
	size_t (*n)(const void *table);
	/* Whether row i is as it was when row() was called for it last. */
	bool (*is_idle)(const void *table, size_t i);
	/* A new reading of row i: its texts and facts, and the events and counts that it has. All
	 * else is set here. */
	struct task *(*row)(void *table, size_t i, const struct table_process *process);
};

/* folder: where the tables are; NULL: in all folders of this user. It is borrowed, as proc and the
 * machine are. */
struct source *source_tables_new(const struct tables_use *use, struct proc *proc,
				 const struct machine *machine, const struct sample_machine *told,
				 const char *folder);

#endif
