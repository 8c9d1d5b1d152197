/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/wait.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

void wait_reset(struct wait *w)
{
	w->n = 0;
	w->until_ns = 0;
	w->late = (struct wait_row){.ready = NULL};
}

void wait_done(struct wait *w)
{
	free(w->fd);
	free(w->row);
	*w = (struct wait)WAIT_INIT;
}

void wait_add(struct wait *w, int fd, short events, wait_function *ready, void *context)
{
	if (fd < 0)
		return;
	w->fd = xgrow(w->fd, &w->cap_fd, w->n + 1, sizeof *w->fd);
	w->row = xgrow(w->row, &w->cap_row, w->n + 1, sizeof *w->row);
	w->fd[w->n] = (struct pollfd){.fd = fd, .events = events};
	w->row[w->n++] = (struct wait_row){ready, context};
}

void wait_until(struct wait *w, uint64_t until_ns, wait_function *late, void *context)
{
	if (!until_ns || (w->until_ns && w->until_ns <= until_ns))
		return;
	w->until_ns = until_ns;
	w->late = (struct wait_row){late, context};
}

int wait_ms_until(uint64_t until_ns)
{
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (!until_ns)
		return -1;
	return now_ns < until_ns ? (int)((until_ns - now_ns + 999999) / 1000000) : 0;
}

int wait_run(const struct wait *w, const bool *done, struct err *err)
{
	int ret = 0, n = poll(w->fd, w->n, wait_ms_until(w->until_ns));

	if (n < 0)
		return errno == EINTR ? 0
				      : err_set(err, errno, "cannot wait for the next refresh: %s",
						strerror(errno));
	if (!n && w->late.ready && clock_ns(CLOCK_MONOTONIC) >= w->until_ns)
		return w->late.ready(w->late.context, -1, err);
	for (size_t i = 0; i < w->n && !ret && !*done; i++)
		if (w->fd[i].revents)
			ret = w->row[i].ready(w->row[i].context, w->fd[i].fd, err);
	return ret;
}
