/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded - sets up a session from a recording (--replay) instead of the running machine.
 */
#ifndef SESSION_RECORDED_H
#define SESSION_RECORDED_H

#include "session/setup.h"

/* Opens the recording; sets the machine, the kind of rows and the modes of counting from it. */
int recorded_identify(struct configuration *config, struct backend *backend, struct err *err);
/* Sets the modes of counting (kernel, threads) and the delay from the recording. */
void recorded_take_modes(struct configuration *config, struct backend *backend);
/* Adds the screens of the recording, except those whose names screens of the setup have already. */
void recorded_add_screens(struct setup *s);
/* Returns the index of the first recorded screen that is available here, in the order in which the
 * screens were shown; 0: none is. */
int recorded_screen(const struct configuration *config, const struct backend *backend);
/* The end of a second that is meant, as a wall time that the user types stands for a whole
 * second. */
enum recorded_second { SECOND_BEGIN, SECOND_END };

/* Converts the text of a time (time_spec.h) to recorded time in *out, in ns. A wall time that
 * occurs more than once is the first one at or after the recorded time after_ns. -EINVAL: not a
 * time. */
int recorded_find_time(struct backend *backend, const char *text, int64_t after_ns,
		       enum recorded_second second, int64_t *out, struct err *err);
/* Sets the sentence why nothing of a recording is shown. time: the options of another time, "--from
 * or --to". Returns -ENODATA. */
int recorded_explain_none(const struct options *o, const char *time, struct err *err);
/* Sets the sentence why a source had no sample. recording: NULL: the running machine. Returns
 * -ENODATA. */
int recorded_explain_empty(const struct options *o, struct record_reader *recording,
			   struct err *err);
/* Creates the source. -EINVAL: --from or --to is wrong. */
int recorded_open(struct configuration *config, struct backend *backend, struct err *err);
/* Sets display.note to the reason if counters of the current screen were not recorded, or could not
 * be counted when the recording was made. */
void recorded_note(struct setup *s);

#endif
