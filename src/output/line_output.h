/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_output - writes lines like those of vmstat(8): for each refresh, and at the end for the
 * whole time.
 */
#ifndef OUTPUT_LINE_OUTPUT_H
#define OUTPUT_LINE_OUTPUT_H

#include "output/output.h"

extern const struct sink_ops line_sink;

#endif
