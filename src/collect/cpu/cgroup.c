/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Returns the path without the mount point, if the path begins with it. */
static const char *strip_mount(const char *path, const char *mount)
{
	const size_t n = strlen(mount);

	return !strncmp(path, mount, n) && (path[n] == '/' || !path[n]) ? path + n : path;
}

static int explain(int error, const char *path, const char *folder, struct err *err)
{
	if (error == ENOENT || error == ENOTDIR)
		return err_set(err, ENOENT,
			       "there is no control group '%s' (the folder %s): 'tiptop --group "
			       "cgroup' shows those that have tasks",
			       path, folder);
	return err_set(err, error, "the control group '%s' cannot be opened (%s): %s", path, folder,
		       strerror(error));
}

int cgroup_open(const struct group_mounts *mounts, const char *path, struct err *err)
{
	const char *mount = mounts->perf[0] ? mounts->perf : mounts->unified;
	char *folder;
	int fd, ret;

	if (!mount[0])
		return err_set(err, ENOENT,
			       "no hierarchy of control groups that counts events is mounted: "
			       "'mount -t cgroup2 none /sys/fs/cgroup' mounts it");
	path = strip_mount(path, mount);
	folder = xasprintf("%s%s%s", mount, *path && *path != '/' ? "/" : "", path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = fd < 0 ? explain(errno, *path ? path : "/", folder, err) : fd;
	free(folder);
	return ret;
}

int cgroup_open_here(const char *path, struct err *err)
{
	struct group_mounts mounts = {.known = false};
	struct strbuf text;
	int proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (proc_fd < 0)
		return err_set(err, errno, "cannot open /proc: %s", strerror(errno));
	strbuf_init(&text);
	group_file_find_mounts(&mounts, proc_fd, &text);
	strbuf_done(&text);
	close(proc_fd);
	return cgroup_open(&mounts, path, err);
}
