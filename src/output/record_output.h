/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_output - records the samples in a file (record/writer.h), whatever is shown of them. It is
 * used beside other outputs, and the loop continues if it fails.
 *
 *   outputs_add(o, &sink, &sink_record, ...); record_begin(sink, ...);
 */
#ifndef OUTPUT_RECORD_OUTPUT_H
#define OUTPUT_RECORD_OUTPUT_H

#include "output/output.h"
#include "record/writer.h"
#include "view/condition.h"

extern const struct sink_ops sink_record;

/* A function that appends a screen as XML. */
typedef void record_screen_text(struct strbuf *out, const struct screen *screen);

/* Opens the file. On failure, the caller removes the sink. */
int record_begin(struct sink *sink, const char *path, const struct record_about *about,
		 record_screen_text *screen_text, struct err *err);

/* The condition and screens to record, and retention. */
struct record_choice {
	struct record_limits keep;
	/* A condition: refreshes are marked in which it is true for a row that ran. NULL: none.
	 * screen (borrowed): the screen whose columns the condition uses; numbers: the numbers of
	 * that screen's counters. */
	struct condition *when;
	const struct screen *screen;
	struct screen_numbers numbers;
	const struct screen **also; /* [n_also] screens recorded beside the current one */
	size_t n_also;
};

/* Sets the choice; call it before the first sample. Takes ownership of all but the screens, also on
 * failure. */
int record_choose(struct sink *sink, struct record_choice *choice, struct err *err);
/* From now on, writing and closing do not wait for the disk: the user waits at the live screen. */
void record_hurry(struct sink *sink);
/* Returns a sentence for the user about the journal of the file; NULL: none. */
const char *record_note(const struct sink *sink);

#endif
