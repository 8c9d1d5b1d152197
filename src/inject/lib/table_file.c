/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/table_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "inject/lib/destination.h"
#include "inject/lib/regions.h"

/* The most file names to try in a folder. Files of programs that this process executed earlier,
 * with the same pid, may exist; the keeper removes them as soon as it has read them. KEPT_NAMES: in
 * the keeper's folder. */
#define NAMES      16
#define KEPT_NAMES 1024

/* Why a file cannot hold the table. FAULT_TAKEN: the name is taken, try another one. FAULT_FOLDER:
 * try another folder. */
enum fault { FAULT_NONE, FAULT_TAKEN, FAULT_FOLDER };

/* Locks a new file, which must be on a tmpfs: a file on a disk would be written back in the middle
 * of the measurement. */
static enum fault take_file(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct statfs system;
	struct stat s;

	if (fstatfs(fd, &system) || system.f_type != TMPFS_MAGIC)
		return FAULT_FOLDER;
	if (fcntl(fd, F_OFD_SETLK, &whole))
		return errno == EAGAIN || errno == EACCES ? FAULT_TAKEN : FAULT_FOLDER;
	return fstat(fd, &s) || !s.st_nlink ? FAULT_TAKEN : FAULT_NONE;
}

/* Makes a new file in a folder, and sets r->path. Returns the descriptor; -1: no file can be made
 * in this folder. */
static int make_in(struct tt_regions *r, const char *folder, unsigned names)
{
	for (unsigned n = 0; n < names; n++) {
		const int len = snprintf(r->path, sizeof r->path, "%s/" TABLE_FILE_PREFIX "%ld.%u",
					 folder, (long)getpid(), n);
		int fd = -1;
		enum fault fault;

		if (len < (int)sizeof r->path)
			fd = open(r->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				  0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		fault = fd < 0 ? FAULT_FOLDER : take_file(fd);
		if (fault == FAULT_NONE)
			return fd;
		if (fd >= 0) {
			unlink(r->path);
			close(fd);
		}
		if (fault == FAULT_FOLDER)
			break;
	}
	return -1;
}

/* Returns whether the keeper runs: it holds a lock on its folder. If the folder is out of reach,
 * because the rights or the root have changed, the keeper is assumed to run. */
static bool keeper_runs(const char *folder)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool runs;

	if (fd < 0)
		return errno != ENOENT || !tt_destination_has_root();
	runs = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return runs;
}

int tt_table_file_make(struct tt_regions *r)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	int fd = -1;

	if (r->keeper[0] && keeper_runs(r->keeper))
		fd = make_in(r, r->keeper, KEPT_NAMES);
	if (fd < 0 && runtime && runtime[0] == '/')
		fd = make_in(r, runtime, NAMES);
	if (fd < 0)
		fd = make_in(r, "/dev/shm", NAMES);
	if (fd >= 0)
		return fd;
	r->path[0] = '\0';
	return memfd_create(TABLE_MEMORY_NAME, MFD_CLOEXEC);
}

static bool is_in_folder(const char *path, const char *folder)
{
	const size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/' && !strchr(path + n + 1, '/');
}

bool tt_table_file_is_kept(const struct tt_regions *r)
{
	return r->keeper[0] && is_in_folder(r->path, r->keeper) && keeper_runs(r->keeper);
}
