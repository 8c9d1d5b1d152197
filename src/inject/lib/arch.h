/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arch - the instructions that read counters and clocks, on each architecture. The only file of
 * this layer with #if.
 *
 * arch_read_pmc(index) reads the counter that the kernel's page calls index + 1, in user mode; it
 * is asked only where the page says that this is allowed (page.h). arch_read_time() reads the clock
 * that the page's time fields are in. arch_wait() waits until all instructions before it have been
 * executed, and lets none behind it begin before that, as far as the architecture has such a thing.
 */
#ifndef INJECT_LIB_ARCH_H
#define INJECT_LIB_ARCH_H

#include <linux/audit.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* The lower `width` bits, from 1 to 64 of them, with their sign. */
#ifdef __aarch64__
/* What is above the lower 6 bits of a shift does not count; no compiler sees that. */
static inline uint64_t arch_sign_extend(uint64_t value, uint32_t width)
{
	uint64_t shift;

	__asm__("neg %w1, %w2\n\tlsl %0, %0, %1\n\tasr %0, %0, %1"
		: "+r"(value), "=&r"(shift)
		: "r"(width));
	return value;
}
#else
static inline uint64_t arch_sign_extend(uint64_t value, uint32_t width)
{
	const unsigned shift = -width & 63;

	return (uint64_t)((int64_t)(value << shift) >> shift);
}
#endif

/* The version of the C library with which this architecture began: of a name that has several, a
 * reference without a version finds this one. */
#ifdef __x86_64__
#define ARCH_FIRST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__) || defined(__powerpc64__)
#define ARCH_FIRST_GLIBC "GLIBC_2.17"
#elif defined(__riscv)
#define ARCH_FIRST_GLIBC "GLIBC_2.27"
#elif defined(__s390x__)
#define ARCH_FIRST_GLIBC "GLIBC_2.2"
#elif defined(__arm__)
#define ARCH_FIRST_GLIBC "GLIBC_2.4"
#elif defined(__loongarch__)
#define ARCH_FIRST_GLIBC "GLIBC_2.36"
#else
#define ARCH_FIRST_GLIBC "GLIBC_2.0"
#endif

/* What a filter of system calls sees as the architecture of a call; 0: not known. */
#ifdef __x86_64__
#define ARCH_AUDIT AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCH_AUDIT AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCH_AUDIT AUDIT_ARCH_AARCH64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH_AUDIT AUDIT_ARCH_PPC64LE
#elif defined(__powerpc64__)
#define ARCH_AUDIT AUDIT_ARCH_PPC64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH_AUDIT AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define ARCH_AUDIT AUDIT_ARCH_S390X
#elif defined(__arm__)
#define ARCH_AUDIT AUDIT_ARCH_ARM
#elif defined(__loongarch64)
#define ARCH_AUDIT AUDIT_ARCH_LOONGARCH64
#else
#define ARCH_AUDIT 0
#endif

/* The system call that mmap() makes. */
#ifdef SYS_mmap2
#define ARCH_SYS_MMAP SYS_mmap2
#else
#define ARCH_SYS_MMAP SYS_mmap
#endif

/* The compiler moves no access to memory across it. */
#define ARCH_BARRIER() __asm__ volatile("" ::: "memory")

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* See page.h. */
#define ARCH_OFFSET_IS_COUNT true
/* Below it, arch_read_pmc() may be asked: the numbers have holes, of which the kernel gives none.
 */
#define ARCH_COUNTERS UINT32_MAX
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

/* Intel SDM, LFENCE; on AMD the kernel makes it so (LFENCE is dispatch serializing). */
static inline void arch_wait(void)
{
	__asm__ volatile("lfence" ::: "memory");
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
#define ARCH_COUNTERS        32
/* What perf_event_attr.config1 may have to say for reads in user space, the best first: bit 1 asks
 * for them, bit 0 for a counter of 64 bits, which not every PMU has.
 * Documentation/arch/arm64/perf.rst of the kernel. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		3, 2, 0                                                                            \
	}

/* Where indirect branches must lead to a landing pad, each way of 16 bytes begins with one. */
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define ARCH_WAY(read) "hint #36\n\t" read "\n\tb 2f\n\tnop\n\t"
#else
#define ARCH_WAY(read) read "\n\tb 2f\n\tnop\n\tnop\n\t"
#endif

#define ARCH_EVENTS ARCH_WAY("mrs %0, pmevcntr\\k\\()_el0") ".endr\n\t"
#define ARCH_CYCLES ARCH_WAY("mrs %0, pmccntr_el0")

/* Arm ARM, PMEVCNTR<n>_EL0 and PMCCNTR_EL0, which the kernel numbers 31. The register is a part of
 * the instruction: there is one for each, and a jump to it. */
static inline __attribute__((always_inline)) uint64_t arch_read_pmc(uint32_t index)
{
	uint64_t value;

	__asm__ volatile(
		"adr %0, 1f\n\t"
		"add %0, %0, %w1, uxtw #4\n\t"
		"br %0\n"
		"1:\t.irp k,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t" ARCH_EVENTS
		".irp k,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n\t" ARCH_EVENTS ARCH_CYCLES
		"2:"
		: "=&r"(value)
		: "r"(index));
	return value;
}

static inline uint64_t arch_read_time(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

static inline void arch_wait(void)
{
	__asm__ volatile("isb" ::: "memory");
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

#elif defined(__riscv) && __riscv_xlen == 64

#define ARCH_OFFSET_IS_COUNT false
#define ARCH_COUNTERS        32
/* A sysctl alone allows reads: kernel.perf_user_access. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		0                                                                                  \
	}

/* The user-level counters cycle, time, instret and hpmcounter3 to 31 of the privileged
 * architecture, which are CSRs 0xc00 to 0xc1f: again a jump. It has been compiled and read, but not
 * run: no machine was at hand. */
static inline __attribute__((always_inline)) uint64_t arch_read_pmc(uint32_t index)
{
	uint64_t value, way;

	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "lla %1, 1f\n\t"
			 "slli %0, %2, 3\n\t"
			 "add %1, %1, %0\n\t"
			 "jr %1\n"
			 "1:\t.irp k,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
			 "24,25,26,27,28,29,30,31\n\t"
			 "csrr %0, 0xc00+\\k\n\t"
			 "j 2f\n\t"
			 ".endr\n"
			 "2:\t.option pop"
			 : "=&r"(value), "=&r"(way)
			 : "r"((uint64_t)index));
	return value;
}

static inline uint64_t arch_read_time(void)
{
	uint64_t value;

	__asm__ volatile("rdtime %0" : "=r"(value));
	return value;
}

/* Reads of CSRs count as input of devices here. */
static inline void arch_wait(void)
{
	__asm__ volatile("fence iorw, iorw" ::: "memory");
}

static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__ volatile("mv %0, tp" : "=r"(thread));
	return thread;
}

/* The unprivileged architecture, Zicntr: it counts at a constant rate. */
static inline bool arch_time_is_steady(void)
{
	return true;
}

#else

#include <errno.h>

#define ARCH_OFFSET_IS_COUNT false
#define ARCH_COUNTERS        0
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

static inline void arch_wait(void)
{
}

/* Each thread has its errno at an address of its own. Not every target of a compiler has
 * __builtin_thread_pointer(): gcc 12 lacks it for ppc64le. */
static inline uintptr_t arch_thread(void)
{
	return (uintptr_t)&errno;
}

static inline bool arch_time_is_steady(void)
{
	return false;
}

#endif

/* A flag that another thread may set meanwhile, read once. No byte is read in parts, and an atomic
 * read would take an instruction more; gcc's ThreadSanitizer wants that. */
#ifdef __SANITIZE_THREAD__
#define ARCH_LOAD_FLAG(flag) __atomic_load_n(&(flag), __ATOMIC_RELAXED)
#else
#define ARCH_LOAD_FLAG(flag) (flag)
#endif

#endif
