/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline - the way of the data: source → sample → delta → frame. One direction, one thread.
 *
 * pipeline_step() takes a new sample; pipeline_show() builds the frame of what is there, as often
 * as the view changes. So a key press never changes a number. Where a sample is the last of its
 * generation, the step also takes the first of the next one: it is not shown, but the next step has
 * something to compare with.
 *
 * Where the view is paused, steps go on: samples are taken, totals grow, what ends is kept. But
 * what is shown stays, sample and all, so that every key works on it; pipeline_show_ahead() builds
 * the frame of the present for outputs that do not pause.
 *
 * A mark (model/delta.h) is set at the sample that is shown when the view has one more than before,
 * and at the first sample wherever counting begins anew after that.
 *
 * Ownership: the frame points into the pipeline, the binding, its screen and the view; it is valid
 * until the next step or show, or while it is paused until the next show.
 */
#ifndef SESSION_PIPELINE_H
#define SESSION_PIPELINE_H

#include "collect/command/command_total.h"
#include "collect/source.h"
#include "model/delta.h"
#include "model/history.h"
#include "model/retired_groups.h"
#include "output/output_list.h"
#include "view/changes.h"
#include "view/frame.h"

/* One sample is shown, one is compared with the next one, and one is room for that; where it is
 * paused, one is that which would be shown. */
#define PIPELINE_SAMPLES 4

/* What there is to show of a sample. */
struct stage {
	int current;                   /* index of the sample and its delta */
	uint64_t number;               /* of the refresh */
	uint32_t moment;               /* of the history */
	struct delta processes;        /* the delta, folded to processes */
	struct delta groups;           /* of these, where the view wants groups */
	struct retired_groups retired; /* what members that have gone left to groups */
	struct dead_list dead;         /* in a sticky view: tasks that ended before the delta */
	struct own_cost cost;          /* of the refresh */
	bool cost_known;
	struct frame frame;
};

struct pipeline {
	struct source *source;       /* borrowed */
	struct outputs *outputs;     /* borrowed: each sample goes to them */
	struct command_total *whole; /* of the command; borrowed; NULL: there is none */
	/* Made when they are needed. Who wants to keep one takes a reference. */
	struct sample *sample[PIPELINE_SAMPLES];
	struct delta delta[PIPELINE_SAMPLES];
	struct stage stage; /* what is shown */
	/* While it is paused: what would be shown, and goes on. */
	struct stage ahead;
	bool paused;
	/* The view may want groups at any time: what members leave is kept from the start. */
	bool may_group;
	int newest; /* index of the sample with which the next one is compared */
	bool begun;
	/* What rows did in earlier steps; NULL: nobody wants to know. Owned. */
	struct history *history;
	struct changes *changes; /* and what they began; there is one where there is the other */
	unsigned marks;          /* how many of the view have been set */
	uint64_t number;         /* of the next refresh, from 0; the loop counts it up */
	/* Of tiptop itself, when the cost was last measured; 0: it never was. */
	uint64_t cpu_ns, mono_ns;
};

void pipeline_init(struct pipeline *p, struct source *source, struct outputs *outputs);
void pipeline_done(struct pipeline *p);
/* From the next step on, keeps what rows do, in so many bytes, and what they begin. */
void pipeline_keep_past(struct pipeline *p, size_t bytes);
/* Takes the next sample and computes its delta. In a sticky view, tasks that have
 * ended are kept. SOURCE_END:
 * there is none, and the old state stays. Fails where nothing could be read, when the old state
 * stays, too, and with an output that ends the loop. */
int pipeline_step(struct pipeline *p, const struct view *view, struct err *err);
/* From now on, what the command makes has rows, too, where the view wants them. */
void pipeline_follow(struct pipeline *p, struct command_total *whole);
/* The next sample is compared with nothing before: it comes from another time. */
void pipeline_restart(struct pipeline *p);
/* What rows are made of at what is shown: the delta of its processes, or of its threads. */
const struct delta *pipeline_delta(const struct pipeline *p);
/* Measures what tiptop itself used since the last call: for painting, keys, and what the source has
 * just read. */
void pipeline_measure(struct pipeline *p);
const struct frame *pipeline_show(struct pipeline *p, struct binding *binding,
				  const struct view *view);
/* The same of the present, while it is paused. */
const struct frame *pipeline_show_ahead(struct pipeline *p, struct binding *binding,
					const struct view *view);
/* The view is not paused any more, and the next step is of what is shown. */
void pipeline_end_pause(struct pipeline *p, struct view *view);

#endif
