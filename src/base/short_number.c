/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/short_number.h"

#include <math.h>
#include <stdio.h>

#include "base/unit.h"

/* As many digits as there is room for behind the zeros. */
static void add_small(struct strbuf *out, double number, int width)
{
	char text[32];
	int digits = 4;

	while (snprintf(text, sizeof text, "%.*g", digits, number) > width && --digits >= 2)
		;
	strbuf_addstr(out, text);
}

void short_number_add(struct strbuf *out, double number, int width)
{
	if (isnan(number))
		strbuf_addch(out, '?');
	else if (fabs(number) >= 99999.5)
		unit_add(out, UNIT_COUNT, number);
	else if (fabs(number) >= 1000)
		strbuf_addf(out, "%.0f", number);
	else
		add_small(out, number, width);
}
