/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/column_format.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

/* Formats passed to printf(3) here were checked by column_format_read(): they have exactly one
 * conversion, for a double, and bounded width and precision. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

#define NUMBERS           "fFeEgG"
#define CONVERSIONS       NUMBERS "hs"
#define FLAGS             "-+ 0#"
#define DIGITS            "0123456789"
#define LENGTHS           "lL"
#define FORMAT_NUMBER_MAX 99
#define DEFAULT_PRECISION 6 /* as in printf(3) */

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* A parsed conversion. */
struct conversion {
	size_t flags_len;
	const char *flags;
	int width, precision;
	bool pointed; /* a precision is given */
	char type;
};

static bool has_flag(const struct conversion *c, char flag)
{
	return memchr(c->flags, flag, c->flags_len) != NULL;
}

/* Returns the number of characters of the shortest result, which is that for the number 0. */
static int conversion_width(const struct conversion *c)
{
	bool point = c->precision > 0 || has_flag(c, '#');
	int width = has_flag(c, '+') || has_flag(c, ' ');

	if (c->type == 'h' || c->type == 's')
		return max_int(c->width, 1);
	if (c->type == 'g' || c->type == 'G') /* without '#', trailing zeros are removed: "0" */
		width += has_flag(c, '#') ? max_int(c->precision, 1) + 1 : 1;
	else
		width += 1 + point + c->precision;
	if (c->type == 'e' || c->type == 'E')
		width += (int)strlen("e+00");
	return max_int(width, c->width);
}

/* Reads decimal digits, perhaps none, as a number; -1: it is above FORMAT_NUMBER_MAX. */
static int read_number(const char **at)
{
	int number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++) {
		number = number * 10 + (**at - '0');
		if (number > FORMAT_NUMBER_MAX)
			return -1;
	}
	return number;
}

/* Parses a conversion. *at: the character after its '%'; set to the first character after the
 * conversion. */
static int read_conversion(const char *format, const char **at, struct conversion *c,
			   struct err *err)
{
	c->flags = *at;
	c->flags_len = strspn(*at, FLAGS);
	*at += c->flags_len;
	c->width = read_number(at);
	c->precision = DEFAULT_PRECISION;
	c->pointed = **at == '.';
	if (c->width >= 0 && c->pointed) {
		(*at)++;
		c->precision = read_number(at);
	}
	if (c->width < 0 || c->precision < 0)
		return err_set(err, EINVAL, "'%s' asks for a width or a precision above %d", format,
			       FORMAT_NUMBER_MAX);
	c->type = **at;
	if (!c->type)
		return err_set(err, EINVAL,
			       "'%s' ends inside its conversion: one like %%5.1f is needed",
			       format);
	if (!strchr(CONVERSIONS, c->type))
		return err_set(err, EINVAL, "'%s': one of f F e E g G h s is expected after '%.*s'",
			       format, (int)(*at - c->flags) + 1, c->flags - 1);
	if (c->type == 's' &&
	    (c->flags_len > 1 || (c->flags_len && c->flags[0] != '-') || c->pointed))
		return err_set(err, EINVAL,
			       "'%s': the '%%' of an s may be followed by a '-' and a width only",
			       format);
	if (c->type == 'h' && (c->flags_len || c->pointed))
		return err_set(err, EINVAL,
			       "'%s': the '%%' of an h may be followed by a width only", format);
	(*at)++;
	return 0;
}

/* Removes the length modifiers of the conversion at a '%'. Returns its end. */
static char *strip_conversion(char *at)
{
	char *type, *end;

	at++;
	type = at + strspn(at, FLAGS "." DIGITS);
	end = type + strspn(type, LENGTHS);
	if (*end && strchr(NUMBERS, *end))
		memmove(type, end, strlen(end) + 1);
	return *type ? type + 1 : type;
}

void column_format_strip(char *format)
{
	for (char *at = strchr(format, '%'); at; at = strchr(at, '%'))
		at = at[1] == '%' ? at + 2 : strip_conversion(at);
}

int column_format_read(const char *format, struct column_format *out, struct err *err)
{
	struct conversion c = {.type = '\0'};
	int literal = 0;

	for (const char *at = format; *at;) {
		if (at[0] != '%' || at[1] == '%') {
			literal += !text_continues(*at);
			at += at[0] == '%' ? 2 : 1;
			continue;
		}
		if (c.type)
			return err_set(err, EINVAL,
				       "'%s' has more than one conversion: a column has one "
				       "number, and %%%% prints a %%",
				       format);
		out->from = (size_t)(at++ - format);
		if (read_conversion(format, &at, &c, err))
			return -EINVAL;
		out->to = (size_t)(at - format);
	}
	if (!c.type)
		return err_set(err, EINVAL, "'%s' has no conversion: one like %%5.1f is needed",
			       format);
	out->conversion = c.type;
	out->field = c.width;
	out->fixed = c.type == 'f' && !c.flags_len && c.precision <= NUM_FIXED_DECIMALS_MAX;
	out->decimals = c.precision;
	out->ascii = c.type != 'h' && text_length(format) == (int)strlen(format);
	out->width = literal + conversion_width(&c);
	return 0;
}

char *column_format_zero(const char *format, const struct column_format *shape)
{
	return strchr("hs", shape->conversion) ? NULL : xasprintf(format, 0.0);
}

void column_format_add_text(struct strbuf *out, const char *format, size_t from, size_t to)
{
	for (size_t i = from; i < to; i += format[i] == '%' ? 2 : 1)
		strbuf_addch(out, format[i]);
}
