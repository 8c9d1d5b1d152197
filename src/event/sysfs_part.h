/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs_part - what the files sysfs*.c share.
 */
#ifndef EVENT_SYSFS_PART_H
#define EVENT_SYSFS_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The first line of the file; the number of its characters or -errno. A file that does
 * not fit is -EFBIG. */
ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether it can only be a file in the folder that it is looked up in. */
bool sysfs_is_name(const char *s);

#endif
