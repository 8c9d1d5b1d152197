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
 * Tasks that run already are added one by one. Their threads and descendants inherit the
 * tracepoints.
 *
 * On machines of 32 bits, the data of tracepoints have another layout, which is not supported
 * (-ENOTSUP).
 *
 * No privilege is needed for one's own tasks at kernel.perf_event_paranoid 2 and below.
 */
#ifndef PMU_PERF_SYSCALLS_H
#define PMU_PERF_SYSCALLS_H

#include "pmu/perf/ring.h"

#define SYSCALL_ARGUMENTS 6
#define SYSCALL_FRAMES    16
#define SYSCALL_NAME_MAX  16

/* The ids of the two tracepoints of a system call. */
struct syscall_tracepoints {
	uint64_t enter, exit;
};

enum syscalls_what {
	SYSCALLS_FORK, /* creator_pid has created the task */
	SYSCALLS_EXEC, /* the process has executed another program */
	SYSCALLS_NAME, /* the task has another name */
	SYSCALLS_MAP,
	SYSCALLS_ENTER,
	SYSCALLS_EXIT,
	SYSCALLS_END,  /* the task has exited */
	SYSCALLS_LOST, /* records of a CPU may have been lost from now on */
};

/* A record. Members are set for the kinds named beside them. */
struct syscall_record {
	enum syscalls_what what;
	pid_t process, task;
	pid_t creator_pid; /* FORK; of a thread: its own process */
	uint64_t time_ns;  /* CLOCK_MONOTONIC of the time namespace of this process */
	uint64_t sequence; /* the order in which the records were read */
	union {
		struct {
			int64_t number; /* of the system call */
			/* ENTER: no record of the kernel, but of who has seen the task in this call
			 * at time_ns: it began earlier */
			bool began_before;
			uint64_t argument[SYSCALL_ARGUMENTS]; /* ENTER */
			int64_t result; /* EXIT: negative: -errno, or a number of the kernel's own
					   below -511 if a signal has interrupted the call */
			/* ENTER: the place after the system call, and those that the frame pointers
			 * name above it */
			uint64_t frame[SYSCALL_FRAMES];
			uint32_t n_frames;
		} call;
		struct {
			uint64_t begin, size,
				offset;  /* the addresses, and the offset in the file */
			uint64_t inode;  /* 0: memory without a file */
			uint64_t device; /* major << 20 | minor */
			bool is_shared;  /* mapped with MAP_SHARED */
			char *path;      /* owned by struct syscalls */
		} map;
		char name[SYSCALL_NAME_MAX]; /* EXEC, NAME */
		uint64_t until_ns;           /* LOST: the time until which */
	};
};

/* Which system calls are recorded, and of which tasks. */
struct syscalls_choice {
	const struct syscall_tracepoints *of; /* [n] */
	size_t n;
	/* Only the first n_recorded are recorded. The others are counted, which costs new tasks one
	 * tracepoint for each call, where recording costs two for each CPU. */
	size_t n_recorded;
	/* New processes inherit the events, not only new threads; Linux before 5.13 knows only
	 * that. */
	bool children;
};

struct syscalls;

/* Opens the tracepoints on tid, for each online CPU below n_cpus. Returns 0 or -errno; -ENOBUFS:
 * the user may not lock enough memory for the rings. */
int syscalls_open(struct syscalls **out, struct perf_sys *sys, int n_cpus, pid_t tid,
		  const struct syscalls_choice *choice);
/* Opens the same tracepoints on another task. Returns 0 or -errno; -ESRCH: it has ended. */
int syscalls_add_task(struct syscalls *s, pid_t tid);
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
/* Only counts the calls of the choice from now on that were not recorded yet, except the first. */
void syscalls_stop_unused(struct syscalls *s);
/* Returns the number of calls that were only counted. */
uint64_t syscalls_n_unrecorded(const struct syscalls *s);
/* Returns the losses of all CPUs, and how often a record was not understood (as damages). */
struct ring_losses syscalls_losses(struct syscalls *s);
/* Closes the rings and frees s. s may be NULL. */
void syscalls_close(struct syscalls *s);

#endif
