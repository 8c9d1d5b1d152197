/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage - the texts of the options that print something and exit: --help, -v, --version and
 * --list-screens.
 *
 * Each function appends whole lines to `out`.
 */
#ifndef APP_USAGE_H
#define APP_USAGE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "screen/screen.h"

/* The options that are asked for most: their long names, ended by NULL. */
extern const char *const usage_usual[];

/* How to begin, in 60 lines at most; or with all options. */
void usage_help(bool all, struct strbuf *out);
void usage_build_info(struct strbuf *out);
void usage_version(struct strbuf *out);
/* In the layout of tiptop 2.3.1: " 0: 'name', description". */
void usage_list_screens(struct strbuf *out, const struct screen_list *screens);

#endif
