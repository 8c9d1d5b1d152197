/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns the lowest number to which descriptors are moved. */
static int lowest(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 2 > DESCRIPTOR_HIGH)
		return DESCRIPTOR_HIGH;
	return limit.rlim_cur / 2 > STDERR_FILENO ? (int)(limit.rlim_cur / 2) : STDERR_FILENO + 1;
}

int tt_descriptor_lift(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, lowest()), ret = high < 0 ? -EMFILE : high;

	close(fd);
	return ret;
}

/* Makes the system call directly, as the program may define a read() that replaces the C library's.
 */
static long read_system(int fd, void *to, size_t size)
{
	return syscall(SYS_read, fd, to, size);
}

bool tt_descriptor_read(int fd, struct descriptor_group *group)
{
	const int error = errno;
	bool read = false;

	if (fd >= 0 && read_system(fd, group, 0) < 0 && errno == ENOSPC)
		read = read_system(fd, group, sizeof *group) >=
		       (long)offsetof(struct descriptor_group, counter);
	errno = error;
	return read;
}

void tt_descriptor_close(int fd, uint64_t id)
{
	const int error = errno;
	struct descriptor_group group;

	if (!tt_descriptor_read(fd, &group))
		return;
	for (uint64_t i = 0; i < group.n && i < DESCRIPTOR_COUNTERS; i++)
		if (group.counter[i].id == id) {
			close(fd);
			break;
		}
	errno = error;
}
