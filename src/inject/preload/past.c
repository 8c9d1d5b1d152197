/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/past.h"

#include <string.h>
#include <sys/prctl.h>

#include "inject/preload/locks.h"
#include "inject/preload/process.h"

/* A lock has a row for each caller, but is counted once; so are several that are one: how many of
 * them the thread had is not known. */
static void add_row(struct locks_past *p, const struct locks_row *row)
{
	struct locks_instance *instance = &locks.instance[row->instance - 1];

	if (!locks_is_held((enum locks_kind)instance->kind))
		return;
	p->acquisitions += locks_n(row, LOCKS_ACQUIRE);
	if (instance->met_by == p->number)
		return;
	instance->met_by = p->number;
	p->instances++;
	p->at_least |= instance->several;
}

/* What had no room may be of any lock. */
static void add_other(struct locks_past *p, const struct locks_row *other)
{
	p->acquisitions += locks_n(other, LOCKS_ACQUIRE);
	p->at_least |= locks_n(other, LOCKS_ACQUIRE) != 0;
}

static void add_rows(struct locks_past *p, const struct thread *t)
{
	for (uint32_t number = t->rows; number; number = locks.row[number - 1].next)
		add_row(p, &locks.row[number - 1]);
	add_other(p, &t->slot->other);
}

void past_note(const struct thread *t)
{
	struct locks_header *h = locks.header;
	struct locks_past *p = &locks.past[h->n_pasts];

	if (h->n_pasts == LOCKS_PASTS || !process_make_real(p, sizeof *p))
		return;
	*p = (struct locks_past){
		.tid = t->slot->tid,
		.number = t->slot->number,
		.begin = t->slot->begin,
		.end = t->slot->since,
	};
	memcpy(p->ticks, t->slot->ticks, sizeof p->ticks);
	/* Most threads get their name when they have begun. */
	prctl(PR_GET_NAME, p->name);
	for (; t; t = t->inner)
		add_rows(p, t);
	h->n_pasts++;
}
