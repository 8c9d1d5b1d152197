/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/resolving.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SECOND 1000000000ull
/* How often it is said how far it is. */
#define PROGRESS_MS 200

#define ERASE_LINE "\r\033[K"

static void check_signals(struct resolving *r)
{
	struct signal_taken taken;

	while ((taken = signals_next(r->signals)).meaning != SIGNAL_NONE)
		r->ended |= taken.meaning == SIGNAL_END;
}

static void wait_for(const struct resolving *r, const struct resolver *names)
{
	struct pollfd fd[] = {{.fd = resolver_fd(names), .events = POLLIN},
			      {.fd = r->signals->fd, .events = POLLIN}};

	poll(fd, sizeof fd / sizeof *fd, PROGRESS_MS);
}

/* next: the clock when it is due, and due again. Returns whether something is said. */
static bool show_progress(const struct resolver *names, uint64_t *next)
{
	const size_t wanted = resolver_wanted(names);

	if (clock_ns(CLOCK_MONOTONIC) < *next || !isatty(STDERR_FILENO))
		return false;
	fprintf(stderr,
		ERASE_LINE "tiptop: %zu of %zu names and lines are looked up; Ctrl-C leaves out "
			   "the rest",
		wanted - resolver_missing(names), wanted);
	*next = clock_ns(CLOCK_MONOTONIC) + PROGRESS_MS * 1000000ull;
	return true;
}

void resolving_run(struct resolving *r, struct resolver *names)
{
	uint64_t next = clock_ns(CLOCK_MONOTONIC) + SECOND;
	bool shown = false;

	check_signals(r);
	while (!r->ended && resolver_step(names) && resolver_missing(names)) {
		shown |= show_progress(names, &next);
		wait_for(r, names);
		check_signals(r);
	}
	if (r->ended)
		resolver_give_up(names, "a signal ended that");
	if (shown)
		fputs(ERASE_LINE, stderr);
}
