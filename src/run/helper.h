/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper - long work of tiptop itself: other programs that it runs, such as awk or gnuplot, lookups
 * of names that it waits for, and the terminal that shows the progress.
 *
 * A program reads and writes files in memory: no file has to be removed, and no pipe can fill up.
 */
#ifndef RUN_HELPER_H
#define RUN_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "profile/locks/resolver.h"
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
 * signals_block(); NULL: no signals are blocked. If a signal ends tiptop, ends the helper, asks the
 * others of its process group to end, sets *status to the number of the signal and returns -EINTR.
 * what: the name of the work, for the progress on a terminal (base/progress.h). */
int helper_run(char *const argv[], const int *file, int n, const struct signals *signals,
	       const char *what, int *status);

/* ---- the terminal of progress ----
 *
 * The terminal of standard error, for the line that shows the progress of tiptop (base/progress.h).
 *
 * tiptop writes to the terminal only while tiptop is in the foreground and the terminal accepts
 * output: so a background job is not stopped by SIGTTOU, and a frozen terminal (Ctrl-S) does not
 * stop the measured program. A signal that ends or stops tiptop while the line is shown erases the
 * line first.
 */

/* Returns the terminal; NULL: standard error is not a terminal, or cannot erase a line (TERM=dumb).
 * shared: other programs write to it at the same time. */
const struct progress_terminal *progress_terminal(bool shared);

/* ---- lookups of names ---- */

/* The wait for the names and source lines of reports. A signal ends it, and the report is written
 * without the missing names. */
struct resolving {
	const struct signals *signals; /* blocked by signals_block(); borrowed */
	bool ended; /* a signal ended a lookup: lookups for later reports are skipped */
};

/* Looks up all missing names, and shows the progress (base/progress.h). A signal that ends tiptop
 * ends the lookup, and sets r->ended. */
void resolving_run(struct resolving *r, struct resolver *names);

#endif
