/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_line - the arguments of a process as one text. Pure.
 */
#ifndef COLLECT_TASK_COMMAND_LINE_H
#define COLLECT_TASK_COMMAND_LINE_H

#include "base/strbuf.h"

/* Makes one line of /proc/PID/cmdline, in which each argument ends with a NUL: blanks stand between
 * them. Where the program has erased them all, it is the name in brackets, as of tasks of the
 * kernel. Returns raw->text. */
const char *command_line_make(struct strbuf *raw, const char *name);

#endif
