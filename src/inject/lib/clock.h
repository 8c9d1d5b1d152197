/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clock - the CPU time of the calling thread, in ns, mostly without a system call.
 *
 * It needs no PMU: the page of a software event that counts nothing has a `lock` that the kernel
 * changes whenever the thread gets a CPU. While the lock is unchanged, the thread has run without a
 * break, so its CPU time is that of an anchor plus the time since the anchor by the time stamp
 * counter. An anchor is a moment at which both CLOCK_THREAD_CPUTIME_ID and the time stamp counter
 * were read. The lock is read again after the time stamp: otherwise a thread that lost its CPU in
 * between would see the clock step back. The time includes time that a hypervisor takes from the
 * machine (steal time).
 *
 * If the time stamp counter does not run at a constant speed, or the page cannot be mapped, each
 * reading is a system call.
 */
#ifndef INJECT_LIB_CLOCK_H
#define INJECT_LIB_CLOCK_H

#include "inject/lib/page.h"

struct tt_clock {
	page_t *page;  /* NULL: each reading is a system call */
	uint32_t lock; /* the page's lock when the anchor was set */
	uint64_t anchor_ns, anchor_ticks, last_ns;
};

/* Returns the product of an integer and a number in units of 2^-32, modulo 2^64. The number is 1 or
 * more if a tick of the clock takes longer than 1 ns, as on Arm. */
static inline uint64_t tt_multiply(uint64_t whole, uint64_t number)
{
	const uint64_t fraction = number & UINT32_MAX;

	return whole * (number >> 32) + (whole >> 32) * fraction +
	       ((whole & UINT32_MAX) * fraction >> 32);
}

/* Returns the speed of the time stamp counter, in ns per 2^32 ticks; 0: its speed is not constant.
 */
uint64_t tt_clock_speed(void);

/* Opens the clock on the calling thread. Never fails: without the page, each reading is a system
 * call. */
void tt_clock_open(struct tt_clock *c);
void tt_clock_close(struct tt_clock *c);
/* Returns the CPU time, in ns; it never decreases. Sets *state to TT_TSC or TT_SYSCALL, which says
 * how it was read. */
uint64_t tt_clock_read(struct tt_clock *c, enum tt_state *state);

#endif
