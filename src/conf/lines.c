/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/lines.h"

#include <string.h>

#define COMMENT         "<!--"
#define COMMENT_END     "-->"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A byte order mark belongs to no line. */
static size_t text_start(const struct lines *l)
{
	const size_t n = strlen(BYTE_ORDER_MARK);

	return l->len >= n && !memcmp(l->text, BYTE_ORDER_MARK, n) ? n : 0;
}

size_t lines_start(const struct lines *l, size_t at)
{
	const size_t first = text_start(l);

	while (at > first && !is_break(l->text[at - 1]))
		at--;
	return at;
}

size_t lines_pass_break(const struct lines *l, size_t at)
{
	if (at + 1 < l->len && l->text[at] == '\r' && l->text[at + 1] == '\n')
		return at + 2;
	return at < l->len ? at + 1 : at;
}

size_t lines_pass_blanks(const struct lines *l, size_t at)
{
	while (at < l->len && is_blank(l->text[at]))
		at++;
	return at;
}

size_t lines_blanks_before(const struct lines *l, size_t at)
{
	while (at > 0 && is_blank(l->text[at - 1]))
		at--;
	return at;
}

bool lines_begins(const struct lines *l, size_t at)
{
	return lines_blanks_before(l, at) == lines_start(l, at);
}

bool lines_ends(const struct lines *l, size_t at)
{
	at = lines_pass_blanks(l, at);
	return at == l->len || is_break(l->text[at]);
}

size_t lines_tail(const struct lines *l, size_t at)
{
	while (!lines_ends(l, at)) {
		const char *end;

		at = lines_pass_blanks(l, at);
		if (l->len - at < strlen(COMMENT) ||
		    memcmp(l->text + at, COMMENT, strlen(COMMENT)) != 0)
			return LINES_NOWHERE;
		end = memmem(l->text + at, l->len - at, COMMENT_END, strlen(COMMENT_END));
		if (!end)
			return LINES_NOWHERE;
		at = (size_t)(end - l->text) + strlen(COMMENT_END);
	}
	return lines_pass_blanks(l, at);
}

const char *lines_break(const struct lines *l)
{
	size_t at = 0;

	while (at < l->len && !is_break(l->text[at]))
		at++;
	if (at == l->len || l->text[at] == '\n')
		return "\n";
	return lines_pass_break(l, at) == at + 2 ? "\r\n" : "\r";
}
