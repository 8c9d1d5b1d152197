/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The logic of expressions: three truth values, and conditions.
 */
#include <string.h>

#include "base/strbuf.h"
#include "expr_rig.h"
#include "tap.h"

/* Whether an expression contains a comparison, or only computes. */
static void test_asks(void)
{
	static const struct {
		const char *text;
		bool asks;
	} table[] = {
		{"a", false},           {"user", false},        {"a + b * 2", false},
		{"if(a, b, 1)", false}, {"sum", false},         {"a < b", true},
		{"1 + (a ge b)", true}, {"user == 'db'", true}, {"!a", true},
		{"a && b", true},       {"even(2)", true},      {"-even(2)", true},
		{"running", true},      {"abs(a) == 1", true},  {"min(a, b)", false},
		{"a or b", true},
	};
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct expr *e = NULL;

		tap_ok(!expr_compile(&e, table[i].text, &rig.symbols, NULL) &&
			       expr_has_test(e) == table[i].asks,
		       "%s %s", table[i].text, table[i].asks ? "asks" : "computes");
		expr_free(e);
	}
	expr_rig_done(&rig);
}

/* The truth tables of and, or, not, for false, true and unknown. */
static void test_truth(void)
{
	static const char *const word[] = {"zero", "a", "fresh"};
	static const char and[] = "000"
				  "01?"
				  "0??",
			  or [] = "01?"
				  "111"
				  "?1?",
			  not [] = "10?";
	struct value v;
	char text[32];

	for (size_t i = 0; i < 9; i++) {
		snprintf(text, sizeof text, "%s && %s", word[i / 3], word[i % 3]);
		v = rig_eval(text);
		tap_int(value_known(v) ? '0' + (int)v.number : '?', and[i], "%s", text);
		snprintf(text, sizeof text, "%s || %s", word[i / 3], word[i % 3]);
		v = rig_eval(text);
		tap_int(value_known(v) ? '0' + (int)v.number : '?', or [i], "%s", text);
	}
	for (size_t i = 0; i < 3; i++) {
		snprintf(text, sizeof text, "!%s", word[i]);
		v = rig_eval(text);
		tap_int(value_known(v) ? '0' + (int)v.number : '?', not [i], "%s", text);
	}
}

/* The names that must be known for an expression to be true. */
static void test_needs(void)
{
	static const struct {
		const char *text, *needs; /* needs: a letter for each name */
	} table[] = {
		{"a < 1 && b < 1", "ab"}, {"a < 1 || b < 1", ""},      {"a < 1 || a + b > 2", "a"},
		{"a * b + 1", "ab"},      {"min(a, b) > 1", "ab"},     {"!(a < 1 && b < 1)", ""},
		{"!(a < b)", "ab"},       {"if(a, b, b + 1)", "ab"},   {"if(a < 1 && b, 1, 1)", ""},
		{"if(a, b, 1)", "a"},     {"user == 'db' && a", "au"}, {"1", ""},
	};
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		static const char *const name[] = {"a", "b", "user"};
		struct expr *e = NULL;
		char got[4] = "";
		size_t n = 0;

		tap_int(expr_compile(&e, table[i].text, &rig.symbols, NULL), 0, "%s",
			table[i].text);
		for (size_t k = 0; k < 3; k++)
			for (size_t ref = 0; ref < expr_n_refs(e); ref++)
				if (expr_ref_at(e, ref).symbol ==
					    rig.symbols.find(rig.symbols.context, name[k],
							     strlen(name[k])) &&
				    expr_needs(e, ref))
					got[n++] = name[k][0];
		tap_str(got, table[i].needs, "what it needs");
		expr_free(e);
	}
	expr_rig_done(&rig);
}

/* Counts the loads in *row, an int. */
static struct value load_counted(const void *row, struct expr_ref ref)
{
	++*(int *)(uintptr_t)row;
	return rig_load(NULL, ref);
}

static void test_one(const struct expr_rig *rig, const char *text, int *loads)
{
	struct expr *e = NULL;
	struct value v;
	enum tri want;

	*loads = 0;
	tap_int(expr_compile(&e, text, &rig->symbols, NULL), 0, "%s", text);
	v = expr_eval(e, rig_load, rig_load_text, NULL);
	want = !value_known(v) ? TRI_UNKNOWN : v.number != 0 ? TRI_TRUE : TRI_FALSE;
	tap_int(expr_test(e, load_counted, rig_load_text, loads), want, "%s, tested", text);
	expr_free(e);
}

/* A test has the truth of the value, and passes over operands that decide nothing. */
static void test_shortcuts(void)
{
	static const char *const word[] = {"zero", "a", "fresh"};
	static const char *const form[] = {
		"$ && $ || $",     "$ || $ && $",      "($ || $) && $",
		"!($ && $) || !$", "if($ || $, $, 1)", "($ || $) == 1 && $ < 7",
		"($ && $) + $",
	};
	static const struct {
		const char *text;
		int loads;
	} table[] = {
		{"zero && a && b", 1},  {"a || b || zero", 1},           {"a && b && zero", 3},
		{"fresh && a", 2},      {"(zero && a) || b", 2},         {"zero && (a || b)", 1},
		{"(a || b) == 1", 1},   {"!(zero && a) && zero", 2},     {"running || a", 1},
		{"zero && running", 1}, {"(a && zero) == 0 && half", 3},
	};
	struct expr_rig rig;
	struct strbuf text;
	int loads;

	strbuf_init(&text);
	expr_rig_init(&rig);
	for (size_t f = 0; f < sizeof form / sizeof *form; f++)
		for (size_t i = 0; i < 27; i++) {
			const size_t pick[] = {i / 9, i / 3 % 3, i % 3};
			const size_t *next = pick;

			strbuf_reset(&text);
			for (const char *c = form[f]; *c; c++)
				if (*c == '$')
					strbuf_addstr(&text, word[*next++]);
				else
					strbuf_addch(&text, *c);
			test_one(&rig, text.text, &loads);
		}
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		test_one(&rig, table[i].text, &loads);
		tap_int(loads, table[i].loads, "%s: numbers that are read", table[i].text);
	}
	strbuf_done(&text);
	expr_rig_done(&rig);
}

/* The limits of an expression hold where it is true; if they are all, it is true where they hold.
 */
static void test_limits(void)
{
	static const struct {
		const char *text;
		size_t n;
		bool all;
	} table[] = {
		{"a < 7", 1, true},
		{"a < 7 && b >= 3 && half != 1", 3, true},
		{"a > 5 && (b <= 3 && zero == 0)", 3, true},
		{"a > 5 && b > 3", 2, true},
		{"a > 5 && fresh > 3", 2, true},
		{"a > 5 && b > a", 1, false},
		{"(a < 7 || b < 1) && b >= 3.5", 1, false},
		{"7 > a", 0, false},
		{"a + 1 > 3", 0, false},
		{"!(a < 7)", 0, false},
		{"a < 7 || b < 7", 0, false},
		{"a", 0, false},
		{"a < 7 && user == 'db'", 1, false},
		{"a > 1 && a > 2 && a > 3 && a > 4 && a > 9", 4, false},
	};
	struct expr_limit limit[4];
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *text = table[i].text;
		struct expr *e = NULL;
		bool all, hold = true;
		enum tri is;
		size_t n;

		tap_int(expr_compile(&e, text, &rig.symbols, NULL), 0, "%s", text);
		all = expr_limits(e, limit, 4, &n);
		tap_ok(n == table[i].n && all == table[i].all, "has %zu limits", n);
		for (size_t k = 0; k < n; k++)
			hold = hold &&
			       expr_limit_holds(&limit[k],
						rig_load(NULL, expr_ref_at(e, limit[k].ref)));
		is = expr_test(e, rig_load, rig_load_text, NULL);
		tap_ok(all ? hold == (is == TRI_TRUE) : hold || is != TRI_TRUE, "which %s",
		       hold ? "hold" : "do not hold");
		expr_free(e);
	}
	expr_rig_done(&rig);
}

int main(void)
{
	test_limits();
	test_shortcuts();
	test_needs();
	test_truth();
	test_asks();
	return tap_done();
}
