/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screenshot - an output that writes the live screen as a picture, without a terminal: of the last
 * frame, when it is closed.
 *
 * The suffix of its destination, a file, selects the format (picture.h).
 */
#ifndef TUI_SCREENSHOT_H
#define TUI_SCREENSHOT_H

#include "output/output.h"
#include "tui/live.h"

/* open() fails if the suffix is not that of a picture. A frame must stay valid until the next one,
 * or close(). */
extern const struct sink_ops shot_sink;

/* Parses columns and lines, as in "100x30". -EINVAL: not a size. */
int shot_parse_size(const char *text, int *width, int *height, struct err *err);
/* Sets what the screen shows beside the frame, borrowed until close(), and its size; NULL: the size
 * of the terminal at standard output, or 80x24 without one. */
void shot_set_info(struct sink *sink, const struct live_info *info, const char *size);

#endif
