/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_list - a list of sinks: each sample and each frame goes to all of them.
 *
 * If a sink that ends the loop fails, its failure is returned at once. Any other sink that fails is
 * closed and removed: its failure is logged, the other sinks continue, and outputs_close() returns
 * the failure, except for -EPIPE.
 *
 * The sink added last is served first. Samples before outputs_begin() are held back until then:
 * text that is written earlier would be truncated with the old content of the file.
 */
#ifndef OUTPUT_OUTPUT_LIST_H
#define OUTPUT_OUTPUT_LIST_H

#include "base/log.h"
#include "output/output.h"

struct outputs {
	struct sink *first; /* NULL: none */
	struct log *log;    /* borrowed */
	struct err fault;   /* the first failure that did not end the loop; code 0: none */
	bool begun;
	/* Samples held back until outputs_begin(). */
	struct sample **early;
	size_t n_early, cap_early;
};

void outputs_init(struct outputs *o, struct log *log);
/* Opens a sink with this destination, open or not. Takes ownership of the destination, and closes
 * it on failure. */
int outputs_add(struct outputs *o, struct sink **out, const struct sink_ops *ops,
		const struct dest *dest, struct err *err);
/* Sets, for all sinks of the list, the condition that ends their waits for readers
 * (base/destination.h). Borrowed. */
void outputs_set_wake(struct outputs *o, const struct dest_wake *wake);
/* Begins to write, starting with the samples held back. The old content of files is truncated here,
 * after everything that can fail was tried. */
int outputs_begin(struct outputs *o, struct err *err);
/* Returns whether a sink wants the use of CPUs and memory. */
bool outputs_want_machine_use(const struct outputs *o);
int outputs_sample(struct outputs *o, const struct sample *sample, struct err *err);
/* Writes a frame. refresh: it shows a new sample; else it was rebuilt after a key. */
int outputs_frame(struct outputs *o, const struct frame *frame, bool refresh, struct err *err);
/* Writes the frame of a new sample to all sinks without `redraws`, while the live screen is
 * paused. */
int outputs_frame_unseen(struct outputs *o, const struct frame *frame, struct err *err);
/* Writes the summary when the command has exited, to sinks that have a function for it. */
int outputs_summary(struct outputs *o, const struct summary *summary, struct err *err);
/* Writes one of several runs, to sinks that have a function for it. Its two samples may be shared
 * (sample_new()). */
int outputs_run(struct outputs *o, const struct summary *summary, struct err *err);
/* Removes the sink with this descriptor, as its reader has exited. */
int outputs_lose(struct outputs *o, int fd, struct err *err);
/* Makes all sinks stop waiting for their readers: output that a reader does not accept at once is
 * lost. Called after a signal, before endings are written. */
void outputs_hurry(struct outputs *o);
/* Closes one sink that is finished. */
int outputs_end(struct outputs *o, struct sink *sink, struct err *err);
/* Closes all sinks. failed: the output is incomplete. Returns the first failure. */
int outputs_close(struct outputs *o, bool failed, struct err *err);

#endif
