/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/stale_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/table/table_process.h"
#include "inject/lib/table.h"
#include "inject/preload/exec.h"
#include "inject/preload/process.h"

/* ---- tables ---- */

/* Returns whether a process has the file open or mapped for writing: the kernel then grants no
 * lease on it. On file systems without leases, whether the process with this pid runs. */
static bool is_written(int fd, int pid)
{
	const int error = fcntl(fd, F_SETLEASE, F_RDLCK) ? errno : 0;

	if (!error)
		fcntl(fd, F_SETLEASE, F_UNLCK);
	return error && (error == EAGAIN || table_process_runs(pid));
}

/* Returns whether the name is still that of the open file: another tiptop may have removed it, and
 * another process may have created another file with this name. */
static bool is_named(int fd, const char *path)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !lstat(path, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

bool stale_tables_remove_file(const struct table_file *file)
{
	struct err ignored = ERR_INIT;
	const int fd = tables_open_file(file->path, file->path, &ignored);
	bool removed;

	if (fd < 0)
		return !unlink(file->path);
	/* While this lock is held, no other tiptop removes the file. */
	removed = !flock(fd, LOCK_EX | LOCK_NB) && !is_written(fd, file->pid) &&
		  is_named(fd, file->path) && !unlink(file->path);
	close(fd);
	return removed;
}

/* ---- folders of tables ---- */

static bool is_own_folder(int fd)
{
	struct stat folder;

	return !fstat(fd, &folder) && S_ISDIR(folder.st_mode) && folder.st_uid == geteuid() &&
	       folder.st_nlink;
}

int stale_tables_lock_folder(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && (!is_own_folder(fd) || flock(fd, LOCK_EX | how) || !is_own_folder(fd))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void remove_file(void *unused, const struct table_file *file)
{
	(void)unused;
	stale_tables_remove_file(file);
}

static void remove_name(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
		unlink(path);
}

void stale_tables_clear_folder(const char *path)
{
	tables_visit_folder(path, remove_file, NULL);
	remove_name(path, PROCESS_MARK);
}

static void note_table(void *has, const struct table_file *file)
{
	(void)file;
	*(bool *)has = true;
}

void stale_tables_remove_folder(const char *path)
{
	bool has_tables = false;

	remove_name(path, PROCESS_MARK);
	tables_visit_folder(path, note_table, &has_tables);
	if (!has_tables)
		remove_name(path, EXEC_NOTE_FILE);
	rmdir(path);
}

static void clean_folder(void *unused, const char *path)
{
	const int fd = stale_tables_lock_folder(path, LOCK_NB);

	(void)unused;
	if (fd < 0)
		return;
	stale_tables_clear_folder(path);
	stale_tables_remove_folder(path);
	close(fd);
}

/* ---- all tables ---- */

/* Removes a table in a folder that other programs use, too: only a regular file of this user with a
 * name that libtiptop gives. */
static void remove_own_file(void *unused, const struct table_file *file)
{
	const char *name = strrchr(file->path, '/') + 1;
	struct stat s;

	(void)unused;
	if (!strncmp(name, TABLE_FILE_PREFIX, strlen(TABLE_FILE_PREFIX)) &&
	    !lstat(file->path, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid())
		stale_tables_remove_file(file);
}

void stale_tables_remove_in(const char *path)
{
	static const char *const what[] = {"locks", "calls", "regions"};

	tables_visit_folder(path, remove_own_file, NULL);
	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		tables_visit_folders(path, what[i], clean_folder, NULL);
}

void stale_tables_remove(void)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");

	if (runtime && runtime[0] == '/')
		stale_tables_remove_in(runtime);
	stale_tables_remove_in("/dev/shm");
}
