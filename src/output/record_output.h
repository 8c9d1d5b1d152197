/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_output - the output that records what was read, not what is shown (record/writer.h). It
 * works beside other outputs, and its end does not end the loop.
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

/* Opens the file. On failure, the caller removes the sink. */
int record_begin(struct sink *sink, const char *path, const struct record_about *about,
		 record_screen_text *screen_text, struct err *err);

/* The condition and screens to record, and retention. */
struct record_choice {
	struct record_limits keep;
	/* Marks refreshes in which the condition is true for a row that ran; NULL: none. `screen`
	 * (borrowed) is its screen, with the numbers of that screen's counters. */
	struct condition *when;
	const struct screen *screen;
	struct screen_numbers numbers;
	const struct screen **also; /* [n_also] screens recorded beside the current one */
	size_t n_also;
};

/* Sets the choice; call it before the first sample. Takes ownership of all but the screens, also on
 * failure. */
int record_choose(struct sink *sink, struct record_choice *choice, struct err *err);
/* Closing does not wait for the disk, as a user is waiting for the next key. */
void record_hurry(struct sink *sink);
/* Returns a sentence about the journal of the file; NULL: none. */
const char *record_note(const struct sink *sink);

#endif
