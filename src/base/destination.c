/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define NEW_FILE_MODE 0644
/* The number of bytes for which the disk must have room when a file is begun. */
#define BLOCK_SIZE 4096

static bool is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

static int refuse(const struct dest *d, int error, struct err *err)
{
	if (!d->path)
		return err_set(err, error, "cannot write to standard output: %s", strerror(error));
	return err_set(err, error, "cannot write '%s': %s", d->path, strerror(error));
}

/* Reopens a terminal without blocking. poll(2) calls a terminal writable as soon as it takes one
 * byte; a longer write(2) then blocks until the terminal is read. O_NONBLOCK would also apply to
 * the other programs that share the open file, so the terminal is opened once more. */
static void reopen_terminal(struct dest *d)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/self/fd/%d", d->fd);
	fd = isatty(d->fd) ? open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	if (d->owned)
		close(d->fd);
	d->fd = fd;
	d->owned = true;
}

static void take(struct dest *d, int fd, const char *path)
{
	*d = (struct dest){.fd = fd,
			   .path = path,
			   .owned = path != NULL,
			   .chunk = is_regular(fd) ? SIZE_MAX : PIPE_BUF};
	reopen_terminal(d);
}

void dest_use(struct dest *d, int fd)
{
	take(d, fd, NULL);
}

/* Opens a file to be written in place; path: NULL for standard output. flags: of open(2), in
 * addition to O_CREAT and O_CLOEXEC. */
static int open_in_place(struct dest *d, const char *path, int flags, struct err *err)
{
	int fd = STDOUT_FILENO;
	bool made = false;

	flags |= O_CREAT | O_CLOEXEC;
	if (path) {
		fd = open(path, flags | O_EXCL, 0666);
		made = fd >= 0;
		if (fd < 0 && errno == EEXIST)
			fd = open(path, flags, 0666);
	}
	*d = (struct dest){.fd = -1, .path = path};
	if (fd < 0)
		return refuse(d, errno, err);
	take(d, fd, path);
	d->made = made;
	return 0;
}

int dest_open(struct dest *d, const char *path, struct err *err)
{
	return open_in_place(d, path, O_WRONLY, err);
}

int dest_open_append(struct dest *d, const char *path, struct err *err)
{
	int ret = open_in_place(d, path, O_RDWR | O_APPEND, err);

	if (ret)
		return ret;
	d->appends = true;
	d->filled = is_regular(d->fd) && lseek(d->fd, 0, SEEK_END) > 0;
	return 0;
}

int dest_open_or_append(struct dest *d, const char *path, bool append, struct err *err)
{
	if (path && !strcmp(path, "-"))
		path = NULL;
	return append && path ? dest_open_append(d, path, err) : dest_open(d, path, err);
}

/* ---- files ---- */

/* The maximum number of symbolic links to follow, as in the kernel. */
#define LINKS_MAX 40

/* Returns where a symbolic link leads, owned by the caller; NULL: it is none. */
static char *follow_link(const char *path, int folder_len)
{
	char target[PATH_MAX];
	const ssize_t n = readlink(path, target, sizeof target);

	if (n < 0 || n == (ssize_t)sizeof target)
		return NULL;
	return *target == '/' ? xstrndup(target, (size_t)n)
			      : xasprintf("%.*s%.*s", folder_len, path, (int)n, target);
}

/* Returns the name of a file that need not exist, to be freed by the caller, and its folder in
 * *folder. NULL: there is no such folder. */
static char *find_place(const char *path, struct stat *folder)
{
	char *at = xstrdup(path), *name = NULL;

	for (int i = 0; i < LINKS_MAX && !name; i++) {
		const char *slash = strrchr(at, '/');
		const int folder_len = slash ? (int)(slash + 1 - at) : 0;
		char *next = follow_link(at, folder_len);

		if (!next) {
			char *parent = folder_len ? xstrndup(at, (size_t)folder_len) : xstrdup(".");

			name = stat(parent, folder) ? NULL : xstrdup(at + folder_len);
			free(parent);
			break;
		}
		free(at);
		at = next;
	}
	free(at);
	return name;
}

/* Returns whether both are the path of one regular file, which need not exist. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat st, folder_a, folder_b;
	char *name_a, *name_b;
	bool same;

	if (!stat(a, &st))
		return S_ISREG(st.st_mode) && file_paths_same(a, b);
	name_a = find_place(a, &folder_a);
	name_b = find_place(b, &folder_b);
	same = name_a && name_b && !strcmp(name_a, name_b) && folder_a.st_dev == folder_b.st_dev &&
	       folder_a.st_ino == folder_b.st_ino;
	free(name_a);
	free(name_b);
	return same;
}

static int refuse_pair(const struct dest_file *a, const struct dest_file *b, struct err *err)
{
	const bool swap = b->use > a->use;
	const struct dest_file *writer = swap ? b : a, *other = swap ? a : b;

	if (writer->use == DEST_IS_WRITTEN && other->use == DEST_IS_WRITTEN)
		return err_set(err, EINVAL,
			       "%s and %s would overwrite each other in '%s': name two files",
			       a->what, b->what, a->path);
	return err_set(err, EINVAL, "%s would %s %s, '%s': name another file", writer->what,
		       writer->use == DEST_IS_REPLACED ? "replace" : "overwrite", other->what,
		       other->path);
}

int dest_check_files(const struct dest_file *file, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (file[i].path && file[k].path && (file[i].use || file[k].use) &&
			    is_same_file(file[i].path, file[k].path))
				return refuse_pair(&file[i], &file[k], err);
	return 0;
}

int dest_check_input(const char *output, const char *input, struct err *err)
{
	if (output && input && file_paths_same(output, input))
		return err_set(err, EINVAL,
			       "'%s' is read, and would be overwritten: name another file to write",
			       input);
	return 0;
}

bool dest_begins_with(const struct dest *d, const char *text)
{
	const size_t n = strlen(text);
	char *begin = xcalloc(n + 1, 1);
	const bool same =
		d->filled && pread(d->fd, begin, n, 0) == (ssize_t)n && !memcmp(begin, text, n);

	free(begin);
	return same;
}

int dest_check(const struct dest *d, const char *text, struct err *err)
{
	const size_t n = strlen(text);
	struct strbuf begin;
	char last = '\n';
	bool same;

	if (!d->filled)
		return 0;
	strbuf_init(&begin);
	strbuf_pad(&begin, ' ', (int)n);
	if (pread(d->fd, begin.text, n, 0) < 0 ||
	    pread(d->fd, &last, 1, lseek(d->fd, 0, SEEK_END) - 1) < 0) {
		strbuf_done(&begin);
		return err_set(err, errno, "cannot read '%s', to append to it: %s", d->path,
			       strerror(errno));
	}
	same = !strcmp(begin.text, text);
	strbuf_done(&begin);
	if (!same)
		return err_set(err, EINVAL,
			       "cannot append to '%s': it does not begin with '%.*s': name another "
			       "file, or leave out --append to overwrite it",
			       d->path, (int)strcspn(text, "\n"), text);
	if (last != '\n')
		return err_set(
			err, EINVAL,
			"cannot append to '%s': its last line is incomplete: delete that line, or "
			"name another file",
			d->path);
	return 0;
}

/* Opens a path that a new file cannot replace: a device, or a FIFO that a program reads. */
static int open_special(struct dest *d, const char *path, const struct stat *st, struct err *err)
{
	int fd;

	*d = (struct dest){.fd = -1, .path = path};
	if (S_ISBLK(st->st_mode))
		return err_set(err, EINVAL, "cannot write '%s': it is a block device", path);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno == ENXIO)
		return err_set(err, ENXIO,
			       "cannot write '%s': it is a FIFO that no program reads, or a socket",
			       path);
	if (fd < 0)
		return refuse(d, errno, err);
	take(d, fd, path);
	return 0;
}

/* Creates a new file beside the target, which it will replace. Takes ownership of target. */
static int make_beside(struct dest *d, const char *path, char *target, struct err *err)
{
	char *temporary = xasprintf("%s.XXXXXX", target);
	int fd = mkostemp(temporary, O_CLOEXEC), error = errno;
	mode_t mask = umask(0);

	umask(mask);
	*d = (struct dest){.fd = -1, .path = path};
	if (fd < 0) {
		free(temporary);
		free(target);
		return refuse(d, error, err);
	}
	take(d, fd, path);
	d->temporary = temporary;
	d->target = target;
	if (!fchmod(fd, NEW_FILE_MODE & ~mask))
		return 0;
	error = errno;
	dest_close(d, true, NULL);
	return refuse(d, error, err);
}

int dest_open_beside(struct dest *d, const char *path, bool overwrite, struct err *err)
{
	char *target = NULL;
	struct stat st;
	int ret;

	if (overwrite && !stat(path, &st)) {
		if (file_is(STDOUT_FILENO, path)) {
			dest_use(d, STDOUT_FILENO);
			return 0;
		}
		if (!S_ISREG(st.st_mode))
			return open_special(d, path, &st, err);
		target = realpath(path, NULL);
	}
	ret = make_beside(d, path, target ? target : xstrdup(path), err);
	d->overwrite = overwrite;
	return ret;
}

/* Allocates a block behind the end of the file, which the first write uses. Returns 0, also if the
 * file system cannot allocate, or -errno if the disk is full. */
static int allocate_block(int fd)
{
	const off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0 || !fallocate(fd, FALLOC_FL_KEEP_SIZE, end, BLOCK_SIZE))
		return 0;
	return errno == ENOSPC || errno == EDQUOT ? -errno : 0;
}

int dest_begin(struct dest *d, struct err *err)
{
	int ret;

	/* Whether standard output is truncated is decided by the program that opened it. */
	if (!d->path || !is_regular(d->fd))
		return 0;
	if (!d->appends && ftruncate(d->fd, 0))
		return refuse(d, errno, err);
	ret = allocate_block(d->fd);
	return ret ? refuse(d, -ret, err) : 0;
}

int dest_try(struct dest *d, struct err *err)
{
	struct stat st;
	const bool loses = !d->appends && d->fd >= 0 && !fstat(d->fd, &st) && st.st_size > 0;

	return loses ? 0 : dest_begin(d, err);
}

/* Waits until the reader accepts data. Returns 0; -ECANCELED if the wait is to stop; or another
 * -errno. Data that the reader accepts at once are written even if the wait is to stop: the last
 * rows of a command are written when the signal of its end has arrived. */
static int wait_writable(const struct dest *d)
{
	struct pollfd fds[] = {{.fd = d->fd, .events = POLLOUT},
			       {.fd = d->wake ? d->wake->fd : -1, .events = POLLIN}};

	do {
		if (poll(fds, 2, d->impatient ? 0 : -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[0].revents)
			return 0;
		if (d->impatient || (fds[1].revents && d->wake->stop(d->wake->context)))
			return -ECANCELED;
	} while (true);
}

/* Cuts a regular file back to the last whole line of the data after only a part of them was
 * written, unless another process has appended to the file. */
static void cut_back(const struct dest *d, const char *data, size_t n)
{
	off_t end = lseek(d->fd, 0, SEEK_CUR);
	struct stat st;
	size_t keep = n;

	while (keep && data[keep - 1] != '\n')
		keep--;
	if (fstat(d->fd, &st) || !S_ISREG(st.st_mode) || st.st_size != end)
		return;
	end -= (off_t)(n - keep);
	if (!ftruncate(d->fd, end))
		lseek(d->fd, end, SEEK_SET);
}

int dest_write(struct dest *d, const char *data, size_t n, struct err *err)
{
	size_t written = 0;

	while (written < n) {
		size_t left = n - written;
		int ret = wait_writable(d);
		ssize_t done =
			ret ? -1 : write(d->fd, data + written, left < d->chunk ? left : d->chunk);

		if (ret)
			return err_set(err, -ret, "writing was interrupted");
		if (done < 0 && errno != EAGAIN && errno != EINTR) {
			ret = refuse(d, errno, err);
			cut_back(d, data, written);
			return ret;
		}
		written += done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* Gives the new file the name of its target. Returns 0 or -errno. */
static int install(const struct dest *d)
{
	int ret;

	/* Fails without an old file, and on file systems that cannot exchange files. */
	if (d->overwrite && d->transient &&
	    !renameat2(AT_FDCWD, d->temporary, AT_FDCWD, d->target, RENAME_EXCHANGE))
		return unlink(d->temporary) ? -errno : 0;
	if (d->overwrite)
		return rename(d->temporary, d->target) ? -errno : 0;
	ret = renameat2(AT_FDCWD, d->temporary, AT_FDCWD, d->target, RENAME_NOREPLACE) ? -errno : 0;
	/* Some file systems, such as NFS, lack RENAME_NOREPLACE but have hard links. */
	if (ret == -EINVAL || ret == -ENOSYS) {
		ret = link(d->temporary, d->target) ? -errno : 0;
		if (!ret)
			unlink(d->temporary);
	}
	return ret;
}

/* Closes the descriptor, or a copy of one that the caller keeps: closing a copy also makes a
 * network file system write its data back and report errors. Returns 0 or -errno. */
static int close_descriptor(const struct dest *d)
{
	int fd = d->owned ? d->fd : fcntl(d->fd, F_DUPFD_CLOEXEC, 0);

	return fd >= 0 && close(fd) && errno != EINTR ? -errno : 0;
}

int dest_close(struct dest *d, bool failed, struct err *err)
{
	bool empty = d->fd >= 0 && d->made && lseek(d->fd, 0, SEEK_END) == 0;
	int ret = d->fd < 0 ? 0 : close_descriptor(d);

	if (d->temporary && !failed && !ret)
		ret = install(d);
	if (d->temporary && (failed || ret))
		unlink(d->temporary);
	else if (failed && empty)
		unlink(d->path);
	if (ret)
		refuse(d, -ret, err);
	free(d->temporary);
	free(d->target);
	d->temporary = d->target = NULL;
	d->fd = -1;
	return ret;
}

/* Writes the text to a new file in the folder. Returns its path, owned by the caller; NULL: it
 * could not be written. */
static char *write_new_file(const char *folder, const struct strbuf *text)
{
	char *path = xasprintf("%s/tiptop-report.XXXXXX", folder);
	struct dest dest = DEST_NONE;
	const int fd = mkostemp(path, O_CLOEXEC);
	int ret = -1;

	if (fd >= 0) {
		take(&dest, fd, path);
		ret = dest_write(&dest, text->text, text->len, NULL);
		ret = dest_close(&dest, ret, NULL) ? -1 : ret;
	}
	if (!ret)
		return path;
	if (fd >= 0)
		unlink(path);
	free(path);
	return NULL;
}

void dest_keep(const char *what, const struct strbuf *text, struct err *err)
{
	const char *const folder[] = {secure_getenv("TMPDIR"), "/tmp", "/dev/shm"};
	const struct err why = *err;
	char *path = NULL;

	for (size_t i = 0; i < sizeof folder / sizeof *folder && !path; i++)
		if (folder[i] && folder[i][0] == '/')
			path = write_new_file(folder[i], text);
	if (path)
		err_set(err, why.code, "%s; %s is in '%s' instead", why.text, what, path);
	else
		err_set(err, why.code,
			"%s; %s is lost: it could not be written to $TMPDIR, /tmp or /dev/shm "
			"either",
			why.text, what);
	free(path);
}

/* ---- replace ---- */

/* Gives the new file the owner and mode of the old one, if there is one. The owner comes first:
 * fchown(2) clears bits of the mode. */
static int copy_access(int fd, const char *path)
{
	struct stat old, new;

	if (stat(path, &old) || fstat(fd, &new))
		return 0;
	if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid) &&
	    fchown(fd, old.st_uid, old.st_gid))
		return -errno;
	return fchmod(fd, old.st_mode & 07777) ? -errno : 0;
}

/* Writes a new file beside the old one, and renames the new file over the old one once it is
 * complete. */
static int replace(const char *path, const struct strbuf *text, bool overwrite)
{
	struct dest dest;
	int rc = dest_open_beside(&dest, path, overwrite, NULL), closed;

	if (!rc && overwrite)
		rc = copy_access(dest.fd, path);
	if (!rc)
		rc = dest_write(&dest, text->text, text->len, NULL);
	closed = dest_close(&dest, rc != 0, NULL);
	return rc ? rc : closed;
}

/* Finds the file to be written. *target: owned by the caller. */
static int find_target(const char *path, bool overwrite, char **target, struct err *err)
{
	struct stat st;

	*target = NULL;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return err_set(err, EISDIR, "'%s' is a folder: name a file in it", path);
	if (!lstat(path, &st) && !overwrite)
		return err_set(err, EEXIST, "'%s' already exists", path);
	if (!lstat(path, &st) && S_ISLNK(st.st_mode)) {
		if (st.st_uid != geteuid())
			return err_set(
				err, EPERM,
				"'%s' is a symbolic link of another user: name a regular file",
				path);
		*target = realpath(path, NULL);
		if (!*target)
			return err_set(err, errno, "cannot follow the symbolic link '%s': %s", path,
				       strerror(errno));
	} else {
		*target = xstrdup(path);
	}
	if (!lstat(*target, &st) && !S_ISREG(st.st_mode))
		return err_set(err, EINVAL, "'%s' is not a regular file", path);
	return 0;
}

int replace_file(const char *path, const struct strbuf *text, bool overwrite, struct err *err)
{
	char *target;
	int rc = find_target(path, overwrite, &target, err);

	if (!rc) {
		rc = replace(target, text, overwrite);
		if (rc == -EEXIST)
			err_set(err, EEXIST, "'%s' already exists", path);
		else if (rc)
			err_set(err, -rc, "cannot write '%s': %s", path, strerror(-rc));
	}
	free(target);
	return rc;
}
