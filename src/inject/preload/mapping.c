/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/mapping.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The buffer for pieces of /proc/self/maps; longer than any line. */
static char text[8192];

/* Passes on the complete lines of the n bytes in the buffer. Moves the incomplete last line to the
 * start of the buffer, and sets *left to its length. */
static bool take_lines(bool (*take)(void *context, const char *line), void *context, size_t *left,
		       size_t n)
{
	char *line = text, *end;
	bool enough = false;

	text[n] = '\0';
	while (!enough && (end = strchr(line, '\n'))) {
		*end = '\0';
		enough = take(context, line);
		line = end + 1;
	}
	*left = n - (size_t)(line - text);
	memmove(text, line, *left);
	return enough;
}

bool mapping_walk(bool (*take)(void *context, const char *line), void *context)
{
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool enough = false;
	size_t left = 0;
	ssize_t n = 0;

	if (fd < 0)
		return false;
	while (!enough && left < sizeof text - 1 &&
	       (n = read(fd, text + left, sizeof text - 1 - left)) > 0)
		enough = take_lines(take, context, &left, left + (size_t)n);
	close(fd);
	return enough || !n;
}
