/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend - the source of samples of a setup, and what depends on it: the machine whose events and
 * screens are used, and the tables of events and users. The source is the running machine, or with
 * --replay a recording, whose names are never looked up on the running machine.
 */
#ifndef SESSION_BACKEND_H
#define SESSION_BACKEND_H

#include "session/setup.h"

/* Sets the machine, except for its table, and s->counts_others, from the options. Returns 0, or
 * -errno with a sentence if the recording cannot be opened. */
int backend_identify(struct setup *s, struct err *err);
/* Creates the source, and sets s->hardware to the reason why there are no hardware counters. */
int backend_open(struct setup *s, struct err *err);
/* Finds a user id by name or number. Returns 0, or -EINVAL if there is no such user. */
int backend_find_user(const struct setup *s, const char *text, long *uid, struct err *err);
/* Returns the login name of a user, or a copy of the text if there is none. The caller frees it. */
char *backend_user_name(const struct setup *s, long uid, const char *text);
/* Returns the process of a thread; pid itself if there is no such thread. */
int backend_process_of(const struct setup *s, int pid);

#endif
