/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait - the descriptors that the loop waits for with one poll(2), each with the function that is
 * called when it is ready.
 *
 *   wait_reset(&w); wait_add(&w, ...); ...; wait_run(&w, &done, &err);
 *
 * Fill the table again before each wait, since the descriptors change.
 */
#ifndef RUN_WAIT_H
#define RUN_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Called with the context of its row and the ready descriptor. Returns 0, or -errno with a
 * sentence. */
typedef int wait_function(void *context, int fd, struct err *err);

struct wait {
	struct pollfd *fd; /* [n] */
	struct wait_row {
		wait_function *ready;
		void *context;
	} * row; /* [n] */
	size_t n, cap_fd, cap_row;
	uint64_t until_ns; /* on CLOCK_MONOTONIC; 0: no limit */
	struct wait_row late;
};

#define WAIT_INIT                                                                                  \
	{                                                                                          \
		.until_ns = 0                                                                      \
	}

void wait_reset(struct wait *w);
void wait_done(struct wait *w);
/* Adds a descriptor. events: as for poll(2); 0: call the function when the other end is closed
 * (POLLHUP, POLLERR). fd < 0: adds nothing. */
void wait_add(struct wait *w, int fd, short events, wait_function *ready, void *context);
/* Limits the wait to this moment of CLOCK_MONOTONIC: if nothing is ready by then, calls `late` with
 * -1 as its descriptor; late NULL: only ends the wait. Of several limits, the earliest is used.
 * until_ns 0: adds no limit. */
void wait_until(struct wait *w, uint64_t until_ns, wait_function *late, void *context);
/* Returns the ms that poll(2) may wait until this moment, rounded up. until_ns 0: returns -1, which
 * means for ever. */
int wait_ms_until(uint64_t until_ns);
/* Waits until a descriptor is ready or the time is up; calls the functions of the ready descriptors
 * in the order of the table, until one fails or sets *done. A signal ends the wait, too. Returns 0,
 * or -errno with a sentence. */
int wait_run(const struct wait *w, const bool *done, struct err *err);

#endif
