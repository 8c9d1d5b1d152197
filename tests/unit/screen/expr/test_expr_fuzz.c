/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of columns: random ones have the same value as in C, and random texts do no harm.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "expr_rig.h"
#include "tap.h"

/* A generator (xorshift64) with a fixed seed, so that failures are reproducible. */
static uint64_t random_state = 0x9E3779B97F4A7C15u;

static unsigned random_below(unsigned n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 32) % n);
}

/*
 * Writes a random expression, and returns its value as C computes it; NAN if it divides by 0. Each
 * function below is for a level of the grammar in expr.h.
 */
static double random_or(struct strbuf *sb, int depth);

/* NAN propagates; a result that is too large is NAN. */
static double result(double x, double y, double v)
{
	return isnan(x) || isnan(y) || !isfinite(v) ? (double)NAN : v;
}

static double random_call(struct strbuf *sb, int depth)
{
	static const char *const name[] = {"per(", "min(", "max(", "abs(", "if("};
	unsigned f = random_below(5);
	double a, b, c;

	strbuf_addstr(sb, name[f]);
	a = b = c = random_or(sb, depth - 1);
	if (f != 3) {
		strbuf_addstr(sb, ", ");
		b = random_or(sb, depth - 1);
	}
	if (f == 4) {
		strbuf_addstr(sb, " ,");
		c = random_or(sb, depth - 1);
	}
	strbuf_addch(sb, ')');
	switch (f) {
	case 0:
		return result(a, b, b == 0 ? (double)NAN : a / b);
	case 1:
		return result(a, b, a < b ? a : b);
	case 2:
		return result(a, b, a > b ? a : b);
	case 3:
		return result(a, a, a < 0 ? -a : a);
	default:
		return isnan(a) ? a : a != 0 ? b : c;
	}
}

static double random_unary(struct strbuf *sb, int depth)
{
	bool negative = !random_below(5);
	double v;

	if (negative)
		strbuf_addch(sb, '-');
	if (depth && random_below(3) == 1) {
		strbuf_addch(sb, '(');
		v = random_or(sb, depth - 1);
		strbuf_addch(sb, ')');
	} else if (depth && random_below(3) == 1) {
		v = random_call(sb, depth);
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
		v = result(v, right, !divide ? v * right : right == 0 ? (double)NAN : v / right);
	}
	return v;
}

static double random_sum(struct strbuf *sb, int depth)
{
	double v = random_product(sb, depth);

	while (!random_below(3)) {
		bool subtract = random_below(2);
		double right;

		strbuf_addstr(sb, subtract ? " -" : "+ ");
		right = random_product(sb, depth);
		v = result(v, right, subtract ? v - right : v + right);
	}
	return v;
}

static double random_comparison(struct strbuf *sb, int depth)
{
	static const char *const sign[] = {"<", "<=", ">", ">=", "==", "!="};
	static const char *const word[] = {" lt ", " le ", " gt ", " ge ", " eq ", " ne "};
	double left = random_sum(sb, depth), right;
	unsigned o = random_below(6);

	if (random_below(4))
		return left;
	strbuf_addstr(sb, random_below(2) ? sign[o] : word[o]);
	right = random_sum(sb, depth);
	switch (o) {
	case 0:
		return result(left, right, left < right);
	case 1:
		return result(left, right, left <= right);
	case 2:
		return result(left, right, left > right);
	case 3:
		return result(left, right, left >= right);
	case 4:
		return result(left, right, left == right);
	default:
		return result(left, right, left != right);
	}
}

static double random_not(struct strbuf *sb, int depth)
{
	double v;

	if (random_below(6))
		return random_comparison(sb, depth);
	strbuf_addstr(sb, random_below(2) ? "not " : "!");
	v = random_not(sb, depth);
	return result(v, v, v == 0);
}

/* Three-valued logic: an operand equal to `deciding` decides, even if the other is unknown. */
static double logic(double x, double y, bool deciding)
{
	if ((!isnan(x) && (x != 0) == deciding) || (!isnan(y) && (y != 0) == deciding))
		return deciding;
	return isnan(x) || isnan(y) ? (double)NAN : !deciding;
}

static double random_and(struct strbuf *sb, int depth)
{
	double v = random_not(sb, depth);

	while (!random_below(6)) {
		double right;

		strbuf_addstr(sb, random_below(2) ? " and " : "&&");
		right = random_not(sb, depth);
		v = logic(v, right, false);
	}
	return v;
}

static double random_or(struct strbuf *sb, int depth)
{
	double v = random_and(sb, depth);

	while (!random_below(6)) {
		double right;

		strbuf_addstr(sb, random_below(2) ? " or " : " || ");
		right = random_and(sb, depth);
		v = logic(v, right, true);
	}
	return v;
}

static void test_random(void)
{
	struct strbuf sb;
	int wrong = 0, numbers = 0;

	strbuf_init(&sb);
	for (int i = 0; i < 20000; i++) {
		double want;
		struct value v;

		strbuf_reset(&sb);
		want = random_or(&sb, 2);
		v = rig_eval(sb.text);
		numbers += value_known(v);
		if (!isnan(want) ? v.number != want : v.quality != QUALITY_DIVZERO) {
			printf("# %s: got %.17g, want %.17g\n", sb.text, v.number, want);
			wrong++;
		}
	}
	strbuf_done(&sb);
	tap_int(wrong, 0, "20000 random expressions are computed as C does");
	tap_ok(numbers > 10000 && numbers < 20000,
	       "most of them are numbers, some divide by 0 (%d)", numbers);
}

/* Returns whether a text compiles to an expression with a valid value (value.h), or is refused with
 * a message. */
static bool survives(const struct expr_rig *rig, const char *text, int *accepted)
{
	struct expr *e = NULL;
	struct err err = ERR_INIT;
	struct value v;

	if (expr_compile(&e, text, &rig->symbols, &err))
		return !e &&
		       (err.code == EINVAL || err.code == ENOENT || err.code == EACCES ||
			err.code == ERANGE) &&
		       !strncmp(err.text, "column ", 7);
	++*accepted;
	v = expr_eval(e, rig_load, rig_load_text, NULL);
	expr_free(e);
	return isnan(v.number) == !value_known(v) && v.quality < N_QUALITIES && v.share > 0 &&
	       v.share <= 1;
}

static void test_fuzz(void)
{
	static const char *const word[] = {
		"a",    "b",    "zero",  "half", "denied", "delta(", "rate(",     "(",     ")",
		")",    "+",    "-",     "*",    "/",      " ",      "1",         "0x1f",  ".5",
		"2e3",  "x",    "|",     ",",    ",",      "\xc3",   "1e308",     "e",     ".",
		"min(", "max(", "per(",  "abs(", "if(",    "<",      "<=",        "==",    "!=",
		">",    ">=",   " lt ",  " ge ", " ne ",   " and ",  " or ",      "not ",  "[sum]",
		"sum",  "[",    "]",     "lost", "=",      "!",      "[the sum]", "even(", "7",
		"user", "'db'", "\"R\"", "\"",   "'",      "[user]", "state",     "mixed", "secret",
		"&&",   "||",   "&",
	};
	int accepted = 0, bad = 0;
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (int i = 0; i < 200000; i++) {
		struct strbuf sb;
		char *text;

		strbuf_init(&sb);
		for (unsigned n = random_below(12); n; n--)
			strbuf_addstr(&sb, word[random_below(sizeof word / sizeof *word)]);
		text = xstrdup(sb.text);
		if (!survives(&rig, text, &accepted)) {
			printf("# '%s'\n", text);
			bad++;
		}
		free(text);
		strbuf_done(&sb);
	}
	expr_rig_done(&rig);
	tap_int(bad, 0, "200000 texts of random words");
	tap_ok(accepted > 1000, "some of them are expressions (%d)", accepted);
}

static void test_fuzz_bytes(void)
{
	int accepted = 0, bad = 0;
	struct expr_rig rig;

	expr_rig_init(&rig);
	for (int i = 0; i < 50000; i++) {
		size_t n = random_below(16);
		char *text = xmalloc(n + 1);

		for (size_t k = 0; k < n; k++)
			text[k] = (char)(1 + random_below(255));
		text[n] = '\0';
		bad += !survives(&rig, text, &accepted);
		free(text);
	}
	expr_rig_done(&rig);
	tap_int(bad, 0, "50000 texts of random bytes");
}

int main(void)
{
	test_random();
	test_fuzz();
	test_fuzz_bytes();
	return tap_done();
}
