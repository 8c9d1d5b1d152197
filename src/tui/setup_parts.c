/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of setup_page: the parts of the live screen, each of which can be hidden. */
#include <string.h>

#include "base/mem.h"
#include "tui/setup_page_part.h"
#include "view/parts.h"

#define HELP_COLUMN 12

/* The part of line i, of those that can be hidden; N_PARTS: there is none. */
static int part_of(size_t i)
{
	int part = 0;

	while (part < N_PARTS && (!parts_name(part) || i--))
		part++;
	return part;
}

/* By the option. */
static unsigned want(struct ui_state *ui, unsigned hidden)
{
	struct strbuf text;
	unsigned reactions;

	strbuf_init(&text);
	parts_add(&text, hidden);
	reactions = setup_want_change(ui, (struct setup_change){.option = xstrdup("layout"),
								.value = xstrdup(text.text)});
	strbuf_done(&text);
	return reactions;
}

static unsigned take(struct ui_state *ui, const struct view *view, int way)
{
	const int part = part_of(ui->menu);
	const unsigned hidden = view->hidden ^ PART_BIT(part);

	(void)way;
	if (part == N_PARTS)
		return REACT_NONE;
	/* The last one that was hidden is wanted on a low screen, too. */
	return want(ui, hidden == PARTS_AUTO ? PARTS_FULL : hidden);
}

static unsigned hide(struct ui_state *ui, const struct view *view, int way)
{
	const int part = part_of(ui->menu);

	if (part == N_PARTS || view->hidden & PART_BIT(part))
		return REACT_NONE;
	return take(ui, view, way);
}

static unsigned shift(struct ui_state *ui, const struct view *view, int way)
{
	(void)view, (void)way;
	return setup_tell(ui, "parts keep their order: Enter hides one, or shows it again");
}

static void write_lines(struct sheet *s, const void *setup_sheet)
{
	const struct setup_sheet *x = setup_sheet;

	for (int part = 0; part < N_PARTS; part++) {
		const char *name = parts_name(part), *help = parts_help(part);
		const bool shown = !(x->view->hidden & PART_BIT(part));
		const uint8_t look = shown ? LOOK_NORMAL | LOOK_STRONG : LOOK_NORMAL;

		if (!name)
			continue;
		setup_begin_line(s, x);
		if (shown)
			sheet_put(s, 0, look, "*", 1);
		sheet_put(s, SETUP_NAME_COLUMN, look, name, strlen(name));
		sheet_put(s, HELP_COLUMN, LOOK_NORMAL, help, strlen(help));
		s->y++;
	}
}

static void describe(struct strbuf *out, const struct setup_sheet *x, size_t i)
{
	const int part = part_of(i);

	strbuf_addf(out, "%s, %s\n%s", parts_name(part),
		    x->view->hidden & PART_BIT(part) ? "hidden" : "shown", parts_help(part));
}

static const struct key_hint hint[] = {
	{"choose", "hides or shows", NULL},
	{"screen-right", "columns", NULL},
	{"help", "help", NULL},
	{"quit", "closes", NULL},
	{NULL, NULL, NULL},
};

static const struct key_hint keys[] = {
	{"choose", "hide or show", NULL},
	{"screen-right", "columns", NULL},
	{"leave", "undo", NULL},
	{NULL, NULL, NULL},
};

const struct setup_pane_row setup_parts = {
	.title = "Parts",
	.hint = hint,
	.keys = keys,
	.write = write_lines,
	.describe = describe,
	.take = take,
	.remove = hide,
	.shift = shift,
	.type = shift,
};
