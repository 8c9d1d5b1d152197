/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/table_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "preload/process.h"

/* The kernel would write a file that is on a disk, in the middle of what is measured. */
static bool is_in_memory(const char *path)
{
	struct statfs system;

	return path && path[0] == '/' && !statfs(path, &system) && system.f_type == TMPFS_MAGIC;
}

int table_folder_make(struct table_folder *f, const char *what, struct err *err)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	const char *const parent[] = {runtime, "/dev/shm"};
	int error = ENODEV;

	for (size_t i = 0; i < sizeof parent / sizeof *parent; i++) {
		if (!is_in_memory(parent[i]) ||
		    snprintf(f->path, sizeof f->path, "%s/tiptop-%s.XXXXXX", parent[i], what) >=
			    (int)sizeof f->path)
			continue;
		if (mkdtemp(f->path))
			return 0;
		error = errno;
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
	struct stat file;
	int fd = -1;

	if (snprintf(path, sizeof path, "%s/%s", f->path, name) < (int)sizeof path)
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	else
		errno = ENAMETOOLONG;
	if (fd < 0)
		return err_set(err, errno, "cannot read the table '%s': %s", name, strerror(errno));
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_uid == geteuid())
		return fd;
	close(fd);
	return err_set(err, EPERM, "the table '%s' is no file of this user", name);
}

int table_folder_read(const struct table_folder *f, const char *what, const char *name,
		      table_reader read, void *to, struct err *err)
{
	int fd = open_table(f, name, err), ret;
	struct err why = ERR_INIT;

	if (fd < 0)
		return fd;
	ret = read(to, fd, false, &why);
	if (ret == -EAGAIN)
		ret = read(to, fd, true, &why);
	close(fd);
	return ret ? err_set(err, why.code, "the table of %s '%s' %s", what, name, why.text) : 0;
}

void table_folder_remove(struct table_folder *f)
{
	struct folder entries;
	const char *name;

	if (!f->path[0] || folder_open(&entries, "%s", f->path) < 0)
		return;
	while ((name = folder_next(&entries))) {
		char path[TABLE_FOLDER_MAX + 64];

		if (!strncmp(name, PROCESS_FILE_PREFIX, strlen(PROCESS_FILE_PREFIX)) &&
		    snprintf(path, sizeof path, "%s/%s", f->path, name) < (int)sizeof path)
			unlink(path);
	}
	rmdir(f->path);
	f->path[0] = '\0';
}
