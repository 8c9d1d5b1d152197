/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/fit.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"

#define CUT    ".."
#define INDENT "#     "

/* --- columns --- */

static int least_width(const struct fit_column *c, int width)
{
	const int part = width / FIT_TEXT > FIT_TEXT_MIN ? width / FIT_TEXT : FIT_TEXT_MIN;

	return c->is_text && c->width > part ? part : c->width;
}

/* Returns the next column to show: among those that have values and are not shown yet, the one with
 * the lowest rank; n: none. */
static size_t find_next(const struct fit_column *column, size_t n)
{
	size_t best = n;
	int lowest = 0;

	for (size_t i = 0; i < n; i++) {
		const int rank = column[i].rank ? column[i].rank : INT_MAX;

		if (column[i].shown || column[i].empty || (best < n && rank >= lowest))
			continue;
		best = i;
		lowest = rank;
	}
	return best;
}

/* Widens cut columns in turns, by one character each, until all have their full width or no room is
 * left. */
static void widen(struct fit_column *column, size_t n, int room)
{
	bool widened = true;

	while (widened && room > 0) {
		widened = false;
		for (size_t i = 0; i < n && room > 0; i++)
			if (column[i].shown && column[i].width < column[i].wanted) {
				column[i].width++;
				room--;
				widened = true;
			}
	}
}

void fit_columns(struct fit_column *column, size_t n, int width)
{
	int room = width + 1;
	size_t next;

	for (size_t i = 0; i < n; i++) {
		column[i].wanted = column[i].width;
		column[i].shown = false;
	}
	while ((next = find_next(column, n)) < n) {
		const int least = least_width(&column[next], width) + 1;

		if (least > room && room <= width)
			break;
		column[next].shown = true;
		column[next].width = least - 1;
		room -= least;
	}
	widen(column, n, room);
}

/* --- rows --- */

size_t fit_rows(const size_t n_rows[], size_t n, int room)
{
	size_t most = 0, limit;

	for (size_t i = 0; i < n; i++)
		most = n_rows[i] > most ? n_rows[i] : most;
	for (limit = most; limit > FIT_ROWS; limit--) {
		size_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += n_rows[i] > limit ? limit : n_rows[i];
		if (room > 0 && sum <= (size_t)room)
			break;
	}
	return limit;
}

/* --- texts --- */

/* Returns the text without its first characters. */
static const char *skip(const char *text, int characters)
{
	for (; characters > 0 && *text; characters--)
		for (text++; text_continues(*text);)
			text++;
	return text;
}

void fit_cut(struct strbuf *out, const char *text, int width)
{
	const int length = text_length(text), kept = width - (int)strlen(CUT), end = kept * 2 / 5;

	if (length <= width) {
		strbuf_addstr(out, text);
		return;
	}
	strbuf_add(out, text, (size_t)(skip(text, kept - end) - text));
	strbuf_addstr(out, kept > 0 ? CUT : "");
	strbuf_addstr(out, end > 0 ? skip(text, length - end) : "");
}

void fit_wrap(struct strbuf *out, const char *lines, int width)
{
	int used = 0;

	while (*lines) {
		/* Blanks belong to the word after them. */
		const size_t blanks = strspn(lines, " "),
			     n = blanks + strcspn(lines + blanks, " \n");
		size_t at = out->len;

		strbuf_add(out, lines, n);
		if (used && used + text_length(out->text + at) > width) {
			out->text[out->len = at] = '\0';
			strbuf_addch(out, '\n');
			at = out->len;
			strbuf_addstr(out, INDENT);
			strbuf_add(out, lines + blanks, n - blanks);
			used = 0;
		}
		used += text_length(out->text + at);
		lines += n;
		if (*lines == '\n') {
			strbuf_addch(out, *lines++);
			used = 0;
		}
	}
}
