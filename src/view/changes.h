/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes - the log of what tasks began: to run, or another phase. Pure: fed with each delta.
 *
 * A task begins where it did nothing for some refreshes, or was not there, and then is on a CPU for
 * a tenth of the time or more, in three refreshes that follow each other. It changes its phase
 * where its IPC changes its level (base/phase.h), as far as the generic events are counted,
 * whatever the screen shows; refreshes in which it hardly ran do not count for that. The same of
 * its %CPU, by a point at least, where refreshes in which it did not run are 0.
 *
 * All are known some refreshes later only. The log is bounded, and so is what is known of each
 * task that ran: some 800 bytes, of CHANGES_TASKS_MAX tasks. Those that ran longest ago are
 * forgotten first.
 */
#ifndef VIEW_CHANGES_H
#define VIEW_CHANGES_H

#include "model/delta.h"
#include "view/row_id.h"

#define CHANGES_MAX       4096
#define CHANGES_TASKS_MAX 8192
#define CHANGE_NAME_MAX   32

enum change_kind { CHANGE_BEGAN, CHANGE_IPC, CHANGE_CPU };

struct change {
	enum change_kind kind;
	/* Of the history: the first one at which it was so, and the one at which that was known. */
	uint32_t moment, seen;
	struct row_id of;
	char name[CHANGE_NAME_MAX];
	/* Of the IPC, or of %CPU; see struct phase_change. */
	double before, after, noise, likelier;
	/* When it was seen: */
	int cpu;              /* on which it ran last; -1: not known */
	double cpu_share;     /* 1 is one CPU */
	double misses_second; /* of caches; NaN: not known */
};

struct changes;

struct changes *changes_new(void);
/* NULL is fine. */
void changes_free(struct changes *c);
/* Forgets all: what comes next is of another time. */
void changes_reset(struct changes *c);
/* Adds the rows of a delta, of processes or of threads; moment: its number in the history. */
void changes_add(struct changes *c, const struct delta *delta, uint32_t moment);

/* In the order in which they were seen. NULL has none. */
size_t changes_n(const struct changes *c);
const struct change *changes_at(const struct changes *c, size_t i);
/* The first moment of which the log tells; 0: of none. */
uint32_t changes_first(const struct changes *c);

#endif
