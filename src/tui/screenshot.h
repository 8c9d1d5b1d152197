/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screenshot - an output that writes the live screen as a picture, without a terminal: at its
 * close, as the last frame is to be seen.
 *
 * Its destination is the file, whose name says what kind of picture it is (picture.h).
 */
#ifndef TUI_SCREENSHOT_H
#define TUI_SCREENSHOT_H

#include "output/output.h"
#include "tui/live.h"

/* open(): a name that is no picture's is an error. A frame must stay valid until the next one, or
 * close(). */
extern const struct sink_ops shot_sink;

/* Reads columns and lines, as in "100x30". -EINVAL: that is no size. */
int shot_parse_size(const char *text, int *width, int *height, struct err *err);
/* Sets what the screen shows beside the frame, borrowed until close(), and its size; NULL: that of
 * the terminal at standard output, 80x24 where that is none. */
void shot_set_info(struct sink *sink, const struct live_info *info, const char *size);

#endif
