/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/page_table.h"

#include "base/text.h"

/* What is left for the last column, at least. */
#define REST_MIN 20

void page_laid_init(struct page_laid *laid)
{
	strbuf_init(&laid->fixed);
	strbuf_init(&laid->below);
}

void page_laid_done(struct page_laid *laid)
{
	strbuf_done(&laid->fixed);
	strbuf_done(&laid->below);
}

/* So many columns have room. */
static int count_fitting(const struct page_table *table, int width)
{
	int n = 0, x = 0;

	for (; n < table->n; n++) {
		const struct page_column *c = &table->column[n];

		x += c->gap + (c->width ? c->width : REST_MIN);
		if (x > width)
			break;
	}
	return n;
}

static const char *text_of(const struct page_cells *row, int i)
{
	return row->cell ? row->cell[i] : row->table->column[i].name;
}

static void add_cut(struct strbuf *out, const char *text, int width)
{
	const size_t start = out->len;

	strbuf_addstr(out, text);
	while (text_length(out->text + start) > width) {
		while (text_continues(out->text[--out->len]))
			;
		out->text[out->len] = '\0';
	}
}

static void add_cell(struct strbuf *out, const struct page_column *c, const char *text)
{
	const size_t start = out->len;
	const int free = c->width - text_length(text);

	if (!c->is_text)
		strbuf_pad(out, ' ', free);
	add_cut(out, text, c->is_text ? c->width : text_length(text));
	if (c->is_text)
		strbuf_pad(out, ' ', c->width - text_length(out->text + start));
}

static void add_below(struct strbuf *out, const struct page_cells *row, int i)
{
	if (!row->cell || !row->cell[i])
		return;
	strbuf_addf(out, "%s%s %s", out->len ? ", " : "", row->table->column[i].name, row->cell[i]);
}

static void trim(struct strbuf *text)
{
	while (text->len && text->text[text->len - 1] == ' ')
		text->text[--text->len] = '\0';
}

void page_table_lay(struct page_laid *laid, const struct page_cells *row, int width)
{
	const struct page_table *table = row->table;
	const int n = count_fitting(table, width);
	int last = -1;
	bool more = false;

	strbuf_reset(&laid->fixed);
	strbuf_reset(&laid->below);
	laid->x = 0;
	laid->rest = "";
	for (int i = 0; i < n; i++)
		if (text_of(row, i))
			last = i;
	for (int i = n; i < table->n; i++)
		more = more || text_of(row, i);
	for (int i = 0; i <= last; i++) {
		const struct page_column *c = &table->column[i];
		const char *text = text_of(row, i);

		strbuf_pad(&laid->fixed, ' ', c->gap);
		/* What stands last of all may be longer than its column. */
		if (i == last && c->is_text && !(more && c->width))
			laid->rest = text;
		else
			add_cell(&laid->fixed, c, text ? text : "");
	}
	if (!*laid->rest)
		trim(&laid->fixed);
	laid->x = text_length(laid->fixed.text);
	for (int i = n; i < table->n; i++)
		add_below(&laid->below, row, i);
}
