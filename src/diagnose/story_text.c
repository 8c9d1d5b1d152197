/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of story_page: as plain text. */
#include <string.h>

#include "diagnose/story_page.h"

#define INDENT 2

/* How many bytes of the text stand in its first line: up to a blank, where there is one. */
static size_t first_line(const char *text, size_t width)
{
	size_t n = strlen(text), at;

	if (n <= width)
		return n;
	for (at = width; at && text[at] != ' '; at--)
		;
	return at ? at : strcspn(text, " ");
}

/* Goes on in the line, of which `x` columns are used; further lines begin in the column `further`.
 */
static void add_folded(struct strbuf *out, const char *text, int x, int further, int width)
{
	while (*text) {
		const size_t n = first_line(text, (size_t)(width - x));

		strbuf_add(out, text, n);
		text += n + strspn(text + n, " ");
		x = further;
		if (*text) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', x);
		}
	}
	strbuf_addch(out, '\n');
}

static void add_row(struct strbuf *out, const struct page_cells *row, int width)
{
	const int below = INDENT + PAGE_TABLE_BELOW;
	struct page_laid laid;

	page_laid_init(&laid);
	page_table_lay(&laid, row, width - INDENT);
	strbuf_pad(out, ' ', INDENT);
	strbuf_addstr(out, laid.fixed.text);
	add_folded(out, laid.rest, INDENT + laid.x, INDENT + laid.x, width);
	if (laid.below.len) {
		strbuf_pad(out, ' ', below);
		add_folded(out, laid.below.text, below, below, width);
	}
	page_laid_done(&laid);
}

static void add_line(struct strbuf *out, const struct page_line *line, int width)
{
	switch (line->style) {
	case PAGE_TITLE:
		strbuf_addf(out, "\n%s\n", line->text);
		break;
	case PAGE_ROW:
		add_row(out, &line->row, width);
		break;
	default:
		strbuf_pad(out, ' ', INDENT);
		add_folded(out, line->text, INDENT, 2 * INDENT, width);
		break;
	}
}

void story_page_add_text(struct strbuf *out, const struct page *p, int width)
{
	add_folded(out, p->title, 0, INDENT, width);
	strbuf_addstr(out, p->n && p->line[0].style != PAGE_TITLE ? "\n" : "");
	for (size_t i = 0; i < p->n; i++)
		add_line(out, &p->line[i], width);
}
