/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attach_rig - sets of events for the tests of attach.h */
#ifndef TESTS_ATTACH_RIG_H
#define TESTS_ATTACH_RIG_H

#include "collect/task/attach.h"
#include "live_rig.h"

static inline void make_set(struct event_set *set, int n)
{
	event_set_init(set);
	for (int i = 0; i < n; i++)
		event_set_add(set, "event")->config = (uint64_t)i;
}

static inline void configure(struct attach *a, int n, bool threads, struct err *note)
{
	struct event_set set;

	make_set(&set, n);
	attach_configure(a, &set, threads, note);
	tap_int(set.n, 0, "the set has moved");
	event_set_done(&set);
}

#endif
