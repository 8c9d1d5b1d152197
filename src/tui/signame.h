/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signame - signals by the names that people type.
 */
#ifndef TUI_SIGNAME_H
#define TUI_SIGNAME_H

#include "base/err.h"

/* Reads "TERM" or "SIGTERM", in capital or small letters, or a number. -EINVAL: there is no such
 * signal. */
int signame_parse(const char *text, int *signal, struct err *err);

#endif
