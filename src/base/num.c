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

/* With this many significant digits, any two different doubles have different texts. */
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

/* Writes the digits of a number before `at`. Returns the first digit. */
static char *put_digits(char *at, uint64_t number)
{
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	return at;
}

void num_add_count(struct strbuf *out, uint64_t count)
{
	char text[20];
	char *const end = text + sizeof text, *const first = put_digits(end, count);

	strbuf_add(out, first, (size_t)(end - first));
}

/* The parts of a double of IEEE 754. */
#define MANTISSA_BITS 52
#define EXPONENT_MAX  0x7ff
#define EXPONENT_BIAS 1023

/* Returns number * scale, rounded to the nearest integer, and ties to the even one, as printf(3)
 * rounds. *exact: the number is in [0, 2^52), and the result is right. The product of a mantissa
 * below 2^53 and a scale of at most 1000 has 63 bits. */
static uint64_t scale_rounded(double number, uint64_t scale, bool *exact)
{
	uint64_t bits, product, rest, half, result;
	int exponent, shift;

	memcpy(&bits, &number, sizeof bits);
	exponent = (int)(bits >> MANTISSA_BITS & EXPONENT_MAX);
	shift = EXPONENT_BIAS + MANTISSA_BITS - exponent;
	*exact = !(bits >> 63) && shift > 0;
	/* Here the number is below 1 / (2 * scale); so are 0 and the subnormal ones. */
	if (!*exact || shift > 63)
		return 0;
	product = ((bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS) *
		  scale;
	result = product >> shift;
	rest = product & ((UINT64_C(1) << shift) - 1);
	half = UINT64_C(1) << (shift - 1);
	return result + (rest > half || (rest == half && result % 2));
}

bool num_add_fixed(struct strbuf *out, double number, int width, int decimals)
{
	static const uint64_t scale[NUM_FIXED_DECIMALS_MAX + 1] = {1, 10, 100, 1000};
	char text[24];
	char *const end = text + sizeof text, *at = end;
	uint64_t scaled;
	bool exact;

	scaled = scale_rounded(number, scale[decimals], &exact);
	if (!exact)
		return false;
	for (int i = 0; i < decimals; i++, scaled /= 10)
		*--at = (char)('0' + scaled % 10);
	if (decimals)
		*--at = '.';
	at = put_digits(at, scaled);
	strbuf_pad(out, ' ', width - (int)(end - at));
	strbuf_add(out, at, (size_t)(end - at));
	return true;
}
