/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded - sets up a session from a recording (--replay) instead of the running machine.
 */
#ifndef SESSION_RECORDED_H
#define SESSION_RECORDED_H

#include "session/setup.h"

/* Opens the recording, sets s->machine and the modes from it. */
int recorded_identify(struct setup *s, struct err *err);
/* Sets the modes of counting (kernel, threads) and the delay from the recording. */
void recorded_take_modes(struct setup *s);
/* Adds the screens of the recording whose names do not exist here. */
void recorded_add_screens(struct setup *s);
/* Returns the screen that was shown first when recording; 0 if it is not available. */
int recorded_screen(const struct setup *s);
/* The end of the second that a user's time denotes. */
enum recorded_second { SECOND_BEGIN, SECOND_END };

/* Returns in *out the recorded time of a user's text (time_spec.h); for a wall time, the first one
 * not before `after_ns`. -EINVAL: not a time. */
int recorded_find_time(struct setup *s, const char *text, int64_t after_ns,
		       enum recorded_second second, int64_t *out, struct err *err);
/* Creates the source. -EINVAL: --from or --to is wrong. */
int recorded_open(struct setup *s, struct err *err);
/* Sets s->note if counters of the current screen were not recorded, or could not be counted then,
 * with the reason. */
void recorded_note(struct setup *s);

#endif
