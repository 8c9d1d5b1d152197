/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend - where the samples of a setup come from, and all that depends on it: the machine that
 * events and screens are for, who is asked for events and for users, and the source itself. That is
 * the running machine, or with --replay a recording, of which nothing is looked up here.
 */
#ifndef SESSION_BACKEND_H
#define SESSION_BACKEND_H

#include "session/setup.h"

/* Sets the machine, but for its table, and s->counts_others. The options have been read. Fails
 * where there is no such recording. */
int backend_identify(struct setup *s, struct err *err);
/* Makes the source, and says in s->hardware why there are no hardware counters. */
int backend_open(struct setup *s, struct err *err);
/* The number of a user, by name or number. -EINVAL: there is none. */
int backend_find_user(const struct setup *s, const char *text, long *uid, struct err *err);
/* The login name of the user; the text where there is none. The caller frees it. */
char *backend_user_name(const struct setup *s, long uid, const char *text);
/* The process that a thread belongs to; the number itself where there is no such thread. */
int backend_process_of(const struct setup *s, int pid);

#endif
