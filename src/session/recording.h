/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording - from the option --record to the output that keeps what was read.
 */
#ifndef SESSION_RECORDING_H
#define SESSION_RECORDING_H

#include "output/output_list.h"
#include "session/setup.h"

/* Reads the options about recordings, for the screen that is chosen: what has to be counted for
 * them. -EINVAL: a usage error. */
int recording_prepare(struct setup *s, struct err *err);
/* Adds what the screens of --record-screens and the condition of --record-when need. */
void recording_want(struct setup *s, struct want *want);
/* Says once that what they need takes turns on the PMU, where it does. */
void recording_tell(struct setup *s, const struct frame *frame);
/* The output that records, or NULL. */
struct sink *recording_find(const struct outputs *o);
/* Adds the output, after those that write to files: it must not be one of theirs. What there is to
 * say of it goes to the log. -EINVAL: it is the file of something else. */
int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err);

/* Says that the end waits for another program. */
void recording_say_wait(const char *path);
/* Says on a terminal, once a recording has ended, by which commands it is read. kind: of its rows;
 * NULL: they are those of tiptop follow. */
void recording_say_use(const char *path, const struct kind *kind);

#endif
