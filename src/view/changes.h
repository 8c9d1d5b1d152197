/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes - a log of tasks that began to run or changed their phase. Pure: fed with each delta.
 *
 * A task begins if it was idle for some refreshes, or did not exist, and then is on a CPU for a
 * tenth of the time or more in three consecutive refreshes.
 *
 * A task changes its phase if its IPC or its %CPU moves to another level (base/phase.h). The IPC is
 * known if the kernel's generic events for instructions and cycles are counted, even if no column
 * shows it; refreshes in which the task hardly ran are ignored. %CPU must change by at least one
 * percentage point; refreshes in which the task did not run count as 0.
 *
 * Changes are found only some refreshes later. The log is bounded, and so is the state of tasks:
 * some 800 bytes each for CHANGES_TASKS_MAX tasks. Tasks that ran longest ago are dropped first.
 */
#ifndef VIEW_CHANGES_H
#define VIEW_CHANGES_H

#include "model/delta.h"
#include "view/view.h"

#define CHANGES_MAX       4096
#define CHANGES_TASKS_MAX 8192
#define CHANGE_NAME_MAX   32

enum change_kind { CHANGE_BEGAN, CHANGE_IPC, CHANGE_CPU };

struct change {
	enum change_kind kind;
	/* Moments of the history: `moment` is the first one after the change, `seen` the one at
	 * which the change was found. */
	uint32_t moment, seen;
	struct row_id of;
	char name[CHANGE_NAME_MAX];
	/* For CHANGE_IPC and CHANGE_CPU; see struct phase_change. */
	double before, after, noise, likelier;
	/* The state of the task at the moment `seen`: */
	int cpu;              /* the CPU on which it ran last; -1: unknown */
	double cpu_share;     /* 1 is one CPU */
	double misses_second; /* cache misses per second; NaN: unknown */
};

struct changes;

struct changes *changes_new(void);
void changes_free(struct changes *c);
/* Drops all changes and tasks, before samples of another time. */
void changes_reset(struct changes *c);
/* Adds the rows of a delta, of processes or of threads. moment: the number of the delta in the
 * history. */
void changes_add(struct changes *c, const struct delta *delta, uint32_t moment);

/* Return the number of changes, and the i-th of them, in the order in which they were found. c may
 * be NULL: no changes. */
size_t changes_n(const struct changes *c);
const struct change *changes_at(const struct changes *c, size_t i);
/* Returns the first moment that the log covers; 0: none. */
uint32_t changes_first(const struct changes *c);

#endif
