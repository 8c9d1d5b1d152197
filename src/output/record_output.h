/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_output - the output that keeps what was read, not what is shown (record/writer.h). It goes
 * beside the others, and its end does not end the loop.
 *
 *   outputs_add(o, &sink, &sink_record, ...); record_begin(sink, ...);
 */
#ifndef OUTPUT_RECORD_OUTPUT_H
#define OUTPUT_RECORD_OUTPUT_H

#include "output/output.h"
#include "record/writer.h"
#include "view/condition.h"

extern const struct sink_ops sink_record;

/* Appends a screen as XML. */
typedef void record_screen_text(struct strbuf *out, const struct screen *screen);

/* Opens the file. On failure, of which the sink knows nothing, the caller takes it off. */
int record_begin(struct sink *sink, const char *path, const struct record_about *about,
		 record_screen_text *screen_text, struct err *err);

/* What is recorded, and what of it is kept. */
struct record_choice {
	struct record_limits keep;
	/* Refreshes in which it is true of some row that ran are marked; NULL: there is none. With
	 * its screen, which is borrowed, and what the counters of that are here. */
	struct condition *when;
	const struct screen *screen;
	struct screen_numbers numbers;
	const struct screen **also; /* [n_also] screens beside the one that is shown */
	size_t n_also;
};

/* Before the first sample. Takes over what the choice owns, also on failure: not the screens. */
int record_choose(struct sink *sink, struct record_choice *choice, struct err *err);
/* Its end does not wait for the disk: somebody waits for the next key. */
void record_hurry(struct sink *sink);
/* One sentence about how it is written, or NULL. */
const char *record_note(const struct sink *sink);

#endif
