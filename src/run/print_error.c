/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/print_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int print_fault(const struct err *err, int status)
{
	if (err->text[0])
		fprintf(stderr, "tiptop: %s\n", err->text);
	return status;
}

bool is_usage_error(int ret)
{
	return ret == -EINVAL || ret == -ERANGE;
}

int print_text(const struct strbuf *text, int status)
{
	if (fwrite(text->text, 1, text->len, stdout) == text->len && !fflush(stdout))
		return status;
	fprintf(stderr, "tiptop: cannot write to standard output: %s\n", strerror(errno));
	return EXIT_FAILED;
}
