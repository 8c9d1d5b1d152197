/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock - the clocks of the kernel, read in ns.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Reads a clock, in ns. The clocks that tiptop asks for exist everywhere. */
uint64_t clock_ns(clockid_t id);

#endif
