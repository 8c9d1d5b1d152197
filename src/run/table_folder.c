/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/table_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/table/stale_tables.h"
#include "collect/table/table_folder.h"
#include "collect/table/table_process.h"
#include "inject/preload/process.h"

/* Returns whether the path is absolute and on tmpfs. On a disk, the kernel would write the tables
 * back during the measurement. */
static bool is_in_memory(const char *path)
{
	struct statfs system;

	return path && path[0] == '/' && !statfs(path, &system) && system.f_type == TMPFS_MAGIC;
}

/* The most tries to make and lock the folder: another tiptop may remove the new folder as stale
 * before it is locked. */
#define MAKE_TRIES 10

static void remove_if_ended(void *context, const struct table_file *file)
{
	(void)context;
	if (!table_process_runs(file->pid))
		unlink(file->path);
	else
		stale_tables_remove_file(file);
}

/* Watches the file that a program opens if its filters prevent measuring; if the kernel refuses,
 * such programs are not counted. */
static void watch_mark(struct table_folder *f)
{
	char path[PATH_MAX];
	int fd;

	f->mark_fd = -1;
	if (snprintf(path, sizeof path, "%s/" PROCESS_MARK, f->path) >= (int)sizeof path)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	close(fd);
	f->mark_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	/* The kernel merges equal events that follow each other: IN_CLOSE_NOWRITE keeps two opens
	 * apart. */
	if (f->mark_fd >= 0)
		inotify_add_watch(f->mark_fd, path, IN_OPEN | IN_CLOSE_NOWRITE);
}

/* Closing the descriptor releases the lock. */
static void close_folder(struct table_folder *f)
{
	if (f->mark_fd >= 0)
		close(f->mark_fd);
	close(f->lock_fd);
	f->path[0] = '\0';
}

unsigned table_folder_count_filtered(struct table_folder *f)
{
	_Alignas(struct inotify_event) char part[4096];
	unsigned n = 0;
	ssize_t size;

	while (f->mark_fd >= 0 && (size = read(f->mark_fd, part, sizeof part)) > 0)
		for (ssize_t at = 0; at < size;) {
			const struct inotify_event *event = (const void *)(part + at);

			n += (event->mask & IN_OPEN) != 0;
			at += (ssize_t)(sizeof *event + event->len);
		}
	return n;
}

static int make_in(struct table_folder *f, const char *parent, const char *what)
{
	f->lock_fd = -1;
	for (int i = 0; i < MAKE_TRIES && f->lock_fd < 0; i++) {
		if (snprintf(f->path, sizeof f->path, "%s/tiptop-%s.XXXXXX", parent, what) >=
		    (int)sizeof f->path)
			return -ENAMETOOLONG;
		if (!mkdtemp(f->path))
			return -errno;
		f->lock_fd = stale_tables_lock_folder(f->path, 0);
	}
	return f->lock_fd < 0 ? -EBUSY : 0;
}

int table_folder_make(struct table_folder *f, const char *what, struct err *err)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	const char *const parent[] = {runtime, "/dev/shm"};
	int error = ENODEV;

	stale_tables_remove();
	for (size_t i = 0; i < sizeof parent / sizeof *parent && error; i++)
		if (is_in_memory(parent[i]))
			error = -make_in(f, parent[i], what);
	if (!error) {
		watch_mark(f);
		return 0;
	}
	f->path[0] = '\0';
	return err_set(err, error,
		       "cannot make a folder for the tables of %s, neither in $XDG_RUNTIME_DIR "
		       "nor in /dev/shm, in memory (tmpfs): %s",
		       what, strerror(error));
}

static int open_table(const struct table_folder *f, const char *name, struct err *err)
{
	char path[TABLE_FOLDER_MAX + 64];

	if (snprintf(path, sizeof path, "%s/%s", f->path, name) >= (int)sizeof path)
		return err_set(err, ENAMETOOLONG, "cannot read the table '%s': %s", name,
			       strerror(ENAMETOOLONG));
	return tables_open_file(path, name, err);
}

int table_folder_read(const struct table_folder *f, const char *what, const char *name,
		      table_reader read, void *to, struct err *err)
{
	int fd = open_table(f, name, err), ret, pid;
	struct err why = ERR_INIT;

	if (fd < 0)
		return fd;
	ret = read(to, fd, false, &why);
	if (ret == -EAGAIN)
		ret = read(to, fd, true, &why);
	close(fd);
	/* The file has no size or no contents yet. */
	if ((ret == -ENODATA || ret == -ENOMEM) &&
	    sscanf(name, PROCESS_FILE_PREFIX "%d", &pid) == 1 && table_process_runs(pid))
		return TABLE_FOLDER_NOT_BEGUN;
	return ret ? err_set(err, why.code, "the table of %s '%s' %s", what, name, why.text) : 0;
}

void table_folder_leave(struct table_folder *f)
{
	if (!f->path[0])
		return;
	stale_tables_clear_folder(f->path);
	close_folder(f);
}

void table_folder_remove(struct table_folder *f)
{
	if (!f->path[0])
		return;
	tables_visit_folder(f->path, remove_if_ended, NULL);
	stale_tables_remove_folder(f->path);
	close_folder(f);
}
