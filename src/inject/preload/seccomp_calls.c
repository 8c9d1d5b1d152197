/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/seccomp_calls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "inject/lib/arch.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp_filter.h"

#define ALL SECCOMP_CALL_ALL
#define LOW SECCOMP_CALL_LOW

/* Files of tables contain the numbers of these rows, so new rows are added at the end. */
/* clang-format off */
static const struct row {
	const char *name;
	unsigned needs; /* the uses of the call (enum seccomp_needs); 0: always made */
	struct seccomp_call call;
} rows[] = {
	{"rt_sigprocmask", 0, {SYS_rt_sigprocmask, ALL(3), {0, 0, 0, _NSIG / 8}}},
	{"mmap", 0, {ARCH_SYS_MMAP, ALL(0) | ALL(2) | ALL(3) | LOW(4) | ALL(5),
		     {0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, UINT32_MAX, 0}}},
	{"munmap", 0, {SYS_munmap, 0, {0}}},
	{"madvise", 0, {SYS_madvise, ALL(2), {0, 0, MADV_POPULATE_WRITE}}},
	{"madvise", 0, {SYS_madvise, ALL(2), {0, 0, MADV_WIPEONFORK}}},
	{"futex", 0, {SYS_futex, ALL(1), {0, FUTEX_WAIT | FUTEX_PRIVATE_FLAG}}},
	{"futex", 0, {SYS_futex, ALL(1), {0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG}}},
	{"gettid", 0, {SYS_gettid, 0, {0}}},
	{"prctl", SECCOMP_FILES, {SYS_prctl, ALL(0), {PR_GET_NAME}}},
	{"openat", SECCOMP_FILES, {SYS_openat, LOW(0) | ALL(2), {(uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC}}},
	{"read", SECCOMP_FILES | SECCOMP_EVENTS, {SYS_read, 0, {0}}},
	{"pread64", SECCOMP_FILES, {SYS_pread64, 0, {0}}},
	{"close", SECCOMP_FILES | SECCOMP_EVENTS, {SYS_close, 0, {0}}},
	{"perf_event_open", SECCOMP_EVENTS, {SYS_perf_event_open, 0, {0}}},
	{"ioctl", SECCOMP_EVENTS, {SYS_ioctl, 0, {0}}},
	{"fcntl", SECCOMP_EVENTS, {SYS_fcntl, ALL(1), {0, F_DUPFD_CLOEXEC}}},
	{"prlimit64", SECCOMP_EVENTS, {SYS_prlimit64, 0, {0}}},
	{"mmap", SECCOMP_EVENTS, {ARCH_SYS_MMAP, ALL(0) | ALL(3) | ALL(5), {0, 0, 0, MAP_SHARED, 0, 0}}},
	{"clock_gettime", SECCOMP_CLOCK, {SYS_clock_gettime, ALL(0), {CLOCK_MONOTONIC}}},
	{"getppid", SECCOMP_START, {SYS_getppid, 0, {0}}},
	{"getpid", SECCOMP_START, {SYS_getpid, 0, {0}}},
	{"openat", SECCOMP_START, {SYS_openat, LOW(0) | ALL(2) | ALL(3),
				   {(uint32_t)AT_FDCWD, 0, PROCESS_FILE_FLAGS, PROCESS_FILE_MODE}}},
	{"openat", SECCOMP_START, {SYS_openat, LOW(0) | ALL(2), {(uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC}}},
	{"read", SECCOMP_START, {SYS_read, 0, {0}}},
	{"close", SECCOMP_START, {SYS_close, 0, {0}}},
	{"ftruncate", SECCOMP_START, {SYS_ftruncate, 0, {0}}},
	{"mmap", SECCOMP_START, {ARCH_SYS_MMAP, ALL(0) | ALL(2) | ALL(3) | ALL(5),
				 {0, 0, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0}}},
	{"clock_gettime", SECCOMP_START, {SYS_clock_gettime, ALL(0), {CLOCK_THREAD_CPUTIME_ID}}},
};
/* clang-format on */
#define N_ROWS (sizeof rows / sizeof *rows)

const struct seccomp_call *seccomp_calls_next(uint32_t *number, unsigned needs)
{
	while (*number < N_ROWS) {
		const struct row *row = &rows[(*number)++];

		if (!row->needs || row->needs & needs)
			return &row->call;
	}
	return NULL;
}

uint32_t seccomp_calls_find_lacking(const struct sock_fprog *filter, unsigned needs)
{
	const struct seccomp_call *call;
	uint32_t number = 0;

	while ((call = seccomp_calls_next(&number, needs)))
		if (filter ? !seccomp_filter_allows(filter, call) : !seccomp_strict_allows(call))
			return number;
	return 0;
}

unsigned seccomp_calls_need_clock(void)
{
	return arch_time_is_steady() ? 0 : SECCOMP_CLOCK;
}

bool seccomp_calls_may_fail(uint32_t number)
{
	return rows[number - 1].needs == SECCOMP_EVENTS;
}

const char *seccomp_calls_name(uint32_t number)
{
	return number && number <= N_ROWS ? rows[number - 1].name : NULL;
}
