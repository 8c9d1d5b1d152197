/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

ssize_t file_read(int dir_fd, const char *path, char *buf, size_t size)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -errno : read(fd, buf, size - 1);

	if (fd >= 0 && n < 0)
		n = -errno;
	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n;
}

/* When to stop reading: at the end of the file; after a read(2) that returned less than asked for,
 * which saves the call that returns 0; or after a part that contains the end of a line. */
enum until { UNTIL_END, UNTIL_SHORT, UNTIL_LINE };

static bool is_last(enum until until, const char *part, size_t n, size_t room)
{
	return (until == UNTIL_SHORT && n < room) ||
	       (until == UNTIL_LINE && memchr(part, '\n', n) != NULL);
}

/* Reads an open file; again: from its beginning, which pipes do not allow. */
static ssize_t read_open(int fd, bool again, size_t max, enum until until, struct strbuf *out)
{
	char part[4096];
	ssize_t n;
	int error;

	strbuf_reset(out);
	do {
		n = again ? pread(fd, part, sizeof part, (off_t)out->len)
			  : read(fd, part, sizeof part);
		error = errno;
		if (n > 0)
			strbuf_add(out, part, (size_t)n);
	} while (n > 0 && !is_last(until, part, (size_t)n, sizeof part) && out->len < max);
	if (n < 0)
		strbuf_reset(out);
	return n < 0 ? -error : (ssize_t)out->len;
}

static ssize_t read_until(int dir_fd, const char *path, size_t max, enum until until,
			  struct strbuf *out)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC), error = errno;
	ssize_t n;

	strbuf_reset(out);
	if (fd < 0)
		return -error;
	n = read_open(fd, false, max, until, out);
	close(fd);
	return n;
}

ssize_t file_read_all(int dir_fd, const char *path, size_t max, struct strbuf *out)
{
	return read_until(dir_fd, path, max, UNTIL_SHORT, out);
}

ssize_t file_read_again(int fd, size_t max, struct strbuf *out)
{
	return read_open(fd, true, max, UNTIL_SHORT, out);
}

ssize_t file_read_lines(int dir_fd, const char *path, size_t max, struct strbuf *out)
{
	return read_until(dir_fd, path, max, UNTIL_END, out);
}

ssize_t file_read_first_line(int dir_fd, const char *path, size_t max, struct strbuf *out)
{
	const ssize_t n = read_until(dir_fd, path, max, UNTIL_LINE, out);

	if (n < 0)
		return n;
	out->len = strcspn(out->text, "\n");
	out->text[out->len] = '\0';
	return (ssize_t)out->len;
}

int file_read_at(int fd, void *to, size_t size, size_t at, struct err *err)
{
	ssize_t n = pread(fd, to, size, (off_t)at);

	if (n == (ssize_t)size)
		return 0;
	if (n < 0)
		return err_set(err, errno, "cannot be read: %s", strerror(errno));
	return err_set(err, ENODATA, "is cut off");
}

ssize_t file_read_link(int dir_fd, const char *path, struct strbuf *out)
{
	char target[4096]; /* PATH_MAX: the kernel returns no longer target */
	ssize_t n = readlinkat(dir_fd, path, target, sizeof target);
	int error = errno;

	strbuf_reset(out);
	if (n < 0)
		return -error;
	strbuf_add(out, target, (size_t)n);
	return n;
}

bool file_is(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && S_ISREG(a.st_mode) && !stat(path, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool file_paths_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int folder_open(struct folder *f, const char *fmt, ...)
{
	char *path;
	va_list ap;

	va_start(ap, fmt);
	path = xvasprintf(fmt, ap);
	va_end(ap);
	*f = (struct folder){.entry = NULL};
	f->n = scandir(path, &f->entry, NULL, alphasort);
	if (f->n < 0)
		f->n = -errno;
	free(path);
	return f->n;
}

const char *folder_next(struct folder *f)
{
	while (f->next < f->n)
		if (f->entry[f->next++]->d_name[0] != '.')
			return f->entry[f->next - 1]->d_name;
	while (f->n > 0)
		free(f->entry[--f->n]);
	free(f->entry);
	f->entry = NULL;
	return NULL;
}

/* ---- syscall_filters ---- */

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
