/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: what is laid over a row: that it is the current one, tagged, found. */
#include <string.h>

#include "ui/part.h"

/* Numbers of columns are not searched: a text of digits is marked in the id only. */
static int search_end(const struct picture *p)
{
	const char *text = p->ui->search.text;

	return text[strspn(text, "0123456789")] ? p->c->width : p->frame->id_width;
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
	if (search_matches(&p->ui->search, row))
		search_mark(p->ui->search.text, p->c, 0, y, search_end(p));
}
