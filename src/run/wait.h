/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait - the table of what the loop waits for under one poll(2): descriptors, each with the
 * function that is called when it is ready.
 *
 *   wait_reset(&w); wait_add(&w, ...); ...; wait_run(&w, &done, &err);
 *
 * The table is filled anew for each wait, since what there is to wait for changes.
 */
#ifndef RUN_WAIT_H
#define RUN_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Returns 0, or -errno with a sentence. */
typedef int wait_function(void *context, int fd, struct err *err);

struct wait {
	struct pollfd *fd; /* [n] */
	struct wait_row {
		wait_function *ready;
		void *context;
	} * row; /* [n] */
	size_t n, cap_fd, cap_row;
	uint64_t until_ns; /* of CLOCK_MONOTONIC; 0: there is no end of the wait */
	struct wait_row late;
};

#define WAIT_INIT                                                                                  \
	{                                                                                          \
		.until_ns = 0                                                                      \
	}

void wait_reset(struct wait *w);
void wait_done(struct wait *w);
/* Adds a descriptor. events: as for poll(2); with 0, the function is called where the other side
 * has gone. fd -1: nothing is added. */
void wait_add(struct wait *w, int fd, short events, wait_function *ready, void *context);
/* Ends the wait at this moment of CLOCK_MONOTONIC, if nothing was ready before, and calls the
 * function with -1 as its descriptor; NULL: the wait only ends. 0: there is no such moment. The
 * earliest of several counts. */
void wait_until(struct wait *w, uint64_t until_ns, wait_function *late, void *context);
/* Returns for how many ms poll(2) may wait until this moment, not less than the time; -1: for
 * ever, where it is 0. */
int wait_ms_until(uint64_t until_ns);
/* Waits until a descriptor is ready, then calls the functions of those that are, in the order of
 * the table, until one fails or *done. A signal ends the wait, too. */
int wait_run(const struct wait *w, const bool *done, struct err *err);

#endif
