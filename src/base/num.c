/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int num_parse_double(const char *text, const char *what, double min, double max, double *out,
		     struct err *err)
{
	char *end;
	double d;

	/* strtod() also takes leading blanks, hexadecimal, "inf" and "nan", which no user means. */
	if (!text[0] || text[strspn(text, "0123456789.eE+-")])
		return err_set(err, EINVAL, "%s must be a number, not '%s'", what, text);
	d = strtod(text, &end);
	if (*end || !isfinite(d))
		return err_set(err, EINVAL, "%s must be a number, not '%s'", what, text);
	if (d < min || d > max)
		return err_set(err, ERANGE, "%s must be from %g to %g, not '%s'", what, min, max,
			       text);
	*out = d;
	return 0;
}

int num_parse_int(const char *text, const char *what, long min, long max, long *out,
		  struct err *err)
{
	char *end;
	long n;

	if (!text[0] || text[strspn(text, "0123456789+-")])
		return err_set(err, EINVAL, "%s must be a whole number, not '%s'", what, text);
	errno = 0;
	n = strtol(text, &end, 10);
	if (*end)
		return err_set(err, EINVAL, "%s must be a whole number, not '%s'", what, text);
	if (errno == ERANGE || n < min || n > max)
		return err_set(err, ERANGE, "%s must be from %ld to %ld, not '%s'", what, min, max,
			       text);
	*out = n;
	return 0;
}

int num_parse_u64(const char *text, const char *what, uint64_t *out, struct err *err)
{
	char *end;
	int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;

	if (!isdigit((unsigned char)text[0]))
		return err_set(err, EINVAL, "%s must be a number, not '%s'", what, text);
	errno = 0;
	*out = strtoull(text, &end, base);
	if (*end || (base == 16 && !text[2]))
		return err_set(err, EINVAL, "%s must be a number, not '%s'", what, text);
	if (errno == ERANGE)
		return err_set(err, ERANGE, "%s does not fit in 64 bits: '%s'", what, text);
	return 0;
}

/* This many significant digits tell any two doubles apart. */
#define DIGITS_MAX 17

void num_add(struct strbuf *out, double number)
{
	char text[32];

	/* Writes -0 as 0, for readers that compare texts. */
	if (number == 0)
		number = 0;
	for (int digits = DBL_DIG; digits <= DIGITS_MAX; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (digits == DIGITS_MAX || strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}

void num_add_count(struct strbuf *out, uint64_t count)
{
	char text[20];
	char *const end = text + sizeof text, *at = end;

	do
		*--at = (char)('0' + count % 10);
	while (count /= 10);
	strbuf_add(out, at, (size_t)(end - at));
}
