/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording - from the option --record to the output that keeps what was read.
 */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "app/setup.h"
#include "sink/outputs.h"

/* Adds the output, after those that write to files: it must not be one of theirs. What there is to
 * say of it goes to the log. -EINVAL: it is the file of something else. */
int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err);

#endif
