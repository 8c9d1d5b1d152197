/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables - a source for the tables that preloaded objects write (table_folder.h): a row for each
 * row of each table.
 *
 * A struct tables_use has the functions that read the tables of one kind. Nothing is counted here,
 * so any screen can be shown. A table stays open, and its descriptor outlives the file: the rows of
 * an ended process are sampled once more with their final numbers, however it ended, and so are
 * those of a process that began and ended between two samples, if its file still exists. After an
 * execve(2) the process has another table, and the rows of the earlier table end.
 *
 * A reading has the events that its process was asked to count. Events that were not counted are
 * unknown.
 *
 * Rows for one lock in shared memory are one row over all processes (shared_rows.h), unless the
 * filter has a PID.
 *
 * All numbers of a row that is new since the last sample belong to the interval since that sample
 * (COUNT_WHOLE).
 */
#ifndef COLLECT_TABLE_TABLES_H
#define COLLECT_TABLE_TABLES_H

#include "base/strbuf.h"
#include "collect/table/shared_rows.h"
#include "collect/table/table_folder.h"
#include "inject/preload/table_note.h"
#include "model/sample.h"
#include "pmu/event/machine.h"

/* ---- events ----
 *
 * Converts the events of a table, which has only their names, into the events of readings, as
 * resolved for this machine.
 */

struct tables_event {
	const char *name;
	enum quality quality;   /* QUALITY_EXACT, or why the process does not have the event */
	char mode;              /* modifier that its name had, 'u' or 'k'; 0: none */
	enum event_phase phase; /* phase of a lock in which it is counted */
};

/* Resolves the n events, with a part for each kind of cores. All of them are in one group, as they
 * are read at the same time. The caller owns the reference. */
struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n);
/* Returns the reason why no thread has the event, from the note in its table; QUALITY_EXACT: some
 * threads have it, or it was refused to none. */
enum quality tables_event_quality(const struct event_note *note);
/* Sets the counts of a reading, whose events are those of tables_events_new(). count: a count for
 * each event, in order, not for each part; unread: bit i: count[i] is unknown; ns: the time in
 * which they were counted. */
void tables_set_counts(struct task *t, const uint64_t count[], uint64_t unread, uint64_t ns);

/* ---- tables ---- */

struct tables_use {
	const struct kind *kind;
	const char *what; /* word for names of folders and for sentences, such as "locks" */
	/* Creates the state of one table; free() frees it. machine: resolves its events; it
	 * outlives the table. */
	void *(*make)(const struct machine *machine);
	void (*free)(void *table);
	/* Reads the table. ended: the process has ended, so a write in progress stays unfinished:
	 * the table is read as it is. Returns 0; or -errno with a sentence that continues "the
	 * table of locks of the process 4711", and then the rows are still those of the last
	 * reading. */
	int (*read)(void *table, int fd, bool ended, struct err *err);
	/* Replaces `out` by the next sentence that concerns the whole process, not a row; each
	 * sentence comes once. Returns false if there is none. NULL: there are no such
	 * sentences. */
	bool (*tell)(void *table, struct strbuf *out);
	/* Returns the number of rows, which never falls: row i stays row i. */
	size_t (*n)(const void *table);
	/* Returns whether row i is unchanged since the last call of row() for it. */
	bool (*is_idle)(const void *table, size_t i);
	/* Sets *out to the place of row i in shared memory. Returns false if it is private. NULL:
	 * no rows are shared. */
	bool (*shared)(const void *table, size_t i, struct shared_place *out);
	/* Returns a new reading of row i, with its texts, facts, events and counts. The caller sets
	 * everything else. */
	struct task *(*row)(void *table, size_t i, const struct table_process *process);
};

/* ---- readings ----
 *
 * The rows of one table as readings, for all sources of tables.
 */

struct table_readings {
	const struct tables_use *use;
	void *table; /* that of `use` */
	bool was_taken;
	struct task **reading; /* [n] the last readings */
	size_t n, cap;
};

/* The table of which readings are taken, and the moment. */
struct table_moment {
	const struct table_process *process;
	unsigned number; /* of the table of its process */
	uint32_t sample;
	/* is_new: all numbers belong to this interval; ended: they are the final ones. */
	bool is_new, ended;
};

void table_readings_init(struct table_readings *r, const struct tables_use *use,
			 const struct machine *machine);
void table_readings_done(struct table_readings *r);
/* Makes readings of all rows that have changed. */
void table_readings_take(struct table_readings *r, const struct table_moment *m);
/* Makes all numbers unknown, if the table cannot be read. */
void table_readings_lose(struct table_readings *r, const struct table_moment *m);
/* Adds the readings to the sample; those of shared memory to `shared`, unless it is NULL. */
void table_readings_add(const struct table_readings *r, int pid, struct shared_rows *shared,
			struct sample *out);
/* Logs the sentences about the process. log NULL: none. */
void table_readings_tell(const struct table_readings *r, int pid, struct log *log);

/* ---- source ---- */

/* Creates the source. folder: that of the tables of the command, whose tables are removed after the
 * last reading of each ended process; NULL: all folders of this user. Borrows
 * folder, proc and machine; takes a reference to `description`, that of the machine for its
 * samples (NULL: none). */
struct source *source_tables_new(const struct tables_use *use, struct proc *proc,
				 const struct machine *machine,
				 const struct sample_machine *description, const char *folder);

#endif
