/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/stale_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "collect/table/table_process.h"
#include "inject/lib/table.h"

/* A table is made, and its lock taken, in less time. */
#define MAKING_S 10

/* Whether the process that made the table still runs on this boot. */
static bool is_alive(const struct container *h)
{
	char boot[sizeof h->boot_id] = "";

	file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot, sizeof boot);
	return !strncmp(boot, h->boot_id, sizeof boot - 1) &&
	       table_process_lives((int)h->pid, h->start_ticks);
}

/* From now on nobody else removes it; the process itself would hold it. */
static bool take_lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_SETLK, &whole);
}

/* Whether the name is still that of the open file: another tiptop may have removed it, and another
 * process made its own. */
static bool is_file(int fd, int folder, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static bool is_own_file(int fd)
{
	struct stat s;

	return !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() && s.st_nlink == 1;
}

/* The process that the name has: "tiptop-regions.4711.0". 0: it is no such name. */
static int pid_of(const char *name)
{
	int pid = 0, n = 0;

	sscanf(name, TABLE_FILE_PREFIX "%d.%*u%n", &pid, &n);
	return n && !name[n] && pid > 0 ? pid : 0;
}

/* Whether a file that has no header is left over: it is empty, damaged, or of another version. One
 * that is being made has been written to just now. */
static bool is_wreck(int fd, const char *name)
{
	const int pid = pid_of(name);
	struct stat s;

	return pid && kill(pid, 0) && errno == ESRCH && !fstat(fd, &s) &&
	       s.st_mtime < time(NULL) - MAKING_S;
}

static bool is_left(int fd, const char *name)
{
	struct container h;

	if (pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
	    !memcmp(h.magic, CONTAINER_MAGIC, sizeof h.magic))
		return !is_alive(&h);
	return is_wreck(fd, name);
}

static bool remove_if_stale(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool stale;

	if (fd < 0)
		return false;
	stale = is_own_file(fd) && is_left(fd, name) && take_lock(fd) &&
		is_file(fd, folder, name) && !unlinkat(folder, name, 0);
	close(fd);
	return stale;
}

int regions_remove_stale_in(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), n = 0;
	struct folder folder;
	const char *name;

	if (fd < 0)
		return 0;
	folder_open(&folder, "%s", path);
	while ((name = folder_next(&folder)))
		if (!strncmp(name, TABLE_FILE_PREFIX, strlen(TABLE_FILE_PREFIX)))
			n += remove_if_stale(fd, name);
	close(fd);
	return n;
}

void regions_remove_stale(void)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");

	if (runtime && runtime[0] == '/')
		regions_remove_stale_in(runtime);
	regions_remove_stale_in("/dev/shm");
}
