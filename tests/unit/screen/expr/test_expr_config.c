/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax of integers in the config of a counter.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "screen/expr/expr.h"
#include "tap.h"

static int lookup(const char *name, size_t len, uint64_t *value)
{
	static const struct {
		const char *name;
		uint64_t value;
	} table[] = {{"L1D", 0},      {"LL", 2},          {"OP_READ", 0},
		     {"OP_WRITE", 1}, {"RESULT_MISS", 1}, {"TOP", 1ull << 63}};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len)) {
			*value = table[i].value;
			return 0;
		}
	return -1;
}

static void test_values(void)
{
	static const struct {
		const char *text;
		uint64_t want;
	} table[] = {
		{"0", 0},
		{"500", 500},
		{"010", 10},
		{"0x1f7", 0x1f7},
		{" 0X1eCA ", 0x1eca},
		{"18446744073709551615", UINT64_MAX},
		{"0xffffffffffffffff", UINT64_MAX},
		{"9007199254740993", 9007199254740993u}, /* 2^53 + 1, which a double cannot hold */
		{"TOP", 1ull << 63},
		{"LL", 2},
		{"1 shl 63", 1ull << 63},
		{"3 shl 63", 1ull << 63},
		{"7 shl 0", 7},
		{"1 shl 2 shl 3", 32},
		{"1 shl (2 shl 1)", 16},
		{"5 | 2", 7},
		{"5 or 2", 7},
		{"6 & 3", 2},
		{"6 and 3", 2},
		{"1 | 6 & 4", 5},
		{"1 or 6 and 4", 5},
		{"(1 | 6) & 4", 4},
		{"6 & 4 | 1", 5},
		{"1 | 1 shl 4", 17},
		{"3 & 1 shl 1", 2},
		{"L1D | (OP_READ shl 8) | (RESULT_MISS shl 16)", 0x10000},
		{"LL | OP_WRITE shl 8 | RESULT_MISS shl 16", 0x10102},
		{"LL|OP_WRITE shl 8|RESULT_MISS shl 16", 0x10102},
		{"(((3)))", 3},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err err = ERR_INIT;
		uint64_t got = 0xDEAD;

		if (tap_ok(!expr_config_eval(table[i].text, lookup, &got, &err), "%s is a config",
			   table[i].text))
			tap_ok(got == table[i].want, "%s is 0x%llx", table[i].text,
			       (unsigned long long)table[i].want);
		else
			printf("# %s\n", err.text);
	}
}

static void test_errors(void)
{
	static const struct {
		const char *text;
		int code;
		const char *want;
	} table[] = {
		{"", EINVAL, "column 1: the config is empty"},
		{" ", EINVAL, "column 1: the config is empty"},
		{"L1X", ENOENT, "column 1: 'L1X' is not a known name"},
		{"1 | ll", ENOENT, "column 5: 'll' is not a known name"},
		{"1.5", EINVAL, "column 1: '1.5' is not a whole number"},
		{"1e6", EINVAL, "column 1: '1e6' is not a whole number"},
		{".5", EINVAL, "column 1: '.5' is not a whole number"},
		{"0x", EINVAL, "column 1: '0x' is not a whole number"},
		{"1|12ab", EINVAL, "column 3: '12ab' is not a whole number"},
		{"18446744073709551616", ERANGE,
		 "column 1: '18446744073709551616' does not fit in 64 bits"},
		{"0x10000000000000000", ERANGE,
		 "column 1: '0x10000000000000000' does not fit in 64 bits"},
		{"0000000000000000000000000000000000000000000000000000000000000001", EINVAL,
		 "column 1: a number has at most 63 characters"},
		{"1 shl 64", ERANGE, "column 3: a shift by 64 is too far for a number of 64 bits"},
		{"0 | 1 shl TOP", ERANGE,
		 "column 7: a shift by 9223372036854775808 is too far for a number of 64 bits"},
		{"(1 | 2", EINVAL, "column 7: ')' is missing for the '(' in column 1"},
		{"1)", EINVAL, "column 2: there is no '(' for this ')'"},
		{"1 2", EINVAL, "column 3: one of | & shl is expected, not '2'"},
		{"1 << 2", EINVAL, "column 3: one of | & shl is expected, not '<'"},
		{"1 + 2", EINVAL, "column 3: one of | & shl is expected, not '+'"},
		{"1 SHL 2", EINVAL, "column 3: one of | & shl is expected, not 'SHL'"},
		{"(1 2)", EINVAL, "column 4: ')' or one of | & shl is expected, not '2'"},
		{"1 |", EINVAL, "column 4: a number, a name or '(' is expected, not the end"},
		{"1 | | 2", EINVAL, "column 5: a number, a name or '(' is expected, not '|'"},
		{"shl 2", EINVAL, "column 1: a number, a name or '(' is expected, not 'shl'"},
		{"1 or and 2", EINVAL, "column 6: a number, a name or '(' is expected, not 'and'"},
		{"-1", EINVAL, "column 1: a number, a name or '(' is expected, not '-'"},
		{"()", EINVAL, "column 2: a number, a name or '(' is expected, not ')'"},
		{"\xc3\xa9", EINVAL,
		 "column 1: a number, a name or '(' is expected, not the byte 0xC3"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err err = ERR_INIT;
		uint64_t got = 0xDEAD;
		char *text = xstrdup(table[i].text); /* exact size: ASan sees a longer read */
		int rc = expr_config_eval(text, lookup, &got, &err);

		tap_str(err.text, table[i].want, "the fault in '%s'", table[i].text);
		tap_int(rc, -table[i].code, "the code of the fault in '%s'", table[i].text);
		tap_ok(got == 0xDEAD, "the output is untouched");
		free(text);
	}
}

static void test_depth(void)
{
	struct strbuf chain;
	uint64_t value = 0;

	for (int n = 64; n <= 65; n++) {
		struct strbuf sb;
		struct err err = ERR_INIT;
		uint64_t got = 0;

		strbuf_init(&sb);
		strbuf_pad(&sb, '(', n);
		strbuf_addch(&sb, '7');
		strbuf_pad(&sb, ')', n);
		if (n == 64)
			tap_ok(!expr_config_eval(sb.text, lookup, &got, &err) && got == 7,
			       "64 parentheses");
		else
			tap_ok(expr_config_eval(sb.text, lookup, &got, &err) == -EINVAL,
			       "65 parentheses are too many");
		tap_str(err.text, n == 64 ? "" : "column 65: at most 64 parentheses may be open",
			"the sentence for %d", n);
		strbuf_done(&sb);
	}
	strbuf_init(&chain);
	for (int i = 0; i < 100; i++)
		strbuf_addstr(&chain, "(1)|");
	strbuf_addch(&chain, '6');
	tap_ok(!expr_config_eval(chain.text, lookup, &value, NULL) && value == 7,
	       "closed ones do not count");
	strbuf_done(&chain);
}

static void test_fuzz(void)
{
	static const char *const word[] = {"1",    "0xff",  "TOP", "LL", "x",    "shl", " shl ",
					   " or ", " and ", "|",   "&",  "(",    ")",   ")",
					   " ",    "2",     "63",  "64", "\xff", "."};
	unsigned state = 12345;
	int accepted = 0, bad = 0;

	for (int i = 0; i < 200000; i++) {
		struct strbuf sb;
		struct err err = ERR_INIT;
		uint64_t got;
		char *text;
		int rc;

		strbuf_init(&sb);
		for (int n = i % 10; n; n--) {
			state = state * 1664525u + 1013904223u;
			strbuf_addstr(&sb, word[(state >> 16) % (sizeof word / sizeof *word)]);
		}
		text = xstrdup(sb.text);
		rc = expr_config_eval(text, lookup, &got, &err);
		accepted += !rc;
		bad += rc && (err.code != -rc || strncmp(err.text, "column ", 7));
		free(text);
		strbuf_done(&sb);
	}
	tap_int(bad, 0, "200000 texts of random words");
	tap_ok(accepted > 1000, "some of them are configs (%d)", accepted);
}

int main(void)
{
	test_values();
	test_errors();
	test_depth();
	test_fuzz();
	return tap_done();
}
