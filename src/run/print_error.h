/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print_error - what the program says, and the status that it then ends with.
 */
#ifndef RUN_PRINT_ERROR_H
#define RUN_PRINT_ERROR_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

#define EXIT_FAILED 1
#define EXIT_USAGE  2

/* Prints the sentence to standard error, unless it is empty as it was printed already. Returns the
 * status. */
int print_fault(const struct err *err, int status);
/* Whether this error is one of the usage. */
bool is_usage_error(int ret);
/* Prints the text to standard output. Returns the status, or EXIT_FAILED where it cannot be
 * written. */
int print_text(const struct strbuf *text, int status);

#endif
