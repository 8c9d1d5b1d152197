/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks_copy_rig - tiptop's copy of the table of locks_rig.
 */
#ifndef TESTS_LOCKS_COPY_RIG_H
#define TESTS_LOCKS_COPY_RIG_H

#include <sys/mman.h>

#include "locks_rig.h"
#include "profile/locks/copy.h"

/* Reads the table, with ticks of 2.5 ns. Lock 3 with caller 1 has the longest wait, in 5 + 6 + 7
 * calls. */
static inline void locks_copy_rig_read(struct locks_copy *copy, bool events)
{
	struct err err = ERR_INIT;
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd);
	if (events)
		rig_add_events(fd);
	locks_copy_init(copy);
	if (locks_copy_read(copy, fd, true, &err))
		abort();
	close(fd);
	copy->header.ns_per_tick = 5ull << 31;
}

#endif
