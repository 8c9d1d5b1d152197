/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON writer: commas, texts, numbers.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_csv.h"
#include "base/num.h"
#include "tap.h"

static void test_structure(void)
{
	struct strbuf out;

	strbuf_init(&out);
	json_begin(&out, '{');
	json_key(&out, "a");
	json_count(&out, 1);
	json_begin_list(&out, "b");
	json_begin(&out, '[');
	json_end(&out, ']');
	json_text(&out, "{");
	json_text(&out, "x:");
	json_begin(&out, '{');
	json_end(&out, '}');
	json_number(&out, 0.5);
	json_text(&out, NULL);
	json_end(&out, ']');
	json_key(&out, "c");
	json_text(&out, "");
	json_end(&out, '}');
	strbuf_addch(&out, '\n');
	json_begin(&out, '{');
	json_end(&out, '}');
	tap_str(out.text, "{\"a\":1,\"b\":[[],\"{\",\"x:\",{},0.5,null],\"c\":\"\"}\n{}",
		"commas stand where they have to");
	strbuf_done(&out);
}

static void test_texts(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"bash", "bash"},
		{"a\"b\\c/d", "a\\\"b\\\\c/d"},
		{"a\tb\n\x1b[31m\x7f", "a\\u0009b\\u000a\\u001b[31m\\u007f"},
		{"caf\u00e9 \u20ac \U0001f600", "caf\u00e9 \u20ac \U0001f600"},
		{"\xc2\x85\u202e\u2028", "\\u0085\\u202e\\u2028"},
		{"\U000e0041", "\\udb40\\udc41"},
		{"\xff"
		 "a\xc3",
		 "\ufffda\ufffd"},
		{"\xc0\xaf\xed\xa0\x80", "\ufffd\ufffd\ufffd\ufffd\ufffd"},
		{"\ufffd", "\ufffd"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct strbuf out, want;

		strbuf_init(&out);
		strbuf_init(&want);
		json_text(&out, table[i].text);
		strbuf_addf(&want, "\"%s\"", table[i].want);
		tap_str(out.text, want.text, "text %zu", i);
		strbuf_done(&out);
		strbuf_done(&want);
	}
}

static void test_numbers(void)
{
	static const struct {
		double number;
		const char *want;
	} table[] = {
		{0.1, "0.1"},
		{-0.0, "0"},
		{100, "100"},
		{1.0 / 3, "0.3333333333333333"},
		{0x1.3333333333334p-2, "0.30000000000000004"},
		{1e22, "1e+22"},
		{DBL_MAX, "1.7976931348623157e+308"},
		{0x1p-1074, "4.94065645841247e-324"},
		{NAN, "null"},
		{INFINITY, "null"},
		{-INFINITY, "null"},
	};
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		strbuf_reset(&out);
		json_number(&out, table[i].number);
		tap_str(out.text, table[i].want, "number %zu", i);
	}
	strbuf_done(&out);
}

/* Random bit patterns of doubles, but for infinities and NaN. */
static void test_round_trip(void)
{
	uint64_t bits = 88172645463325252u;
	struct strbuf out;
	int n = 0, bad = 0;

	strbuf_init(&out);
	for (int i = 0; i < 20000; i++) {
		double number;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&number, &bits, sizeof number);
		if (!isfinite(number))
			continue;
		strbuf_reset(&out);
		num_add(&out, number);
		n++;
		bad += strtod(out.text, NULL) != number;
	}
	tap_ok(n > 19000 && !bad, "%d numbers are read as they were written", n);
	strbuf_done(&out);
}

static void test_values(void)
{
	struct strbuf out;

	strbuf_init(&out);
	json_begin(&out, '[');
	json_value(&out, value_count(UINT64_MAX));
	json_value(&out, value_count((UINT64_C(1) << 53) + 1));
	json_value(&out, value_exact(7));
	json_value(&out, value_exact(-7));
	json_value(&out, value_stale(0.25));
	json_value(&out, value_none(QUALITY_DENIED));
	json_end(&out, ']');
	tap_str(out.text, "[18446744073709551615,9007199254740993,7,-7,0.25,null]",
		"counts have all their digits, what is unknown is null");
	strbuf_done(&out);
}

int main(void)
{
	test_structure();
	test_texts();
	test_numbers();
	test_round_trip();
	test_values();
	return tap_done();
}
