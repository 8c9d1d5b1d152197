/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress_terminal - the terminal of standard error, for the line that shows the progress of
 * tiptop (base/progress.h).
 *
 * tiptop writes to the terminal only while tiptop is in the foreground and the terminal accepts
 * output: so a background job is not stopped by SIGTTOU, and a frozen terminal (Ctrl-S) does not
 * stop the measured program. A signal that ends or stops tiptop while the line is shown erases the
 * line first.
 */
#ifndef RUN_PROGRESS_TERMINAL_H
#define RUN_PROGRESS_TERMINAL_H

#include "base/progress.h"

/* Returns the terminal; NULL: standard error is not a terminal, or cannot erase a line (TERM=dumb).
 * shared: other programs write to it at the same time. */
const struct progress_terminal *progress_terminal(bool shared);

#endif
