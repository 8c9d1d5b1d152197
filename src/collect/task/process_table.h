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
#include "collect/task/proc.h"

/* ---- life ----
 *
 * The lives of processes, threads and counters as states: which there are, and the events
 * that lead from one to the next.
 *
 * An event that a state does not have (-) cannot happen. Where it does, the source has a fault: the
 * state stays, nothing is done, and the event is counted (source_cost.refused). The letters say
 * what else is done; live_change(), live_change_thread() and live_change_counters() do it, and
 * nothing else sets a state.
 *
 *   process  | WANT     LEAVE      RESTART    LOOK    END      REPLACE REPORT   VANISH
 *   ---------+------------------------------------------------------------------------
 *   UNWANTED | NEW      UNWANTED d UNWANTED d -       -        GONE    -        GONE
 *   NEW      | NEW      UNWANTED d NEW d      WATCHED REPORTED GONE    -        -
 *   WATCHED  | WATCHED  UNWANTED d NEW d      WATCHED ENDED e  ENDED e -        -
 *   ENDED    | -        -          -          -       -        ENDED   REPORTED -
 *   REPORTED | REPORTED REPORTED   REPORTED   -       -        GONE    -        GONE
 *   GONE     | -        -          -          -       -        -       -        -
 *
 *   d: its counters are closed; its facts and all its threads but the leader are forgotten
 *   e: its counters are read for the last time and closed
 *
 *   thread | END     RETURN  DROP
 *   -------+---------------------
 *   LIVES  | ENDED l -       GONE
 *   ENDED  | -       LIVES o GONE
 *   GONE   | -       -       -
 *
 *   l: if it is not the leader, its counters are read for the last time, and closed unless they
 *      count others, too
 *   o: its counters are opened, unless those of the thread that started it count it
 *
 *   counters | SLEEP  OPENED SHORT REFUSED TAKE      ANEW    END
 *   ---------+----------------------------------------------------
 *   UNTRIED  | IDLE i OPEN   WAIT  WITHOUT UNTRIED c UNTRIED FINAL
 *   IDLE     | IDLE i OPEN   WAIT  WITHOUT -         UNTRIED FINAL
 *   OPEN     | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   WAIT     | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   TAKEN    | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   WITHOUT  | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   FINAL    | -      -      -     -       -         -       -
 *
 *   i: it is known to have counted nothing
 *   c: they are read and closed
 *
 * What else is remembered of them goes with any state, and so is a boolean: whether the
 * last reading of a clock or of counters succeeded, the marks of a walk and of a listing, that a
 * sample has the reading, that a description may be old, that another look is asked for.
 */

/* The next state, where an event cannot happen. */
#define LIFE_INVALID 0

/* A process begins as UNWANTED. */
enum life {
	LIFE_UNWANTED = 1, /* the filter leaves it out: only its clock is asked for, now and then */
	LIFE_NEW,          /* wanted, and not looked at yet in this generation */
	LIFE_WATCHED,
	LIFE_ENDED, /* the sample that is taken gets its end */
	/* Nothing is left to be sampled. A zombie stays until it is reaped, or it would be taken
	 * for a newcomer. */
	LIFE_REPORTED,
	LIFE_GONE, /* the next table_sweep() frees it */
	N_LIVES
};

enum life_event {
	LIFE_WANT,    /* the filter lets it pass */
	LIFE_LEAVE,   /* the filter leaves it out */
	LIFE_RESTART, /* a new generation begins */
	LIFE_LOOK,    /* it is looked at */
	LIFE_END,     /* it is a zombie, or has left /proc */
	LIFE_REPLACE, /* another process has its pid */
	LIFE_REPORT,  /* a sample has its end */
	LIFE_VANISH,  /* it has left /proc, and no sample waits for its end */
	N_LIFE_EVENTS
};

/* A thread, the leader too, begins as LIVES. What it did until its end stays with it. */
enum thread_life {
	THREAD_LIVES = 1,
	THREAD_ENDED, /* not in the kernel's list any more, or soon; its counts are final */
	THREAD_GONE,  /* the next process_sweep() frees it */
	N_THREAD_LIVES
};

enum thread_event {
	THREAD_END,    /* it is not there any more */
	THREAD_RETURN, /* it is listed again: another thread has its tid */
	THREAD_DROP,   /* nothing needs it any more */
	N_THREAD_EVENTS
};

/* The counters of a process, of which its leader keeps the state; or, where rows are threads, of a
 * thread. They begin as UNTRIED. */
enum counters {
	/* Nobody tried to open them since the generation began, or since they were lost. */
	COUNTERS_UNTRIED = 1,
	COUNTERS_IDLE, /* not opened yet, as it has not run since it was found */
	COUNTERS_OPEN,
	COUNTERS_WAIT,    /* for descriptors */
	COUNTERS_REVOKED, /* others needed the descriptors */
	COUNTERS_ABSENT,  /* the screen needs none, or the kernel refuses: task.counting says why */
	COUNTERS_FINAL,
	N_COUNTERS
};

enum counters_event {
	COUNTERS_SLEEP,   /* it was looked at, and has not run */
	COUNTERS_OPENED,  /* they were opened */
	COUNTERS_SHORT,   /* they were not, for want of descriptors */
	COUNTERS_REFUSED, /* they were not, for another reason */
	COUNTERS_REVOKE,  /* others need the descriptors */
	COUNTERS_RESET,   /* what was opened or tried does not hold any more */
	COUNTERS_END,     /* the thread or process has ended */
	N_COUNTERS_EVENTS
};

enum life life_after(enum life state, enum life_event event);
enum thread_life thread_life_after(enum thread_life state, enum thread_event event);
enum counters counters_after(enum counters state, enum counters_event event);

/* ---- process table ---- */

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
void process_set_parent(struct process *p);
/* Takes over the facts of one thread, as far as `room` has them. Returns whether the process has a
 * new name (execve). */
bool process_set_facts(struct process *p, struct thread *t, const struct proc_facts *facts,
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
