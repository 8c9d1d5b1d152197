/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock - what a clock of the kernel says.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* In ns. The clocks that are asked for exist everywhere. */
uint64_t clock_ns(clockid_t id);

#endif
