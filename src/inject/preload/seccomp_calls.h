/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp_calls - lists the system calls that this object makes in a program, and finds those that
 * a seccomp filter would forbid. tiptop-locks(1) lists them, too.
 */
#ifndef INJECT_PRELOAD_SECCOMP_CALLS_H
#define INJECT_PRELOAD_SECCOMP_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct seccomp_call;
struct sock_fprog;

/* The uses that need further calls, beside those that are always made. */
enum seccomp_needs {
	SECCOMP_FILES = 1,  /* names of files and threads are read */
	SECCOMP_EVENTS = 2, /* events are counted */
	SECCOMP_CLOCK = 4,  /* the clock is a system call */
	SECCOMP_START = 8,  /* measuring starts in a process */
};

/* Returns the number in this list, from 1 on, of the first needed call that a filter forbids; 0:
 * the filter allows all needed calls. filter NULL: strict mode. */
uint32_t seccomp_calls_find_lacking(const struct sock_fprog *filter, unsigned needs);
/* Returns the next needed call after the call with the number *number, and updates *number. NULL:
 * no further call. *number is 0 at first. */
const struct seccomp_call *seccomp_calls_next(uint32_t *number, unsigned needs);
/* Returns SECCOMP_CLOCK if reading the clock on this machine is a system call; else 0. */
unsigned seccomp_calls_need_clock(void);
/* Returns whether measuring can go on without this call. */
bool seccomp_calls_may_fail(uint32_t number);
/* Returns the name of a system call by its number in this list, which is not that of the kernel;
 * NULL: the list has no such number. */
const char *seccomp_calls_name(uint32_t number);

#endif
