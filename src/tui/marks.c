/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: what is laid over a row: that it is the current one, tagged, found. */
#include <string.h>

#include "tui/paint_part.h"

/* Numbers of columns are not searched: a text of digits is not marked there. */
static void mark_found(const struct picture *p, int y)
{
	const char *text = p->ui->search.text;
	const bool is_number = !text[strspn(text, "0123456789")];

	search_mark(text, p->c, 0, y, is_number ? p->frame->id_width : p->c->width);
	if (is_number)
		search_mark(text, p->c, layout_command(&p->ui->layout, p->frame), y, p->c->width);
}

void part_mark_row(const struct picture *p, int y, size_t i)
{
	const struct frame_row *row = &p->frame->row[i];
	const int tag_x = p->frame->id_width + 1; /* behind the id and its own mark is a blank */

	if (tags_has(&p->ui->tags, row))
		canvas_put(p->c, tag_x, y, LOOK_TAGGED, mark_table[MARK_TAGGED].sign);
	if (i == p->ui->cursor.index)
		canvas_lay(p->c, 0, y, p->c->width,
			   p->ui->cursor.follows ? LOOK_FOLLOWED : LOOK_CURRENT);
	else if (tags_has(&p->ui->tags, row))
		canvas_lay(p->c, 0, y, tag_x + 1, LOOK_TAGGED);
	if (search_matches(&p->ui->search, row, p->ui->layout.arguments))
		mark_found(p, y);
}
