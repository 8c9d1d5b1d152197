/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/csv.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"

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
