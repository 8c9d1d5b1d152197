/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numbers: makes the system calls with the numbers 0 to 600 through syscall(2), all arguments -1,
 * and writes what each one returned. Left out are those that have an effect nevertheless, or that
 * end or hang the program. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/lib/arch.h"

#define LAST 600

static const long with_effect[] = {
	SYS_exit,
	SYS_exit_group,
	SYS_rt_sigreturn,
	SYS_sync,
	SYS_vhangup,
	SYS_setsid,
	SYS_clone,
	SYS_msgget,
	SYS_semget,
	SYS_shmget,
	SYS_reboot,
	SYS_umask,
	SYS_personality,
#ifdef SYS_clone3
	SYS_clone3,
#endif
#ifdef SYS_fork
	SYS_fork,
	SYS_vfork,
#endif
#ifdef SYS_pause
	SYS_pause,
#endif
#ifdef SYS_alarm
	SYS_alarm,
#endif
#ifdef __x86_64__
	335,
	336, /* uretprobe and uprobe, for the kernel's own code: others get SIGILL */
#endif
};

static int has_effect(long number)
{
	for (size_t i = 0; i < sizeof with_effect / sizeof *with_effect; i++)
		if (number == with_effect[i])
			return 1;
	return 0;
}

/* mmap2(2) of 32-bit machines takes the offset in units of 4096 bytes. */
#define MAP_UNIT (sizeof(void *) == 4 ? 4096 : 1)

/* Returns whether the last of six arguments comes to the kernel: the offset of a mapped file. */
static int passes_six(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	FILE *file = tmpfile();
	const char *second;

	if (!file || fseek(file, (long)page, SEEK_SET) || fputs("second", file) < 0 || fflush(file))
		return 0;
	second = (const char *)syscall(ARCH_SYS_MMAP, NULL, page, PROT_READ, MAP_SHARED,
				       fileno(file), page / MAP_UNIT);
	return second != MAP_FAILED && !strcmp(second, "second");
}

int main(void)
{
	for (long number = 0; number <= LAST; number++) {
		long ret;

		if (has_effect(number))
			continue;
		errno = 0;
		ret = syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
		printf("%ld %s %d\n", number, ret == -1 ? "-1" : "ok", errno);
	}
	return passes_six() ? 0 : 1;
}
