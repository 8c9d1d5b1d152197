/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/local.h"

#include <stdio.h>

#include <tiptop.h>

__thread struct tt_local tt_local;

int tt_error_set(int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(tt_local.error, sizeof tt_local.error, format, arguments);
	va_end(arguments);
	return -code;
}

const char *tt_strerror(void)
{
	return tt_local.error;
}
