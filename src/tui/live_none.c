/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of live: replaces live.c in a tiptop built without ncurses. */
#include <errno.h>

#include "tui/live.h"

static int live_open(struct sink *sink, struct err *err)
{
	(void)sink;
	return err_set(err, ENOSYS, "this tiptop was built without ncurses: use -b for text");
}

const struct sink_ops live_sink = {.name = "live", .help = "the live screen", .open = live_open};

struct live *live_of(const struct sink *sink)
{
	(void)sink;
	return NULL;
}

void live_set_info(struct live *l, const struct live_info *info)
{
	(void)l;
	(void)info;
}

void live_open_page(struct live *l)
{
	(void)l;
}

void live_at_once(struct live *l)
{
	(void)l;
}

int live_fd(const struct live *l)
{
	(void)l;
	return -1;
}

void live_repaint(struct live *l, bool resized)
{
	(void)l;
	(void)resized;
}

unsigned live_keys(struct live *l, struct view *view, const struct screen_list *screens)
{
	(void)l;
	(void)view;
	(void)screens;
	return REACT_NONE;
}

bool live_is_away(const struct live *l)
{
	(void)l;
	return false;
}

uint64_t live_deadline_ns(const struct live *l)
{
	(void)l;
	return 0;
}

unsigned live_time_out(struct live *l, struct view *view, const struct screen_list *screens)
{
	return live_keys(l, view, screens);
}

struct request live_take_request(struct live *l)
{
	(void)l;
	return (struct request){.kind = REQUEST_NONE};
}

const struct live_task *live_tasks(const struct live *l, size_t *n)
{
	(void)l;
	*n = 0;
	return NULL;
}

struct setup_page *live_setup(struct live *l)
{
	(void)l;
	return NULL;
}

void live_offer(struct live *l, enum request_kind kind, const char *text)
{
	(void)l;
	(void)kind;
	(void)text;
}

void live_acknowledge(struct live *l, const char *text)
{
	(void)l;
	(void)text;
}

void live_message(struct live *l, const char *text)
{
	(void)l;
	(void)text;
}

void live_refuse(struct live *l, const struct request *refused, const char *reason)
{
	(void)l;
	(void)refused;
	(void)reason;
}

void live_confirm(struct live *l, const char *question, const struct request *then)
{
	(void)l;
	(void)question;
	(void)then;
}

int live_picture(struct live *l, const char *path, struct strbuf *out, struct err *err)
{
	(void)l;
	(void)path;
	(void)out;
	return err_set(err, ENOSYS, "there is no live screen");
}

void live_suspend(struct live *l)
{
	(void)l;
}

void live_resume(struct live *l)
{
	(void)l;
}
