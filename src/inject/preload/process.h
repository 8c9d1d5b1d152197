/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * process - decides whether this process is measured, and makes the file of its table. It also has
 * what all code needs that runs in a process of others: the guard, and checks of its memory.
 *
 * tiptop passes a folder in the environment, with its own pid as the parent of the command:
 * VARIABLE=PID:FILTERS:FOLDER. The process whose parent is PID is measured, and so are the programs
 * that it executes. Its children are measured only if PID is 0. In this case, each process has a
 * table. The variable is read once, as a program may clear its environment before it forks.
 *
 * FILTERS is the number of seccomp filters under which tiptop itself runs; these allow all system
 * calls of this object. A program that is executed under more filters is not measured: the
 * additional filters are only known to allow the calls of the dynamic loader (base/file.h). The
 * program then opens PROCESS_MARK_FILTERED in the folder, which tiptop notices; or
 * PROCESS_MARK_NO_PROC if /proc does not show the number of filters. A program that is executed by
 * another user cannot make a table, and opens PROCESS_MARK_OTHER_USER.
 *
 * The file is mapped as a whole, and no descriptor stays open that the program could close. A
 * process that writes to a mapped page for which the tmpfs has no room is killed by a signal. So
 * process_make_real() populates memory before it is written, and fails if there is no memory.
 *
 * If system calls may kill the program, measuring stops (seccomp.h). So code that makes a system
 * call first enters the guard by process_enter(), or checks process_has_stopped().
 *
 * process_make_real() and the hooks make() and forget() are called under the guard; the other
 * functions may be called without it.
 */
#ifndef INJECT_PRELOAD_PROCESS_H
#define INJECT_PRELOAD_PROCESS_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/arch.h"

/* ---- clear ----
 *
 * Sets memory to 0 without calling memset(): a sanitizer's runtime may intercept memset(),
 * and fails in a thread whose exit it has already handled.
 */

/* Clears `size` bytes; address and size are multiples of 8. */
static inline void clear(void *p, size_t size)
{
	volatile uint64_t *word = p;

	for (size_t i = 0; i < size / sizeof *word; i++)
		word[i] = 0;
}

/* ---- guard ----
 *
 * The lock for data that all threads of the process share. A thread changes these data when
 * a thread, a lock or a caller is seen for the first time.
 *
 * It is not a lock of the C library, as locks of the C library are measured. While it is held,
 * signals are blocked, so that a handler that acquires locks does not wait for its own thread; and
 * cancellation is disabled, as the interrupted function may not be a cancellation point. errno is
 * preserved.
 */

struct guard {
	uint64_t mask; /* the signal mask in the kernel's format */
	int error, cancellation;
};

/* Leaves the guard, which process_enter() has entered. */
void guard_leave(const struct guard *g);
/* Returns whether this thread is in the guard, so that its calls are calls of this object. */
bool guard_is_own(void);

/* ---- readable ----
 *
 * Checks memory of the program before this object reads it, as the program may have
 * passed any address to a system call.
 */

/* Returns whether the program can read these bytes (at least one) without a fault. Makes the system
 * call rt_sigprocmask; preserves errno. */
bool readable_check(const void *from, size_t size);

/* ---- process ---- */

/* The prefix of the file's name; pid and a number follow. */
#define PROCESS_FILE_PREFIX "table."
#define PROCESS_FILE_FLAGS  (O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define PROCESS_FILE_MODE   0600

/* The files that are opened if a program is not measured because of its filters, because their
 * number is unknown, or because it runs as another user than tiptop, who cannot make a table. */
#define PROCESS_MARK_FILTERED   ".filtered"
#define PROCESS_MARK_NO_PROC    ".no-proc"
#define PROCESS_MARK_OTHER_USER ".other-user"

/* When and why measuring has stopped. */
struct process_stop {
	uint32_t lacking; /* the forbidden system call (seccomp_filter.h) */
	uint64_t end;     /* when measuring stopped, in ticks */
	uint64_t ns_per_tick;
};

/* Why a forked process is not measured although it should be. */
enum left_out {
	LEFT_OUT_FOLDER,      /* the folder of the tables does not exist there */
	LEFT_OUT_FILTERED,    /* its parent has set a system call filter */
	LEFT_OUT_USER,        /* the folder belongs to another user */
	LEFT_OUT_DESCRIPTORS, /* no descriptor is free */
	LEFT_OUT_N
};

/* The functions and constants that differ between the preloaded objects; each object defines one
 * struct. */
struct process_hooks {
	const char *variable; /* the environment variable */
	size_t size;          /* bytes of the file */
	/* Makes the table in the zeroed file. Returns false if there is no memory. */
	bool (*make)(void *file);
	/* Forgets all state of the parent, in a child that has a copy of its memory. */
	void (*forget)(void);
	/* Notes in the table that measuring has stopped for good, and keeps all threads from
	 * writing. Makes no system call. */
	void (*stop)(const struct process_stop *why);
	/* Counts, in the table of a parent, a child that is not measured. Makes no system call. */
	void (*leave_out)(void *table, enum left_out why);
	/* Returns the tid that is noted in the calling thread's memory; 0: unknown. In a child of
	 * vfork(2), this is the tid of the parent. */
	uint32_t (*thread_id)(void);
	unsigned needs; /* the system calls needed: enum seccomp_needs */
};

extern const struct process_hooks process_hooks;
extern bool process_steady; /* arch_read_time() is the clock; else CLOCK_MONOTONIC in ns */

/* Makes the table if this process is to be measured and has none yet. Returns whether this process
 * is measured. The caller must not be in the guard. Cheap after the first call. */
bool process_begin(void);
/* In a child that has a copy of its parent's memory: forgets the state of the parent. Called before
 * the guard is entered. Returns true at the first call in such a child. */
bool process_forget_parent(void);
/* Whether measuring is paused or has stopped: in both cases, this object must not make a system
 * call. The function reads the variable, which only code that runs at each acquisition reads
 * itself. */
extern atomic_bool process_paused;
bool process_has_stopped(void);
/* Enters the guard. Returns false, without entering it, if measuring is paused or has stopped. */
bool process_enter(struct guard *g);
/* Pauses measuring: when this function returns, no thread is in the guard by process_enter(), and
 * no thread can enter it. Returns false if measuring was paused already, or in a child of vfork(2),
 * which must not change its parent's state. Called without the guard. */
bool process_pause(void);
/* Resumes measuring. */
void process_resume(void);
/* Stops measuring for good, as the system call with the number `lacking` (seccomp_filter.h) is
 * forbidden. */
void process_stop(uint32_t lacking);
/* Keeps children from being measured: the allowed system calls suffice to continue measuring in
 * this process, but not to start it in its children. Called before the program sets a system call
 * filter. From then on, this object makes only the needed calls. */
void process_skip_children(void);
/* Takes one process_skip_children() back, as the kernel has refused the filter. */
void process_take_children(void);
/* Returns whether the program has set a system call filter, or is about to. Children of the process
 * are not measured then. */
bool process_has_filter(void);
/* Returns whether there are more filters than tiptop has, also if they were set unseen; true if
 * /proc does not tell. Makes the
 * system calls of the dynamic loader only. Preserves errno. */
bool process_has_new_filters(void);
/* Populates memory of the table. Returns whether all bytes can be written; on kernels before 5.14,
 * returns true without populating it. */
bool process_make_real(void *from, size_t size);
/* Returns the speed of the clock: ns per 2^32 ticks. It becomes more precise with the time since
 * the first call. */
uint64_t process_ns_per_tick(void);
/* Returns CLOCK_MONOTONIC in ns, the clock if arch_read_time() is not steady. */
uint64_t process_slow_ticks(void);

static inline uint64_t process_ticks(void)
{
	return __builtin_expect(process_steady, 1) ? arch_read_time() : process_slow_ticks();
}

#endif
