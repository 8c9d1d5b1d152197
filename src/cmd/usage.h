/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage - the texts of the options that print something and exit: --help, -v and --version.
 *
 * Each function appends whole lines to `out`.
 */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the help: the usual options, in 60 lines at most; with `all`, all options. */
void usage_help(bool all, struct strbuf *out);
void usage_build_info(struct strbuf *out);
void usage_version(struct strbuf *out);

#endif
