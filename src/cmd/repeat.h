/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat - tiptop --repeat N -- command: in place of the loop, one run after the other, and at the
 * end the summary of all.
 */
#ifndef CMD_REPEAT_H
#define CMD_REPEAT_H

#include "run/signals.h"
#include "session/setup.h"

/* Whether the options of a setup go together with --repeat, or are those of it alone. -EINVAL with
 * a sentence: they do not. */
int repeat_check(const struct options *o, struct err *err);
/* Runs the command. The setup has its configuration. Returns the exit status. */
int repeat_command(struct setup *setup, struct signals *signals);

#endif
