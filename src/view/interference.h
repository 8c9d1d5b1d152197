/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interference - of a task whose IPC dropped: who began to run, or another phase, at about that
 * time, where it could disturb. Pure.
 *
 * A coincidence in time is all that it is, and it is not told without good reason:
 *
 *   - The other one began two refreshes before the drop at most, and not behind it, as far as the
 *     place of a change is known: to one refresh.
 *   - Since then it is on a CPU for a third of the time or more, and for most of that on one that
 *     shares its core, a cache or its node of memory with the CPU of the task (struct
 *     sample_machine).
 *   - If it is not the core, it has to be the caches or the memory: it brings more cache misses a
 *     second than the task got, and the misses of the task are frequent enough to explain the
 *     drop, at MISS_CYCLES each. Of a cache, the task has to have got more of them. Where nobody
 *     counts misses, nothing is said.
 *   - One that changed its own phase may suffer as well: it has to bring twice as many misses; on
 *     the same core, its IPC has risen.
 *   - The task itself has no reason that is seen: it did not move to another kind of cores, it
 *     mispredicts as many branches as before, and so does the same work, and its misses have not
 *     become fewer.
 *   - What began in this way so often that one in ten drops would meet one by chance is not told.
 */
#ifndef VIEW_INTERFERENCE_H
#define VIEW_INTERFERENCE_H

#include "base/strbuf.h"
#include "model/history.h"
#include "model/sample_machine.h"
#include "view/changes.h"

/* What is looked at. */
struct interference_input {
	const struct changes *changes;
	const struct history *history;        /* in the moments of which the log is */
	const struct sample_machine *machine; /* may be NULL: nothing is known of its CPUs */
	bool threads;                         /* rows were threads */
	uint32_t last;                        /* moment that is looked at */
};

struct interference {
	const struct change *drop, *cause; /* of the log */
	enum sample_share share;
	int cpu;          /* on which the other one runs since */
	double lead_s;    /* so long before the drop; below 0: behind */
	uint64_t wall_ns; /* when it dropped */
	/* Cache misses of the task for 1000 instructions; NaN: not known. */
	double before, after;
	double brought;  /* by the other one: so many more misses a second than before; NaN */
	double chance;   /* how many such beginnings meet a drop by chance */
	size_t n_others; /* that began as well, and would do */
};

/* Whether change i of the log is a drop of IPC with which another one coincides. */
bool interference_find(struct interference *out, const struct interference_input *in, size_t i);

/* Why nobody could be named, if change i of the log is a drop: what is not known of the machine or
 * of the task. NULL: all is known that it takes, or it is no drop. */
const char *interference_missing(const struct interference_input *in, size_t i);

/* Appends "IPC 1.90 -> 1.10 since 14:03:12; 4711 blast began on CPU 3, which shares the L3, 2 s
 * before". */
void interference_describe(struct strbuf *out, const struct interference *i);
/* Appends the misses before and after, and how little that proves. */
void interference_explain(struct strbuf *out, const struct interference *i);

#endif
