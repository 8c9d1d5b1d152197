/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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
