/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container_rig - the header of made-up tables (inject/lib/container.h).
 */
#ifndef TESTS_CONTAINER_RIG_H
#define TESTS_CONTAINER_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/lib/container.h"

static inline void rig_put(int fd, const void *data, size_t size, size_t at)
{
	if (pwrite(fd, data, size, (off_t)at) != (ssize_t)size)
		abort();
}

/* Ends the test unless the directory has room for what the table declares. */
static inline void rig_check_room(const struct container_plan *plan)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < plan->n_parts; i++)
		n += plan->part[i].n_columns;
	if (plan->n_parts <= CONTAINER_SECTIONS && n <= CONTAINER_COLUMNS)
		return;
	printf("Bail out! the directory has no room for %u sections and %u columns of %s\n",
	       plan->n_parts, n, plan->kind);
	exit(1);
}

/* Returns a header of header_size bytes, followed by its directory, as a process with this pid
 * writes them. The caller frees it. */
static inline struct container *rig_container(const struct container_plan *plan,
					      const struct container_place place[], uint32_t pid)
{
	struct container *c = calloc(1, container_end(plan->header_size));

	if (!c)
		abort();
	rig_check_room(plan);
	tt_container_fill(c, plan, place);
	tt_container_publish(c);
	c->pid = pid;
	c->start_ticks = 0;
	return c;
}

/* Sets the first member of a header. */
static inline void rig_begin(struct container *begin, const struct container_plan *plan,
			     const struct container_place place[], uint32_t pid)
{
	struct container *c = rig_container(plan, place, pid);

	*begin = *c;
	free(c);
}

static inline void rig_put_directory(int fd, const struct container_plan *plan,
				     const struct container_place place[])
{
	struct container *c = rig_container(plan, place, 1);

	rig_put(fd, container_directory(c), sizeof(struct container_directory), plan->header_size);
	free(c);
}

#endif
