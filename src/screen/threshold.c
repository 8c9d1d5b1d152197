/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/threshold.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static bool is_less(double a, double b)
{
	return a < b;
}

static bool is_less_equal(double a, double b)
{
	return a <= b;
}

static bool is_greater(double a, double b)
{
	return a > b;
}

static bool is_greater_equal(double a, double b)
{
	return a >= b;
}

static bool is_equal(double a, double b)
{
	return a == b;
}

static bool is_other(double a, double b)
{
	return a != b;
}

/* The longer sign first, where one begins as another does. */
static const struct {
	const char *sign, *word;
	bool (*is_beyond)(double a, double b);
} operators[] = {
	{"<=", "le", is_less_equal}, {"<", "lt", is_less},   {">=", "ge", is_greater_equal},
	{">", "gt", is_greater},     {"==", "eq", is_equal}, {"!=", "ne", is_other},
};

int threshold_read(struct threshold *t, struct err *err)
{
	const char *text = t->text;

	for (size_t i = 0; text && i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t sign = strlen(operators[i].sign), word = strlen(operators[i].word), n = 0;

		if (!strncmp(text, operators[i].sign, sign))
			n = sign;
		else if (!strncmp(text, operators[i].word, word) && text[word] == ' ')
			n = word;
		if (!n)
			continue;
		t->is_beyond = operators[i].is_beyond;
		return num_parse_double(text + n + strspn(text + n, " "), "the threshold",
					-HUGE_VAL, HUGE_VAL, &t->number, err);
	}
	return text ? err_set(err, EINVAL,
			      "'%s' is no threshold: write a comparison and a number, as in "
			      "\"&lt; 0.5\" or \"gt 20\"",
			      text)
		    : 0;
}

void threshold_done(struct threshold *t)
{
	free(t->text);
	*t = (struct threshold){.text = NULL};
}

static bool is_beyond(const struct threshold *t, struct value v)
{
	return t->is_beyond && value_known(v) && t->is_beyond(v.number, t->number);
}

enum level threshold_level(const struct threshold *warn, const struct threshold *crit,
			   struct value v)
{
	return is_beyond(crit, v) ? LEVEL_CRIT : is_beyond(warn, v) ? LEVEL_WARN : LEVEL_NONE;
}
