/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/syscall_filters.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/banned.h"

/* The length to which lines are cut: more than needed for the lines that are read; "Groups:" may be
 * far longer. */
#define LINE_MAX_LENGTH 64

/* If the line has this key, sets *number to its value. Returns whether the line has the key. */
static bool take(const char *line, const char *key, long *number)
{
	const size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return false;
	*number = strtol(line + len, NULL, 10);
	return true;
}

static void take_line(struct syscall_filters *f, const char *line)
{
	long number;

	if (take(line, "PPid:", &f->parent))
		return;
	if (take(line, "Seccomp:", &number))
		f->n = number != 0;
	else if (take(line, "Seccomp_filters:", &number))
		f->n = (int)number;
}

struct syscall_filters syscall_filters_read(const char *path)
{
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	struct syscall_filters f = {.n = -1};
	char part[1024], line[LINE_MAX_LENGTH];
	size_t len = 0;
	long n;

	while (fd >= 0 && (n = syscall(SYS_read, fd, part, sizeof part)) > 0)
		for (long i = 0; i < n; i++) {
			if (part[i] != '\n') {
				line[len] = part[i];
				len += len < sizeof line - 1;
				continue;
			}
			line[len] = '\0';
			take_line(&f, line);
			len = 0;
		}
	if (fd >= 0)
		syscall(SYS_close, fd);
	return f;
}
