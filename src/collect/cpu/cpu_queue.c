/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/cpu_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"

/* 8,192 CPUs, each with some lines of its scheduling domains. */
#define SCHEDSTAT_MAX (64 << 20)

/* The columns of "cpu0" have been these since version 14, of 2.6.20; kernels of today are at 15 and
 * later. */
#define VERSION_MIN   14
#define COLUMN_WAITED 8

static int parse_queue(const char *line, struct cpu_queue *out)
{
	char *end;

	out->cpu = (int)strtol(line, &end, 10);
	for (int column = 1; column <= COLUMN_WAITED; column++) {
		const char *begin = end;

		out->waited_ns = strtoull(begin, &end, 10);
		if (end == begin)
			return -EINVAL;
	}
	return 0;
}

int cpu_queues_parse(const char *text, const struct cpu_queue **out, struct arena *arena)
{
	struct cpu_queue *queue;
	size_t n = 0;

	if (strncmp(text, "version ", strlen("version ")) ||
	    strtol(text + strlen("version "), NULL, 10) < VERSION_MIN)
		return -EINVAL;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		n++;
	queue = arena_calloc(arena, n, sizeof *queue);
	*out = queue;
	n = 0;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		if (parse_queue(p + strlen("\ncpu"), &queue[n++]))
			return -EINVAL;
	return n ? (int)n : -EINVAL;
}

int cpu_queues_read(const struct cpu_queue **out, struct arena *arena)
{
	struct strbuf text;
	ssize_t n;

	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, "/proc/schedstat", SCHEDSTAT_MAX, &text);
	if (n >= 0)
		n = cpu_queues_parse(text.text, out, arena);
	strbuf_done(&text);
	return (int)n;
}

const struct cpu_queue *cpu_queue_find(const struct cpu_queue *queue, int n, int cpu)
{
	for (int i = 0; i < n; i++)
		if (queue[i].cpu == cpu)
			return &queue[i];
	return NULL;
}
