/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/scalar.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/num.h"
#include "base/text.h"

void scalar_add_csv(struct strbuf *out, const struct report_scalar *s, int digits)
{
	if (s->kind == REPORT_TEXT)
		csv_add_text(out, s->text);
	else if (s->kind == REPORT_VALUE && digits && value_known(s->value))
		strbuf_addf(out, digits < 0 ? "%.*g" : "%.*f", abs(digits), s->value.number);
	else if (s->kind == REPORT_VALUE)
		csv_add_value(out, s->value);
}

void scalar_add_json(struct strbuf *out, const struct report_scalar *s)
{
	if (s->kind == REPORT_VALUE)
		json_value(out, s->value);
	else
		json_text(out, s->kind == REPORT_TEXT ? s->text : NULL);
}

void scalar_add_people(struct strbuf *out, const struct report_scalar *s, int digits)
{
	uint64_t count;

	if (s->kind == REPORT_TEXT)
		text_add(out, s->text);
	else if (s->kind != REPORT_VALUE || !value_known(s->value))
		strbuf_addch(out, '-');
	else if (!digits && value_is_count(s->value, &count))
		num_add_count(out, count);
	else
		strbuf_addf(out, "%.*f", digits, s->value.number);
}
