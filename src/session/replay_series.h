/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_series - the frames of a part of a recording, gathered to series: what a batch run with
 * --replay would show, with idle tasks, whatever the configuration file says of how to show it.
 *
 *   replay_series_open(); then g.setup has screen and machine; replay_series_collect();
 * replay_series_close()
 */
#ifndef SESSION_REPLAY_SERIES_H
#define SESSION_REPLAY_SERIES_H

#include "compare/series.h"
#include "session/selection.h"
#include "session/setup.h"

struct replay_series {
	struct setup setup;
	struct option_list *arguments;
};

/* What both commands that gather let the user choose. */
struct replay_choice {
	char *screen;    /* as -S takes it; NULL: that of the recording */
	char *conf_path; /* as -W takes it; NULL: the usual one */
};

/* before: another one, open, whose screen is taken, by its name, and whose messages are not
 * repeated; NULL: none. -EINVAL: a mistake of the user. On failure, too, it is to be closed. */
int replay_series_open(struct replay_series *g, const struct selection *selection,
		       const struct replay_choice *choice, const struct replay_series *before,
		       struct err *err);
const struct screen *replay_series_screen(const struct replay_series *g);
/* Adds all frames to the list, by this key and with these values. note: what there is to say of the
 * recording; code 0: nothing. */
int replay_series_collect(struct replay_series *g, enum group_key key, enum values values,
			  struct series_list *list, struct err *note, struct err *err);
/* The same of what is shown, step by step; processes, one by one. */
struct replay_visitor {
	size_t past; /* bytes of what was before that is kept, see pipeline_keep_past(); 0: none is
		      */
	void (*step)(void *context, struct pipeline *p);
	void (*end)(void *context, struct pipeline *p); /* NULL: nothing is done then */
	void *context;
};

int replay_series_visit(struct replay_series *g, const struct replay_visitor *visit,
			struct err *note, struct err *err);
/* Says why there is nothing of the recording, of which so many intervals were read. time, tasks:
 * the words by which the user chooses these. Returns -ENODATA. */
int replay_series_explain_none(const struct replay_series *g, size_t n_intervals, const char *time,
			       const char *tasks, struct err *err);
void replay_series_close(struct replay_series *g);

#endif
