/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp_filter - checks whether a seccomp filter, which a program is about to set for itself,
 * allows a system call of this object. The filter is a program of classic BPF over a struct
 * seccomp_data (seccomp(2)); it is interpreted here as by the kernel.
 *
 * Some arguments, such as addresses, are not known beforehand. If the filter branches on such an
 * argument, both branches are followed: the call is allowed if it is allowed for every value. A
 * filter that is too long, has an invalid instruction on a path that is followed, or has too many
 * such branches is taken to allow nothing.
 *
 * A list has the calls that this object makes (seccomp_calls), so that the first one is found which
 * a filter forbids.
 */
#ifndef INJECT_PRELOAD_SECCOMP_FILTER_H
#define INJECT_PRELOAD_SECCOMP_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct sock_fprog;

#define SECCOMP_CALL_ARGUMENTS 6
/* Bits of `known`: the lower 32 bits of argument i are known (LOW), or all bits (ALL). */
#define SECCOMP_CALL_LOW(i) (1u << 2 * (i))
#define SECCOMP_CALL_ALL(i) (3u << 2 * (i))

struct seccomp_call {
	uint32_t number;
	uint32_t known;
	uint64_t argument[SECCOMP_CALL_ARGUMENTS];
};

/* Returns a mask of the known bits of argument i, as a number, so that it does not depend on the
 * byte order. */
static inline uint64_t seccomp_call_known(const struct seccomp_call *call, int i)
{
	const uint32_t both = call->known >> 2 * i & 3;

	return (both & 1 ? UINT32_MAX : 0) | (both & 2 ? (uint64_t)UINT32_MAX << 32 : 0);
}

/* Returns whether the filter allows the call. filter and its instructions: not NULL. */
bool seccomp_filter_allows(const struct sock_fprog *filter, const struct seccomp_call *call);
/* Returns whether strict mode allows the call: read, write, exit and rt_sigreturn. */
bool seccomp_strict_allows(const struct seccomp_call *call);

/* ---- seccomp_calls ----
 *
 * Lists the system calls that this object makes in a program, and finds those that
 * a seccomp filter would forbid. doc/locks.md lists them, too.
 */

struct seccomp_call;
struct sock_fprog;

/* The uses that need further calls, beside those that are always made. */
enum seccomp_needs {
	SECCOMP_FILES = 1,       /* names of files and threads are read */
	SECCOMP_EVENTS = 2,      /* events are counted */
	SECCOMP_CLOCK = 4,       /* the clock is a system call */
	SECCOMP_START = 8,       /* measuring starts in a process */
	SECCOMP_TASK_CLOCK = 16, /* threads read their CPU clocks: the task clock is an event */
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
