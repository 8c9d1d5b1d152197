/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write_rig - a state of the program to be written by the key W, and reading it back.
 */
#ifndef WRITE_RIG_H
#define WRITE_RIG_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conf/write.h"
#include "conf/xml.h"
#include "tap.h"

static inline void note(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* The options, screens, CPUs and events that W writes. */
struct state {
	struct options options;
	struct screen_list screens;
	struct own_table own;
	struct theme_list themes;
	struct filter_list filters;
};

static inline struct conf_state state_of(const struct state *s)
{
	return (struct conf_state){&s->options, &s->own.table, &s->screens, &s->themes,
				   &s->filters};
}

static inline void state_init(struct state *s)
{
	options_init(&s->options);
	s->screens = (struct screen_list)SCREEN_LIST_INIT;
	own_table_init(&s->own, &event_table_built_in);
	s->themes = (struct theme_list)THEME_LIST_INIT;
	theme_list_add_built_in(&s->themes);
	s->filters = (struct filter_list)FILTER_LIST_INIT;
}

static inline void state_done(struct state *s)
{
	options_done(&s->options);
	screen_list_done(&s->screens);
	own_table_done(&s->own);
	theme_list_done(&s->themes);
	filter_list_done(&s->filters);
}

static inline void read_state(struct state *s, const char *text, size_t len, struct strbuf *faults)
{
	const struct conf_into into = {.options = &s->options,
				       .screens = &s->screens,
				       .own = &s->own,
				       .themes = &s->themes,
				       .filters = &s->filters};
	int fd = memfd_create("state", MFD_CLOEXEC);
	struct err err = ERR_INIT;

	state_init(s);
	if (write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		tap_ok(false, "a file in memory");
	if (conf_read(fd, "f", &into, note, faults, &err))
		strbuf_addstr(faults, err.text);
	close(fd);
}

#endif
