/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json_csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"

/* ---- json ---- */

static void separate(struct strbuf *out)
{
	if (out->len && !strchr("{[:\n", out->text[out->len - 1]))
		strbuf_addch(out, ',');
}

void json_end(struct strbuf *out, char bracket)
{
	strbuf_addch(out, bracket);
}

void json_begin(struct strbuf *out, char bracket)
{
	separate(out);
	strbuf_addch(out, bracket);
}

/* Appends a \u escape; a pair of surrogates for a character beyond 16 bits. */
static void add_escape(struct strbuf *out, uint32_t character)
{
	if (character >= 0x10000) {
		character -= 0x10000;
		strbuf_addf(out, "\\u%04" PRIx32, 0xd800 + (character >> 10));
		character = 0xdc00 + (character & 0x3ff);
	}
	strbuf_addf(out, "\\u%04" PRIx32, character);
}

/* Appends the first character of the n bytes. Returns its length in bytes. */
static size_t add_character(struct strbuf *out, const char *text, size_t n)
{
	size_t len;
	uint32_t character = text_decode(text, n, &len);

	if (character == '"' || character == '\\')
		strbuf_addf(out, "\\%c", (int)character);
	else if (character == TEXT_BAD)
		strbuf_addstr(out, "\xef\xbf\xbd");
	else if (text_is_harmless(character))
		strbuf_add(out, text, len);
	else
		add_escape(out, character);
	return len;
}

/* Returns how many leading characters need no escape: in most texts all. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

static void add_quoted(struct strbuf *out, const char *text)
{
	const size_t len = strlen(text);
	size_t n = plain_length(text);

	strbuf_addch(out, '"');
	strbuf_add(out, text, n);
	while (n < len)
		n += add_character(out, text + n, len - n);
	strbuf_addch(out, '"');
}

void json_key(struct strbuf *out, const char *key)
{
	separate(out);
	add_quoted(out, key);
	strbuf_addch(out, ':');
}

void json_begin_list(struct strbuf *out, const char *key)
{
	json_key(out, key);
	json_begin(out, '[');
}

void json_text(struct strbuf *out, const char *text)
{
	separate(out);
	if (text)
		add_quoted(out, text);
	else
		strbuf_addstr(out, "null");
}

void json_count(struct strbuf *out, uint64_t count)
{
	separate(out);
	num_add_count(out, count);
}

void json_number(struct strbuf *out, double number)
{
	separate(out);
	if (isfinite(number))
		num_add(out, number);
	else
		strbuf_addstr(out, "null");
}

void json_value(struct strbuf *out, struct value v)
{
	uint64_t count;

	if (value_is_count(v, &count))
		json_count(out, count);
	else
		json_number(out, v.number);
}

void json_member_text(struct strbuf *out, const char *key, const char *text)
{
	json_key(out, key);
	json_text(out, text);
}

/* ---- csv ---- */

static void add_harmless(struct strbuf *out, const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		uint32_t character = text_decode(text, left, &n);

		if (character != TEXT_BAD && text_is_harmless(character))
			strbuf_add(out, text, n);
		else
			strbuf_addstr(out, "\ufffd");
		if (character == '"')
			strbuf_addch(out, '"');
	}
}

void csv_add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	add_harmless(out, text);
	strbuf_addch(out, '"');
}

void csv_add_text(struct strbuf *out, const char *text)
{
	/* Some readers drop blanks around a field that is not quoted. */
	if (*text && (strpbrk(text, ",\"") || *text == ' ' || text[strlen(text) - 1] == ' '))
		csv_add_quoted(out, text);
	else
		add_harmless(out, text);
}

void csv_add_value(struct strbuf *out, struct value v)
{
	uint64_t count;

	if (value_is_count(v, &count))
		num_add_count(out, count);
	else if (value_known(v))
		num_add(out, v.number);
}
