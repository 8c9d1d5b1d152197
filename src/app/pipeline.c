/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/pipeline.h"

#include <string.h>

#include "perf/privilege.h"

void pipeline_init(struct pipeline *p, struct source *source)
{
	memset(p, 0, sizeof *p);
	p->source = source;
	for (int i = 0; i < 2; i++) {
		sample_init(&p->sample[i]);
		delta_init(&p->delta[i]);
	}
	delta_init(&p->processes);
	dead_init(&p->dead);
	frame_init(&p->frame);
}

void pipeline_done(struct pipeline *p)
{
	frame_done(&p->frame);
	dead_done(&p->dead);
	delta_done(&p->processes);
	for (int i = 0; i < 2; i++) {
		delta_done(&p->delta[i]);
		sample_done(&p->sample[i]);
	}
}

/* The delta that is shown: of threads or of processes. */
static const struct delta *shown(const struct pipeline *p)
{
	return p->sample[p->current].threads ? &p->delta[p->current] : &p->processes;
}

int pipeline_step(struct pipeline *p, bool sticky, struct err *err)
{
	int old = p->current, new = p->begun ? !old : old;
	bool raised = privilege_raise();
	int ret = p->source->ops->next(p->source, &p->sample[new], err);

	privilege_lower(raised);
	if (ret)
		return ret;
	if (!sticky || p->sample[new].generation != p->sample[old].generation)
		dead_reset(&p->dead);
	else if (p->begun)
		dead_collect(&p->dead, shown(p));
	delta_compute(&p->delta[new], p->begun ? &p->delta[old] : NULL, p->begun ? &p->sample[old] : NULL,
		      &p->sample[new]);
	if (!p->sample[new].threads)
		delta_fold_processes(&p->processes, &p->delta[new]);
	p->current = new;
	p->begun = true;
	return 0;
}

const struct frame *pipeline_show(struct pipeline *p, const struct screen *screen, const struct view *view)
{
	frame_build(&p->frame, screen, view, shown(p), &p->dead, p->number);
	p->frame.cost = p->cost_known ? &p->cost : NULL;
	return &p->frame;
}
