/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sysfs_part - what the files sysfs*.c share.
 */
#ifndef PMU_EVENT_SYSFS_PART_H
#define PMU_EVENT_SYSFS_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pmu/event/sysfs.h"

/* Reads the first line of the file. Returns the number of its characters, or -errno; -EFBIG where
 * the file does not fit. */
ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether the name can only lead to a file of the folder in which it is looked up. */
bool sysfs_is_name(const char *s);

/* The first PMU of those with a number behind this name, which the caller frees; NULL: there are
 * none. */
char *sysfs_find_numbered(const struct event_host *host, const char *name);

#endif
