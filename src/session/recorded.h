/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded - what a recording (--replay) gives to a setup, where else the running machine does.
 */
#ifndef SESSION_RECORDED_H
#define SESSION_RECORDED_H

#include "session/setup.h"

/* Opens the recording, and makes the machine that of it; takes its modes. */
int recorded_identify(struct setup *s, struct err *err);
/* What was recorded in the kernel, or of threads, is wanted so; the delay is as it was. */
void recorded_take_modes(struct setup *s);
/* Adds the screens of the recording that have no namesake here. */
void recorded_add_screens(struct setup *s);
/* The screen that was shown when it was recorded, or the first one. */
int recorded_screen(const struct setup *s);
/* Which part of a second that a user has written is meant. */
enum recorded_second { SECOND_BEGIN, SECOND_END };

/* Finds the recorded time, in *out, that a user has written (time_spec.h): of a time of people the
 * first that is not before `after_ns`. -EINVAL: it is no time. */
int recorded_find_time(struct setup *s, const char *text, int64_t after_ns,
		       enum recorded_second second, int64_t *out, struct err *err);
/* Makes the source. -EINVAL: a time of --from or --to is wrong. */
int recorded_open(struct setup *s, struct err *err);
/* Sets s->note where counters of the present screen were not recorded. */
void recorded_note(struct setup *s);

#endif
