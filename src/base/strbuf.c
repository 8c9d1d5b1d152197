/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

static void reserve(struct strbuf *sb, size_t more)
{
	if (sb->len + more < sb->cap)
		return;
	sb->text = xgrow(sb->text, &sb->cap, sb->len + more + 1, 1);
}

void strbuf_init(struct strbuf *sb)
{
	sb->text = NULL;
	sb->len = sb->cap = 0;
	reserve(sb, 0);
	sb->text[0] = '\0';
}

void strbuf_done(struct strbuf *sb)
{
	free(sb->text);
	sb->text = NULL;
	sb->len = sb->cap = 0;
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	sb->text[0] = '\0';
}

void strbuf_add(struct strbuf *sb, const char *data, size_t n)
{
	reserve(sb, n);
	memcpy(sb->text + sb->len, data, n);
	sb->len += n;
	sb->text[sb->len] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, char c)
{
	reserve(sb, 1);
	sb->text[sb->len++] = c;
	sb->text[sb->len] = '\0';
}

void strbuf_pad(struct strbuf *sb, char c, int n)
{
	if (n <= 0)
		return;
	reserve(sb, (size_t)n);
	memset(sb->text + sb->len, c, (size_t)n);
	sb->len += (size_t)n;
	sb->text[sb->len] = '\0';
}

/* Formats into the free memory of the buffer, and only if the text does not fit, grows the buffer
 * and formats again. Most texts are short, so they are formatted once. */
__attribute__((format(printf, 2, 0))) static void add_formatted(struct strbuf *sb, const char *fmt,
								va_list ap)
{
	const size_t room = sb->cap - sb->len;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(sb->text + sb->len, room, fmt, ap);
	if (n >= 0 && (size_t)n >= room) {
		reserve(sb, (size_t)n);
		vsnprintf(sb->text + sb->len, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	if (n > 0)
		sb->len += (size_t)n;
	sb->text[sb->len] = '\0';
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_formatted(sb, fmt, ap);
	va_end(ap);
}

/* ---- text ---- */

bool text_continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

uint32_t text_decode(const char *text, size_t n, size_t *len)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} form[] = {
		{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	unsigned char first = (unsigned char)text[0];

	*len = 1;
	for (size_t k = 0; k < 4 && k < n; k++) {
		uint32_t ch = first & (unsigned char)~form[k].mask;
		size_t i;

		if ((first & form[k].mask) != form[k].lead)
			continue;
		for (i = 1; i <= k && text_continues(text[i]); i++)
			ch = ch << 6 | ((unsigned char)text[i] & 0x3f);
		if (i <= k || ch < form[k].least || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
			break;
		*len = k + 1;
		return ch;
	}
	return TEXT_BAD;
}

bool text_is_cut(const char *text, size_t n)
{
	const unsigned char first = (unsigned char)text[0];
	const size_t all = first >= 0xf5   ? 0
			   : first >= 0xf0 ? 4
			   : first >= 0xe0 ? 3
			   : first >= 0xc2 ? 2
					   : 0;

	for (size_t i = 1; i < n; i++)
		if (!text_continues(text[i]))
			return false;
	return n < all;
}

int text_length(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += !text_continues(*text);
	return n;
}

int text_columns(const char *text)
{
	size_t n = strlen(text), len;
	int width = 0;

	for (; n > 0; text += len, n -= len) {
		uint32_t ch;
		int columns = 1;

		/* Fast path: most text is ASCII. */
		len = 1;
		if ((unsigned char)*text < 0x80) {
			width++;
			continue;
		}
		ch = text_decode(text, n, &len);
		if (ch != TEXT_BAD && text_is_harmless(ch))
			columns = wcwidth((wchar_t)ch);
		width += columns < 0 ? 1 : columns;
	}
	return width;
}

/* Unicode 15.1: the categories Cc, Zl, Zp, and those characters of Cf that are invisible. */
static const struct {
	uint32_t first, last;
} harmful[] = {
	{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x61c, 0x61c},
	{0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
	{0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a}, {0xe0000, 0xe007f},
};

bool text_is_harmless(uint32_t character)
{
	if (character >= 0x20 && character < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
		if (character >= harmful[i].first && character <= harmful[i].last)
			return false;
	return true;
}

/* Returns whether the first character of the text may be printed. *len: the number of its bytes. */
static bool is_printable(const char *text, size_t n, size_t *len)
{
	uint32_t ch = text_decode(text, n, len);

	return text_is_harmless(ch) && (ch != TEXT_BAD || *len > 1);
}

/* Returns how many leading bytes are printable ASCII: in most texts all. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f)
		n++;
	return n;
}

void text_add(struct strbuf *out, const char *text)
{
	size_t n = plain_length(text), left = strlen(text + n);

	strbuf_add(out, text, n);
	for (text += n; left; text += n, left -= n) {
		if (is_printable(text, left, &n))
			strbuf_add(out, text, n);
		else
			strbuf_addch(out, '?');
	}
}

void text_sanitize(char *text, char instead)
{
	size_t left = strlen(text), n;
	char *to = text;

	for (; left; text += n, left -= n) {
		if (is_printable(text, left, &n)) {
			memmove(to, text, n);
			to += n;
		} else {
			*to++ = instead;
		}
	}
	*to = '\0';
}

void text_cut_offset(char *name)
{
	const char *end = name[0] == '[' ? "]" : "";
	char *last = NULL;
	size_t digits;

	for (char *at = name; (at = strstr(at, "+0x")); at++)
		last = at;
	if (!last || last == name)
		return;
	digits = strspn(last + 3, "0123456789abcdef");
	if (digits && !strcmp(last + 3 + digits, end))
		memcpy(last, end, strlen(end) + 1);
}

void text_pluralize(char *out, size_t size, const char *sentence, uint64_t n)
{
	enum { OUTSIDE, ONE, MANY } place = OUTSIDE;
	size_t len = 0;

	for (; *sentence && len + 1 < size; sentence++) {
		if (place == OUTSIDE && *sentence == '{')
			place = ONE;
		else if (place == ONE && *sentence == '|')
			place = MANY;
		else if (place == MANY && *sentence == '}')
			place = OUTSIDE;
		else if (place != (n == 1 ? MANY : ONE))
			out[len++] = *sentence;
	}
	out[len] = '\0';
}
