/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper - runs a program that does a part of the work, and waits for it. What it gets and gives
 * are files in memory: so nothing has to be removed, and no pipe can be full.
 */
#ifndef RUN_HELPER_H
#define RUN_HELPER_H

#include <sys/types.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "run/signals.h"

/* With standard input, which is empty, and the others, from standard output on. */
#define HELPER_FILES_MAX 8

/* A file with this text, or an empty one (NULL). The descriptor, or -1. */
int helper_new_file(const struct strbuf *text, struct err *err);
/* Appends what is in it, from its begin, wherever it was written last. */
ssize_t helper_read_file(int fd, size_t max, struct strbuf *out);
/* Runs argv[0]; file[i] is its descriptor i, for i from 1 to n - 1. -errno where it cannot be run.
 * status: that of waitpid(2). A signal of signals (NULL: none are taken) that ends tiptop ends the
 * helper with all that it has started: then -EINTR, and the status is the number of the signal.
 * what: says on a terminal what it does (base/progress.h). */
int helper_run(char *const argv[], const int *file, int n, const struct signals *signals,
	       const char *what, int *status);

#endif
