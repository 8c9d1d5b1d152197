/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscalls - reads the kernel's records of some system calls of a task and all its descendants,
 * from tracepoints, with the records that are needed to understand them: forks, exits, executed
 * programs and mapped files.
 *
 * The kernel writes into one ring for each CPU, as it maps no ring for an event that is inherited
 * and follows its tasks. syscalls_update() reads the rings; syscalls_next() returns the records of
 * all CPUs in the order of time. A record is held back until it is older than the beginning of the
 * previous update: then the records of other CPUs that are older have been read, too.
 *
 * On machines of 32 bits, the data of tracepoints have another layout, which is not supported
 * (-ENOTSUP).
 *
 * No privilege is needed for one's own tasks at kernel.perf_event_paranoid 2 and below.
 */
#ifndef PMU_PERF_SYSCALLS_H
#define PMU_PERF_SYSCALLS_H

#include "pmu/perf/syscall_record.h"

struct syscalls;

/* Opens the tracepoints of n system calls on tid, for each online CPU below n_cpus. Returns 0 or
 * -errno; -ENOBUFS: the user may not lock enough memory for the rings. */
int syscalls_open(struct syscalls **out, struct perf_sys *sys, int n_cpus, pid_t tid,
		  const struct syscall_tracepoints *of, size_t n);
/* Returns the number of CPUs, and the descriptor of the i-th, which is readable once its ring is
 * half full. */
size_t syscalls_n_fds(const struct syscalls *s);
int syscalls_fd(const struct syscalls *s, size_t i);
/* Reads the rings. now_ns: a time of CLOCK_MONOTONIC before the call. is_last: returns all records
 * from now on, as no more are written. */
void syscalls_update(struct syscalls *s, uint64_t now_ns, bool is_last);
/* Returns the next record in the order of time; the path of a mapped file is valid until the next
 * call. False: there is none before the next update. */
bool syscalls_next(struct syscalls *s, struct syscall_record *out);
/* Returns the losses of all CPUs, and how often a record was not understood (as damages). */
struct ring_losses syscalls_losses(struct syscalls *s);
/* Closes the rings and frees s. s may be NULL. */
void syscalls_close(struct syscalls *s);

#endif
