/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file - small files of the kernel, read in one go, and the names in its folders.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"

/* Reads up to size - 1 bytes and terminates them. Returns the number of bytes, or -errno with an
 * empty text. dir_fd is that of a folder, or AT_FDCWD. */
ssize_t file_read(int dir_fd, const char *path, char *buf, size_t size);

/* The whole file in place of what is in `out`, or its beginning where it is longer than max: as
 * much as that, and less than a page more. */
ssize_t file_read_all(int dir_fd, const char *path, size_t max, struct strbuf *out);

/* Where a symbolic link leads, in place of what is in `out`. Returns the number of bytes, or -errno
 * with an empty text. */
ssize_t file_read_link(int dir_fd, const char *path, struct strbuf *out);

/* Whether the open file is a regular one, and that of this path. */
bool file_is(int fd, const char *path);

/* The names in a folder. */
struct folder {
	struct dirent **entry;
	int n, next;
};

/* Returns how many entries it has, or -errno, when folder_next() finds none. */
int folder_open(struct folder *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next name in alphabetical order, without those that begin with '.'. At the end it is NULL,
 * and all are freed. */
const char *folder_next(struct folder *f);

#endif
