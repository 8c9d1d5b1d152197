/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/container.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

uint64_t tt_container_start(const char *stat)
{
	const char *field = strrchr(stat, ')');

	for (int i = 2; i < 22 && field; i++)
		field = strchr(field + 1, ' ');
	return field ? strtoull(field + 1, NULL, 10) : 0;
}

/* Writes the pid and the start time of the calling process. */
static void identify(struct container *c)
{
	char stat[1024];

	c->pid = (uint32_t)getpid();
	if (file_read(AT_FDCWD, "/proc/self/stat", stat, sizeof stat) > 0)
		c->start_ticks = tt_container_start(stat);
}

void tt_container_places(const struct container_plan *plan, struct container_place place[])
{
	for (uint32_t i = 1; i < plan->n_parts; i++) {
		const struct container_part *part = &plan->part[i];

		place[i - 1] = (struct container_place){part->offset, part->size, part->max};
	}
}

void tt_container_fill(struct container *c, const struct container_plan *plan,
		       const struct container_place place[])
{
	struct container_directory *d;

	identify(c);
	c->header_size = plan->header_size;
	c->layout = plan->layout;
	c->n_sections = plan->n_parts;
	c->n_columns = 0;
	memcpy(c->kind, plan->kind, strlen(plan->kind));
	d = container_directory(c);
	for (uint32_t i = 0; i < plan->n_parts; i++) {
		const struct container_part *part = &plan->part[i];
		const struct container_place header = {0, part->size, 1},
					     *at = i ? &place[i - 1] : &header;

		d->section[i] = (struct container_section){
			.offset = part->within ? part->offset : at->offset,
			.stride = (uint32_t)at->stride,
			.count = at->count,
			.within = part->within,
			.used = part->used,
			.has_sequence = part->has_sequence,
			.column = c->n_columns,
			.n_columns = part->n_columns,
		};
		memcpy(d->section[i].kind, part->kind, strlen(part->kind));
		memcpy(&d->column[c->n_columns], part->column,
		       part->n_columns * sizeof *part->column);
		c->n_columns += part->n_columns;
	}
}

void tt_container_publish(struct container *c)
{
	atomic_thread_fence(memory_order_release);
	memcpy(c->magic, CONTAINER_MAGIC, sizeof c->magic);
}
