/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording - sets up the output of --record.
 */
#ifndef SESSION_RECORDING_H
#define SESSION_RECORDING_H

#include "output/output_list.h"
#include "session/setup.h"

/* Parses the options about recordings, for the chosen screen, and finds what they need. -EINVAL:
 * usage error. */
int recording_prepare(struct setup *s, struct err *err);
/* Adds the counters and facts for --record-screens and --record-when. */
void recording_want(struct setup *s, struct want *want);
/* Logs once that their events are multiplexed, if they are. */
void recording_tell(struct setup *s, const struct frame *frame);
/* Returns the output that records; NULL: none. */
struct sink *recording_find(const struct outputs *o);
/* Adds the output, after those that write to files, as it must not use the same file. Notes about
 * it go to the log. -EINVAL: the file is used otherwise. */
int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err);

/* Prints that closing waits for another program's lock. */
void recording_say_wait(const char *path);
/* Prints on a terminal, after a recording has ended, the commands that read it. kind: of its rows;
 * NULL: rows of tiptop follow. */
void recording_say_use(const char *path, const struct kind *kind);

#endif
