/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shim - a library for LD_PRELOAD that emulates counters of all kinds on a machine without a PMU.
 *
 * Generic hardware, cache and raw events become the kernel's task clock: time on a CPU in ns. The
 * other parameters of the call stay: task, CPU, group, flags, read format, inheritance, excluded
 * modes. So all events count the same, every ratio of two is 1, and two programs that count the
 * same task must print the same.
 *
 * It works in programs that call perf_event_open(2) with libc's syscall(), as there is no other
 * wrapper.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N_ARGS 6

/* The kernel takes attributes up to the size of a page. */
union attr {
	struct perf_event_attr attr;
	char bytes[4096];
};

static void to_task_clock(union attr *copy, const struct perf_event_attr *from)
{
	/* Programs of the first days leave the size 0. */
	uint32_t size = from->size ? from->size : PERF_ATTR_SIZE_VER0;

	memcpy(copy, from, size <= sizeof *copy ? size : sizeof *copy);
	switch (copy->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		copy->attr.type = PERF_TYPE_SOFTWARE;
		copy->attr.config = PERF_COUNT_SW_TASK_CLOCK;
		break;
	default:
		break;
	}
}

long syscall(long number, ...)
{
	long (*next)(long, ...), arg[N_ARGS];
	void *symbol = dlsym(RTLD_NEXT, "syscall");
	union attr copy;
	va_list ap;

	memcpy(&next, &symbol, sizeof next); /* ISO C has no cast from a pointer to data */
	va_start(ap, number);
	for (int i = 0; i < N_ARGS; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && arg[0]) {
		to_task_clock(&copy, (const struct perf_event_attr *)arg[0]);
		arg[0] = (long)&copy;
	}
	return next(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
