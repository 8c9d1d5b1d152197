/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * count - one reading of one counter, as the kernel gives it.
 *
 * value       events counted while the counter was on the PMU
 * enabled_ns  time during which the task ran and the counter wanted to count
 * running_ns  the part of enabled_ns during which it was on the PMU; less than enabled_ns when
 *             counters are short and the kernel takes turns (multiplexing)
 *
 * All three only grow while the counter is open.
 */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#include <stdint.h>

struct count {
	uint64_t value, enabled_ns, running_ns;
};

#endif
