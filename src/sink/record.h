/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record - the output that keeps what was read, not what is shown (record/writer.h). It goes beside
 * the others, and its end does not end the loop.
 *
 *   outputs_add(o, &sink, &sink_record, ...); record_begin(sink, ...);
 */
#ifndef SINK_RECORD_H
#define SINK_RECORD_H

#include "record/writer.h"
#include "sink/sink.h"

extern const struct sink_ops sink_record;

/* Appends a screen as XML. */
typedef void record_screen_text(struct strbuf *out, const struct screen *screen);

/* Opens the file. On failure, of which the sink knows nothing, the caller takes it off. */
int record_begin(struct sink *sink, const char *path, const struct record_about *about,
		 record_screen_text *screen_text, struct err *err);
/* One sentence about how it is written, or NULL. */
const char *record_note(const struct sink *sink);

#endif
