/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_find.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "inject/lib/table.h"

/* Bytes of /proc/PID/maps: more than the mappings that the kernel allows a process can take. */
#define MAPS_MAX (64 << 20)

#define DELETED " (deleted)"

/* Returns the pid of the process in its own namespace: the last number of NSpid. 0: the process has
 * ended. */
static long own_number(int pid)
{
	char path[64], text[4096], *line, *end;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	if (file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return 0;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return pid;
	line++;
	end = line + strcspn(line, "\n");
	*end = '\0';
	while (end > line && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return strtol(end, NULL, 10);
}

/* Parses the line around `at`: "7f00-7f10 rw-s 00000000 00:1b 42    /dev/shm/x". */
static bool parse_line(struct region_place *out, const char *text, const char *at)
{
	unsigned major, minor;
	uint64_t inode;
	int path = 0;
	size_t len;

	while (at > text && at[-1] != '\n')
		at--;
	if (sscanf(at, "%*x-%*x %*s %*x %x:%x %" SCNu64 " %n", &major, &minor, &inode, &path) !=
		    3 ||
	    !path)
		return false;
	len = strcspn(at + path, "\n");
	if (len >= sizeof out->path)
		return false;
	memcpy(out->path, at + path, len);
	out->path[len] = '\0';
	out->device = makedev(major, minor);
	out->inode = inode;
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* Finds the table of this process. number: its pid in its own namespace, which the name of the file
 * contains: after a fork(2), a child has the table of its parent mapped, too. */
static bool find_mapped(struct region_place *out, const char *maps, long number)
{
	char name[64];

	snprintf(name, sizeof name, "/" TABLE_FILE_PREFIX "%ld.", number);
	for (const char *at = maps; (at = strstr(at, name)); at++)
		if (!memchr(at + 1, '/', strcspn(at + 1, "\n")) && parse_line(out, maps, at))
			return true;
	return false;
}

/* Returns whether a line of mountinfo is a tmpfs on this device: "36 25 0:31 / /dev/shm rw - tmpfs
 * ...". */
static bool is_tmpfs_line(const char *line, dev_t device)
{
	const size_t len = strcspn(line, "\n");
	unsigned major, minor;
	const char *type = memmem(line, len, " - tmpfs ", 9);

	return type && sscanf(line, "%*u %*u %u:%u ", &major, &minor) == 2 &&
	       makedev(major, minor) == device;
}

static bool has_tmpfs(const char *process, dev_t device)
{
	struct strbuf mounts;
	char path[64];
	bool found = false;

	strbuf_init(&mounts);
	snprintf(path, sizeof path, "/proc/%s/mountinfo", process);
	if (file_read_lines(AT_FDCWD, path, MAPS_MAX, &mounts) > 0)
		for (const char *line = mounts.text; *line && !found;
		     line += strcspn(line, "\n"), line += *line == '\n')
			found = is_tmpfs_line(line, device);
	strbuf_done(&mounts);
	return found;
}

/* Returns whether the device is a tmpfs, by the mountinfo of the process, or by that of tiptop in
 * case the process has called chroot(2). The file system itself is not accessed. */
static bool is_tmpfs(int pid, dev_t device)
{
	char process[16];

	snprintf(process, sizeof process, "%d", pid);
	return has_tmpfs(process, device) || has_tmpfs("self", device);
}

/* How often a path is looked up again if a folder is renamed meanwhile. */
#define PATH_TRIES 100

static int open_path(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS |
			   RESOLVE_CACHED,
	};
	long fd = -1;

	errno = EAGAIN;
	for (int try = 0; try < PATH_TRIES && fd < 0 && errno == EAGAIN; try++)
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
	if (fd < 0 && errno == EINVAL) {
		how.resolve &= ~(uint64_t)RESOLVE_CACHED;
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
	}
	/* Linux before 5.6 has no openat2(2). find_fault() checks the file in any case. */
	if (fd < 0 && errno == ENOSYS)
		fd = openat(root, path + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Looks up the path below the root of the process; then below our own root, where the paths in its
 * maps begin if the process has called chroot(2). */
static int look_up(int pid, const char *path)
{
	int fd = -ENOENT;

	for (int i = 0; i < 2 && fd < 0; i++) {
		char name[64];
		int root;

		snprintf(name, sizeof name, i ? "/" : "/proc/%d/root", pid);
		root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		fd = root < 0 ? -errno : open_path(root, path);
		if (root >= 0)
			close(root);
	}
	return fd;
}

/* Returns why the file is not the table that is mapped; NULL: it is the table. The device was
 * checked to be a tmpfs. */
static const char *find_fault(int fd, int pid, const struct region_place *mapped)
{
	struct stat process;
	struct statx file;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d", pid);
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &file) ||
	    stat(path, &process))
		return "cannot be examined";
	if (!S_ISREG(file.stx_mode))
		return "is not a regular file";
	if (makedev(file.stx_dev_major, file.stx_dev_minor) != mapped->device ||
	    file.stx_ino != mapped->inode)
		return "is not the file that the process has mapped";
	return file.stx_uid == process.st_uid ? NULL : "belongs to another user than the process";
}

/* Checks the file of an O_PATH descriptor, and opens it for reading. */
static int open_checked(int place, int pid, const struct region_place *mapped, struct err *err)
{
	const char *fault = find_fault(place, pid, mapped);
	char path[64];
	int fd;

	if (fault)
		return err_set(err, EPERM, "the table of regions of the process %d, '%s', %s", pid,
			       mapped->path, fault);
	snprintf(path, sizeof path, "/proc/self/fd/%d", place);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, errno,
			       "cannot read the table of regions of the process %d, '%s': %s", pid,
			       mapped->path, strerror(errno));
	return fd;
}

int regions_open(int pid, const struct region_place *mapped, struct err *err)
{
	int place, fd;

	if (ends_with(mapped->path, DELETED))
		return err_set(
			err, ESTALE,
			"the table of regions of the process %d, '%.*s', was removed: only the "
			"report of the process has its regions",
			pid, (int)(strlen(mapped->path) - strlen(DELETED)), mapped->path);
	if (!is_tmpfs(pid, mapped->device))
		return err_set(err, EPERM,
			       "the table of regions of the process %d, '%s', is not in memory "
			       "(tmpfs)",
			       pid, mapped->path);
	place = look_up(pid, mapped->path);
	if (place == -EAGAIN)
		return err_set(err, EPERM,
			       "the table of regions of the process %d, '%s', is no longer at "
			       "this path: the kernel does not have the path in its cache",
			       pid, mapped->path);
	if (place < 0)
		return err_set(err, -place,
			       "cannot find the table of regions of the process %d, '%s': %s", pid,
			       mapped->path, strerror(-place));
	fd = open_checked(place, pid, mapped, err);
	close(place);
	return fd;
}

int regions_find(int pid, struct err *err)
{
	long number = own_number(pid);
	struct region_place mapped;
	struct strbuf maps;
	char path[64];
	ssize_t n;
	int ret;

	if (number <= 0)
		return -ESRCH;
	strbuf_init(&maps);
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	n = file_read_lines(AT_FDCWD, path, MAPS_MAX, &maps);
	if (n == -ESRCH || n == -ENOENT)
		ret = -ESRCH;
	else if (n < 0)
		ret = err_set(err, (int)-n, "cannot look for regions of the process %d: '%s': %s",
			      pid, path, strerror((int)-n));
	else if (n > 0 && find_mapped(&mapped, maps.text, number))
		ret = regions_open(pid, &mapped, err);
	else if (n > 0 && strstr(maps.text, "/memfd:" TABLE_MEMORY_NAME))
		ret = err_set(err, ENODATA,
			      "the process %d could make no file for its regions, neither in "
			      "$XDG_RUNTIME_DIR nor in /dev/shm: only its own report has them",
			      pid);
	else
		ret = -ENOENT;
	strbuf_done(&maps);
	return ret;
}

bool regions_is_held(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_GETLK, &whole) && whole.l_type != F_UNLCK;
}
