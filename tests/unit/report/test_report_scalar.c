/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and texts in each format are the same in reports and in streamed rows. */
#include "report/report.h"
#include "tap.h"

static void check(struct report_scalar s, int digits, const char *csv, const char *json,
		  const char *people)
{
	struct strbuf out;

	strbuf_init(&out);
	scalar_add_csv(&out, &s, digits);
	tap_str(out.text, csv, "CSV: '%s'", csv);
	strbuf_reset(&out);
	scalar_add_json(&out, &s);
	tap_str(out.text, json, "JSON: %s", json);
	strbuf_reset(&out);
	scalar_add_people(&out, &s, digits > 0 ? digits : 0);
	tap_str(out.text, people, "people: %s", people);
	strbuf_done(&out);
}

int main(void)
{
	check(scalar_text("a,\033\"b"), 0, "\"a,\ufffd\"\"b\"", "\"a,\\u001b\\\"b\"", "a,?\"b");
	check(scalar_text(""), 0, "", "\"\"", "");
	check(scalar_text(NULL), 0, "", "null", "-");
	check((struct report_scalar){.kind = REPORT_ABSENT}, 0, "", "null", "-");
	check(scalar_value(value_none(QUALITY_DENIED)), 3, "", "null", "-");
	check(scalar_value(value_count(0)), 0, "0", "0", "0");
	check(scalar_value(value_count(UINT64_MAX)), 0, "18446744073709551615",
	      "18446744073709551615", "18446744073709551615");
	check(scalar_value(value_count(12)), 2, "12.00", "12", "12.00");
	check(scalar_value(value_exact(-2.0 / 3)), 2, "-0.67", "-0.6666666666666666", "-0.67");
	check(scalar_value(value_exact(-7)), 0, "-7", "-7", "-7");
	check(scalar_value(value_exact(1234567.891)), -3, "1.23e+06", "1234567.891", "1234568");
	check(scalar_value((struct value){2.5, 0.5F, QUALITY_SCALED, 0}), 0, "2.5", "2.5", "2");
	return tap_done();
}
