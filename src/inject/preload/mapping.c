/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/mapping.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The buffer for pieces of /proc/self/maps; longer than any line. */
static char text[8192];

/* Passes on the complete lines of the n bytes in the buffer. Moves the incomplete last line to the
 * start of the buffer, and sets *left to its length. */
static bool take_lines(bool (*visit)(void *context, const char *line), void *context, size_t *left,
		       size_t n)
{
	char *line = text, *end;
	bool enough = false;

	text[n] = '\0';
	while (!enough && (end = strchr(line, '\n'))) {
		*end = '\0';
		enough = visit(context, line);
		line = end + 1;
	}
	*left = n - (size_t)(line - text);
	memmove(text, line, *left);
	return enough;
}

bool mapping_walk(bool (*visit)(void *context, const char *line), void *context)
{
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool enough = false;
	size_t left = 0;
	ssize_t n = 0;

	if (fd < 0)
		return false;
	while (!enough && left < sizeof text - 1 &&
	       (n = read(fd, text + left, sizeof text - 1 - left)) > 0)
		enough = take_lines(visit, context, &left, left + (size_t)n);
	close(fd);
	return enough || !n;
}

/* --- shared memory --- */

/* Ranges of private memory in which locks were found; the next one replaces range[n % RANGES]. */
#define RANGES 64

struct range {
	uint64_t begin, end;
};

static struct range known[RANGES];
static uint32_t n_known;

/* The most lines that are read to find locks, so that a process with many mappings and locks in
 * most of them is not slowed down for more than some 0.5 s. Later locks count as private. */
#define LINES 500000

static uint32_t n_lines;

void mapping_forget(void)
{
	memset(known, 0, sizeof known);
	n_known = n_lines = 0;
}

/* A search for the mapping of a lock. */
struct search {
	struct locks_instance *instance;
	struct range private; /* adjacent private mappings up to the present line */
};

static bool range_has(const struct range *r, uint64_t address)
{
	return address >= r->begin && address < r->end;
}

/* Notes the place of the lock if it is in this shared mapping. */
static void take_shared_memory(struct locks_instance *i, const struct range *r,
			       const struct locks_memory *begin)
{
	if (!range_has(r, i->address))
		return;
	i->memory = *begin;
	i->memory.offset += i->address - r->begin;
}

/* Parses a line. Returns true once the range that may have the lock is complete. */
static bool take_memory_line(void *context, const char *line)
{
	struct search *s = context;
	struct range now, *last = &s->private;
	struct locks_memory begin;
	unsigned major, minor;
	char rights[5];
	bool joins;

	n_lines++;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &now.begin,
		   &now.end, rights, &begin.offset, &major, &minor, &begin.inode) != 7)
		return false;
	begin.device = (uint64_t)major << 20 | minor;
	joins = rights[3] == 'p' && now.begin == last->end;
	if (joins)
		last->end = now.end;
	else if (now.begin > s->instance->address)
		return true;
	else if (rights[3] == 'p')
		*last = now;
	else
		take_shared_memory(s->instance, &now, &begin);
	return false;
}

static void remember(const struct range *r)
{
	for (uint32_t i = 0; i < RANGES; i++)
		if (known[i].begin == r->begin && known[i].end) {
			known[i] = *r;
			return;
		}
	known[n_known++ % RANGES] = *r;
}

void mapping_set_memory(struct locks_instance *instance)
{
	struct search s = {.instance = instance};

	for (uint32_t i = 0; i < RANGES; i++)
		if (range_has(&known[i], instance->address))
			return;
	if (n_lines < LINES && mapping_walk(take_memory_line, &s) &&
	    range_has(&s.private, instance->address))
		remember(&s.private);
}
