/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend_open - identifies the machine that is measured, and opens the source of samples: the
 * running machine, or a recording with --replay.
 */
#ifndef SESSION_BACKEND_OPEN_H
#define SESSION_BACKEND_OPEN_H

#include "session/setup.h"

/* Sets the machine, except for its event table, and counts_others: from the recording with
 * --replay, else from the running machine. Returns 0, or -errno with a sentence if the recording
 * cannot be opened. */
int backend_identify(struct configuration *config, struct backend *backend, struct err *err);
/* Creates the source. If there are no hardware counters, sets `hardware` to the reason. */
int backend_open(struct setup *s, struct err *err);

#endif
