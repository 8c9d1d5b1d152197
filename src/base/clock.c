/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock.h"

uint64_t clock_ns(clockid_t id)
{
	struct timespec t = {0, 0};

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
