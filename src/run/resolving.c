/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/resolving.h"

#include <poll.h>

#include "run/progress_terminal.h"

#define LOOK_MS 200

static void check_signals(struct resolving *r)
{
	struct signal_event taken;

	while ((taken = signals_next(r->signals)).meaning != SIGNAL_NONE)
		r->ended |= taken.meaning == SIGNAL_END;
}

static void wait_for(const struct resolving *r, const struct resolver *names)
{
	struct pollfd fd[] = {{.fd = resolver_fd(names), .events = POLLIN},
			      {.fd = r->signals->fd, .events = POLLIN}};

	poll(fd, sizeof fd / sizeof *fd, LOOK_MS);
}

/* --- progress: names and lines have a track each, as a line takes much longer than a name --- */

_Static_assert((int)LOOKUP_KINDS == PROGRESS_TRACKS, "each kind has a track");

struct lookup_progress {
	struct progress progress;
	const struct resolver *names;
	size_t before[LOOKUP_KINDS]; /* lookups that were answered for earlier reports */
};

static void begin(struct lookup_progress *l, const struct resolver *names)
{
	struct progress_task task = {.what = "looking up names and lines",
				     .hint = "Ctrl-C leaves out the rest"};

	l->names = names;
	for (int k = 0; k < LOOKUP_KINDS; k++) {
		l->before[k] = resolver_n_answered(names, k);
		task.track[k].total = (double)(resolver_n_wanted(names, k) - l->before[k]);
	}
	progress_begin(&l->progress, progress_terminal(false), &task);
}

static void note(struct lookup_progress *l)
{
	for (int k = 0; k < LOOKUP_KINDS; k++)
		progress_set(&l->progress, k,
			     (double)(resolver_n_answered(l->names, k) - l->before[k]));
}

void resolving_run(struct resolving *r, struct resolver *names)
{
	struct lookup_progress l;

	begin(&l, names);
	check_signals(r);
	while (!r->ended && resolver_step(names) && resolver_n_missing(names)) {
		note(&l);
		wait_for(r, names);
		check_signals(r);
	}
	if (r->ended)
		resolver_give_up(names, "a signal ended that");
	progress_end(&l.progress);
}
