/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of paint: the last line: keys, and what was asked for. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "tui/errors.h"
#include "tui/key_act.h"
#include "tui/keymap.h"
#include "tui/paint_part.h"

/* Appends the keys of a hint. */
static void add_keys(struct strbuf *out, const struct keymap *keymap, const struct key_row *row)
{
	keymap_add_keys(keymap, row, 1, out);
	if (row->pair) {
		strbuf_addch(out, ' ');
		keymap_add_keys(keymap, row + 1, 1, out);
	}
}

/* Help and quit come first, then what only a recording has, then the others. */
enum { FIRST, OF_REPLAY, OTHERS, N_RANKS };

static int rank_of(const struct key_row *row)
{
	if (row->only_replay)
		return OF_REPLAY;
	return row->act == act_quit || (row->act == act_panel && row->arg == PANEL_HELP) ? FIRST
											 : OTHERS;
}

/* As many hints of what can be done here as fit into the columns before end, none of them cut, so
 * that a wider screen has all of a narrower one. Returns the column behind them. */
static int put_hints(struct canvas *c, int y, int end, const struct ui_state *ui)
{
	struct strbuf keys;
	int x = 0;

	strbuf_init(&keys);
	for (size_t i = 0; i < N_RANKS * key_table_n; i++) {
		const struct key_row *row = &key_table[i % key_table_n];

		if (!row->hint || rank_of(row) != (int)(i / key_table_n) || key_refusal(row, ui))
			continue;
		strbuf_reset(&keys);
		add_keys(&keys, ui->keymap, row);
		if (!keys.len)
			continue;
		if (x + canvas_text_width(keys.text) + 1 + canvas_text_width(row->hint) > end)
			break;
		x = canvas_put(c, x, y, LOOK_KEY, keys.text);
		x = canvas_put(c, x + 1, y, LOOK_NORMAL, row->hint) + 2;
	}
	strbuf_done(&keys);
	return x;
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

/* From this width on, what a refresh took is there: keys come first. */
#define COST_MIN_WIDTH 120

/* All numbers have fixed places: only what has changed is sent to the terminal. */
static void add_cost(struct strbuf *out, const struct own_cost *cost, bool whole)
{
	strbuf_addf(out, "tiptop: %6.2f ms, %5.2f %%", cost->cpu_us / 1e3, cost->share_pct);
	if (whole)
		strbuf_addf(out, " of a CPU, %5zu tasks, %5zu ran, %5zu groups, %5zu descriptors",
			    cost->tasks, cost->ran, cost->groups, cost->n_fds);
}

/* How many columns the explanation of marks leaves for the first hints: "h help  q quit". */
#define FIRST_HINTS 16

/* Puts what a refresh took before column end, all of it where all hints have room beside it.
 * Returns where they end; on a screen that is too narrow for it, not behind where they do on the
 * narrowest one that has it. */
static int put_cost(const struct picture *p, int y, int end)
{
	struct canvas none = {.width = 0};
	struct strbuf brief, whole;
	int all = put_hints(&none, 0, INT_MAX / 2, p->ui), last, room;

	strbuf_init(&brief);
	strbuf_init(&whole);
	add_cost(&brief, p->frame->cost, false);
	add_cost(&whole, p->frame->cost, true);
	room = end - canvas_text_width(brief.text) - 2;
	if (p->c->width < COST_MIN_WIDTH) {
		room += COST_MIN_WIDTH - p->c->width;
		last = end < room ? end : room;
	} else {
		last = put_before(p->c, y, end, LOOK_FAINT,
				  all + canvas_text_width(whole.text) <= end ? &whole : &brief);
	}
	strbuf_done(&brief);
	strbuf_done(&whole);
	return last;
}

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
	if (frame->cost)
		end = put_cost(p, y, end);
	legend_add(&p->ui->legend, end - FIRST_HINTS, &text);
	end = put_before(c, y, end, LOOK_NOTE, &text);
	put_hints(c, y, end, p->ui);
	strbuf_done(&text);
}
