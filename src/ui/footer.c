/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: the last line: keys, and what was asked for. */
#include <inttypes.h>
#include <string.h>

#include "ui/errors.h"
#include "ui/keymap.h"
#include "ui/part.h"

/* As many hints of what can be done here as fit into the columns before end, none of them cut. */
static void paint_hints(struct canvas *c, int y, int end, const struct ui_state *ui)
{
	struct strbuf keys;
	int x = 0;

	strbuf_init(&keys);
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if (!row->hint || key_refusal(row, ui))
			continue;
		strbuf_reset(&keys);
		keymap_add_keys(ui->keymap, row, 1, &keys);
		if (row->pair) {
			strbuf_addch(&keys, ' ');
			keymap_add_keys(ui->keymap, row + 1, 1, &keys);
		}
		if (!keys.len)
			continue;
		if (x + canvas_text_width(keys.text) + 1 + canvas_text_width(row->hint) > end)
			break;
		x = canvas_put(c, x, y, LOOK_KEY, keys.text);
		x = canvas_put(c, x + 1, y, LOOK_NORMAL, row->hint) + 2;
	}
	strbuf_done(&keys);
}

/* Puts text before column end where it fits, and empties it; returns where it begins, with
 * blanks before it. */
static int put_before(struct canvas *c, int y, int end, uint8_t attr, struct strbuf *text)
{
	int x = end - canvas_text_width(text->text);

	if (text->len > 0 && x >= 0) {
		canvas_put(c, x, y, attr, text->text);
		end = x - 2;
	}
	strbuf_reset(text);
	return end;
}

/* From this width on, the footer has room for more than what a refresh took. */
#define WIDE           140
#define COST_MIN_WIDTH 72

/* All numbers have fixed places: only what has changed is sent to the terminal. */
static void add_cost(struct strbuf *out, const struct own_cost *cost, int width)
{
	strbuf_addf(out, "tiptop: %6.2f ms, %5.2f %%", cost->cpu_us / 1e3, cost->share_pct);
	if (width >= WIDE)
		strbuf_addf(out, " of a CPU, %5zu tasks, %5zu ran, %5zu groups, %5zu descriptors",
			    cost->tasks, cost->ran, cost->groups, cost->n_fds);
}

/* How many columns the explanation of marks leaves for the first hints: "h help  q quit". */
#define FIRST_HINTS 16

/* What was asked for stands at the right, the errors rightmost, and before them marks that show for
 * the first time; the hints take the rest. */
void part_paint_footer(const struct picture *p, int y, int n)
{
	const struct frame *frame = p->frame;
	struct canvas *c = p->c;
	struct strbuf text;
	int end;

	(void)n;
	strbuf_init(&text);
	errors_add_hint(&text, p->info->log);
	end = put_before(c, y, c->width, LOOK_NOTE, &text);
	if (frame->view->epoch)
		strbuf_addf(&text, "epoch %" PRIu64, frame->wall_ns / 1000000000);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->view->timestamp)
		strbuf_addf(&text, "refresh %" PRIu64, frame->number);
	end = put_before(c, y, end, LOOK_NORMAL, &text);
	if (frame->cost && c->width >= COST_MIN_WIDTH)
		add_cost(&text, frame->cost, c->width);
	end = put_before(c, y, end, LOOK_FAINT, &text);
	legend_add(&p->ui->legend, end - FIRST_HINTS, &text);
	end = put_before(c, y, end, LOOK_NOTE, &text);
	paint_hints(c, y, end, p->ui);
	strbuf_done(&text);
}
