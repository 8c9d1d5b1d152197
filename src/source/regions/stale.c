/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/regions/stale.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "lib/table.h"
#include "source/tables/process.h"

/* Whether the process that made the table still runs on this boot. */
static bool is_alive(const struct table_header *h)
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

static bool remove_if_stale(int folder, const char *name)
{
	struct table_header h;
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool stale;

	if (fd < 0)
		return false;
	stale = is_own_file(fd) && pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
		!memcmp(h.magic, TABLE_MAGIC, sizeof h.magic) && !is_alive(&h) && take_lock(fd) &&
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
