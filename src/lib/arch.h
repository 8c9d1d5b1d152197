/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arch - the instructions that read counters and clocks, on each architecture. The only file of
 * this layer with #if.
 *
 * arch_read_pmc(index) reads the counter that the kernel's page calls index + 1, in user mode; it
 * is asked only where the page says that this is allowed (page.h). arch_read_time() reads the clock
 * that the page's time fields are in.
 */
#ifndef LIB_ARCH_H
#define LIB_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/* The compiler moves no access to memory across it. */
#define ARCH_BARRIER() __asm__ volatile("" ::: "memory")

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* See page.h. */
#define ARCH_OFFSET_IS_COUNT true
/* What perf_event_attr.config1 may have to say for reads in user space: nothing. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		0                                                                                  \
	}

static inline __attribute__((always_inline)) uint64_t arch_read_pmc(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return low | (uint64_t)high << 32;
}

static inline uint64_t arch_read_time(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low | (uint64_t)high << 32;
}

/* A number that each thread of the process has for itself: where its TLS is. */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

#ifdef __x86_64__
	__asm__ volatile("mov %%fs:0, %0" : "=r"(thread));
#else
	__asm__ volatile("mov %%gs:0, %0" : "=r"(thread));
#endif
	return thread;
}

/* Whether the clock runs at one speed in all states of the CPU: CPUID leaf 0x80000007, EDX bit 8.
 */
static inline bool arch_time_is_steady(void)
{
	uint32_t eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx >> 8 & 1;
}

#elif defined(__aarch64__)

#define ARCH_OFFSET_IS_COUNT false
/* What perf_event_attr.config1 may have to say for reads in user space, the best first: bit 1 asks
 * for them, bit 0 for a counter of 64 bits, which not every PMU has.
 * Documentation/arch/arm64/perf.rst of the kernel. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		3, 2, 0                                                                            \
	}

#define ARCH_PMEVCNTR(n)                                                                           \
	case n:                                                                                    \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                      \
		break;

/* Arm ARM, PMEVCNTR<n>_EL0 and PMCCNTR_EL0, which the kernel numbers 31. */
static inline __attribute__((always_inline)) uint64_t arch_read_pmc(uint32_t index)
{
	uint64_t value = 0;

	switch (index) {
		/* clang-format off */
	ARCH_PMEVCNTR(0) ARCH_PMEVCNTR(1) ARCH_PMEVCNTR(2) ARCH_PMEVCNTR(3) ARCH_PMEVCNTR(4) ARCH_PMEVCNTR(5)
	ARCH_PMEVCNTR(6) ARCH_PMEVCNTR(7) ARCH_PMEVCNTR(8) ARCH_PMEVCNTR(9) ARCH_PMEVCNTR(10) ARCH_PMEVCNTR(11)
	ARCH_PMEVCNTR(12) ARCH_PMEVCNTR(13) ARCH_PMEVCNTR(14) ARCH_PMEVCNTR(15) ARCH_PMEVCNTR(16) ARCH_PMEVCNTR(17)
	ARCH_PMEVCNTR(18) ARCH_PMEVCNTR(19) ARCH_PMEVCNTR(20) ARCH_PMEVCNTR(21) ARCH_PMEVCNTR(22) ARCH_PMEVCNTR(23)
	ARCH_PMEVCNTR(24) ARCH_PMEVCNTR(25) ARCH_PMEVCNTR(26) ARCH_PMEVCNTR(27) ARCH_PMEVCNTR(28) ARCH_PMEVCNTR(29)
	ARCH_PMEVCNTR(30)
			/* clang-format on */
			case 31 : __asm__ volatile("mrs %0, pmccntr_el0"
						   : "=r"(value));
		break;
	}
	return value;
}

static inline uint64_t arch_read_time(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(thread));
	return thread;
}

/* Arm ARM, the Generic Timer: it always does. */
static inline bool arch_time_is_steady(void)
{
	return true;
}

#else

#define ARCH_OFFSET_IS_COUNT false
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		0                                                                                  \
	}

/* The kernel's page allows no reads here. */
static inline __attribute__((always_inline)) uint64_t arch_read_pmc(uint32_t index)
{
	(void)index;
	return 0;
}

static inline uint64_t arch_read_time(void)
{
	return 0;
}

static inline uintptr_t arch_thread(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static inline bool arch_time_is_steady(void)
{
	return false;
}

#endif

#endif
