/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress_terminal - the terminal of standard error, for the line that says how far tiptop is
 * (base/progress.h).
 *
 * It is written to only while tiptop is in its foreground, and while it takes what is written: a
 * background job is not stopped by it (SIGTTOU), and a frozen terminal (Ctrl-S) does not stop what
 * is measured. A signal that ends or stops tiptop while the line stands there removes it first.
 */
#ifndef RUN_PROGRESS_TERMINAL_H
#define RUN_PROGRESS_TERMINAL_H

#include "base/progress.h"

/* Returns the terminal; NULL: standard error is none, or it cannot remove a line (TERM=dumb).
 * shared: others write there at the same time. */
const struct progress_terminal *progress_terminal(bool shared);

#endif
