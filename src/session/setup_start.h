/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_start - begins and ends a setup: identifies the machine, opens the source (the running
 * machine, or the recording of --replay), chooses the first screen and starts counting for it.
 */
#ifndef SESSION_SETUP_START_H
#define SESSION_SETUP_START_H

#include "session/setup.h"

/* Sets the machine, except for its event table, and counts_others: from the recording with
 * --replay, else from the running machine. Returns 0, or -errno with a sentence if the recording
 * cannot be opened. */
int backend_identify(struct configuration *config, struct backend *backend, struct err *err);

void setup_init(struct setup *s);
/* Frees the setup, and removes the folder of its tables. */
void setup_done(struct setup *s);
/* Opens the source and chooses the first screen without starting to count; call it after
 * setup_configuration(). command: pid of the command to follow; 0: none. -EINVAL: usage error. */
int setup_choose(struct setup *s, pid_t command, struct err *err);
/* Calls setup_choose() and setup_want(). */
int setup_start(struct setup *s, pid_t command, struct err *err);
/* Tells the source what the current screen and view need; sets display.note. command: pid of a
 * child that waits before its execve(2), to be counted from there on; 0: none. Returns whether this
 * begins a new generation; false: all events are counted already, and counting continues. */
bool setup_want(struct setup *s, pid_t command);

#endif
