/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print_error - prints errors and results, and returns the exit status that goes with them.
 */
#ifndef RUN_PRINT_ERROR_H
#define RUN_PRINT_ERROR_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

#define EXIT_FAILED 1
#define EXIT_USAGE  2

/* Prints the sentence to standard error, unless it is empty, as for an error that was printed
 * before. Returns the status. */
int print_fault(const struct err *err, int status);
/* Returns whether this -errno means a usage error: -EINVAL or -ERANGE. */
bool is_usage_error(int ret);
/* Prints the text to standard output. Returns the status, or EXIT_FAILED if it cannot be
 * written. */
int print_text(const struct strbuf *text, int status);

#endif
