/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arch - the instructions that read counters and clocks, on each architecture. The only file of
 * this layer with #if.
 *
 * arch_read_pmc(index) reads, in user mode, the counter that the kernel's mmap page of an event
 * (struct perf_event_mmap_page) numbers index + 1. It is called only if the page allows reads in
 * user mode (page.h). arch_read_time() reads the clock to which the page's time fields refer.
 * arch_wait() waits until all earlier instructions have been executed and lets no later instruction
 * begin meanwhile, as far as the architecture has such an instruction.
 */
#ifndef INJECT_LIB_ARCH_H
#define INJECT_LIB_ARCH_H

#include <linux/audit.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Sign-extends the lower `width` bits, 1 to 64. */
#ifdef __aarch64__
/* The CPU uses only the lower 6 bits of a shift distance, so -width needs no mask. Compilers do not
 * make use of this, so the code is in assembly. */
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

/* The oldest symbol version of the C library on this architecture. If a symbol has several
 * versions, a reference without a version is bound to this one. */
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

/* The value of seccomp_data.arch in a filter for system calls of this program; 0: unknown. */
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

/* The bits of a return address that are not part of the address: on 32-bit Arm, bit 0 says that the
 * code of the caller is Thumb code. */
#ifdef __arm__
#define ARCH_RETURN_FLAGS ((uintptr_t)1)
#else
#define ARCH_RETURN_FLAGS ((uintptr_t)0)
#endif

/* The system call that mmap() makes. */
#ifdef SYS_mmap2
#define ARCH_SYS_MMAP SYS_mmap2
#else
#define ARCH_SYS_MMAP SYS_mmap
#endif

/* Keeps the compiler from moving memory accesses across this point. */
#define ARCH_BARRIER() __asm__ volatile("" ::: "memory")

#if defined(__x86_64__) || defined(__i386__)

#ifndef __cpuid /* the header of GCC before 11 has no include guard */
#include <cpuid.h>
#endif

/* See page.h. */
#define ARCH_OFFSET_IS_COUNT true
/* arch_read_pmc() accepts indexes below this number. The valid indexes have gaps, but the kernel's
 * page never contains a number in a gap. */
#define ARCH_COUNTERS UINT32_MAX
/* Values of perf_event_attr.config1 that may be needed for reads in user space: none here. */
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

/* LFENCE waits for all earlier instructions (Intel SDM). On AMD, the kernel sets LFENCE to be
 * dispatch serializing, which has the same effect. */
static inline void arch_wait(void)
{
	__asm__ volatile("lfence" ::: "memory");
}

/* Returns a number that differs between the living threads of the process: the address of the
 * thread's TLS. */
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

/* Returns whether the clock runs at one speed in all states of the CPU: CPUID leaf 0x80000007, EDX
 * bit 8.
 */
static inline bool arch_time_is_steady(void)
{
	uint32_t eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx >> 8 & 1;
}

#elif defined(__aarch64__)

#define ARCH_OFFSET_IS_COUNT false
#define ARCH_COUNTERS        32
/* Values of perf_event_attr.config1 for reads in user space, the best first: bit 1 requests such
 * reads, bit 0 a counter of 64 bits, which not every PMU has. Source:
 * Documentation/arch/arm64/perf.rst of the kernel. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		3, 2, 0                                                                            \
	}

/* The code that reads one register, 16 bytes long. If indirect branches must lead to a landing pad
 * (BTI), it begins with one. */
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define ARCH_WAY(read) "hint #36\n\t" read "\n\tb 2f\n\tnop\n\t"
#else
#define ARCH_WAY(read) read "\n\tb 2f\n\tnop\n\tnop\n\t"
#endif

#define ARCH_EVENTS ARCH_WAY("mrs %0, pmevcntr\\k\\()_el0") ".endr\n\t"
#define ARCH_CYCLES ARCH_WAY("mrs %0, pmccntr_el0")

/* Reads PMEVCNTR<n>_EL0, or PMCCNTR_EL0, which the kernel numbers 31 (Arm ARM). The register is
 * encoded in the instruction, so there is one piece of code per register, and a computed jump to
 * it. */
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

/* The Generic Timer counts at a constant rate (Arm ARM). */
static inline bool arch_time_is_steady(void)
{
	return true;
}

#elif defined(__riscv) && __riscv_xlen == 64

#define ARCH_OFFSET_IS_COUNT false
#define ARCH_COUNTERS        32
/* None is needed: the sysctl kernel.perf_user_access alone allows reads. */
#define ARCH_USER_CONFIG1                                                                          \
	{                                                                                          \
		0                                                                                  \
	}

/* Reads the user-level counters cycle, time, instret and hpmcounter3 to 31 of the privileged
 * architecture, CSRs 0xc00 to 0xc1f, by a computed jump as on Arm. The code was compiled and
 * reviewed, but never run, for lack of a machine. */
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

/* The architecture orders reads of CSRs like device input, so a fence that covers I/O also orders
 * them. */
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

/* The clock counts at a constant rate (unprivileged architecture, Zicntr). */
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

/* Never called: the kernel's page allows no reads on this architecture. */
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

/* The address of errno differs between threads. __builtin_thread_pointer() does not exist on every
 * target: gcc 12 lacks it for ppc64le. */
static inline uintptr_t arch_thread(void)
{
	return (uintptr_t)&errno;
}

static inline bool arch_time_is_steady(void)
{
	return false;
}

#endif

/* Reads a flag that another thread may set at any time. A byte is always read whole, so a plain
 * read is safe. An atomic read would take one more instruction; only gcc's ThreadSanitizer needs
 * the atomic read. */
#ifdef __SANITIZE_THREAD__
#define ARCH_LOAD_FLAG(flag) __atomic_load_n(&(flag), __ATOMIC_RELAXED)
#else
#define ARCH_LOAD_FLAG(flag) (flag)
#endif

#endif
