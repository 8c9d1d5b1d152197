/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traced - counters of a command and all its descendants, opened separately for each task:
 * ptrace(2) (collect/command/trace.h) stops each task before its first instruction, where its
 * counters are opened, and reports its end, so that its final counts are known on all kernels.
 *
 * Hardware events are not inherited: the total is the sum over living and ended tasks.
 *
 * A task is missing if its counters cannot be opened, or if the kernel removes them because it
 * executes a program that this user may not read. Then the total is unknown.
 *
 * The kernel creates some threads of a process itself, such as the workers of io_uring and vhost.
 * It does not report them to a tracer, and they cannot be stopped. So each process has a second set
 * of counters, for events that need no PMU, which all its threads inherit. The excess of these
 * counts over the sum of the followed tasks belongs to such threads, and to followed threads before
 * their first stop. The command has a third set, which its child processes inherit, too. It has the
 * total of these events, including the work of each process before its first stop.
 *
 * Cost: two stops for each new task and one for each execve(2); as many descriptors as events for
 * each living task; a reading of the total reads the counters of each living task.
 */
#ifndef COLLECT_COMMAND_TRACED_H
#define COLLECT_COMMAND_TRACED_H

#include "base/err.h"
#include "collect/command/trace.h"
#include "collect/task/attach.h"
#include "pmu/perf/ring.h"

struct traced;

/* The end of a task with its final counts, and the exit status of its process if that ended with
 * it. */
struct traced_end {
	struct final final; /* first is false: the task is missing, or never ran */
	bool process_ended;
	int how; /* as from wait(2) */
	/* False: a task has ended. True: a process has ended, of which `followed` tasks were
	 * followed; final has the counts of the process that none of these tasks has. */
	bool of_process;
	uint32_t followed;
};

/* Follows a child of the caller that has not called execve(2) yet; its counters start at that call.
 * *state: whether the counters could be opened; note: why not. The events are those configured in
 * the attach, without inherit; attach and tracer must outlive the result. Returns 0, or -errno with
 * a sentence: the child cannot be followed, and nothing was done. */
int traced_open(struct traced **out, struct attach *attach, struct trace_sys *tracer, pid_t command,
		enum count_state *state, struct err *note, struct err *err);
/* Handles all changes, and returns the next end of a process, or of a task other than the first
 * task of the command; false: none. Call it at each SIGCHLD: until then, stopped tasks wait. The
 * end of the command is not reaped: the caller waits for it. */
bool traced_next(struct traced *t, struct traced_end *out);
/* Reads the total counts so far. Counts of events that need no PMU include threads that no tracer
 * sees, and followed threads before their first stops. Returns a mask of the events whose count is
 * unknown. */
uint64_t traced_read(const struct traced *t, struct count *count);
/* Returns the number of missing tasks. why: the reason for the first of them; code 0: none is
 * missing. */
uint64_t traced_missing(const struct traced *t, struct err *why);
/* Detaches from all living tasks, after the command has ended and its last ends were read. Counters
 * stay open. */
void traced_detach_all(struct traced *t);
/* NULL is allowed. */
void traced_close(struct traced *t);

#endif
