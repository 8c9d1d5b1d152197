/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_series - the frames of a part of a recording, gathered to series: what a batch run with
 * --replay would show, with idle tasks, whatever the configuration file says of how to show it.
 *
 *   gathering_open(); then g.setup has screen and machine; gathering_run(); gathering_close()
 */
#ifndef SESSION_REPLAY_SERIES_H
#define SESSION_REPLAY_SERIES_H

#include "compare/series.h"
#include "session/selection.h"
#include "session/setup.h"

struct gathering {
	struct setup setup;
	struct option_list *arguments;
};

/* What both commands that gather let the user choose. */
struct gathering_choice {
	char *screen;    /* as -S takes it; NULL: that of the recording */
	char *conf_path; /* as -W takes it; NULL: the usual one */
};

/* before: another one, open, whose screen is taken, by its name, and whose messages are not
 * repeated; NULL: none. -EINVAL: a mistake of the user. On failure, too, it is to be closed. */
int gathering_open(struct gathering *g, const struct selection *selection,
		   const struct gathering_choice *choice, const struct gathering *before,
		   struct err *err);
const struct screen *gathering_screen(const struct gathering *g);
/* Adds all frames to the list, by this key and with these values. note: what there is to say of the
 * recording; code 0: nothing. */
int gathering_run(struct gathering *g, enum group_key key, enum values values,
		  struct series_list *list, struct err *note, struct err *err);
/* The same of what is shown, step by step; processes, one by one. */
struct gathering_visit {
	size_t past; /* bytes of what was before that is kept, see pipeline_keep_past(); 0: none is
		      */
	void (*step)(void *context, struct pipeline *p);
	void (*end)(void *context, struct pipeline *p); /* NULL: nothing is done then */
	void *context;
};

int gathering_each(struct gathering *g, const struct gathering_visit *visit, struct err *note,
		   struct err *err);
/* Says why there is nothing of the recording, of which so many intervals were read. time, tasks:
 * the words by which the user chooses these. Returns -ENODATA. */
int gathering_explain_none(const struct gathering *g, size_t n_intervals, const char *time,
			   const char *tasks, struct err *err);
void gathering_close(struct gathering *g);

#endif
