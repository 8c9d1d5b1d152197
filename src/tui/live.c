/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/live.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tui/canvas.h"
#include "tui/keymap.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "tui/term.h"

struct live {
	struct canvas canvas;
	struct ui_state ui;
	const struct frame *frame; /* NULL: none yet */
	struct live_info info;
	bool at_once;
	uint64_t digit_ns; /* when the last key was pressed, in ns of CLOCK_MONOTONIC */
};

static int live_open(struct sink *sink, struct err *err)
{
	int ret = term_open(err);
	struct live *l;

	if (ret)
		return ret;
	l = xcalloc(1, sizeof *l);
	l->ui.legend.wanted = true;
	l->ui.graph.finest = dots_style_of_terminal(getenv("TERM"));
	sink->state = l;
	return 0;
}

static int live_close(struct sink *sink, struct err *err)
{
	struct live *l = sink->state;

	(void)err;
	term_close(l->at_once);
	canvas_done(&l->canvas);
	ui_state_done(&l->ui);
	free(l);
	sink->state = NULL;
	return 0;
}

static int live_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct live *l = sink->state;

	(void)err;
	l->frame = frame;
	live_repaint(l, false);
	return 0;
}

const struct sink_ops live_sink = {
	.name = "live",
	.help = "the live screen",
	.redraws = true,
	.open = live_open,
	.frame = live_frame,
	.close = live_close,
};

struct live *live_of(const struct sink *sink)
{
	return sink ? sink->state : NULL;
}

void live_set_info(struct live *l, const struct live_info *info)
{
	l->info = *info;
	l->ui.ask.path = info->conf_path;
	l->ui.ask.filters = info->filters;
	l->ui.readonly = info->readonly;
	l->ui.replay = info->replay;
	l->ui.keymap = info->keymap;
	l->ui.setup.hidden = info->hidden;
	l->ui.setup.choices = info->choices;
	l->ui.setup.trial = info->trial;
	l->ui.setup.settings = info->settings;
	term_use_theme(info->theme, info->plain);
	term_set_mouse(info->mouse);
}

void live_at_once(struct live *l)
{
	l->at_once = true;
}

int live_fd(const struct live *l)
{
	(void)l;
	return term_fd();
}

void live_repaint(struct live *l, bool resized)
{
	int width, height;

	if (resized)
		term_resize();
	term_size(&width, &height);
	/* Set only a new size here: paint_screen() empties the canvas, and keeps its size. */
	if (width != l->canvas.width || height != l->canvas.height)
		canvas_resize(&l->canvas, width, height);
	if (l->frame)
		paint_screen(&l->canvas, &l->ui, l->frame, &l->info);
	term_show(&l->canvas, l->ui.redraw);
	l->ui.redraw = false;
	/* While a prompt is open, Ctrl-C cancels the prompt instead of ending the program. */
	term_set_intr(ask_takes_keys(&l->ui.ask));
}

unsigned live_keys(struct live *l, struct view *view, const struct screen_list *screens)
{
	unsigned reactions = REACT_NONE;
	bool any = false;
	struct mouse mouse;
	int key;

	/* Leave the keys after a request unread until the main loop has carried the request out:
	 * the user means them for the result. */
	while (!(reactions & (REACT_QUIT | REACT_REQUEST)) && term_read_key(&key, &mouse)) {
		any = true;
		reactions |= key == KEYCODE_MOUSE ? mouse_apply(&l->ui, view, screens, &mouse)
						  : keys_apply(&l->ui, view, screens, key);
	}
	if (any)
		l->digit_ns = clock_ns(CLOCK_MONOTONIC);
	if (!any && term_lost())
		reactions |= REACT_LOST;
	return reactions;
}

uint64_t live_deadline_ns(const struct live *l)
{
	const uint64_t waits_ns = keys_timeout_ns(&l->ui);

	return waits_ns ? l->digit_ns + waits_ns : 0;
}

unsigned live_time_out(struct live *l, struct view *view, const struct screen_list *screens)
{
	return keys_time_out(&l->ui, view, screens);
}

bool live_is_away(const struct live *l)
{
	return ui_state_is_away(&l->ui);
}

struct request live_take_request(struct live *l)
{
	struct request request = l->ui.ask.ready;

	l->ui.ask.ready.kind = REQUEST_NONE;
	return request;
}

const struct live_task *live_tasks(const struct live *l, size_t *n)
{
	*n = l->ui.n_tasks;
	return l->ui.tasks;
}

struct setup_page *live_setup(struct live *l)
{
	return &l->ui.setup;
}

void live_offer(struct live *l, enum request_kind kind, const char *text)
{
	ask_offer(&l->ui.ask, kind, text);
	live_repaint(l, false);
}

void live_message(struct live *l, const char *text)
{
	keymap_say(&l->ui, text);
	live_repaint(l, false);
}

void live_open_page(struct live *l)
{
	l->ui.panel = PANEL_PAGE;
}

void live_acknowledge(struct live *l, const char *text)
{
	struct canvas *c = &l->canvas;

	canvas_fill(c, 0, c->height - 1, c->width, LOOK_NOTE);
	canvas_put_cut(c, 0, c->height - 1, c->width, LOOK_NOTE, text);
	term_show(c, false);
}

void live_refuse(struct live *l, const struct request *refused, const char *reason)
{
	ask_refuse(&l->ui.ask, refused, reason);
	live_repaint(l, false);
}

void live_confirm(struct live *l, const char *question, const struct request *then)
{
	ask_question(&l->ui.ask, question, then);
	live_repaint(l, false);
}

/* Paints without the dialog: the picture must not show the prompt for its file name. */
int live_picture(struct live *l, const char *path, struct strbuf *out, struct err *err)
{
	const struct picture_format *format = picture_find(path, err);
	const struct ask ask = l->ui.ask;

	if (!format)
		return -EINVAL;
	l->ui.ask.mode = ASK_NOTHING;
	paint_screen(&l->canvas, &l->ui, l->frame, &l->info);
	format->write(out, &l->canvas, term_theme());
	l->ui.ask = ask;
	return 0;
}

void live_suspend(struct live *l)
{
	(void)l;
	term_suspend();
}

void live_resume(struct live *l)
{
	term_resume();
	live_repaint(l, false);
}
