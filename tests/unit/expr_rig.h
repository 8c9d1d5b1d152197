/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr_rig - symbols for expressions, and another expression that can be used by its name.
 *
 *   rig_eval("a + [the sum]"), or struct expr_rig rig; expr_rig_init(&rig);
 *   expr_compile(..., &rig.symbols, ...); expr_eval(e, rig_load, rig_load_text, NULL);
 * expr_rig_done(&rig);
 */
#ifndef TESTS_EXPR_RIG_H
#define TESTS_EXPR_RIG_H

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen/expr/expr.h"

/* Symbols of numbers. delta(x) is 10 times, rate(x) 5 times the number. */
static const struct rig_symbol {
	const char *name;
	struct value value;
} rig_symbol_table[] = {
	{"a", {6, 1, QUALITY_EXACT, 0}},
	{"b", {3, 1, QUALITY_EXACT, 0}},
	{"zero", {0, 1, QUALITY_EXACT, 0}},
	{"half", {10, 0.5f, QUALITY_SCALED, 0}},
	{"quarter", {4, 0.25f, QUALITY_SCALED, 0}},
	{"partial", {8, 1, QUALITY_PARTIAL, 0}},
	{"fresh", {NAN, 1, QUALITY_FRESH, 0}},
	{"denied", {NAN, 1, QUALITY_DENIED, 0}},
	{"unsupported", {NAN, 1, QUALITY_UNSUPPORTED, 0}},
	{"_x9", {9, 1, QUALITY_EXACT, 0}},
	{"rate", {77, 1, QUALITY_EXACT, 0}}, /* a symbol may have the name of a function */
	{"max", {78, 1, QUALITY_EXACT, 0}},
	{"lt", {79, 1, QUALITY_EXACT, 0}}, /* or of an operator */
};

/* Symbols of texts. */
static const struct rig_text {
	const char *name, *text;
	enum quality quality;
} rig_text_table[] = {
	{"user", "db", QUALITY_EXACT},      {"state", "R", QUALITY_EXACT},
	{"nothing", "", QUALITY_EXACT},     {"old", "db", QUALITY_STALE},
	{"secret", NULL, QUALITY_NOT_READ}, {"mixed", "", QUALITY_DIFFER},
	{"missing", NULL, QUALITY_EXACT}, /* known by its quality, but without a text */
};

#define N_RIG_TEXTS    ((int)(sizeof rig_text_table / sizeof *rig_text_table))
#define RIG_FIRST_TEXT 100
#define RIG_CALL       99

#define N_RIG_SYMBOLS ((int)(sizeof rig_symbol_table / sizeof *rig_symbol_table))

/* The expression with the names "sum" and "[the sum]"; its value is 66. */
#define RIG_SUM "a + 2 * delta(b)"

/* A function that returns whether a number is even; for 7, the answer is unknown. */
static const struct expr_call rig_call_table[] = {
	{"even", "even(n)", "whether the number is even", RIG_CALL},
};

/* The expression with the name "running"; "[user]" stands for the text itself. */
#define RIG_RUNNING "state == 'R'"

struct expr_rig {
	struct expr *sum, *running, *user;
	struct expr_symbols symbols;
};

static inline int rig_find(const void *context, const char *name, size_t len)
{
	(void)context;
	for (int i = 0; i < N_RIG_SYMBOLS; i++)
		if (strlen(rig_symbol_table[i].name) == len &&
		    !memcmp(rig_symbol_table[i].name, name, len))
			return i;
	for (int i = 0; i < N_RIG_TEXTS; i++)
		if (strlen(rig_text_table[i].name) == len &&
		    !memcmp(rig_text_table[i].name, name, len))
			return RIG_FIRST_TEXT + i;
	return -1;
}

static inline bool rig_is_text(const void *context, int symbol)
{
	(void)context;
	return symbol >= RIG_FIRST_TEXT;
}

static inline bool rig_is(const char *name, size_t len, const char *want)
{
	return strlen(want) == len && !memcmp(name, want, len);
}

static inline int rig_expand(const void *context, const char *name, size_t len,
			     const struct expr **out, struct err *err)
{
	const struct expr_rig *rig = context;

	if (rig_is(name, len, "lost"))
		return err_set(err, EACCES, "it is lost");
	/* "a" is also a symbol, and "min" also a function */
	if (rig_is(name, len, "sum") || rig_is(name, len, "the sum") || rig_is(name, len, "a") ||
	    rig_is(name, len, "min"))
		*out = rig->sum;
	if (rig_is(name, len, "running"))
		*out = rig->running;
	if (rig_is(name, len, "user"))
		*out = rig->user;
	return 0;
}

static inline struct value rig_load(const void *row, struct expr_ref ref)
{
	static const double factor[N_EXPR_MODES] = {
		[EXPR_TOTAL] = 1, [EXPR_DELTA] = 10, [EXPR_RATE] = 5};
	struct value v;

	(void)row;
	if (ref.symbol == RIG_CALL)
		return ref.number == 7 ? value_none(QUALITY_NOT_READ)
				       : value_exact(ref.number % 2 == 0);
	if (ref.symbol >= RIG_FIRST_TEXT) {
		enum quality q = rig_text_table[ref.symbol - RIG_FIRST_TEXT].quality;

		return q < QUALITY_FIRST_NONE ? (struct value){0, 1, (uint8_t)q, 0} : value_none(q);
	}
	v = rig_symbol_table[ref.symbol].value;
	v.number *= factor[ref.mode];
	return v;
}

static inline const char *rig_load_text(const void *row, struct expr_ref ref)
{
	(void)row;
	return rig_text_table[ref.symbol - RIG_FIRST_TEXT].text;
}

static inline void expr_rig_init(struct expr_rig *rig)
{
	*rig = (struct expr_rig){.symbols = {.find = rig_find,
					     .context = rig,
					     .is_text = rig_is_text,
					     .call = rig_call_table,
					     .n_calls = 1}};
	expr_compile(&rig->sum, RIG_SUM, &rig->symbols, NULL);
	expr_compile(&rig->running, RIG_RUNNING, &rig->symbols, NULL);
	expr_compile(&rig->user, "user", &rig->symbols, NULL);
	rig->symbols.expand = rig_expand;
}

static inline void expr_rig_done(struct expr_rig *rig)
{
	expr_free(rig->sum);
	expr_free(rig->running);
	expr_free(rig->user);
}

static inline struct value rig_eval(const char *text)
{
	struct value v = {-12345, 0, N_QUALITIES, 0};
	struct expr *e = NULL;
	struct err err = ERR_INIT;
	struct expr_rig rig;

	expr_rig_init(&rig);
	if (expr_compile(&e, text, &rig.symbols, &err))
		printf("# %s: %s\n", text, err.text);
	else
		v = expr_eval(e, rig_load, rig_load_text, NULL);
	expr_free(e);
	expr_rig_done(&rig);
	return v;
}

#endif
