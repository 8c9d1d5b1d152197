/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscall_record - decodes the kernel's records of system calls: samples of the tracepoints at
 * their beginnings and ends, and the records that are needed to understand them: forks, exits,
 * executed programs and mapped files. Pure.
 *
 * Samples have SYSCALL_SAMPLE_TYPE, callers and the data of the tracepoint; the other records have
 * SYSCALL_SAMPLE_TYPE at their end (sample_id_all). The data of tracepoints are those of machines
 * of 64 bits.
 */
#ifndef PMU_PERF_SYSCALL_RECORD_H
#define PMU_PERF_SYSCALL_RECORD_H

#include "pmu/perf/ring.h"

#define SYSCALL_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

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
	uint64_t time_ns;  /* CLOCK_MONOTONIC */
	uint64_t sequence; /* the order in which the records were read */
	union {
		struct {
			int64_t number;                       /* of the system call */
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
				offset; /* the addresses, and the offset in the file */
			uint64_t inode; /* 0: memory without a file */
			char *path;     /* owned by the user of the record */
		} map;
		char name[SYSCALL_NAME_MAX]; /* EXEC, NAME */
		uint64_t until_ns;           /* LOST: the time until which */
	};
};

/* Returns whether the kernel writes such records for these events. Others, as those that it has
 * throttled an event, say nothing about system calls. */
bool syscall_record_is_known(uint32_t type);
/* Decodes a record. of: [n] the tracepoints. Returns false if it is too short, or of another
 * tracepoint. */
bool syscall_record_decode(struct syscall_record *out, const struct ring_record *from,
			   const struct syscall_tracepoints *of, size_t n);

#endif
