/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper - runs another program, such as awk or gnuplot, for a part of tiptop's work, and waits
 * until it exits. The program reads and writes files in memory: no file has to be removed, and no
 * pipe can fill up.
 */
#ifndef RUN_HELPER_H
#define RUN_HELPER_H

#include <sys/types.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "run/wait.h"

/* The most descriptors that a helper gets, including standard input, which is /dev/null. */
#define HELPER_FILES_MAX 8

/* Creates a file in memory with this text (NULL: empty). Returns its descriptor, at least
 * HELPER_FILES_MAX; or -1 with a sentence. */
int helper_new_file(const struct strbuf *text, struct err *err);
/* Replaces `out` by the whole contents of the file, whatever its current offset. max and the
 * result: as for file_read_all(). */
ssize_t helper_read_file(int fd, size_t max, struct strbuf *out);
/* Runs argv[0] with file[i] as its descriptor i, for i from 1 to n - 1, and waits until it exits.
 * Returns 0, or -errno if it cannot be started. *status: as from waitpid(2). signals: blocked by
 * signals_block(); NULL: no signals are blocked. If a signal ends tiptop, ends the helper and its
 * process group, sets *status to the number of the signal and returns -EINTR. what: the name of the
 * work, for the progress on a terminal (base/progress.h). */
int helper_run(char *const argv[], const int *file, int n, const struct signals *signals,
	       const char *what, int *status);

#endif
