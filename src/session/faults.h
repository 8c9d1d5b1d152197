/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults - prints the faults of the log. With -E, they go to that file, including those of the
 * start. Without -E, they go to standard error in batch mode, and nowhere on the live screen, whose
 * key e shows the log.
 *
 * A failed write to the file of -E is an error, as the user relies on the file. A failed write to
 * standard error is ignored, as standard error may be closed.
 */
#ifndef SESSION_FAULTS_H
#define SESSION_FAULTS_H

#include <stdbool.h>

#include "base/destination.h"
#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "session/setup.h"

struct faults {
	struct dest dest; /* the file of -E; not open: standard error, unless silent */
	bool silent;      /* print nothing */
	size_t printed;   /* number of log lines printed */
	/* Hidden while a line is printed to standard error; borrowed; NULL: none. */
	struct progress *progress;
};

/* Opens the file of -E. -EINVAL: that is also the file of -o or the configuration file, and stays
 * unchanged. */
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

#endif
