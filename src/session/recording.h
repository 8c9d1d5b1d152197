/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording - sets up the output of --record.
 */
#ifndef SESSION_RECORDING_H
#define SESSION_RECORDING_H

#include "output/output.h"
#include "session/setup.h"

/* Parses the options about recordings, and finds the screens and facts that they need. The
 * condition of --record-when uses the current screen. -EINVAL: usage error. */
int recording_prepare(struct setup *s, struct err *err);
/* Returns the facts that are recorded whatever the screen: those of --record-when, and for tasks
 * the time that they waited for a CPU. Without that time, a verdict on a recording would say that a
 * task was on a CPU which in truth lacked one. */
struct fact_set recording_facts(const struct setup *s);
/* Adds the counters and facts that --record-screens needs to *want. */
void recording_want(struct setup *s, struct want *want);
/* Logs once if the events of the recorded screens (--record-screens) are multiplexed. */
void recording_tell(struct setup *s, const struct frame *frame);
/* Returns the output that records; NULL: none. */
struct sink *recording_find(const struct outputs *o);
/* Adds the output that records into the file `path`. Notes about it go to the log. Call it after
 * the outputs that write to files have created them: whether two paths name one file is known only
 * if the file exists. -EINVAL: the file is used otherwise. */
int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err);
/* Begins a recording while samples are taken, into the file that the user has typed: expands the
 * path, and makes it the one of --record. The current sample is its first one. */
int recording_start(struct outputs *o, struct setup *setup, const struct pipeline *p,
		    const char *text, struct err *err);
/* Ends such a recording. said: gets the sentence for the user: the error, or (code 0) how to show
 * the recording. */
void recording_end(struct outputs *o, struct sink *sink, const char *path, struct err *said);

/* Prints that tiptop waits for another program, which has locked the recording. */
void recording_say_wait(const char *path);
/* If standard error is a terminal, prints the commands that read a finished recording. kind: the
 * kind of its rows; NULL: rows of tiptop follow. */
void recording_say_use(const char *path, const struct kind *kind);

#endif
