/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gnuplot - runs gnuplot(1): it gets a script, data to draw and arguments for the script, and gives
 * a picture. No shell is in between, no file of the user's is read, and nothing is left behind.
 */
#ifndef CMD_GNUPLOT_H
#define CMD_GNUPLOT_H

#include "base/err.h"
#include "base/strbuf.h"

#define GNUPLOT_ARGUMENTS_MAX 9

/* The script finds the data in /dev/fd/3, and the arguments as ARG1 and so on. -ENOENT: there is no
 * gnuplot; -EIO: it has failed. */
int gnuplot_run(const struct strbuf *script, const struct strbuf *data,
		const struct strbuf *argument, size_t n_arguments, struct strbuf *picture,
		struct err *err);

#endif
