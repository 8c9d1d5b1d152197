/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_pairs - pairs the beginnings and ends of calls of futex(2) and its newer forms by thread,
 * from the records of tracepoints (pmu/perf/syscalls.h). Pure.
 *
 * A call whose beginning or end is unknown belongs to no pair; it is counted. After a loss of
 * records, the end that comes next in a thread may be that of a later call: so a call that was
 * under way at a loss makes no pair.
 *
 * A wait that a signal interrupts ends with a number of the kernel's own (below -511), whatever
 * comes next. If the thread then exits, the signal has killed it, and the wait had not ended. Else
 * the program, or the kernel for it, may begin the call again: it has two pairs then.
 */
#ifndef PROFILE_LOCKS_FUTEX_PAIRS_H
#define PROFILE_LOCKS_FUTEX_PAIRS_H

#include "inject/preload/futex_operation.h"
#include "pmu/perf/syscalls.h"

struct futex_pairs;

struct futex_pair {
	pid_t process, task;
	uint64_t begin_ns, end_ns;
	/* The address of a vector is that of the vector: the futexes in it are unknown. */
	struct futex_operation operation;
	bool under_way; /* the call had not ended at end_ns */
	int64_t result; /* negative: -errno; -EINTR for all of the kernel's own */
	const struct syscall_record *enter; /* valid during the visit */
};

struct futex_pairs_numbers {
	uint64_t n_calls;    /* calls of which the beginning or the end is known */
	uint64_t n_unpaired; /* those of n_calls in no pair */
};

typedef void futex_pairs_visit(void *context, const struct futex_pair *pair);

/* visit: called for each pair, during the functions below. */
struct futex_pairs *futex_pairs_new(futex_pairs_visit *visit, void *context);
/* Adds a record; those of other calls and kinds change nothing. Records are in the order of
 * time. */
void futex_pairs_add(struct futex_pairs *p, const struct syscall_record *record);
/* Visits the calls that are under way. */
void futex_pairs_end(struct futex_pairs *p, uint64_t now_ns);
struct futex_pairs_numbers futex_pairs_numbers(const struct futex_pairs *p);
void futex_pairs_free(struct futex_pairs *p);

#endif
