/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults - where the faults of the log are printed: the file of -E, which gets those of the start,
 * too; else standard error in batch mode, and nowhere in the live view, whose key e shows them.
 *
 * A file that cannot be written is an error: who asked for it relies on it. Standard
 * error may be gone.
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
	struct dest dest;          /* not open: standard error, or nowhere */
	bool silent;               /* nowhere */
	size_t told;               /* how many lines of the log are printed already */
	struct progress *progress; /* removed from the terminal before; borrowed; NULL: none */
};

/* Opens the file of -E. -EINVAL where it is also that of -o, or the configuration that was read:
 * nothing is overwritten then. */
int faults_open(struct faults *f, const struct setup *setup, struct err *err);

/* Prints what is new. end: also the lines that further tasks have joined, and what the log has
 * dropped. */
int faults_print(struct faults *f, struct log *log, bool end, struct err *err);
/* Prints a sentence that is no fault. */
int faults_say(struct faults *f, const char *sentence, struct err *err);

/* Whether the reader of standard error has seen this sentence. */
bool faults_have_said(const struct faults *f, const struct log *log, const char *sentence);
int faults_close(struct faults *f, struct err *err);

#endif
