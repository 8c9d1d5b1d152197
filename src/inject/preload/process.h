/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * process - whether this process is measured, and the file that its table is in.
 *
 * tiptop names a folder in the environment, and makes itself known as the parent of the command:
 * VARIABLE=PID:FILTERS:FOLDER. The process whose parent has this number is measured, and so is what
 * it becomes by exec(). A child of it is not, but where the number is 0: then each process has a
 * table. The variable is read once: a program may clear its environment before it forks.
 *
 * FILTERS is under how many filters of system calls tiptop itself runs, which allow what is needed
 * here. Where a program is executed under more of them, it is not measured: nothing is known of
 * what they allow but what the loader did before (base/syscall_filters.h). tiptop sees it as
 * PROCESS_MARK is opened then, in the folder.
 *
 * The file is mapped as a whole, and no descriptor stays open that the program could close. A file
 * in memory (tmpfs) that is full ends who writes to it by a signal: so process_make_real() asks for
 * the memory before anybody writes, and says where there is none.
 *
 * Where system calls may end the program, measuring stops (seccomp.h): so whatever makes one enters
 * the guard by process_enter(), or asks process_has_stopped() before.
 *
 * All of this is under the guard (guard.h), but for what is said.
 */
#ifndef INJECT_PRELOAD_PROCESS_H
#define INJECT_PRELOAD_PROCESS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

#include "inject/lib/arch.h"
#include "inject/preload/guard.h"

/* How the name of the file begins, in its folder; behind it stand pid and a number. */
#define PROCESS_FILE_PREFIX "table."
#define PROCESS_FILE_FLAGS  (O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define PROCESS_FILE_MODE   0600

/* The file that is opened where a program is not measured for its filters. */
#define PROCESS_MARK ".filtered"

/* Why measuring has stopped, and when. */
struct process_stop {
	uint32_t lacking; /* for want of this system call (seccomp_calls.h) */
	uint64_t end;     /* the clock */
	uint64_t ns_per_tick;
};

/* What is measured, one in each object. */
struct process_hooks {
	const char *variable; /* of the environment */
	size_t size;          /* of the file */
	/* Makes the table in the file, which is all 0. False: there is no memory. */
	bool (*make)(void *file);
	/* This is a child that has a copy of its parent's memory: what is known is of the parent's
	 * table. */
	void (*forget)(void);
	/* Measuring has stopped for good: notes that in the table, and lets no thread write any
	 * more. It makes no system call. */
	void (*stop)(const struct process_stop *why);
	/* The thread that has the caller's memory; 0: not known. */
	uint32_t (*thread_id)(void);
	unsigned needs; /* of system calls: enum seccomp_needs */
};

extern const struct process_hooks process_hooks;
extern bool process_steady; /* arch_read_time() is the clock; else CLOCK_MONOTONIC in ns */

/* Makes the table where this process is to be measured and there is none yet. False: it is not.
 * Cheap, and without the guard, where that is known. */
bool process_begin(void);
/* Where this is a child that has the memory of its parent, forgets all that is its parent's. To be
 * called before the guard is entered. True: it is one, and this was found out just now. */
bool process_forget_parent(void);
/* Whether measuring has stopped, or pauses: no system call may be made then. */
bool process_has_stopped(void);
/* Enters the guard. False: measuring has stopped, and the guard was not entered. */
bool process_enter(struct guard *g);
/* Measuring pauses: when this returns, no thread is under the guard by process_enter(), nor comes
 * there. False: it does so already, or this is a child by vfork(2), which changes nothing here. */
bool process_pause(void);
/* And goes on. */
void process_resume(void);
/* Measuring stops for good, for want of this system call. */
void process_stop(uint32_t lacking);
/* The system calls that are left are enough for this process, but not to begin in its children. */
void process_skip_children(void);
/* Whether all bytes can be written. */
bool process_make_real(void *from, size_t size);
/* How fast the clock is: 2^32 times the ns of a tick. The longer it is asked behind the first
 * time, the better it is known. */
uint64_t process_ns_per_tick(void);
/* A clock that all CPUs share. */
uint64_t process_slow_ticks(void);

static inline uint64_t process_ticks(void)
{
	return __builtin_expect(process_steady, 1) ? arch_read_time() : process_slow_ticks();
}

#endif
