/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of sysfs: where this machine describes itself, and lines of its files. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "pmu/event/sysfs_part.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

const struct event_host event_host_here = {
	.devices = "/sys/bus/event_source/devices",
	.tracing = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"},
	.cpus = "/sys/devices/system/cpu",
	.boot_id = "/proc/sys/kernel/random/boot_id",
	.name = "/proc/sys/kernel/hostname",
	.release = "/proc/sys/kernel/osrelease",
};

ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
{
	char *name;
	ssize_t n;
	va_list ap;

	va_start(ap, path);
	name = xvasprintf(path, ap);
	va_end(ap);
	n = file_read(AT_FDCWD, name, buf, size);
	free(name);
	if (n < 0)
		return n;
	if ((size_t)n == size - 1)
		return -EFBIG;
	buf[strcspn(buf, "\n")] = '\0';
	return (ssize_t)strlen(buf);
}

bool sysfs_is_name(const char *s)
{
	return s[0] && s[0] != '.' && !s[strspn(s, NAME_CHARS)];
}
