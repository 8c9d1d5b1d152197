/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/readable.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The smallest page size of all machines. */
#define PAGE ((uintptr_t)4096)

/* The kernel is made to read 8 bytes of each page as a signal mask, for an operation that does not
 * exist: EFAULT means that the bytes cannot be read. */
bool readable_check(const void *from, size_t size)
{
	const uintptr_t end = (uintptr_t)from + size;
	const int error = errno;
	bool readable = end > (uintptr_t)from;

	for (uintptr_t at = (uintptr_t)from & -(uintptr_t)8; readable && at < end;
	     at = (at & -PAGE) + PAGE)
		readable = at && (!syscall(SYS_rt_sigprocmask, -1, at, NULL, _NSIG / 8) ||
				  errno != EFAULT);
	errno = error;
	return readable;
}
