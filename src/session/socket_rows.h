/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket_rows - when rows are sockets themselves, and not their CPUs: a screen with rows="socket"
 * is asked for by its name, in groups of sockets.
 */
#ifndef SESSION_SOCKET_ROWS_H
#define SESSION_SOCKET_ROWS_H

#include "session/screen_merge.h"
#include "session/setup.h"

/* How such a screen is asked for, behind "tiptop "; the caller frees it. */
char *socket_rows_command(const struct screen *screen);
/* Sets s->rows where that is so; the screens are all that there are. -EINVAL: with options that are
 * for CPUs. */
int socket_rows_take(struct setup *s, const struct placing *screens, struct err *err);

#endif
