/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screenshot - an output that writes a picture of the live screen, without a terminal. When the
 * output is closed, it writes the picture of the last frame.
 *
 * The suffix of the file that it writes selects the format (picture.h).
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
/* Sets the data that the screen shows beside the frame, and the size of the screen. info: borrowed
 * until close(). size: as "100x30"; NULL: the size of the terminal at standard output, or 80x24 if
 * there is no terminal. */
void shot_set_info(struct sink *sink, const struct live_info *info, const char *size);

#endif
