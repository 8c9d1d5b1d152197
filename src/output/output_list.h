/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_list - a list of sinks: each sample and each frame goes to all of them.
 *
 * A sink that fails is closed and taken off the list. If it is one that ends the loop, its failure
 * is returned at once. If not, its sentence goes to the log, the others go on, and outputs_close()
 * returns the failure; that a reader has gone is no failure then.
 *
 * The sink that was added last is served first. Samples that are there before outputs_begin() wait
 * for it: what is written earlier would be cut off with the old text of the file.
 */
#ifndef OUTPUT_OUTPUT_LIST_H
#define OUTPUT_OUTPUT_LIST_H

#include "base/log.h"
#include "output/output.h"

struct outputs {
	struct sink *first; /* NULL: none */
	struct log *log;    /* borrowed */
	struct err fault;   /* the first failure that has not ended the loop; code 0: none */
	bool begun;
	/* Those that wait for outputs_begin(). */
	struct sample **early;
	size_t n_early, cap_early;
};

void outputs_init(struct outputs *o, struct log *log);
/* Takes over the destination, open or not, and opens a sink over it; both are closed where that
 * fails. */
int outputs_add(struct outputs *o, struct sink **out, const struct sink_ops *ops,
		const struct dest *dest, struct err *err);
/* Sets what ends a sink's wait for its reader, for all sinks of the list. Borrowed. */
void outputs_set_wake(struct outputs *o, const struct dest_wake *wake);
/* Begins to write, the samples that have waited first. From here on the old content of files may be
 * truncated, since all that can fail before has been tried. */
int outputs_begin(struct outputs *o, struct err *err);
/* Whether one of them keeps what the machine is used for. */
bool outputs_want_machine_use(const struct outputs *o);
int outputs_sample(struct outputs *o, const struct sample *sample, struct err *err);
/* Hands a frame on. refresh: it shows a new sample; else a key has had it built anew. */
int outputs_frame(struct outputs *o, const struct frame *frame, bool refresh, struct err *err);
/* A refresh for all but those that want to be redrawn: what these show is paused. */
int outputs_frame_unseen(struct outputs *o, const struct frame *frame, struct err *err);
/* The command that was followed has ended: goes to those that tell of that. */
int outputs_summary(struct outputs *o, const struct summary *summary, struct err *err);
/* One of its several runs has ended: goes to those that keep each. Its two samples may be shared
 * (sample_new()). */
int outputs_run(struct outputs *o, const struct summary *summary, struct err *err);
/* Takes the sink off whose reader has gone, by its descriptor. */
int outputs_lose(struct outputs *o, int fd, struct err *err);
/* From here on no sink waits for its reader: what it does not take at once is lost. After a signal,
 * before endings are written. */
void outputs_hurry(struct outputs *o);
/* Closes one sink, since it has done its work. */
int outputs_end(struct outputs *o, struct sink *sink, struct err *err);
/* Closes all sinks. failed: not all was written that should be. Returns the first failure. */
int outputs_close(struct outputs *o, bool failed, struct err *err);

#endif
