/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - builds the list of outputs from the options: the live screen or the text of batch mode,
 * the file of -o, metrics, the recording, and a picture of the screen.
 *
 * No existing file is changed until the loop has begun, as until then the start can still fail.
 */
#ifndef SESSION_OUTPUT_H
#define SESSION_OUTPUT_H

#include "output/output.h"
#include "run/wait.h"
#include "session/setup.h"
#include "tui/live.h"

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
