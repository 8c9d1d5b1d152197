/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults - prints the faults of the log: to the file of -E, including those of the start; else to
 * standard error in batch mode; nowhere on the live screen, whose key e shows them.
 *
 * A failed write to the file is an error, as the user relies on the file. Standard error may be
 * closed.
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
	struct dest dest; /* not open: standard error, or nowhere (silent) */
	bool silent;      /* print nothing */
	size_t told;      /* number of log lines printed */
	struct progress
		*progress; /* hidden before printing to the terminal; borrowed; NULL: none */
};

/* Opens the file of -E. -EINVAL: it is also the file of -o or the configuration file; then nothing
 * is overwritten. */
int faults_open(struct faults *f, const struct setup *setup, struct err *err);

/* Prints new lines. end: also lines whose number of tasks has grown, and the number of lines that
 * the log dropped. */
int faults_print(struct faults *f, struct log *log, bool end, struct err *err);
/* Prints a sentence that is not a fault. */
int faults_say(struct faults *f, const char *sentence, struct err *err);

/* Returns whether this sentence was printed to standard error. */
bool faults_have_said(const struct faults *f, const struct log *log, const char *sentence);
int faults_close(struct faults *f, struct err *err);

#endif
