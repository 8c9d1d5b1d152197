/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traced - the counters of a command and of all that it makes, of each task by itself: each is
 * stopped by ptrace(2) (collect/command/trace.h) before its first instruction, where its counters
 * are opened, and its end is told once it has ended, so that its last counts are known on each
 * kernel.
 *
 * Of hardware events, nothing is inherited. The whole is the sum over those that live and those
 * that have ended.
 *
 * A task whose counters cannot be opened, or are taken away by the kernel since it executes what
 * this user may not read, is missing: then nobody knows the whole.
 *
 * The kernel tells a tracer nothing of threads that it makes itself for a process, as io_uring's
 * workers and those of vhost are, and they cannot be stopped. So each process has counters more,
 * which all its threads inherit, of those events that no PMU counts, as the row of a process has
 * them: what they have beyond the sum of the tasks is that of such threads, and what each followed
 * thread did before its first stop. The command has such counters once more, which all its children
 * inherit, too: they have the whole of these events, with what each process did before its first
 * stop, as rows have it whose counters were opened by then.
 *
 * Cost: two stops for each task that is made and one for each program that is executed, and as many
 * descriptors as its events for each task that lives; a reading of the whole reads each of them.
 */
#ifndef COLLECT_COMMAND_TRACED_H
#define COLLECT_COMMAND_TRACED_H

#include "base/err.h"
#include "collect/command/trace_sys.h"
#include "collect/task/attach.h"
#include "pmu/perf/finals.h"

struct traced;

/* The end of a task: what it has counted, and where its process has ended with it, how. */
struct traced_end {
	struct final final; /* !first: it is one of those that are missing, or never ran */
	bool process_ended;
	int how; /* as wait(2) has it */
	/* It is of a process instead, which ended: final has what it has counted beyond its tasks;
	 * so many of its threads were followed. */
	bool of_process;
	uint32_t followed;
};

/* Follows a child of the caller that waits before its execve(2), whose counters begin with that;
 * *state says whether they could be opened, and else `note` why. The events are those that are
 * configured, not inherited; the attach and the tracer must outlive it. -errno with a sentence: it
 * cannot be followed, and nothing was done. */
int traced_open(struct traced **out, struct attach *attach, struct trace_sys *tracer, pid_t command,
		enum count_state *state, struct err *note, struct err *err);
/* Takes what has happened, and the next end of a task but the first one of the command. False:
 * there is none. To be called at each SIGCHLD: until then, tasks wait. The end of the command is
 * not taken: the caller waits for it. */
bool traced_next(struct traced *t, struct traced_end *out);
/* What all have counted so far, with what no tracer is told of and what each did before its first
 * stop: that only of events that no PMU counts. Returns bits of those events of which it is not
 * known. */
uint64_t traced_read(const struct traced *t, struct count *count);
/* How many tasks are missing. why: of the first of them; code 0: none is. */
uint64_t traced_missing(const struct traced *t, struct err *why);
/* The command has ended, and its last ends were taken: what lives goes on unfollowed. Its counters
 * stay open. */
void traced_detach_all(struct traced *t);
/* NULL is fine. */
void traced_close(struct traced *t);

#endif
