/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_output - an output of lines like those of vmstat(8): one for each refresh, and one for the
 * whole time.
 */
#ifndef OUTPUT_LINE_OUTPUT_H
#define OUTPUT_LINE_OUTPUT_H

#include "output/output.h"

extern const struct sink_ops line_sink;

#endif
