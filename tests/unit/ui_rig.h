/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ui_rig - the live screen without a terminal, on top of the frame_rig: keys go through
 * keys_apply(), and the frame is rebuilt and painted as the loop does.
 *
 *   ui_rig_init(&r, width, height); frame_rig_add(&r.frame, ...); ui_rig_build(&r);
 *   UI_RIG_PRESS(&r, 'h', KEYCODE_END); ui_rig_shows(&r, "text");
 */
#ifndef TESTS_UI_RIG_H
#define TESTS_UI_RIG_H

#include <stdlib.h>

#include "base/log.h"
#include "frame_rig.h"
#include "tap.h"
#include "tui/key.h"
#include "tui/keys.h"
#include "tui/paint.h"

struct ui_rig {
	struct frame_rig rig;
	struct screen_list screens;
	struct ui_state ui;
	struct live_info info;
	struct log log;
	struct canvas canvas;
};

/* Begins with a screen of the columns %CPU and P (processor). */
static inline void ui_rig_init(struct ui_rig *r, int width, int height)
{
	struct screen *screen = screen_new("rig", "a screen");

	memset(r, 0, sizeof *r);
	screen_add_column(screen, " %CPU", "%5.1f", "CPU usage", "CPU_TOT");
	screen_add_column(screen, "  P", "%3.0f", "CPU on which it ran last", "PROC_ID");
	frame_rig_init(&r->rig, screen);
	screen_list_add(&r->screens, screen);
	screen_list_number(&r->screens);
	r->info = (struct live_info){.user = "me", .screens = &r->screens, .log = &r->log};
	canvas_resize(&r->canvas, width, height);
}

static inline void ui_rig_done(struct ui_rig *r)
{
	ui_state_done(&r->ui);
	canvas_done(&r->canvas);
	free(r->screens.v);
	frame_rig_done(&r->rig); /* and with it the screen */
}

static inline void ui_rig_build(struct ui_rig *r)
{
	frame_rig_build(&r->rig);
	paint_screen(&r->canvas, &r->ui, &r->rig.frame, &r->info);
}

/* Presses keys. Returns all reactions. */
static inline unsigned ui_rig_press(struct ui_rig *r, const int *key, size_t n)
{
	unsigned all = 0;

	for (size_t i = 0; i < n; i++) {
		all |= keys_apply(&r->ui, &r->rig.view, &r->screens, key[i]);
		ui_rig_build(r);
	}
	return all;
}

#define UI_RIG_PRESS(r, ...)                                                                       \
	ui_rig_press(r, (const int[]){__VA_ARGS__},                                                \
		     sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static inline unsigned ui_rig_type(struct ui_rig *r, const char *text)
{
	unsigned all = 0;

	for (; *text; text++)
		all |= UI_RIG_PRESS(r, (unsigned char)*text);
	return all;
}

static inline bool ui_rig_shows(struct ui_rig *r, const char *text)
{
	struct strbuf dump;
	bool found;

	strbuf_init(&dump);
	canvas_dump(&r->canvas, false, &dump);
	found = strstr(dump.text, text);
	if (!found)
		tap_show("got", dump.text);
	strbuf_done(&dump);
	return found;
}

/* Returns the id of the current row. */
static inline long ui_rig_current(const struct ui_rig *r)
{
	const struct frame_row *row = cursor_row(&r->ui.cursor, &r->rig.frame);

	return row ? (long)row->task->id : -1;
}

#endif
