/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of columns: their results, and how qualities propagate.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "expr_rig.h"
#include "tap.h"

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
	{"per(a, b)", 2},
	{"per ( a , b )", 2},
	{"per(a + b, 2 * b) * 2", 3},
	{"per(delta(a), delta(b))", 2},
	{"min(a, b)", 3},
	{"min(b, a)", 3},
	{"max(a, b)", 6},
	{"max(b, a)", 6},
	{"max(-a, -b)", -3},
	{"min(a, a)", 6},
	{"abs(a)", 6},
	{"abs(b - a)", 3},
	{"abs(-a) - abs(b)", 3},
	{"-abs(b)", -3},
	{"min(max(a, 7), max(b, 8))", 7},
	{"if(1, a, b)", 6},
	{"if(0, a, b)", 3},
	{"if(-0.5, a, b)", 6},
	{"if(a < b, 1, 2)", 2},
	{"if(zero, 1, if(a, 2, 3))", 2},
	{"if(zero, a / zero, b)", 3},
	{"if(zero != 0, a / zero, 0)", 0},
	{"if(a, b, denied)", 3},
	{"if(a, b, half)", 3},
	{"a < b", 0},
	{"b < a", 1},
	{"a < a", 0},
	{"a <= a", 1},
	{"a <= b", 0},
	{"a > b", 1},
	{"a > a", 0},
	{"a >= a", 1},
	{"b >= a", 0},
	{"a == 6", 1},
	{"a == b", 0},
	{"a != b", 1},
	{"a != 6", 0},
	{"a<b", 0},
	{"a>=-b", 1},
	{"a==-b", 0},
	{"a lt b", 0},
	{"b lt a", 1},
	{"a le 6", 1},
	{"a le b", 0},
	{"a gt b", 1},
	{"b gt a", 0},
	{"a ge 6", 1},
	{"b ge a", 0},
	{"a eq 6", 1},
	{"a eq b", 0},
	{"a ne b", 1},
	{"a ne 6", 0},
	{"a and b", 1},
	{"a and zero", 0},
	{"zero and a", 0},
	{"a or zero", 1},
	{"zero or a", 1},
	{"zero or zero", 0},
	{"0.25 and 0.25", 1},
	{"not a", 0},
	{"not zero", 1},
	{"not not a", 1},
	{"not not not a", 0},
	{"not(a)", 0},
	{"not -a", 0},
	{"(not a) + 1", 1},
	{"a && b", 1},
	{"a&&zero", 0},
	{"zero||a", 1},
	{"zero || zero", 0},
	{"!a", 0},
	{"!!a", 1},
	{"!zero", 1},
	{"! not ! a", 0},
	{"1 || 1 && 0", 1},
	{"1 or 1 && 0", 1},
	{"!0 && 0", 0},
	{"!1 == 2", 1}, /* ! has the precedence of "not" */
	{"a != b && !(a < b) || zero", 1},
	{"even(4)", 1},
	{"even ( 0x1f ) + 1", 1},
	{"even(2) + even(3) + even(4)", 2}, /* each number is a reference */
	{"not even(3) and a > b", 1},
	/* precedence: each level binds tighter than the one before */
	{"1 or 1 and 0", 1},
	{"(1 or 1) and 0", 0},
	{"0 and 1 or 1", 1},
	{"not 0 and 0", 0},
	{"not (0 and 0)", 1},
	{"not 1 or 1", 1},
	{"1 and not 0", 1},
	{"0 or not 1", 0},
	{"not 1 == 2", 1},
	{"(not 1) == 2", 0},
	{"not 0 == 0", 0},
	{"0 == 0 and 1 == 1", 1},
	{"2 < 1 + 2", 1},
	{"2 + 2 < 3", 0},
	{"2 * 3 > 5", 1},
	{"(3 > 2) > 1", 0},
	{"3 > (2 > 1)", 1},
	{"(a > b) * 5", 5},
	/* names that are also operators and functions */
	{"lt", 79},
	{"lt lt lt", 0},
	{"lt lt 80", 1},
	{"max", 78},
	{"max(max, 1)", 78},
	{"delta(max)", 780},
	{"min", 66},
	/* a name that stands for another expression */
	{"sum", 66},
	{"[sum]", 66},
	{"[the sum]", 66},
	{"[  the sum ]", 66},
	{"sum / 2 + sum", 99},
	{"2 * [the sum] - 2 * sum", 0},
	{"min([sum], a)", 6},
	{"a + [a]", 72},
};

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof number_table / sizeof *number_table; i++) {
		struct value v = rig_eval(number_table[i].text);

		tap_num(v.number, number_table[i].want, "%s", number_table[i].text);
		tap_ok(v.quality == QUALITY_EXACT && v.share == 1, "%s is exact",
		       number_table[i].text);
	}
}

static const struct {
	const char *text;
	double number;
	float share;
	enum quality quality;
} quality_case[] = {
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
	{"min(half, quarter)", 4, 0.25f, QUALITY_SCALED},
	{"max(half, a)", 10, 0.5f, QUALITY_SCALED},
	{"max(half, 20)", 20, 0.5f, QUALITY_SCALED},
	{"max(20, partial)", 20, 1, QUALITY_PARTIAL},
	{"abs(-half)", 10, 0.5f, QUALITY_SCALED},
	{"per(half, quarter)", 2.5, 0.25f, QUALITY_SCALED},
	{"half < a", 0, 0.5f, QUALITY_SCALED},
	{"a le half", 1, 0.5f, QUALITY_SCALED},
	{"half == quarter", 0, 0.25f, QUALITY_SCALED},
	{"quarter != partial", 1, 0.25f, QUALITY_PARTIAL},
	{"half and a", 1, 0.5f, QUALITY_SCALED},
	{"a or half", 1, 0.5f, QUALITY_SCALED},
	{"not quarter", 0, 0.25f, QUALITY_SCALED},
	{"if(half, a, b)", 6, 0.5f, QUALITY_SCALED},
	{"if(a, half, b)", 10, 0.5f, QUALITY_SCALED},
	{"if(half, quarter, b)", 4, 0.25f, QUALITY_SCALED},
	{"if(half, quarter, partial)", 4, 0.25f, QUALITY_SCALED},
	{"if(not half, quarter, partial)", 8, 0.5f, QUALITY_PARTIAL},
	{"per(a, zero)", NAN, 1, QUALITY_DIVZERO},
	{"per(zero, zero)", NAN, 1, QUALITY_DIVZERO},
	{"min(a, fresh)", NAN, 1, QUALITY_FRESH},
	{"min(denied, a)", NAN, 1, QUALITY_DENIED},
	{"max(fresh, denied)", NAN, 1, QUALITY_DENIED},
	{"max(1e300, unsupported)", NAN, 1, QUALITY_UNSUPPORTED},
	{"abs(fresh)", NAN, 1, QUALITY_FRESH},
	{"abs(a / zero)", NAN, 1, QUALITY_DIVZERO},
	{"a < fresh", NAN, 1, QUALITY_FRESH},
	{"fresh <= a", NAN, 1, QUALITY_FRESH},
	{"fresh > a", NAN, 1, QUALITY_FRESH},
	{"half >= fresh", NAN, 1, QUALITY_FRESH},
	{"denied == denied", NAN, 1, QUALITY_DENIED},
	{"fresh != denied", NAN, 1, QUALITY_DENIED},
	{"zero and fresh", 0, 1, QUALITY_EXACT},
	{"fresh and zero", 0, 1, QUALITY_EXACT},
	{"1 or denied", 1, 1, QUALITY_EXACT},
	{"denied or 1", 1, 1, QUALITY_EXACT},
	{"half or denied", 1, 0.5f, QUALITY_SCALED}, /* quality of the deciding operand */
	{"denied and not half", 0, 0.5f, QUALITY_SCALED},
	{"partial or half", 1, 0.5f, QUALITY_PARTIAL}, /* both operands decide */
	{"even(7)", NAN, 1, QUALITY_NOT_READ},
	{"a and fresh", NAN, 1, QUALITY_FRESH},
	{"zero or denied", NAN, 1, QUALITY_DENIED},
	{"fresh and denied", NAN, 1, QUALITY_DENIED},
	{"denied or fresh", NAN, 1, QUALITY_DENIED},
	{"not fresh", NAN, 1, QUALITY_FRESH},
	{"not not fresh", NAN, 1, QUALITY_FRESH},
	{"if(fresh, a, b)", NAN, 1, QUALITY_FRESH},
	{"if(fresh, denied, unsupported)", NAN, 1, QUALITY_FRESH},
	{"if(a, fresh, denied)", NAN, 1, QUALITY_FRESH},
	{"if(zero, fresh, denied)", NAN, 1, QUALITY_DENIED},
	{"if(half, fresh, b)", NAN, 1, QUALITY_FRESH},
	{"if(a / zero, fresh, b)", NAN, 1, QUALITY_DIVZERO},
};

static void test_quality(void)
{
	for (size_t i = 0; i < sizeof quality_case / sizeof *quality_case; i++) {
		struct value v = rig_eval(quality_case[i].text);

		tap_num(v.number, quality_case[i].number, "the number of %s", quality_case[i].text);
		tap_int(v.quality, quality_case[i].quality, "the quality of %s",
			quality_case[i].text);
		tap_num(v.share, quality_case[i].share, "the share of %s", quality_case[i].text);
	}
}

/* Returns `open` n times, then middle, then `close` n times. */
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
		double want; /* NAN: refused as too deep */
		size_t column;
	} table[] = {
		{"(", 64, ")", 1, 0},
		{"(", 65, ")", NAN, 65},
		{"(", 100000, ")", NAN, 65},
		{"-(", 64, ")", 1, 0},
		/* 63 pending values, and the last makes 64. */
		{"1+(", 63, ")", 64, 0},
		{"1+(", 64, ")", NAN, 193},
		{"1+1*(", 31, ")", 32, 0}, /* two pending values at each level */
		{"1+1*(", 32, ")", NAN, 161},
		{"-", 100000, "", 1, 0},       /* signs do not nest */
		{"1+", 100000, "", 100001, 0}, /* nor do chains */
		{"2*", 3, "/2", 1, 0},
		{"abs(", 64, ")", 1, 0},
		{"abs(", 65, ")", NAN, 260},
		{"abs(", 100000, ")", NAN, 260},
		{"min(2,", 63, ")", 1, 0},
		{"min(2,", 64, ")", NAN, 385},
		{"if(0,2,", 31, ")", 1, 0},
		{"if(0,2,", 32, ")", NAN, 225},
		{"not ", 100000, "", 1, 0},
		{"not(", 64, ")", 1, 0},
		{"not(", 65, ")", NAN, 260},
	};
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char *text = nest(table[i].open, table[i].n, "1", table[i].close), want[200];
		struct expr *e = NULL;
		struct err err = ERR_INIT;
		int rc = expr_compile(&e, text, &rig.symbols, &err);

		if (isnan(table[i].want)) {
			snprintf(want, sizeof want,
				 "column %zu: too deeply nested: at most 64 parentheses or "
				 "unfinished operations may be open",
				 table[i].column);
			tap_str(err.text, want, "%d times '%s' is too deep", table[i].n,
				table[i].open);
			tap_ok(rc == -EINVAL && !e, "and nothing comes out");
		} else if (tap_ok(!rc, "%d times '%s'", table[i].n, table[i].open)) {
			tap_num(expr_eval(e, rig_load, rig_load_text, NULL).number, table[i].want,
				"and its number");
		}
		expr_free(e);
		free(text);
	}
	expr_rig_done(&rig);
}

static void test_refs(void)
{
	static const struct expr_ref want[] = {
		{1, EXPR_DELTA, 0}, {0, EXPR_TOTAL, 0}, {0, EXPR_DELTA, 0}, {1, EXPR_RATE, 0}};
	struct expr *e = NULL;
	size_t n = sizeof want / sizeof *want;
	struct expr_rig rig;

	expr_rig_init(&rig);
	if (!tap_ok(!expr_compile(&e, "delta(b)/a + delta(a) - delta(b)*a + rate(b)", &rig.symbols,
				  NULL),
		    "compiles"))
		return;
	tap_int(expr_n_refs(e), n, "each reference is there once");
	for (size_t i = 0; i < n && i < expr_n_refs(e); i++)
		tap_ok(expr_ref_at(e, i).symbol == want[i].symbol &&
			       expr_ref_at(e, i).mode == want[i].mode,
		       "reference %zu is in its place", i);
	expr_free(e);
	tap_ok(!expr_compile(&e, "1+2", &rig.symbols, NULL), "constants compile");
	tap_int(expr_n_refs(e), 0, "and refer to nothing");
	expr_free(e);
	expr_rig_done(&rig);
	expr_free(NULL);
}

/* Names that stand for expressions: their references are included, and limits apply to the
 * whole. */
static void test_expanded(void)
{
	static const struct expr_ref want[] = {
		{1, EXPR_DELTA, 0}, {1, EXPR_TOTAL, 0}, {0, EXPR_TOTAL, 0}};
	struct expr *e = NULL;
	struct err err = ERR_INIT;
	struct expr_rig rig;
	char *text;

	expr_rig_init(&rig);
	if (!tap_ok(!expr_compile(&e, "delta(b) * b + sum + [sum] * a", &rig.symbols, NULL),
		    "compiles"))
		return;
	tap_num(expr_eval(e, rig_load, rig_load_text, NULL).number, 90 + 66 + 66 * 6, "its number");
	tap_int(expr_n_refs(e), 3, "each reference is there once, wherever it comes from");
	for (size_t i = 0; i < 3 && i < expr_n_refs(e); i++)
		tap_ok(expr_ref_at(e, i).symbol == want[i].symbol &&
			       expr_ref_at(e, i).mode == want[i].mode,
		       "reference %zu is in its place", i);
	expr_rig_done(&rig); /* the expression must not depend on the other one */
	tap_num(expr_eval(e, rig_load, rig_load_text, NULL).number, 90 + 66 + 66 * 6,
		"its number, when the other is gone");
	expr_free(e);
	e = NULL;

	expr_rig_init(&rig);
	text = nest("1+(", 61, "sum", ")"); /* 61 are pending, and the sum needs three */
	tap_int(expr_compile(&e, text, &rig.symbols, &err), 0, "as deep as can be");
	expr_free(e);
	free(text);
	e = NULL;
	text = nest("1+(", 62, "sum", ")");
	tap_int(expr_compile(&e, text, &rig.symbols, &err), -EINVAL, "and one more");
	tap_str(err.text,
		"column 187: too deeply nested: at most 64 parentheses or unfinished operations "
		"may be open",
		"is too deep");
	free(text);
	/* Each level has 5 operations and a subtraction: 10000 with the last sum. */
	text = nest("sum-", 1667, "1", "");
	tap_int(expr_compile(&e, text, &rig.symbols, &err), 0, "as long as can be");
	expr_free(e);
	free(text);
	e = NULL;
	text = nest("sum-", 1668, "1", "");
	tap_int(expr_compile(&e, text, &rig.symbols, &err), -EINVAL, "and one more");
	tap_str(err.text,
		"column 6669: too long: with the columns that it uses it has more than 10000 "
		"operations",
		"is too long");
	free(text);
	expr_rig_done(&rig);
}

int main(void)
{
	test_numbers();
	test_quality();
	test_depth();
	test_refs();
	test_expanded();
	return tap_done();
}
