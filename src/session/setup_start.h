/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_start - a setup from its begin to its end: its source is opened, its first screen chosen,
 * and what that needs is counted.
 */
#ifndef SESSION_SETUP_START_H
#define SESSION_SETUP_START_H

#include "session/setup.h"

void setup_init(struct setup *s);
/* Frees all that it has, and removes its tables. */
void setup_done(struct setup *s);
/* Opens the source and chooses the first screen, of which nothing is counted yet, after
 * setup_configuration(). command: the child to follow, or 0. -EINVAL: a usage error. */
int setup_choose(struct setup *s, pid_t command, struct err *err);
/* The same, and tells the source what to count. */
int setup_start(struct setup *s, pid_t command, struct err *err);
/* Tells the source what the present screen and view need; sets note. Whether that begins a new
 * generation: where all events are counted already, what was counted goes on. */
bool setup_want(struct setup *s, pid_t command);

#endif
