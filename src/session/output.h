/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - where a session writes: the outputs of the options (the live screen or the text of batch
 * mode, the file of -o, metrics, a picture of the screen), the recording, and the faults.
 *
 * The file of -o is not changed until the loop has begun, as until then the start can still fail.
 * Before, the file of -E is emptied, and a recording is opened.
 */
#ifndef SESSION_OUTPUT_H
#define SESSION_OUTPUT_H

#include <stdbool.h>

#include "base/destination.h"
#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "output/output.h"
#include "run/wait.h"
#include "session/setup.h"
#include "tui/live.h"

/* ---- files ---- */

/* The files that keys of the live screen name. */
enum output_file { OUTPUT_ALL, OUTPUT_CONFIGURATION, OUTPUT_PICTURE, OUTPUT_RECORDING };

/* Checks that no two files of the options and of the configuration are one, unless both are only
 * read. which: the file whose path is replaced by `path`; OUTPUT_ALL: none. -EINVAL with a
 * sentence: two are one. */
int output_check_files(const struct configuration *config, enum output_file which, const char *path,
		       struct err *err);

/* ---- faults ----
 *
 * The faults of the log are printed. With -E, they go to that file, including those of the start.
 * Without -E, they go to standard error in batch mode, and nowhere on the live screen, whose key e
 * shows the log.
 *
 * A failed write to the file of -E is an error, as the user relies on the file. A failed write to
 * standard error is ignored, as standard error may be closed.
 */

struct faults {
	struct dest dest; /* the file of -E; not open: standard error, unless silent */
	bool silent;      /* print nothing */
	size_t printed;   /* number of log lines printed */
	/* Hidden while a line is printed to standard error; borrowed; NULL: none. */
	struct progress *progress;
};

/* Checks that no two files of the options are one, then opens that of -E, before any other file
 * that is written. -EINVAL: two are one, or it is the live screen; none was changed. */
int faults_open(struct faults *f, const struct configuration *config, struct err *err);

/* Prints the lines added to the log since the last call. end: also prints, once more, lines whose
 * number of tasks has grown since they were printed, and the number of lines that the log
 * dropped. */
int faults_print(struct faults *f, struct log *log, bool end, struct err *err);
/* Prints a sentence that is not a fault. */
int faults_say(struct faults *f, const char *sentence, struct err *err);

/* Returns whether this sentence was printed to standard error. */
bool faults_have_said(const struct faults *f, const struct log *log, const char *sentence);
int faults_close(struct faults *f, struct err *err);

/* ---- recording: the output of --record ---- */

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
/* Begins a recording while samples are taken, into the file that the user has typed: expands the
 * path, and makes it the one of --record. The current sample is its first one. */
int recording_start(struct outputs *o, struct setup *setup, const struct pipeline *p,
		    const char *text, struct err *err);
/* Ends such a recording. kind: the kind of its rows. said: gets the sentence for the user: the
 * error, or (code 0) how to show the recording. */
void recording_end(struct outputs *o, struct sink *sink, const char *path, const struct kind *kind,
		   struct err *said);

/* Prints that tiptop waits for another program, which has locked the recording. */
void recording_say_wait(const char *path);
/* If standard error is a terminal, prints the commands that read a finished recording. kind: the
 * kind of its rows; NULL: rows of tiptop follow. */
void recording_say_use(const char *path, const struct kind *kind);

/* ---- outputs ---- */

/* Checks the format, the key of --metrics-by and related options. -EINVAL: unknown, or in
 * conflict. */
int output_check(const struct options *options, struct err *err);
/* Checks that the first screen has the fields of --fields. -EINVAL: one is missing. */
int output_check_fields(const struct setup *setup, struct err *err);
/* Returns the facts that the outputs need in addition to the facts of the columns. */
struct fact_set output_facts(const struct options *options);
/* Opens the outputs. *screen: the live screen; NULL: none. info: shown in a picture; borrowed until
 * the outputs are closed. signals: they are blocked, but let through while opening a FIFO waits for
 * its reader, so that they can end tiptop. On failure nothing stays open. -EINVAL: a file would
 * overwrite another one, or the screen. */
int output_open(struct outputs *o, struct sink **screen, struct setup *setup,
		const struct signals *signals, const struct live_info *info, struct err *err);
/* Closes the outputs. ret: result of the loop; if it failed, its error in *err is kept. hurry: a
 * signal ended the loop. */
int output_close(struct outputs *o, struct sink *screen, bool hurry, int ret, struct err *err);

#endif
