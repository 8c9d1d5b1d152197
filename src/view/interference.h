/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interference - for a task whose IPC dropped: the task that began to run, or changed its phase, at
 * about that time, and could disturb it. Both are found in a log of changes. Pure.
 *
 * It is only a coincidence in time, and is reported only with good reason:
 *
 *   - The other task began at most two refreshes before the drop, or one refresh after it: the
 *     moment of a change is known only to one refresh.
 *   - Since then it is on a CPU for 30 % of the time or more, and for most of that on a CPU
 *     that shares a core, a cache or a memory node with the CPU of the victim (struct
 *     sample_machine).
 *   - Unless the core is shared, the reason must be caches or memory: the cache misses per second
 *     of the other task grew by more than those of the victim, and the misses of the victim are
 *     frequent enough to explain the drop, at MISS_CYCLES each. If a cache is shared, the victim
 *     must have more misses than before. If misses are not counted, nothing is reported.
 *   - If the other task changed its phase, it may be a victim itself: then its misses must have
 *     grown by twice as much, and on the same core, its IPC must have risen.
 *   - The victim itself has no visible reason: it did not move to another kind of cores, it
 *     mispredicts as many branches as before, and so does the same work, and its misses have not
 *     become fewer.
 *   - If tasks begin in this way so often that more than one in ten drops would coincide with a
 *     beginning by chance, nothing is reported.
 */
#ifndef VIEW_INTERFERENCE_H
#define VIEW_INTERFERENCE_H

#include "base/strbuf.h"
#include "model/delta.h"
#include "model/history.h"
#include "model/sample_event.h"
#include "view/view.h"

/* ---- changes ----
 *
 * A log of tasks that began to run or changed their phase. Pure: fed with each delta.
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

/* ---- interference ---- */

/* The input of a search. */
struct interference_input {
	const struct changes *changes;
	const struct history *history;        /* has the moments of the log */
	const struct sample_machine *machine; /* NULL: nothing is known of the CPUs */
	bool threads;                         /* rows are threads */
	uint32_t last;                        /* last moment to use */
};

struct interference {
	const struct change *drop, *cause; /* changes in the log */
	enum sample_share share;
	int cpu;          /* the CPU on which the cause has run since */
	double lead_s;    /* seconds from the cause to the drop; below 0: the cause was later */
	uint64_t wall_ns; /* time of the drop */
	/* Cache misses of the victim per 1000 instructions; NaN: unknown. */
	double before, after;
	double brought;  /* growth of the cause's cache misses per second; NaN: unknown */
	double chance;   /* expected number of changes like the cause that near to a drop, by chance
			  */
	size_t n_others; /* further changes that could be the cause */
};

/* Returns whether change i of the log is a drop of IPC that coincides with a possible cause. */
bool interference_find(struct interference *out, const struct interference_input *in, size_t i);

/* Returns in words the information about machine or task that is missing to find a cause, if change
 * i of the log is a drop; NULL: none is missing, or the change is not a drop. */
const char *interference_missing(const struct interference_input *in, size_t i);

/* Returns the id of the sentence of interference_describe(), for programs (doc/what.md). */
const char *interference_id(const struct interference *i);
/* Appends "IPC 1.90 -> 1.10 since 14:03:12; 4711 blast began on CPU 3, which shares the L3, 2 s
 * before". */
void interference_describe(struct strbuf *out, const struct interference *i);
/* Appends the misses before and after, and how likely chance is. */
void interference_explain(struct strbuf *out, const struct interference *i);

#endif
