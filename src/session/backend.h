/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend - opens the source of samples of a setup, and answers questions that depend on it: which
 * machine's events and screens apply, and which users and processes exist. The source is the
 * running machine, or a recording with --replay. Names in a recording are never looked up on the
 * running machine.
 */
#ifndef SESSION_BACKEND_H
#define SESSION_BACKEND_H

#include "session/setup.h"

/* Sets the machine, except for its event table, and counts_others: from the recording with
 * --replay, else from the running machine. Returns 0, or -errno with a sentence if the recording
 * cannot be opened. */
int backend_identify(struct configuration *config, struct backend *backend, struct err *err);
/* Creates the source. If there are no hardware counters, sets `hardware` to the reason. */
int backend_open(struct setup *s, struct err *err);
/* Finds a user id by name or number. Returns 0, -EINVAL if there is no such user, or -ERANGE if the
 * number is too large. */
int backend_find_user(const struct setup *s, const char *text, long *uid, struct err *err);
/* Returns the login name of the user uid; a copy of text if uid has no login name, or with
 * --replay. The caller frees it. */
char *backend_user_name(const struct backend *backend, long uid, const char *text);
/* Returns the process of the thread pid; pid itself if there is no such thread, or with
 * --replay. */
int backend_process_of(const struct backend *backend, int pid);

#endif
