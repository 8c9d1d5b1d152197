/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of live: the output that writes a picture of the screen. */
#include "tui/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "tui/canvas.h"
#include "tui/paint.h"

#define WIDTH  80
#define HEIGHT 24

struct shot {
	const struct picture_format *format;
	const struct frame *frame; /* NULL: none yet */
	const struct live_info *info;
	int width, height;
};

static int shot_open(struct sink *sink, struct err *err)
{
	const struct picture_format *format = picture_find(sink->dest.path, err);
	struct shot *shot;

	if (!format)
		return -EINVAL;
	shot = xcalloc(1, sizeof(*shot));
	*shot = (struct shot){.format = format, .width = WIDTH, .height = HEIGHT};
	sink->state = shot;
	return 0;
}

static int shot_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	struct shot *shot = sink->state;

	(void)err;
	shot->frame = frame;
	return 0;
}

static void draw(const struct shot *shot, struct strbuf *out)
{
	const char *no_colour = getenv("NO_COLOR");
	struct canvas canvas = CANVAS_INIT;
	struct ui_state *ui = xcalloc(1, sizeof(*ui));

	canvas_resize(&canvas, shot->width, shot->height);
	ui->panel = shot->info->page ? PANEL_PAGE : PANEL_NONE;
	paint_screen(&canvas, ui, shot->frame, shot->info);
	shot->format->write(out, &canvas,
			    no_colour && *no_colour ? shot->info->plain : shot->info->theme);
	canvas_done(&canvas);
	ui_state_done(ui);
	free(ui);
}

static int shot_close(struct sink *sink, struct err *err)
{
	struct shot *shot = sink->state;
	struct strbuf out;
	int ret = 0;

	strbuf_init(&out);
	if (shot->frame && shot->info) {
		draw(shot, &out);
		ret = dest_write(&sink->dest, out.text, out.len, err);
	}
	strbuf_done(&out);
	free(shot);
	sink->state = NULL;
	return ret;
}

const struct sink_ops shot_sink = {
	.name = "screenshot",
	.help = "the live screen as a picture",
	.open = shot_open,
	.frame = shot_frame,
	.close = shot_close,
};

int shot_parse_size(const char *text, int *width, int *height, struct err *err)
{
	const char *by = strchr(text, 'x');
	char *columns = xstrndup(text, by ? (size_t)(by - text) : 0);
	long w = 0, h = 0;
	int ret = -EINVAL;

	if (by)
		ret = num_parse_int(columns, "the width", 1, WINSIZE_WIDTH_MAX, &w, NULL);
	if (!ret)
		ret = num_parse_int(by + 1, "the height", 1, WINSIZE_HEIGHT_MAX, &h, NULL);
	free(columns);
	if (ret)
		return err_set(err, EINVAL,
			       "'%s' is not a size of a picture: write columns and lines, as in "
			       "100x30, %dx%d at most",
			       text, WINSIZE_WIDTH_MAX, WINSIZE_HEIGHT_MAX);
	*width = (int)w;
	*height = (int)h;
	return 0;
}

void shot_set_info(struct sink *sink, const struct live_info *info, const char *size)
{
	struct shot *shot = sink->state;
	int width, height;

	shot->info = info;
	if (size ? !shot_parse_size(size, &width, &height, NULL)
		 : winsize_ask(STDOUT_FILENO, &width, &height)) {
		shot->width = width;
		shot->height = height;
	}
}
