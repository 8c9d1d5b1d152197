/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "series/short_number.h"

#include <math.h>

#include "base/unit.h"

/* As many digits as there is room for behind the zeros. */
static void add_small(struct strbuf *text, double number, int width)
{
	int digits = 4;

	do {
		strbuf_reset(text);
		strbuf_addf(text, "%.*g", digits, number);
	} while ((int)text->len > width && --digits >= 2);
}

void short_number_add(struct strbuf *out, double number, int width)
{
	struct strbuf text;

	strbuf_init(&text);
	if (isnan(number))
		strbuf_addch(&text, '?');
	else if (fabs(number) >= 99999.5)
		unit_add(&text, UNIT_COUNT, number);
	else if (fabs(number) >= 1000)
		strbuf_addf(&text, "%.0f", number);
	else
		add_small(&text, number, width);
	strbuf_addf(out, " %*s", width, text.text);
	strbuf_done(&text);
}
