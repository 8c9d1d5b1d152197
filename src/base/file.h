/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * file - reads small files of the kernel as a whole, the names in its folders, and the filters of
 * system calls of a process.
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

/* Replaces the contents of `out` by those of the file. Of a file longer than max bytes, only the
 * beginning is read: max bytes, and less than a page more. Returns the number of bytes; or -errno,
 * and `out` is then empty. */
ssize_t file_read_all(int dir_fd, const char *path, size_t max, struct strbuf *out);
/* More bytes than /proc/PID/status has: its list of groups may have 65,536 numbers of 11 bytes. */
#define FILE_STATUS_MAX (1 << 20)
/* Reads an open file from its beginning, like file_read_all(): of /proc, its present contents. */
ssize_t file_read_again(int fd, size_t max, struct strbuf *out);
/* Reads as file_read_all() does, but until read(2) returns 0: for /proc/PID/maps, where each
 * read(2) returns whole lines and so fewer bytes than asked for before the end of the file. */
ssize_t file_read_lines(int dir_fd, const char *path, size_t max, struct strbuf *out);
/* Reads the first line, without its end: at most max bytes, and less than a page more. */
ssize_t file_read_first_line(int dir_fd, const char *path, size_t max, struct strbuf *out);

/* Reads exactly `size` bytes at offset `at` of an open file. Returns 0; or -errno, -ENODATA: the
 * file ends before. The sentence in err has no subject ("is cut off"): the caller prepends the name
 * of the file. */
int file_read_at(int fd, void *to, size_t size, size_t at, struct err *err);

/* Replaces the contents of `out` by the target of a symbolic link. Returns the number of bytes, or
 * -errno with an empty text. */
ssize_t file_read_link(int dir_fd, const char *path, struct strbuf *out);

/* Returns whether fd is a regular file and the same file as the one at this path now. */
bool file_is(int fd, const char *path);
/* Returns whether both paths exist and are the same file. */
bool file_paths_same(const char *a, const char *b);

/* The names in a folder, returned one by one. folder_open() reads all of them, and the
 * folder_next() that returns NULL frees them: a caller that stops earlier leaks them. */
struct folder {
	struct dirent **entry;
	int n, next;
};

/* Opens the folder with this path. Returns the number of its entries; or -errno, and folder_next()
 * then returns NULL at once. */
int folder_open(struct folder *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns the next name in alphabetical order, or NULL at the end. Skips names that begin with '.'.
 * A name is valid until folder_next() returns NULL. */
const char *folder_next(struct folder *f);

/* ---- syscall_filters ----
 *
 * The number of system call filters (seccomp(2)) that a process runs under, from /proc.
 *
 * The file is read only with openat(2), read(2) and close(2). The dynamic loader has used these
 * calls to read the libraries, so a filter that was set before the execve(2) of the program allows
 * them. A kernel before 5.9 shows only whether there are filters: they count as one.
 */

#define SYSCALL_FILTERS_OWN "/proc/self/status"

struct syscall_filters {
	int n;       /* -1: unknown */
	long parent; /* the pid of the parent, in the namespace of /proc; 0: unknown */
};

/* Reads the status of a process. path: SYSCALL_FILTERS_OWN, or the status file of another
 * process. */
struct syscall_filters syscall_filters_read(const char *path);

#endif
