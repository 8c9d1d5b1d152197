/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/pipeline.h"

#include <string.h>

void pipeline_init(struct pipeline *p, struct source *source)
{
	memset(p, 0, sizeof *p);
	p->source = source;
	for (int i = 0; i < 2; i++) {
		sample_init(&p->sample[i]);
		delta_init(&p->delta[i]);
	}
	delta_init(&p->processes);
	frame_init(&p->frame);
}

void pipeline_done(struct pipeline *p)
{
	frame_done(&p->frame);
	delta_done(&p->processes);
	for (int i = 0; i < 2; i++) {
		delta_done(&p->delta[i]);
		sample_done(&p->sample[i]);
	}
}

int pipeline_step(struct pipeline *p, struct err *err)
{
	int old = p->current, new = p->begun ? !old : old;
	int ret = p->source->ops->next(p->source, &p->sample[new], err);

	if (ret)
		return ret;
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
	const struct delta *delta = &p->delta[p->current];

	frame_build(&p->frame, screen, view, delta->sample->threads ? delta : &p->processes, p->number);
	return &p->frame;
}
