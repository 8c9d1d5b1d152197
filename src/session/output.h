/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - from options to the list of outputs: the live screen or batch mode, and beside the live
 * screen the file of -o; and the recording.
 *
 * A file stays as it is until the loop has begun: until then, all can still fail.
 */
#ifndef SESSION_OUTPUT_H
#define SESSION_OUTPUT_H

#include "output/output_list.h"
#include "run/signals.h"
#include "session/setup.h"
#include "tui/live.h"

/* Checks whether there is the format that is asked for, and the key of --metrics-by. -EINVAL: there
 * is none. */
int output_check(const struct options *options, struct err *err);
/* Checks whether the first screen has the fields that are asked for. -EINVAL: it has not. */
int output_check_fields(const struct setup *setup, struct err *err);
/* What has to be read for outputs, beside what columns need. */
fact_mask output_facts(const struct options *options);
/* Opens the outputs. *screen: the live screen, or NULL where there is none. info: what a picture
 * shows, borrowed until they are closed. signals: taken; while a FIFO waits for its reader, they
 * end tiptop. On failure nothing stays open. -EINVAL: a file would overwrite another one, or the
 * screen. */
int output_open(struct outputs *o, struct sink **screen, struct setup *setup,
		const struct signals *signals, const struct live_info *info, struct err *err);
/* Closes them. ret: how the loop has ended; the sentence of its fault stays. hurry: a signal has
 * ended it. */
int output_close(struct outputs *o, struct sink *screen, bool hurry, int ret, struct err *err);

#endif
