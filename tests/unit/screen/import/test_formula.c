/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of perf and likwid, converted to expressions of screens. */
#include "screen/import/formula.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

/* Returns the formula of "double" and n letters: twice the name with n + 1 letters; "a" for 30
 * letters. So "double" has 2^30 terms. */
static const char *doubles(const char *name)
{
	static char text[100];

	if (strlen(name) == 36)
		return "a";
	snprintf(text, sizeof text, "%sx + %sx", name, name);
	return text;
}

/* "one" and "two" are numbers, "time" is the time, "unknown" has no equivalent, "metric" stands for
 * a formula, "circle" for itself, and "double..." for two of the next one. All other names are
 * counters. */
static int find(void *context, const char *name, struct formula_meaning *out, struct err *err)
{
	(void)context;
	if (!strcmp(name, "unknown"))
		return err_set(err, ENOENT, "'unknown' is not known");
	if (!strcmp(name, "one") || !strcmp(name, "#two"))
		*out = (struct formula_meaning){.kind = FORMULA_NUMBER,
						.number = name[0] == 'o' ? 1 : 2};
	else if (!strcmp(name, "time"))
		*out = (struct formula_meaning){.kind = FORMULA_TIME};
	else if (!strcmp(name, "metric") || !strcmp(name, "circle"))
		*out = (struct formula_meaning){.kind = FORMULA_TEXT,
						.text = name[0] == 'm' ? "a + b" : "1 + circle"};
	else if (!strncmp(name, "double", 6))
		*out = (struct formula_meaning){.kind = FORMULA_TEXT, .text = doubles(name)};
	else
		*out = (struct formula_meaning){.kind = FORMULA_COUNTER, .alias = name};
	return 0;
}

/* Returns whether this name exists. For "perhaps", that is unknown: returns an error. */
static int has(void *context, const char *name, struct err *err)
{
	struct formula_meaning meaning;

	if (!strcmp(name, "perhaps"))
		return err_set(err, ENOENT, "'perhaps' is not known here");
	return !find(context, name, &meaning, NULL);
}

/* clang-format off */
static const struct {
	const char *formula, *want; /* "!" and the message if it is refused */
} table[] = {
	{"a / b", "delta(a) / delta(b)"},
	{" ( ( a ) ) ", "delta(a)"},
	{"a - b - c", "delta(a) - delta(b) - delta(c)"},
	{"a - (b - c)", "delta(a) - (delta(b) - delta(c))"},
	{"a / (b * c)", "delta(a) / (delta(b) * delta(c))"},
	{"a * (b + c) / d", "delta(a) * (delta(b) + delta(c)) / delta(d)"},
	{"-a * b", "-delta(a) * delta(b)"},
	{"a - -b", "delta(a) - -delta(b)"},
	{"- - a", "delta(a)"},
	{"1.0E-06*(a*2.0+b)", "1e-06 * (delta(a) * 2 + delta(b))"},
	{"100*3*a", "300 * delta(a)"},
	{"0.1 * a", "0.1 * delta(a)"},
	{"min(a, max(b, 1))", "min(delta(a), max(delta(b), 1))"},
	{"min(2, 3) * a", "2 * delta(a)"},
	{"d_ratio(a, b + c)", "delta(a) / (delta(b) + delta(c))"},
	{"a if b > 3 else c", "if(delta(b) > 3, delta(a), delta(c))"},
	{"a if b > 3 else c if d < 1 else 5", "if(delta(b) > 3, delta(a), if(delta(d) < 1, delta(c), 5))"},
	{"(a > 1) & (b < 2) | c > 3", "delta(a) > 1 and delta(b) < 2 or delta(c) > 3"},
	/* A constant condition is evaluated, and the branch not chosen may have unknown names. */
	{"a if #two > 1 else unknown", "delta(a)"},
	{"unknown if #two < 1 else b", "delta(b)"},
	{"a if has_event(unknown) else b", "delta(b)"},
	{"a if has_event(b) else unknown", "delta(a)"},
	{"a if has_event(perhaps) else b", "!column 6: 'perhaps' is not known here"},
	{"a + (b if has_event(perhaps) & 0 else c)", "!column 11: 'perhaps' is not known here"},
	{"a if one & #two else b", "delta(a)"},
	{"a * #two", "delta(a) * 2"},
	/* Names in perf's syntax. */
	{"topdown\\-retiring / slots", "delta(topdown-retiring) / delta(slots)"},
	{"cpu@E.U\\,cmask\\=1@ / b", "delta(cpu/E.U,cmask=1/) / delta(b)"},
	{"INST_RETIRED.ANY:k", "delta(INST_RETIRED.ANY:k)"},
	{"1 - metric * 2", "1 - (delta(a) + delta(b)) * 2"},
	/* Divided by the time: rates of the counters. */
	{"a / time", "rate(a)"},
	{"1.0E-06*(a*2.0+b)/time", "1e-06 * (rate(a) * 2 + rate(b))"},
	{"1.0E-06*((a*2.0+b)/time)", "1e-06 * (rate(a) * 2 + rate(b))"},
	{"a / (time * 1e9)", "rate(a) / 1e+09"},
	{"a / 1e9 / time", "rate(a) / 1e+09"},
	{"a / (1e9 * time)", "rate(a) / 1e+09"},
	{"a / (time / 8)", "rate(a) / (1 / 8)"},
	{"64 * a * b / c / time", "64 * delta(a) * rate(b) / delta(c)"},
	{"(a / b) / time", "rate(a) / delta(b)"},
	{"-a / time", "-rate(a)"},
	{"min(a, b) / time", "min(rate(a), rate(b))"},
	{"(a if b > 1 else c) / time", "if(delta(b) > 1, rate(a), rate(c))"},
	{"time", "!column 1: the time of the interval can only be used to divide counts"},
	{"a * time", "!column 5: the time of the interval can only be used to divide counts"},
	{"8 / time", "!column 3: the time of the interval can only be used to divide counts"},
	{"(a + 1) / time", "!column 9: the time of the interval can only be used to divide counts"},
	{"a / (time + 1)", "!column 3: the time of the interval can only be used to divide counts"},
	/* Errors. */
	{"", "!column 1: a number or a name is expected, not the end"},
	{"a +", "!column 4: a number or a name is expected, not the end"},
	{"(a", "!column 3: ')' is expected, not the end"},
	{"a b", "!column 3: an operator is expected, not 'b'"},
	{"a ^ b", "!column 3: an operator is expected, not '^ b'"},
	{"12ab", "!column 1: a number is expected, not '12ab'"},
	{"a if b", "!column 7: 'else' is expected, not the end"},
	{"a / unknown", "!column 5: 'unknown' is not known"},
	{"source_count(a)", "!column 1: the function 'source_count' has no counterpart"},
	{"min(a)", "!column 6: ',' is expected, not ')'"},
	{"a & b", "!column 3: operators on bits have no counterpart, only those on true and false"},
	{"1 / 0", "!column 3: the divisor is 0"},
	{"double", "!column 1: 'double': column 1: 'doublex': "},
	{"2 * circle", "!column 5: 'circle': column 5: 'circle': column 5: 'circle': "},
};
/* clang-format on */

/* Translates 60000 times `part`, and `end`. */
static void check_long(const struct formula_names *names, const char *part, const char *end,
		       int want, const char *what)
{
	struct err err = ERR_INIT;
	struct strbuf out, text;

	strbuf_init(&text);
	strbuf_init(&out);
	for (int i = 0; i < 60000; i++)
		strbuf_addstr(&text, part);
	strbuf_addstr(&text, end);
	tap_ok(formula_translate(&out, text.text, names, &err) == want && !out.len == !!want, "%s",
	       what);
	strbuf_done(&out);
	strbuf_done(&text);
}

int main(void)
{
	const struct formula_names names = {find, has, NULL};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct err err = ERR_INIT;
		struct strbuf out;
		const char *want = table[i].want, *got;

		strbuf_init(&out);
		formula_translate(&out, table[i].formula, &names, &err);
		got = err.code ? err.text : out.text;
		if (!tap_ok(want[0] == '!' ? err.code && !out.len &&
						     !strncmp(got, want + 1, strlen(want + 1))
					   : !err.code && !strcmp(got, want),
			    "%s", table[i].formula))
			printf("# got '%s', want '%s'\n", got, want);
		strbuf_done(&out);
	}
	check_long(&names, "(", "", -EINVAL, "parentheses without end");
	check_long(&names, "min(1, ", "", -EINVAL, "arguments without end");
	check_long(&names, "a if b > 1 else ", "a", -EINVAL, "choices without end");
	check_long(&names, "a + ", "a", -ENOENT, "a sum that is too long");
	check_long(&names, "- + ", "a", 0, "signs");
	return tap_done();
}
