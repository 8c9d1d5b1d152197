/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * file - small files of the kernel, read in one go, and the names in its folders.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Reads up to size - 1 bytes of the file and terminates them. dir_fd: an open folder in which
 * `path` is looked up, or AT_FDCWD. Returns the number of bytes; or -errno, and the text is then
 * empty. */
ssize_t file_read(int dir_fd, const char *path, char *buf, size_t size);

/* Replaces what is in `out` by the contents of the file. Of a file that is longer than max bytes,
 * only the beginning is read: max bytes, and less than a page more. Returns the number of bytes; or
 * -errno, and `out` is then empty. */
ssize_t file_read_all(int dir_fd, const char *path, size_t max, struct strbuf *out);
/* The same of a file of which the kernel gives whole lines, and so less than there is room for
 * before its end: /proc/PID/maps. file_read_all() would take the first part for all of it. */
ssize_t file_read_lines(int dir_fd, const char *path, size_t max, struct strbuf *out);
/* Reads the first line, without its end: at most max bytes, and less than a page more. */
ssize_t file_read_first_line(int dir_fd, const char *path, size_t max, struct strbuf *out);

/* Reads what stands at this place of an open file, all of it: 0; or -errno, -ENODATA where the file
 * ends before. The sentences have no subject, "is cut off": the caller puts the file before them.
 */
int file_read_at(int fd, void *to, size_t size, size_t at, struct err *err);

/* Where a symbolic link leads, in place of what is in `out`. Returns the number of bytes, or -errno
 * with an empty text. */
ssize_t file_read_link(int dir_fd, const char *path, struct strbuf *out);

/* Whether fd is a regular file, and the very file that is at this path now. */
bool file_is(int fd, const char *path);
/* Whether both names are of one file, which is there. */
bool file_paths_same(const char *a, const char *b);

/* The names in a folder, given one by one. folder_open() reads all of them, and the folder_next()
 * that gives NULL frees them: who stops earlier leaks them. */
struct folder {
	struct dirent **entry;
	int n, next;
};

/* Opens the folder with this path. Returns the number of its entries; or -errno, and folder_next()
 * then gives NULL at once. */
int folder_open(struct folder *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns the next name in alphabetical order, or NULL at the end. Names that begin with '.' are
 * passed over. A name is valid until that end. */
const char *folder_next(struct folder *f);

#endif
