/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline - the data flow: source → sample → delta → frame. One direction, one thread.
 *
 * pipeline_step() takes a new sample. pipeline_show() builds a frame of the current sample, again
 * each time the view changes; so a key never changes a number. If a sample is the last of its
 * generation, the step also takes the first sample of the next generation. That sample is not
 * shown, but the next step computes its delta from it.
 *
 * While the view is paused, steps continue: samples are taken, totals grow, ended tasks are kept.
 * The shown sample stays, and all keys work on it; pipeline_show_ahead() builds frames of the
 * newest sample for outputs that do not pause.
 *
 * A mark (model/delta.h) is set at the shown sample when the view's number of marks has grown, and
 * afterwards at the first sample of each new generation.
 *
 * Ownership: the frame points into the pipeline, the binding, its screen and the view; it is valid
 * until the next step or show; while paused, until the next show.
 */
#ifndef SESSION_PIPELINE_H
#define SESSION_PIPELINE_H

#include "base/err.h"
#include "collect/command/command_total.h"
#include "collect/source.h"
#include "model/delta.h"
#include "model/fold_groups.h"
#include "model/history.h"
#include "output/output.h"
#include "view/frame.h"
#include "view/interference.h"

/* Slots for the sample shown, the newest sample, from which the next delta is computed, the sample
 * being read, and while paused the sample of the stage that continues. */
#define PIPELINE_SAMPLES 4

/* The state for showing one sample. */
struct stage {
	int current;                   /* index of the sample and its delta */
	uint64_t number;               /* number of the refresh */
	uint32_t moment;               /* moment of the sample in the history */
	struct delta processes;        /* the delta, folded to processes */
	struct delta groups;           /* rows of groups; empty if the view groups no tasks */
	struct retired_groups retired; /* counts of group members that ended or left */
	struct dead_list dead;         /* in a sticky view: tasks that ended in earlier intervals */
	struct own_cost cost;          /* tiptop's own cost of the refresh */
	bool cost_known;               /* cost was measured */
	struct frame frame;
};

struct pipeline {
	struct source *source;       /* borrowed */
	struct outputs *outputs;     /* receive each sample; borrowed */
	struct command_total *whole; /* total of the command; borrowed; NULL: none */
	/* Samples are created on first use. To keep a sample, take a reference. */
	struct sample *sample[PIPELINE_SAMPLES];
	struct delta delta[PIPELINE_SAMPLES];
	struct stage stage; /* the stage shown */
	/* While paused: the stage that continues. */
	struct stage ahead;
	bool paused;
	/* The view may want groups at any time: keep counts of ended members from the start. */
	bool may_group;
	int newest; /* index of the newest sample, from which the next delta is computed */
	bool begun;
	/* History of rows; NULL: not kept. Owned. */
	struct history *history;
	struct changes *changes; /* changes of rows; owned; NULL if `history` is NULL */
	unsigned marks;          /* number of marks of the view that were set */
	uint64_t number;         /* number of the next refresh, from 0; incremented by the loop */
	/* CPU and monotonic time at the last measurement of tiptop's own cost; 0: none. */
	uint64_t cpu_ns, mono_ns;
};

void pipeline_init(struct pipeline *p, struct source *source, struct outputs *outputs);
void pipeline_done(struct pipeline *p);
/* Keeps the history of rows from the next step on, in at most `bytes` bytes, and their changes. */
void pipeline_keep_past(struct pipeline *p, size_t bytes);
/* Lets the source take in what would be lost until the next sample. Returns when to call it again
 * (collect/source.h). */
uint64_t pipeline_collect(struct pipeline *p);
/* Takes the next sample and computes its delta. In a sticky view, ended tasks are kept. Returns 0;
 * SOURCE_END or SOURCE_NOT_YET: there is no sample, and the state is unchanged; -errno: reading
 * failed, and the state is unchanged, or an output that ends the loop failed. */
int pipeline_step(struct pipeline *p, const struct view *view, struct err *err);
/* Adds rows for the command's descendants from now on, if the view wants them. */
void pipeline_follow(struct pipeline *p, struct command_total *whole);
/* Restarts: the next sample is not compared with earlier ones, as it is from another time. */
void pipeline_restart(struct pipeline *p);
/* Returns the delta of the shown processes or threads. */
const struct delta *pipeline_delta(const struct pipeline *p);
/* Measures the CPU time of tiptop itself since the last call. */
void pipeline_measure(struct pipeline *p);
const struct frame *pipeline_show(struct pipeline *p, struct binding *binding,
				  const struct view *view);
/* While paused, builds the frame of the newest sample. */
const struct frame *pipeline_show_ahead(struct pipeline *p, struct binding *binding,
					const struct view *view);
/* Ends a pause; the next step is shown. */
void pipeline_end_pause(struct pipeline *p, struct view *view);

/* ---- unseen note ---- */

/* The note that tasks without a row used the CPUs (model/rows.h). */
struct unseen_note {
	uint64_t number; /* of the refresh that was looked at last */
	uint64_t until;  /* the note is shown up to this refresh; 0: not yet */
	int in_a_row;    /* refreshes in a row in which the unseen time mattered */
	char text[ERR_TEXT_MAX];
};

/* Updates the note, once per refresh. advice: what helps, appended to the sentence. Returns it; "":
 * there is none. */
const char *unseen_note_update(struct unseen_note *note, const struct pipeline *p,
			       const char *advice);

#endif
