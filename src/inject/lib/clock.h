/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clock - the CPU time of the calling thread, in ns, mostly without a system call.
 *
 * It needs no PMU: the page of a software event that counts nothing has a `lock` which the kernel
 * changes whenever the thread gets a CPU. While it is the same, the thread has run without a break,
 * so its time is that of an anchor (CLOCK_THREAD_CPUTIME_ID) plus what the time stamp counter says
 * has gone by since. The lock is looked at again behind the time stamp: else a thread that lost its
 * CPU in between would see the clock step back. What a hypervisor takes from the machine is in it.
 *
 * Where the time stamp counter does not run evenly, or the page cannot be had, each reading is a
 * system call.
 */
#ifndef INJECT_LIB_CLOCK_H
#define INJECT_LIB_CLOCK_H

#include "inject/lib/page.h"

struct tt_clock {
	page_t *page; /* NULL: each reading is a system call */
	uint32_t lock;
	uint64_t anchor_ns, anchor_ticks, last_ns;
};

/* The product of a whole number and a fraction of 2^32. */
static inline uint64_t tt_multiply(uint64_t whole, uint64_t fraction)
{
	return (whole >> 32) * fraction + ((whole & UINT32_MAX) * fraction >> 32);
}

/* The speed of the time stamp counter, in ns for 2^32 ticks; 0: it does not run evenly. */
uint64_t tt_clock_speed(void);

/* Opens it on the calling thread. It always works: where the page cannot be had, slowly. */
void tt_clock_open(struct tt_clock *c);
void tt_clock_close(struct tt_clock *c);
/* It never goes back. *state: TT_TSC or TT_SYSCALL. */
uint64_t tt_clock_read(struct tt_clock *c, enum tt_state *state);

#endif
