/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/keys.h"

#include "ui/live.h"

void scroll_fit(struct scroll *s, size_t n, size_t page)
{
	size_t last = n > page ? n - page : 0;

	s->n = n;
	s->page = page;
	if (s->top > last)
		s->top = last;
}

static unsigned act_help(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->help = !ui->help;
	ui->help_lines.top = 0;
	return row->reaction;
}

static unsigned act_close(const struct key_row *row, struct ui_state *ui, struct view *view,
			  const struct screen_list *screens)
{
	return ui->help ? act_help(row, ui, view, screens) : REACT_NONE;
}

static unsigned act_quit(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	if (!ui->help)
		return row->reaction;
	act_help(row, ui, view, screens);
	return REACT_PAINT;
}

/* Other columns, so the sorting starts anew at the first. */
static unsigned act_screen(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	(void)ui;
	if (screens->n < 2)
		return REACT_NONE;
	view->screen = (view->screen + screens->n + (size_t)row->arg) % screens->n;
	view->sort_column = 0;
	return row->reaction;
}

static unsigned act_sort(const struct key_row *row, struct ui_state *ui, struct view *view,
			 const struct screen_list *screens)
{
	size_t last = screens->v[view->screen]->n_columns; /* COMMAND */

	(void)ui;
	if (row->arg < 0 ? view->sort_column == 0 : view->sort_column >= last)
		return REACT_NONE;
	view->sort_column += (size_t)row->arg;
	return row->reaction;
}

static unsigned act_toggle(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	bool *field = (bool *)((char *)view + row->arg);

	(void)ui;
	(void)screens;
	*field = !*field;
	return row->reaction;
}

static unsigned act_scroll(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	struct scroll *s = ui->help ? &ui->help_lines : &ui->rows;
	size_t old = s->top;

	(void)view;
	(void)screens;
	switch (row->key) {
	case KEYCODE_UP:
		s->top -= s->top > 0;
		break;
	case KEYCODE_DOWN:
		s->top++;
		break;
	case KEYCODE_PGUP:
		s->top -= s->page < s->top ? s->page : s->top;
		break;
	case KEYCODE_PGDN:
		s->top += s->page;
		break;
	case KEYCODE_HOME:
		s->top = 0;
		break;
	case KEYCODE_END:
		s->top = s->n;
		break;
	}
	scroll_fit(s, s->n, s->page);
	return s->top == old ? REACT_NONE : row->reaction;
}

static unsigned act_redraw(const struct key_row *row, struct ui_state *ui, struct view *view,
			   const struct screen_list *screens)
{
	(void)view;
	(void)screens;
	ui->redraw = true;
	return row->reaction;
}

#define VIEW(field) offsetof(struct view, field)

/* The most wanted come first: the footer takes as many hints as it has room for. */
const struct key_row key_table[] = {
	{'h', "h", "this help; again to close it", "h", "help", REACT_PAINT, true, act_help, 0},
	{'q', "q", "quit; in the help: close the help", "q", "quit", REACT_QUIT, true, act_quit, 0},
	{KEYCODE_ESC, "ESC", "close the help", NULL, NULL, REACT_PAINT, true, act_close, 0},
	{KEYCODE_LEFT, "LEFT", "the screen to the left", "LEFT RIGHT", "screen", REACT_RECONFIGURE, false, act_screen,
	 -1},
	{KEYCODE_RIGHT, "RIGHT", "the screen to the right", NULL, NULL, REACT_RECONFIGURE, false, act_screen, 1},
	{'<', "<", "sort by the column to the left", "< >", "sort", REACT_REBUILD, false, act_sort, -1},
	{'>', ">", "sort by the column to the right", NULL, NULL, REACT_REBUILD, false, act_sort, 1},
	{'R', "R", "reverse the order: smallest first, or largest first", "R", "reverse", REACT_REBUILD, false,
	 act_toggle, VIEW(ascending)},
	{'i', "i", "show idle tasks too, or only those that ran", "i", "idle", REACT_REBUILD, false, act_toggle,
	 VIEW(idle)},
	{'H', "H", "one row for each thread, or for each process", "H", "threads", REACT_RECONFIGURE, false, act_toggle,
	 VIEW(threads)},
	{'c', "c", "show command lines, or names", "c", "command", REACT_REBUILD, false, act_toggle,
	 VIEW(show_cmdline)},
	{'U', "U", "show the users, or not", "U", "user", REACT_REBUILD, false, act_toggle, VIEW(show_user)},
	{'K', "K", "count in the kernel too, or only in user mode; counting starts anew", "K", "kernel",
	 REACT_RECONFIGURE, false, act_toggle, VIEW(kernel)},
	{KEYCODE_UP, "UP", "scroll up by a line", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_DOWN, "DOWN", "scroll down by a line", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_PGUP, "PGUP", "scroll up by a page", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_PGDN, "PGDN", "scroll down by a page", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_HOME, "HOME", "scroll to the top", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_END, "END", "scroll to the end", NULL, NULL, REACT_PAINT, true, act_scroll, 0},
	{KEYCODE_CTRL_L, "Ctrl-L", "paint the screen anew", NULL, NULL, REACT_PAINT, true, act_redraw, 0},
};

const size_t key_table_n = sizeof(key_table) / sizeof(key_table[0]);

unsigned keys_apply(struct ui_state *ui, struct view *view, const struct screen_list *screens, int key)
{
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];

		if (row->key == key && (row->in_help || !ui->help))
			return row->act(row, ui, view, screens);
	}
	return REACT_NONE;
}
