/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outputs - all that samples and frames go to at once: a list of sinks.
 *
 * One that fails is closed and off the list. Where it ends the loop, the failure is handed up at
 * once. Of another one the sentence goes to the log, the others go on, and outputs_close() has the
 * failure; that its reader has gone is none.
 *
 * Who came last is served first.
 */
#ifndef SINK_OUTPUTS_H
#define SINK_OUTPUTS_H

#include "base/log.h"
#include "sink/sink.h"

struct outputs {
	struct sink *first; /* NULL: none */
	struct log *log;    /* borrowed */
	struct err fault;   /* the first one of those that have not ended the loop; code 0: none */
};

void outputs_init(struct outputs *o, struct log *log);
/* Takes the destination, open or not, and opens a sink over it; both are closed where that fails.
 */
int outputs_add(struct outputs *o, struct sink **out, const struct sink_ops *ops,
		const struct dest *dest, struct err *err);
/* While one waits for its reader. Borrowed; of those that are there. */
void outputs_set_wake(struct outputs *o, const struct dest_wake *wake);
/* Nothing else can fail any more: what was in files goes. */
int outputs_begin(struct outputs *o, struct err *err);
int outputs_sample(struct outputs *o, const struct sample *sample, struct err *err);
/* refresh: it shows a new sample; else one that a key has built anew. */
int outputs_frame(struct outputs *o, const struct frame *frame, bool refresh, struct err *err);
/* The reader of this descriptor has gone. */
int outputs_lose(struct outputs *o, int fd, struct err *err);
/* Closes this one, since it has done its work. */
int outputs_end(struct outputs *o, struct sink *sink, struct err *err);
/* Closes all. failed: not all that was to be written has been. Returns the first failure. */
int outputs_close(struct outputs *o, bool failed, struct err *err);

#endif
