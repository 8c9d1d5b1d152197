/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_table - what the live source remembers of each process between two samples.
 *
 * A process has at least one struct thread: its leader. Others are there only where they are
 * needed: for rows of threads, for counters (a group for each thread that was alive at the attach)
 * and for facts that the kernel keeps per thread only.
 *
 * What was read of a thread is one struct task, which samples share: thread_edit() gives one
 * that may be changed.
 *
 * Ownership: the table owns processes and threads; groups belong to the attach, which must close
 * them before a process is freed (table_sweep() does). Processes stay where they are as long as
 * they live; their threads do not.
 */
#ifndef COLLECT_TASK_PROCESS_TABLE_H
#define COLLECT_TASK_PROCESS_TABLE_H

#include "collect/task/attach.h"
#include "collect/task/life.h"
#include "collect/task/proc.h"

struct thread {
	struct task *task; /* the last reading; its id is thread_tid() */
	struct group *group;
	/* When the counts and the facts of the reading were true: CLOCK_MONOTONIC. */
	int64_t counts_us, facts_us;
	uint8_t life;     /* enum thread_life; set by thread_change() only */
	uint8_t counters; /* enum counters; set by thread_change_counters() only */
	bool sampled : 1; /* a sample has the reading, which therefore does not change any more */
	bool seen : 1;    /* scratch: the present list of threads has it */
	bool failed : 1;  /* its counters could not be read at the last try */
	/* The refresh in which the state of its counters began, or they were opened anew. */
	uint32_t since;
};

struct process {
	struct thread *thread; /* [n], the leader first, the others by tid */
	struct thread leader;  /* where thread points to, until there are others */
	uint32_t n, cap;
	uint64_t clock_ns;    /* the last reading of its CPU clock */
	uint32_t first_seen;  /* the refresh in which it was found */
	uint32_t last_ran;    /* the refresh in which it was last seen to have run */
	uint32_t followed;    /* the refresh in which it was last sampled for its children's sake */
	int pid, parent;      /* parent: as the last walk told it; 0: none */
	uint8_t life;         /* enum life; set by live_change() only */
	bool clock_known : 1; /* the last reading of the clock succeeded */
	bool met : 1;         /* the last walk of all has met it, or one since */
	/* Has run since it was last described: it may have another owner or command line. */
	bool changed : 1;
	bool again : 1; /* is looked at once more, though it may not have run */
};

struct table {
	struct process **v; /* by pid */
	size_t n, cap;
};

struct process *table_get(const struct table *t, int pid);
/* A new process, with its leader, described by `from`, whose reading has room for these facts. No
 * other may have its pid. */
struct process *table_add(struct table *t, const struct proc_process *from, fact_mask room);
/* Frees those that are GONE. */
void table_sweep(struct table *t, struct attach *a);
void table_done(struct table *t, struct attach *a);

/* Notes that the process was looked at at this moment: what was read of it was true until then. But
 * if it has run, or if a reading failed, its counts are those of their own reading. */
void process_set_time(struct process *p, int64_t us, bool ran);
uint64_t process_start_ns(const struct process *p);
/* Takes over what a walk told of its owner, parent and command line. */
void process_describe(struct process *p, const struct proc_process *from);
/* Makes its parent a fact of the leader, which has been asked for none. */
void process_tell_parent(struct process *p);
/* Takes over the facts of one thread, as far as `room` has them. Returns whether the process has a
 * new name (execve). */
bool process_take_facts(struct process *p, struct thread *t, const struct proc_facts *facts,
			fact_mask room);

/* Whether opening its counters was tried in this generation, and what came of it still holds. */
static inline bool process_is_attached(const struct process *p)
{
	return p->thread[0].counters >= COUNTERS_OPEN;
}

/* Finds a thread; NULL: the process has none with this tid. */
struct thread *process_find_thread(const struct process *p, int tid);
/* Adds a thread; the pointer is valid until the next add. */
struct thread *process_add_thread(struct process *p, int tid, fact_mask room);
/* Its next state. Returns false where there is none, and leaves it as it is. */
bool thread_change(struct thread *t, enum thread_event event);
/* The same for its counters, in this refresh. */
bool thread_change_counters(struct thread *t, enum counters_event event, uint32_t refresh);
/* Frees the threads that are GONE, but not the leader. */
void process_sweep(struct process *p, struct attach *a);
/* Closes the counters of all its threads and forgets what they counted. Those that have ended are
 * forgotten. The state of the leader's stays: what follows says what it is. */
void process_close(struct process *p, struct attach *a);
/* Like process_close(), and forgets all facts, and all threads but the leader. */
void process_detach(struct process *p, struct attach *a);

int thread_tid(const struct thread *t);
/* Returns the reading, to be changed: a new one, if a sample has the present one. */
struct task *thread_edit(struct thread *t);
/* Sets how it stands with the counters. States other than COUNT_OK have no counts. */
void thread_set_counting(struct thread *t, enum count_state counting);
/* Notes that the thread's counters have just been opened: the next readings start from 0, and not
 * from the last ones. */
void thread_start_counts(struct thread *t);
/* Reads the counters of a thread that has some. Where one cannot be read, all keep their last
 * counts, from which the next reading goes on. Returns 0, or -errno as group_read() has it. */
int thread_read(struct thread *t, struct attach *a);
/* Notes that the increments of the facts since the last look could not be read: only the last state
 * is known. */
void thread_forget_increments(struct thread *t);
/* Closes the counters of the thread; its last reading stays. */
void thread_close(struct thread *t, struct attach *a);

#endif
