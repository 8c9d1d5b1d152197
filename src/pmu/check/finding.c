/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/finding.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/strbuf.h"

struct finding finding_make(enum finding_mark mark, const char *fmt, ...)
{
	struct finding f = {.mark = mark};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f.text, sizeof f.text, fmt, ap);
	va_end(ap);
	text_sanitize(f.text, '?');
	return f;
}

void finding_set_remedy(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->remedy, sizeof f->remedy, fmt, ap);
	va_end(ap);
	text_sanitize(f->remedy, '?');
}
