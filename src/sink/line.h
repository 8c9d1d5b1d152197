/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line - a sink of lines as vmstat(8) has them: one for each refresh, and one of the whole time.
 */
#ifndef SINK_LINE_H
#define SINK_LINE_H

#include "sink/sink.h"

extern const struct sink_ops line_sink;

#endif
