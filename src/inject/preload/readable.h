/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * readable - checks memory of the program before this object reads it, as the program may have
 * passed any address to a system call.
 */
#ifndef INJECT_PRELOAD_READABLE_H
#define INJECT_PRELOAD_READABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the program can read these bytes (at least one) without a fault. Makes the system
 * call rt_sigprocmask; preserves errno. */
bool readable_check(const void *from, size_t size);

#endif
