/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seccomp_filter - whether a filter of system calls, which a program is about to set for itself,
 * allows a call that this object makes: the filter is a program of classic BPF over a struct
 * seccomp_data (seccomp(2)), and is executed here as the kernel would do.
 *
 * Parts of the arguments are not known beforehand, as addresses. Where the filter looks at one, it
 * is followed both ways: the call is allowed if it is allowed whatever that part is. A filter that
 * is not valid, or that has too many such ways, allows nothing.
 */
#ifndef INJECT_PRELOAD_SECCOMP_FILTER_H
#define INJECT_PRELOAD_SECCOMP_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct sock_fprog;

#define SECCOMP_CALL_ARGUMENTS 6
/* What of argument i is known: its lower 32 bits, or all of it. */
#define SECCOMP_CALL_LOW(i) (1u << 2 * (i))
#define SECCOMP_CALL_ALL(i) (3u << 2 * (i))

struct seccomp_call {
	uint32_t number;
	uint32_t known;
	uint64_t argument[SECCOMP_CALL_ARGUMENTS];
};

/* Returns the bits of argument i that are known. Which half of it is the lower one is the machine's
 * business: so both are one number. */
static inline uint64_t seccomp_call_known(const struct seccomp_call *call, int i)
{
	const uint32_t both = call->known >> 2 * i & 3;

	return (both & 1 ? UINT32_MAX : 0) | (both & 2 ? (uint64_t)UINT32_MAX << 32 : 0);
}

/* filter: not NULL, and neither are its instructions. */
bool seccomp_filter_allows(const struct sock_fprog *filter, const struct seccomp_call *call);
/* The same of the strict mode, which is none: read, write, exit and rt_sigreturn. */
bool seccomp_strict_allows(const struct seccomp_call *call);

#endif
