/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/family.h"

#include "model/fact_list.h"
#include "view/frame.h"
#include "view/tree.h"

bool family_known(const struct frame *f)
{
	const struct sample *s = f->sample;

	for (size_t i = 0; i < s->n; i++)
		if (!s->task[i]->dead && fact_in(s->task[i]->known, FACT_PPID))
			return true;
	return false;
}

void family_each(const struct frame *f, const struct row_id *row, family_take *take, void *context)
{
	const struct sample *s = f->sample;
	struct lineage lineage = LINEAGE_INIT;

	lineage_trace(&lineage, s, row->owner);
	for (size_t i = 0; i < s->n; i++) {
		const struct task *t = s->task[i];

		if (!t->dead && (f->view->threads || task_is_leader(t)) &&
		    lineage_has(&lineage, t->owner) == TRI_TRUE && frame_passes(f, t))
			take(context, t);
	}
	lineage_done(&lineage);
}
