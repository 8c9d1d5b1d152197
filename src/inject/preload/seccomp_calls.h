/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp_calls - the system calls that this object makes in a program, and which of them a filter
 * of the program would not allow. tiptop(1) lists them, too.
 */
#ifndef INJECT_PRELOAD_SECCOMP_CALLS_H
#define INJECT_PRELOAD_SECCOMP_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct seccomp_call;
struct sock_fprog;

/* Which of them are made, beside those that always are. */
enum seccomp_needs {
	SECCOMP_FILES = 1,  /* names of files and threads are noted */
	SECCOMP_EVENTS = 2, /* events are counted */
	SECCOMP_CLOCK = 4,  /* the clock is the kernel's */
	SECCOMP_START = 8,  /* measuring begins in a process */
};

/* The number, from 1 on, of the first call that is made and is not allowed; 0: all are. filter:
 * NULL for the strict mode. */
uint32_t seccomp_calls_find_lacking(const struct sock_fprog *filter, unsigned needs);
/* Returns the next call that is made behind that of this number, which becomes its number; NULL:
 * there is none. The first one comes behind 0. */
const struct seccomp_call *seccomp_calls_next(uint32_t *number, unsigned needs);
/* Returns SECCOMP_CLOCK where the clock of this machine is the kernel's; else 0. */
unsigned seccomp_calls_need_clock(void);
/* Whether this call may fail, and the rest is measured all the same. */
bool seccomp_calls_may_fail(uint32_t number);
/* The name of the call of this number; NULL: there is none. */
const char *seccomp_calls_name(uint32_t number);

#endif
