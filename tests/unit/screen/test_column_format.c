/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats of columns: valid ones with their widths, and refused ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "screen/screen.h"
#include "tap.h"

/* A format, and the width that the C library prints for 0. Both are from one text, so that they
 * agree. */
#define FORMAT(text)                                                                               \
	{                                                                                          \
		text, snprintf(NULL, 0, text, 0.0)                                                 \
	}

static void test_formats_accepted(void)
{
	/* clang-format off */
	const struct {
		const char *text;
		int width;
	} table[] = {
		FORMAT("%f"),        FORMAT("%F"),      FORMAT("%e"),       FORMAT("%E"),        FORMAT("%g"),
		FORMAT("%G"),        FORMAT("%5.1f"),   FORMAT("  %2.0f"),  FORMAT("   %4.2f"),  FORMAT(" %3.0f"),
		FORMAT("%8.2f"),     FORMAT("%.0f"),    FORMAT("%.f"),      FORMAT("%#.0f"),     FORMAT("%+f"),
		FORMAT("% f"),       FORMAT("%-9.1f"),  FORMAT("%08.3f"),   FORMAT("%-+#9.2f"),  FORMAT("%99.99f"),
		FORMAT("%.99f"),     FORMAT("%99f"),    FORMAT("%.3e"),     FORMAT("%.0e"),      FORMAT("%#.0e"),
		FORMAT("%+.1E"),     FORMAT("%.3g"),    FORMAT("%#g"),      FORMAT("%#.0g"),     FORMAT("%#.3G"),
		FORMAT("% 10.2g"),   FORMAT("%5.1f%%"), FORMAT("%%%f"),     FORMAT("%%f %4.1f"), FORMAT("<%6.2f MB/s>"),
		FORMAT("%%%%%5.1f"), FORMAT("x%1.0f"),  FORMAT("\t%5.1f|"), FORMAT("%05.1f"),
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct column_format format = {.width = -1};
		struct err err = ERR_INIT;

		tap_int(column_format_read(table[i].text, &format, &err), 0, "'%s' is accepted",
			table[i].text);
		tap_int(format.width, table[i].width, "the width of '%s'", table[i].text);
	}
}

static void test_format_characters(void)
{
	struct column_format format = {.width = -1};

	tap_int(column_format_read("%5.1f \xc2\xb5s", &format, NULL), 0, "UTF-8 around the number");
	tap_int(format.width, 8, "is counted in characters");
}

static const struct {
	const char *text, *want;
} refused_table[] = {
	{"", "'' has no conversion: one like %5.1f is needed"},
	{"abc", "'abc' has no conversion: one like %5.1f is needed"},
	{"%%", "'%%' has no conversion: one like %5.1f is needed"},
	{"%%f", "'%%f' has no conversion: one like %5.1f is needed"},
	{"%", "'%' ends inside its conversion: one like %5.1f is needed"},
	{"%5", "'%5' ends inside its conversion: one like %5.1f is needed"},
	{"%5.", "'%5.' ends inside its conversion: one like %5.1f is needed"},
	{"%-+ 0#", "'%-+ 0#' ends inside its conversion: one like %5.1f is needed"},
	{"%%%", "'%%%' ends inside its conversion: one like %5.1f is needed"},
	{"%n", "'%n': one of f F e E g G h s is expected after '%'"},
	{"%+s", "'%+s': the '%' of an s may be followed by a '-' and a width only"},
	{"%--s", "'%--s': the '%' of an s may be followed by a '-' and a width only"},
	{"%5.3s", "'%5.3s': the '%' of an s may be followed by a '-' and a width only"},
	{"%d", "'%d': one of f F e E g G h s is expected after '%'"},
	{"%c", "'%c': one of f F e E g G h s is expected after '%'"},
	{"%p", "'%p': one of f F e E g G h s is expected after '%'"},
	{"%x", "'%x': one of f F e E g G h s is expected after '%'"},
	{"%a", "'%a': one of f F e E g G h s is expected after '%'"},
	{"%m", "'%m': one of f F e E g G h s is expected after '%'"},
	{"%5d", "'%5d': one of f F e E g G h s is expected after '%5'"},
	{"%*f", "'%*f': one of f F e E g G h s is expected after '%'"},
	{"%5*f", "'%5*f': one of f F e E g G h s is expected after '%5'"},
	{"%.*f", "'%.*f': one of f F e E g G h s is expected after '%.'"},
	{"%1$f", "'%1$f': one of f F e E g G h s is expected after '%1'"},
	{"%5.1lf", "'%5.1lf': one of f F e E g G h s is expected after '%5.1'"},
	{"%Lf", "'%Lf': one of f F e E g G h s is expected after '%'"},
	{"%-7h", "'%-7h': the '%' of an h may be followed only by a width"},
	{"%7.1h", "'%7.1h': the '%' of an h may be followed only by a width"},
	{"%.h", "'%.h': the '%' of an h may be followed only by a width"},
	{"%h%h", "'%h%h' has more than one conversion: a column has one number, and %% prints a %"},
	{"%'f", "'%'f': one of f F e E g G h s is expected after '%'"},
	{"%If", "'%If': one of f F e E g G h s is expected after '%'"},
	{"%5-f", "'%5-f': one of f F e E g G h s is expected after '%5'"},
	{"%.-1f", "'%.-1f': one of f F e E g G h s is expected after '%.'"},
	{"%5.1.1f", "'%5.1.1f': one of f F e E g G h s is expected after '%5.1'"},
	{"%5.1%", "'%5.1%': one of f F e E g G h s is expected after '%5.1'"},
	{"%5.1\xc3\xa9", "'%5.1\xc3\xa9': one of f F e E g G h s is expected after '%5.1'"},
	{"x %5.1k", "'x %5.1k': one of f F e E g G h s is expected after '%5.1'"},
	{"%f%f", "'%f%f' has more than one conversion: a column has one number, and %% prints a %"},
	{"%f%n", "'%f%n' has more than one conversion: a column has one number, and %% prints a %"},
	{"%5.1f%",
	 "'%5.1f%' has more than one conversion: a column has one number, and %% prints a %"},
	{"%f %% %s",
	 "'%f %% %s' has more than one conversion: a column has one number, and %% prints a %"},
	{"%100f", "'%100f' asks for a width or a precision above 99"},
	{"%.100f", "'%.100f' asks for a width or a precision above 99"},
	{"%5.100f", "'%5.100f' asks for a width or a precision above 99"},
	{"%99999999999999999999f",
	 "'%99999999999999999999f' asks for a width or a precision above 99"},
	{"%0100f", "'%0100f' asks for a width or a precision above 99"},
};

static void test_format_lengths(void)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"%4.1lf", "%4.1f"},
		{"%lg", "%g"},
		{"%le", "%e"},
		{"%lF", "%F"},
		{"%Lf", "%f"},
		{"%llf%%", "%f%%"},
		{"%%lf", "%%lf"},
		{"l%-+8.2lE l", "l%-+8.2E l"},
		{"%5.1lf %lg", "%5.1f %g"},
		{"%ls", "%ls"},
		{"%lh", "%lh"},
		{"%l", "%l"},
		{"%", "%"},
		{"%%%", "%%%"},
		{"%5", "%5"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char *format = xstrdup(table[i].text);

		column_format_strip(format);
		tap_str(format, table[i].want, "'%s' without length modifiers", table[i].text);
		free(format);
	}
}

/* The conversion h, which printf(3) does not have. */
static void test_format_people(void)
{
	struct column_format format;
	struct strbuf text;

	tap_int(column_format_read("a%% %7h %%", &format, NULL), 0, "a number for people");
	tap_int(format.width, 12, "its width");
	tap_int(format.field, 7, "that of the number alone");
	tap_int(format.conversion, 'h', "its letter");
	strbuf_init(&text);
	column_format_add_text(&text, "a%% %7h %%", 0, format.from);
	column_format_add_text(&text, "a%% %7h %%", format.to, strlen("a%% %7h %%"));
	tap_str(text.text, "a%  %", "what stands around it");
	strbuf_done(&text);
	tap_int(column_format_read("<%-12s>", &format, NULL), 0, "a text");
	tap_int(format.width, 14, "its width");
	tap_int(column_format_read("%s", &format, NULL), 0, "a text of any width");
	tap_int(column_format_read("%h", &format, NULL), 0, "without a width");
	tap_int(format.width, 1, "it is one digit at least");
}

static void test_formats_refused(void)
{
	for (size_t i = 0; i < sizeof refused_table / sizeof *refused_table; i++) {
		struct err err = ERR_INIT;
		/* Its exact size, so that ASan detects a read past it. */
		char *text = xstrdup(refused_table[i].text);
		struct column_format format = {.width = -1};
		int rc = column_format_read(text, &format, &err);

		tap_str(err.text, refused_table[i].want, "'%s' is refused", refused_table[i].text);
		tap_ok(rc == -EINVAL && err.code == EINVAL && format.width == -1,
		       "with its code, and without a width");
		free(text);
	}
}

int main(void)
{
	test_formats_accepted();
	test_format_characters();
	test_format_lengths();
	test_format_people();
	test_formats_refused();
	return tap_done();
}
