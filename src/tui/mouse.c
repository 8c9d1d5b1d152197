/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/mouse.h"

#include "tui/key_act.h"
#include "tui/keys.h"

/* Records the time of a click on a row or line. Returns whether the click completes a double click.
 * same: the row or line was already the current one. */
static bool is_double(struct ui_state *ui, uint64_t time_ms, bool same)
{
	const uint64_t before_ms = ui->clicked_ms;

	ui->clicked_ms = time_ms;
	return same && before_ms && time_ms - before_ms <= MOUSE_DOUBLE_MS;
}

/* Selects the row; at a double click, does the action "choose". If another row has moved to this
 * place since the first click, that row is only selected. */
static unsigned click_row(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			  size_t i, uint64_t time_ms)
{
	if (!ui->frame || i >= ui->frame->n)
		return REACT_NONE;
	if (is_double(ui, time_ms, ui->cursor.held && ui->cursor.index == i))
		return keys_do(ui, view, screens, "choose");
	ui->search.waits = false;
	cursor_put(&ui->cursor, ui->frame, i);
	view->follows = false;
	return REACT_PAINT;
}

static unsigned click_line(struct ui_state *ui, struct view *view,
			   const struct screen_list *screens, size_t line, uint64_t time_ms)
{
	if (is_double(ui, time_ms, ui->menu == line))
		return keys_do(ui, view, screens, "choose");
	ui->menu = line;
	return REACT_PAINT;
}

/* Sorts by the column in its usual order; if the column sorts already, reverses the order. */
static unsigned click_name(struct view *view, int sort)
{
	view->reverse = view->sort == sort && !view->reverse;
	view->sort = sort;
	return REACT_REBUILD;
}

static unsigned click(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		      const struct mouse *mouse)
{
	const struct hit hit = hits_at(&ui->hits, mouse->x, mouse->y);

	if (hit.kind == HIT_ROW)
		return click_row(ui, view, screens, (size_t)hit.what, mouse->time_ms);
	if (hit.kind == HIT_LINE)
		return click_line(ui, view, screens, (size_t)hit.what, mouse->time_ms);
	ui->clicked_ms = 0;
	if (hit.kind == HIT_NAME)
		return click_name(view, hit.what);
	return hit.kind == HIT_TAB ? key_show_screen(ui, view, screens, hit.what) : REACT_NONE;
}

unsigned mouse_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     const struct mouse *mouse)
{
	unsigned reactions;

	if (ask_takes_keys(&ui->ask))
		return REACT_NONE;
	reactions = ask_clear(&ui->ask) | (legend_clear(&ui->legend) ? REACT_PAINT : REACT_NONE);
	if (mouse->kind == MOUSE_CLICK)
		return reactions | click(ui, view, screens, mouse);
	for (int i = 0; i < MOUSE_WHEEL_ROWS; i++)
		reactions |=
			keys_do(ui, view, screens, mouse->kind == MOUSE_WHEEL_UP ? "up" : "down");
	return reactions;
}
