/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/exec_note.h"

#include <alloca.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>

#include "inject/preload/exec_file.h"
#include "inject/preload/exec_text.h"

void exec_note_add(const char *folder, const struct exec_note *note)
{
	static const char name[] = "/" EXEC_NOTE_FILE;
	const size_t n = exec_text_length(folder);
	char *path = alloca(n + sizeof name);
	long fd;

	exec_text_copy(path, folder, n);
	exec_text_copy(path + n, name, sizeof name);
	fd = exec_kernel(SYS_openat, AT_FDCWD, path,
			 O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	exec_kernel(SYS_write, fd, note, sizeof *note);
	exec_kernel(SYS_close, fd);
}

uint64_t exec_note_clock(void)
{
	struct timespec now = {0};

	exec_kernel(SYS_clock_gettime, CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
