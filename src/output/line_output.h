/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_output - a sink of lines as vmstat(8) has them: one for each refresh, and one of the whole
 * time.
 */
#ifndef OUTPUT_LINE_OUTPUT_H
#define OUTPUT_LINE_OUTPUT_H

#include "output/output.h"

extern const struct sink_ops line_sink;

#endif
