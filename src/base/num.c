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
	if (*end)
		return err_set(err, EINVAL, "%s must be a number, not '%s'", what, text);
	if (d < min || d > max || !isfinite(d))
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

/* ---- shortest ----
 * Numbers with as many digits as reading them back needs. */

/* With this many significant digits, any two different doubles have different texts. */
#define DIGITS_MAX 17

/* Numbers in this range are written without printf(3): their scaled mantissas have at most 100
 * bits, and "%g" writes no exponent. */
#define SHORTEST_MIN 1e-4
#define SHORTEST_MAX 1e14

/* 5^n */
static const uint64_t power_of_5[] = {
	1,
	5,
	25,
	125,
	625,
	3125,
	15625,
	78125,
	390625,
	1953125,
	9765625,
	48828125,
	244140625,
	1220703125,
	6103515625,
	30517578125,
	152587890625,
	762939453125,
	3814697265625,
	19073486328125,
	95367431640625,
};

/* Returns a * b >> shift, which must fit 64 bits. *rest: the bits that were shifted out. shift:
 * from 1 to 63. */
static uint64_t multiply_shift(uint64_t a, uint64_t b, int shift, uint64_t *rest)
{
	const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
	const uint64_t low = a_low * b_low, cross = a_high * b_low + (low >> 32);
	const uint64_t middle = a_low * b_high + (uint32_t)cross;
	const uint64_t bits = middle << 32 | (uint32_t)low;
	const uint64_t high = a_high * b_high + (cross >> 32) + (middle >> 32);

	*rest = bits & ((UINT64_C(1) << shift) - 1);
	return high << (64 - shift) | bits >> shift;
}

/* Returns the number of digits before the point. For a number below 1, returns 0 less the number of
 * zeros right after the point. */
static int count_places(double number)
{
	static const double limit[] = {0.1, 0.01, 0.001};
	int n = 0;

	while (n > -3 && number < limit[-n])
		n--;
	for (uint64_t whole = (uint64_t)number; whole; whole /= 10)
		n++;
	return n;
}

/* Rounds a number = mantissa * 2^-shift to the given decimals, as printf(3) does. Returns it as an
 * integer. *same: reading it back gives the number. In the unit of the remainder, half of the
 * distance to the next double is 5^decimals / 2; below a power of 2, it is a half of that. */
static uint64_t round_decimals(uint64_t mantissa, int shift, int decimals, bool *same)
{
	const int bits = shift - decimals;
	uint64_t rest, result, gap = power_of_5[decimals], off;
	bool up;

	result = multiply_shift(mantissa, gap, bits, &rest);
	up = rest > UINT64_C(1) << (bits - 1) || (rest == UINT64_C(1) << (bits - 1) && result % 2);
	off = up ? (UINT64_C(1) << bits) - rest : rest;
	if (!up && mantissa == UINT64_C(1) << MANTISSA_BITS)
		off *= 2;
	*same = 2 * off < gap || (2 * off == gap && !(mantissa % 2));
	return result + up;
}

/* Writes a number with this many decimals, without zeros at its end. */
static void add_decimals(struct strbuf *out, bool negative, uint64_t scaled, int decimals)
{
	char text[32];
	char *const end = text + sizeof text, *at = end;

	for (; decimals && !(scaled % 10); decimals--)
		scaled /= 10;
	for (int i = 0; i < decimals; i++, scaled /= 10)
		*--at = (char)('0' + scaled % 10);
	if (decimals)
		*--at = '.';
	at = put_digits(at, scaled);
	if (negative)
		*--at = '-';
	strbuf_add(out, at, (size_t)(end - at));
}

/* Appends a number in the range above. */
static void add_shortest(struct strbuf *out, double number)
{
	const double size = fabs(number);
	const int places = count_places(size);
	uint64_t bits, scaled = 0;
	int shift, decimals = 0;
	bool same = false;

	memcpy(&bits, &size, sizeof bits);
	shift = EXPONENT_BIAS + MANTISSA_BITS - (int)(bits >> MANTISSA_BITS);
	bits = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS;
	for (int digits = DBL_DIG; !same && digits <= DIGITS_MAX; digits++) {
		decimals = digits - places;
		scaled = round_decimals(bits, shift, decimals, &same);
	}
	add_decimals(out, number < 0, scaled, decimals);
}

/* Appends any number, by trying how many digits it needs. */
static void add_tried(struct strbuf *out, double number)
{
	char text[32];

	for (int digits = DBL_DIG; digits <= DIGITS_MAX; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (digits == DIGITS_MAX || strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}

void num_add(struct strbuf *out, double number)
{
	const double size = fabs(number);

	/* Writes -0 as 0, for readers that compare texts. */
	if (size < SHORTEST_MAX && size == (double)(uint64_t)size)
		add_decimals(out, number < 0, (uint64_t)size, 0);
	else if (size >= SHORTEST_MIN && size < SHORTEST_MAX)
		add_shortest(out, number);
	else
		add_tried(out, number);
}
