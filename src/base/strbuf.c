/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
