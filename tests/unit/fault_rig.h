/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_rig - causes a given number of page faults, which libtiptop can count exactly on any
 * machine.
 */
#ifndef TESTS_FAULT_RIG_H
#define TESTS_FAULT_RIG_H

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Causes n page faults. Not instrumented: sanitizers would touch further pages. */
__attribute__((no_sanitize("address"), no_sanitize("thread"))) static inline void fault(int n)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)n * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	madvise(p, (size_t)n * size, MADV_NOHUGEPAGE);
	for (int i = 0; i < n; i++)
		((volatile char *)p)[(size_t)i * size] = 1;
	munmap(p, (size_t)n * size);
}

#endif
