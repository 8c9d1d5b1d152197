/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expressions of columns: what they give, what is wrong with them, and how the quality of numbers spreads.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "expr/expr.h"
#include "tap.h"

/* The names: delta(x) is 10 times, rate(x) 5 times the number. */
static const struct symbol {
	const char *name;
	struct value value;
} symbol_table[] = {
	{"a", {6, 1, QUALITY_EXACT}},
	{"b", {3, 1, QUALITY_EXACT}},
	{"zero", {0, 1, QUALITY_EXACT}},
	{"half", {10, 0.5f, QUALITY_SCALED}},
	{"quarter", {4, 0.25f, QUALITY_SCALED}},
	{"partial", {8, 1, QUALITY_PARTIAL}},
	{"fresh", {NAN, 1, QUALITY_FRESH}},
	{"denied", {NAN, 1, QUALITY_DENIED}},
	{"unsupported", {NAN, 1, QUALITY_UNSUPPORTED}},
	{"_x9", {9, 1, QUALITY_EXACT}},
	{"rate", {77, 1, QUALITY_EXACT}}, /* a name may be that of a function */
};

#define N_SYMBOLS ((int)(sizeof symbol_table / sizeof *symbol_table))

static int find(const void *context, const char *name, size_t len)
{
	(void)context;
	for (int i = 0; i < N_SYMBOLS; i++)
		if (strlen(symbol_table[i].name) == len && !memcmp(symbol_table[i].name, name, len))
			return i;
	return -1;
}

static const struct expr_symbols symbols = {find, NULL};

static struct value load(const void *row, struct expr_ref ref)
{
	static const double factor[N_EXPR_MODES] = {[EXPR_TOTAL] = 1, [EXPR_DELTA] = 10, [EXPR_RATE] = 5};
	struct value v = symbol_table[ref.symbol].value;

	(void)row;
	v.number *= factor[ref.mode];
	return v;
}

static struct value eval(const char *text)
{
	struct expr *e = NULL;
	struct err err = ERR_INIT;
	struct value v;

	if (expr_compile(&e, text, &symbols, &err)) {
		printf("# %s: %s\n", text, err.text);
		return (struct value){-12345, 0, N_QUALITIES};
	}
	v = expr_eval(e, load, NULL);
	expr_free(e);
	return v;
}

static const struct {
	const char *text;
	double want;
} number_table[] = {
	{"1", 1},
	{"  42\t\n", 42},
	{"1.5", 1.5},
	{".5", 0.5},
	{"5.", 5},
	{"1e6", 1e6},
	{"1E+6", 1e6},
	{"25e-1", 2.5},
	{"1e6-1", 999999},
	{"0x1f", 31},
	{"0XfF", 255},
	{"0xe+1", 15},
	{"0xffffffffffffffff", 18446744073709551615.0},
	{"18446744073709551616", 18446744073709551616.0},
	{"010", 10},
	{"a", 6},
	{"_x9", 9},
	{"rate", 77},
	{"rate(rate)", 385},
	{"a+b", 9},
	{"a-b", 3},
	{"a*b", 18},
	{"a/b", 2},
	{"a-b-1", 2},
	{"a-(b-1)", 4},
	{"a/b/2", 1},
	{"a/(b/2)", 4},
	{"2*a/b*2", 8},
	{"1+2*3", 7},
	{"(1+2)*3", 9},
	{"2*3+1", 7},
	{"10-2*3-1", 3},
	{"100*b/a", 50},
	{"-a", -6},
	{"+a", 6},
	{"--a", 6},
	{"-+-+-a", -6},
	{"a--b", 9},
	{"a-+b", 3},
	{"2*-3", -6},
	{"-2*3", -6},
	{"-a/-b", 2},
	{"-(a+b)", -9},
	{"((((a))))", 6},
	{"0/a", 0},
	{"zero*a", 0},
	{"delta(a)", 60},
	{"delta ( a )", 60},
	{"rate(a)", 30},
	{"a+delta(a)+rate(a)", 96},
	{"100 * delta(b) / delta(a)", 50},
	{"delta(a) / 1e6", 6e-5},
};

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof number_table / sizeof *number_table; i++) {
		struct value v = eval(number_table[i].text);

		tap_num(v.number, number_table[i].want, "%s", number_table[i].text);
		tap_ok(v.quality == QUALITY_EXACT && v.share == 1, "%s is exact", number_table[i].text);
	}
}

static void test_quality(void)
{
	static const struct {
		const char *text;
		double number;
		float share;
		enum quality quality;
	} table[] = {
		{"half", 10, 0.5f, QUALITY_SCALED},
		{"half+a", 16, 0.5f, QUALITY_SCALED},
		{"a*half", 60, 0.5f, QUALITY_SCALED},
		{"-half", -10, 0.5f, QUALITY_SCALED},
		{"half/quarter", 2.5, 0.25f, QUALITY_SCALED},
		{"quarter-half", -6, 0.25f, QUALITY_SCALED},
		{"partial+half", 18, 0.5f, QUALITY_PARTIAL},
		{"a/zero", NAN, 1, QUALITY_DIVZERO},
		{"zero/zero", NAN, 1, QUALITY_DIVZERO},
		{"half/zero", NAN, 1, QUALITY_DIVZERO},
		{"a/(b-3)", NAN, 1, QUALITY_DIVZERO},
		{"1+a/zero", NAN, 1, QUALITY_DIVZERO},
		{"0*(a/zero)", NAN, 1, QUALITY_DIVZERO},
		{"fresh", NAN, 1, QUALITY_FRESH},
		{"-fresh", NAN, 1, QUALITY_FRESH},
		{"0*fresh", NAN, 1, QUALITY_FRESH},
		{"fresh-fresh", NAN, 1, QUALITY_FRESH},
		{"half+fresh", NAN, 1, QUALITY_FRESH},
		{"fresh/zero", NAN, 1, QUALITY_FRESH},
		{"a/zero+fresh", NAN, 1, QUALITY_FRESH},
		{"unsupported/zero", NAN, 1, QUALITY_UNSUPPORTED},
		{"a/zero+unsupported", NAN, 1, QUALITY_UNSUPPORTED},
		{"unsupported+a/zero", NAN, 1, QUALITY_UNSUPPORTED},
		{"denied+unsupported", NAN, 1, QUALITY_UNSUPPORTED},
		{"unsupported*denied", NAN, 1, QUALITY_UNSUPPORTED},
		{"1e308*10", NAN, 1, QUALITY_DIVZERO},
		{"1/(1e308*10)", NAN, 1, QUALITY_DIVZERO},
		{"1e308*10-1e308*10", NAN, 1, QUALITY_DIVZERO},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct value v = eval(table[i].text);

		tap_num(v.number, table[i].number, "the number of %s", table[i].text);
		tap_int(v.quality, table[i].quality, "the quality of %s", table[i].text);
		tap_num(v.share, table[i].share, "the share of %s", table[i].text);
	}
}

static const struct {
	const char *text, *want;
} error_table[] = {
	{"", "column 1: the expression is empty"},
	{"   ", "column 1: the expression is empty"},
	{"cylces/2", "column 1: 'cylces' is no counter or variable of this screen"},
	{"a + cylces", "column 5: 'cylces' is no counter or variable of this screen"},
	{"delta(c)", "column 7: 'c' is no counter or variable of this screen"},
	{"A", "column 1: 'A' is no counter or variable of this screen"},
	{"delta", "column 1: 'delta' is a function: write delta(NAME)"},
	{"delta(delta)", "column 7: 'delta' is a function: write delta(NAME)"},
	{"a(b)", "column 1: 'a' is no function: there are delta(), rate()"},
	{"1+Delta(b)", "column 3: 'Delta' is no function: there are delta(), rate()"},
	{"1*(a+b*2", "column 9: ')' is missing for the '(' in column 3"},
	{"(1+(2)", "column 7: ')' is missing for the '(' in column 1"},
	{"delta(a", "column 8: ')' is missing for the '(' in column 6"},
	{"1+2)", "column 4: there is no '(' for this ')'"},
	{")", "column 1: a number, a name or '(' is expected, not ')'"},
	{"()", "column 2: a number, a name or '(' is expected, not ')'"},
	{"a+", "column 3: a number, a name or '(' is expected, not the end"},
	{"a+  ", "column 5: a number, a name or '(' is expected, not the end"},
	{"-", "column 2: a number, a name or '(' is expected, not the end"},
	{"a*/b", "column 3: a number, a name or '(' is expected, not '/'"},
	{"*a", "column 1: a number, a name or '(' is expected, not '*'"},
	{"a b", "column 3: one of + - * / is expected, not 'b'"},
	{"a 2", "column 3: one of + - * / is expected, not '2'"},
	{"a|b", "column 2: one of + - * / is expected, not '|'"},
	{"a<b", "column 2: one of + - * / is expected, not '<'"},
	{"(a b)", "column 4: ')' or one of + - * / is expected, not 'b'"},
	{"a,b", "column 2: one of + - * / is expected, not ','"},
	{"delta(5)", "column 7: the name of a counter or variable is expected, not '5'"},
	{"delta()", "column 7: the name of a counter or variable is expected, not ')'"},
	{"rate(", "column 6: the name of a counter or variable is expected, not the end"},
	{"delta((a))", "column 7: the name of a counter or variable is expected, not '('"},
	{"delta(a+b)", "column 8: ')' behind the one name that a function takes is expected, not '+'"},
	{"delta(a,b)", "column 8: ')' behind the one name that a function takes is expected, not ','"},
	{"2*12abc", "column 3: '12abc' is not a number, or is too large"},
	{"1.2.3", "column 1: '1.2.3' is not a number, or is too large"},
	{"1e", "column 1: '1e' is not a number, or is too large"},
	{"1e+", "column 1: '1e+' is not a number, or is too large"},
	{"0x", "column 1: '0x' is not a number, or is too large"},
	{"0xfg", "column 1: '0xfg' is not a number, or is too large"},
	{"0x1.8", "column 1: '0x1.8' is not a number, or is too large"},
	{"0x10000000000000000", "column 1: '0x10000000000000000' is not a number, or is too large"},
	{"1e999", "column 1: '1e999' is not a number, or is too large"},
	{".", "column 1: a number, a name or '(' is expected, not '.'"},
	{"a.b", "column 2: one of + - * / is expected, not '.'"},
	{"$", "column 1: a number, a name or '(' is expected, not '$'"},
	{"a\xe2\x88\x92"
	 "b",
	 "column 2: one of + - * / is expected, not the byte 0xE2"},
	{"\x01", "column 1: a number, a name or '(' is expected, not the byte 0x01"},
	{"\x7f", "column 1: a number, a name or '(' is expected, not the byte 0x7F"},
	{"\xff\xfe", "column 1: a number, a name or '(' is expected, not the byte 0xFF"},
	{"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ",
	 "column 1: 'abcdefghijklmnopqrstuvwxyz0123456789ABCD' is no counter or variable of this screen"},
	{"1234567890123456789012345678901234567890123456789012345678901234",
	 "column 1: a number has at most 63 characters"},
};

static void test_errors(void)
{
	for (size_t i = 0; i < sizeof error_table / sizeof *error_table; i++) {
		struct expr *e = NULL;
		struct err err = ERR_INIT;
		char *text = xstrdup(error_table[i].text); /* so that a read behind its end is seen */
		int rc = expr_compile(&e, text, &symbols, &err);
		int code = strstr(error_table[i].want, "is no counter or variable") ? ENOENT : EINVAL;

		tap_str(err.text, error_table[i].want, "the fault in '%s'", error_table[i].text);
		tap_ok(rc == -code && err.code == code && !e, "the code of the fault in '%s'", error_table[i].text);
		free(text);
	}
	tap_int(expr_compile(&(struct expr *){NULL}, "(", &symbols, NULL), -EINVAL, "the sentence is optional");
}

/* `open` n times, then middle, then `close` n times. */
static char *nest(const char *open, int n, const char *middle, const char *close)
{
	struct strbuf sb;

	strbuf_init(&sb);
	for (int i = 0; i < n; i++)
		strbuf_addstr(&sb, open);
	strbuf_addstr(&sb, middle);
	for (int i = 0; i < n; i++)
		strbuf_addstr(&sb, close);
	return sb.text;
}

static void test_depth(void)
{
	static const struct {
		const char *open;
		int n;
		const char *close;
		double want; /* NAN: too deep */
		size_t column;
	} table[] = {
		{"(", 64, ")", 1, 0},          {"(", 65, ")", NAN, 65},   {"(", 100000, ")", NAN, 65},
		{"-(", 64, ")", 1, 0},         {"1+(", 63, ")", 64, 0},   /* 63 values wait, and the last makes 64 */
		{"1+(", 64, ")", NAN, 193},    {"1+1*(", 31, ")", 32, 0}, /* two wait in each */
		{"1+1*(", 32, ")", NAN, 161},  {"-", 100000, "", 1, 0},   /* signs do not nest */
		{"1+", 100000, "", 100001, 0},                            /* nor do chains */
		{"2*", 3, "/2", 1, 0},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char *text = nest(table[i].open, table[i].n, "1", table[i].close), want[200];
		struct expr *e = NULL;
		struct err err = ERR_INIT;
		int rc = expr_compile(&e, text, &symbols, &err);

		if (isnan(table[i].want)) {
			snprintf(
				want, sizeof want,
				"column %zu: too deeply nested: at most 64 parentheses or unfinished operations may be "
				"open",
				table[i].column);
			tap_str(err.text, want, "%d times '%s' is too deep", table[i].n, table[i].open);
			tap_ok(rc == -EINVAL && !e, "and nothing comes out");
		} else if (tap_ok(!rc, "%d times '%s'", table[i].n, table[i].open)) {
			tap_num(expr_eval(e, load, NULL).number, table[i].want, "and its number");
		}
		expr_free(e);
		free(text);
	}
}

static void test_refs(void)
{
	static const struct expr_ref want[] = {{1, EXPR_DELTA}, {0, EXPR_TOTAL}, {0, EXPR_DELTA}, {1, EXPR_RATE}};
	struct expr *e = NULL;
	size_t n = sizeof want / sizeof *want;

	if (!tap_ok(!expr_compile(&e, "delta(b)/a + delta(a) - delta(b)*a + rate(b)", &symbols, NULL), "compiles"))
		return;
	tap_int(expr_n_refs(e), n, "each reference is there once");
	for (size_t i = 0; i < n && i < expr_n_refs(e); i++)
		tap_ok(expr_ref_at(e, i).symbol == want[i].symbol && expr_ref_at(e, i).mode == want[i].mode,
		       "reference %zu is in its place", i);
	expr_free(e);
	tap_ok(!expr_compile(&e, "1+2", &symbols, NULL), "constants compile");
	tap_int(expr_n_refs(e), 0, "and refer to nothing");
	expr_free(e);
	expr_free(NULL);
}

/* Always the same numbers (xorshift64), so that a failure comes again. */
static uint64_t random_state = 0x9E3779B97F4A7C15u;

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 32) % n);
}

static double random_sum(struct strbuf *sb, int depth);

static double random_unary(struct strbuf *sb, int depth)
{
	bool negative = !random_below(5);
	double v;

	if (negative)
		strbuf_addch(sb, '-');
	if (depth && random_below(2)) {
		strbuf_addch(sb, '(');
		v = random_sum(sb, depth - 1);
		strbuf_addch(sb, ')');
	} else {
		v = random_below(20);
		strbuf_addf(sb, "%g", v);
	}
	return negative ? -v : v;
}

static double random_product(struct strbuf *sb, int depth)
{
	double v = random_unary(sb, depth);

	while (!random_below(3)) {
		bool divide = random_below(2);
		double right;

		strbuf_addstr(sb, divide ? "/" : " * ");
		right = random_unary(sb, depth);
		if (divide)
			v = right == 0 ? NAN : v / right;
		else
			v *= right;
	}
	return v;
}

/* Writes a random expression and computes, by the arithmetic of C, what it is; NAN where it divides by 0. */
static double random_sum(struct strbuf *sb, int depth)
{
	double v = random_product(sb, depth);

	while (random_below(2)) {
		bool subtract = random_below(2);

		strbuf_addstr(sb, subtract ? " -" : "+ ");
		v += (subtract ? -1 : 1) * random_product(sb, depth);
	}
	return v;
}

static void test_random_sums(void)
{
	struct strbuf sb;
	int wrong = 0, numbers = 0;

	strbuf_init(&sb);
	for (int i = 0; i < 20000; i++) {
		double want;
		struct value v;

		strbuf_reset(&sb);
		want = random_sum(&sb, 5);
		v = eval(sb.text);
		numbers += value_known(v);
		if (!isnan(want) ? v.number != want : v.quality != QUALITY_DIVZERO) {
			printf("# %s: got %.17g, want %.17g\n", sb.text, v.number, want);
			wrong++;
		}
	}
	strbuf_done(&sb);
	tap_int(wrong, 0, "20000 random expressions are computed as C does");
	tap_ok(numbers > 10000 && numbers < 20000, "most of them are numbers, some divide by 0 (%d)", numbers);
}

/* Any text either compiles, and then its value keeps the promises of value.h, or gets a sentence. */
static bool survives(const char *text, int *accepted)
{
	struct expr *e = NULL;
	struct err err = ERR_INIT;
	struct value v;

	if (expr_compile(&e, text, &symbols, &err))
		return !e && (err.code == EINVAL || err.code == ENOENT) && !strncmp(err.text, "column ", 7);
	++*accepted;
	v = expr_eval(e, load, NULL);
	expr_free(e);
	return isnan(v.number) == !value_known(v) && v.quality < N_QUALITIES && v.share > 0 && v.share <= 1;
}

static void test_fuzz(void)
{
	static const char *const word[] = {"a",   "b",     "zero", "half", "denied", "delta(", "rate(", "(",    ")",
					   ")",   "+",     "-",    "*",    "/",      " ",      "1",     "0x1f", ".5",
					   "2e3", "1e308", "x",    "|",    ",",      "\xc3",   "e",     "."};
	int accepted = 0, bad = 0;

	for (int i = 0; i < 200000; i++) {
		struct strbuf sb;
		char *text;

		strbuf_init(&sb);
		for (unsigned n = random_below(12); n; n--)
			strbuf_addstr(&sb, word[random_below(sizeof word / sizeof *word)]);
		text = xstrdup(sb.text);
		if (!survives(text, &accepted)) {
			printf("# '%s'\n", text);
			bad++;
		}
		free(text);
		strbuf_done(&sb);
	}
	tap_int(bad, 0, "200000 texts of random words");
	tap_ok(accepted > 1000, "some of them are expressions (%d)", accepted);
}

static void test_fuzz_bytes(void)
{
	int accepted = 0, bad = 0;

	for (int i = 0; i < 50000; i++) {
		size_t n = random_below(16);
		char *text = xmalloc(n + 1);

		for (size_t k = 0; k < n; k++)
			text[k] = (char)(1 + random_below(255));
		text[n] = '\0';
		bad += !survives(text, &accepted);
		free(text);
	}
	tap_int(bad, 0, "50000 texts of random bytes");
}

int main(void)
{
	test_numbers();
	test_quality();
	test_errors();
	test_depth();
	test_refs();
	test_random_sums();
	test_fuzz();
	test_fuzz_bytes();
	return tap_done();
}
