/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_table - the state of each process that the live source keeps between two samples.
 *
 * A process has at least one struct thread: its leader. Other threads have an entry only if needed:
 * for rows of threads, for counters (a group for each thread that was alive at the attach) and for
 * facts that the kernel has per thread only.
 *
 * The reading of a thread is a struct task, which samples share. Change a reading only through
 * thread_edit(), which copies it first if a sample has it.
 *
 * Ownership: the table owns processes and threads; struct attach owns the groups of counters, and
 * must close them before a process is freed, as table_sweep() does. Pointers to processes stay
 * valid as long as the process is in the table; pointers to threads do not.
 */
#ifndef COLLECT_TASK_PROCESS_TABLE_H
#define COLLECT_TASK_PROCESS_TABLE_H

#include "collect/task/attach.h"
#include "collect/task/proc.h"
#include "pmu/perf/sched_in.h"

/* ---- life ----
 *
 * The states of processes, threads and counters, and the events that change them.
 *
 * Each table has the next state for a state (row) and an event (column). A letter after the next
 * state is an action, explained below the table. An event marked with - cannot happen in that
 * state. If it does, the source has a bug: the state stays, no action is done, and the event is
 * counted in source_cost.refused. live_change(), live_change_thread() and live_change_counters()
 * set states and do actions; process_close() and process_detach() only set states.
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
 *   d: close its counters, forget its facts and all its threads but the leader
 *   e: read its counters for the last time and close them
 *
 *   thread | END     RETURN  DROP
 *   -------+---------------------
 *   LIVES  | ENDED l -       GONE
 *   ENDED  | -       LIVES o GONE
 *   GONE   | -       -       -
 *
 *   l: if it is not the leader, read its counters for the last time, and close them unless they
 *      count other threads, too
 *   o: open its counters, unless counters are inherited: those of its creator then count it
 *
 *   counters | SLEEP  OPENED SHORT REFUSED REVOKE    RESET   END
 *   ---------+----------------------------------------------------
 *   UNTRIED  | IDLE i OPEN   WAIT  ABSENT  UNTRIED c UNTRIED FINAL
 *   IDLE     | IDLE i OPEN   WAIT  ABSENT  -         UNTRIED FINAL
 *   OPEN     | -      OPEN   WAIT  ABSENT  REVOKED c UNTRIED FINAL
 *   WAIT     | -      OPEN   WAIT  ABSENT  REVOKED c UNTRIED FINAL
 *   REVOKED  | -      OPEN   WAIT  ABSENT  REVOKED c UNTRIED FINAL
 *   ABSENT   | -      OPEN   WAIT  ABSENT  REVOKED c UNTRIED FINAL
 *   FINAL    | -      -      -     -       -         -       -
 *
 *   i: mark it as having counted nothing
 *   c: read and close the counters
 *
 * Properties that do not depend on these states are separate flags in struct process and struct
 * thread.
 */

/* The next state of an event that cannot happen. */
#define LIFE_INVALID 0

/* A process begins as UNWANTED. */
enum life {
	/* the filter leaves it out: only its CPU clock is read, from time to time */
	LIFE_UNWANTED = 1,
	LIFE_NEW, /* wanted, but not read yet in this generation */
	LIFE_WATCHED,
	LIFE_ENDED, /* it has ended; the present sample will show that */
	/* No further sample shows it. A zombie keeps its entry until it is reaped: else it would be
	 * found again as a new process. */
	LIFE_REPORTED,
	LIFE_GONE, /* the next table_sweep() frees it */
	N_LIVES
};

enum life_event {
	LIFE_WANT,    /* the filter lets it pass */
	LIFE_LEAVE,   /* the filter leaves it out */
	LIFE_RESTART, /* a new generation begins */
	LIFE_LOOK,    /* its facts and counters are read */
	LIFE_END,     /* it is a zombie, or has left /proc */
	LIFE_REPLACE, /* another process has its pid */
	LIFE_REPORT,  /* a sample shows that it has ended */
	LIFE_VANISH,  /* it has left /proc, and no sample has to show its end */
	N_LIFE_EVENTS
};

/* A thread, including the leader, begins as LIVES. Its counts stay after its end. */
enum thread_life {
	THREAD_LIVES = 1,
	/* has left the kernel's list of threads, or is leaving it; its counts are final */
	THREAD_ENDED,
	THREAD_GONE, /* the next process_sweep() frees it */
	N_THREAD_LIVES
};

enum thread_event {
	THREAD_END,    /* it has ended */
	THREAD_RETURN, /* its tid is listed again: another thread has it now */
	THREAD_DROP,   /* it is not needed any more */
	N_THREAD_EVENTS
};

/* State of the counters of a process, stored in its leader; if rows are threads, of the counters of
 * each thread. Counters begin as UNTRIED. */
enum counters {
	/* There was no attempt to open them since the generation began or they were lost. */
	COUNTERS_UNTRIED = 1,
	COUNTERS_IDLE, /* not opened yet, as the task has not run since it was found */
	COUNTERS_OPEN,
	COUNTERS_WAIT,    /* waiting for descriptors */
	COUNTERS_REVOKED, /* closed, as other tasks needed the descriptors */
	COUNTERS_ABSENT,  /* the screen needs none, or the kernel refuses: see task.counting */
	COUNTERS_FINAL,
	N_COUNTERS
};

enum counters_event {
	COUNTERS_SLEEP,   /* the task has not run since it was found */
	COUNTERS_OPENED,  /* they were opened */
	COUNTERS_SHORT,   /* not opened, for lack of descriptors */
	COUNTERS_REFUSED, /* not opened, for another reason */
	COUNTERS_REVOKE,  /* other tasks need the descriptors */
	COUNTERS_RESET,   /* the counters, or the failure to open them, are no longer valid */
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
	struct proc_files *files; /* of a thread whose facts are read often; NULL: none */
	/* Moments at which the counts and the facts of the reading were true, on
	 * CLOCK_MONOTONIC. */
	int64_t counts_us, facts_us;
	uint8_t life;     /* enum thread_life; changed by thread_change() only */
	uint8_t counters; /* enum counters; changed by thread_change_counters() only */
	bool sampled : 1; /* a sample has the reading, which must not change any more */
	bool seen : 1;    /* scratch: it is in the list of threads that was just read */
	bool failed : 1;  /* the last reading of its counters failed */
	/* The refresh in which its open counters were last opened, or since which it waits for
	 * descriptors, or in which they were closed for other tasks. */
	uint32_t since;
};

struct process {
	struct thread *thread; /* [n], the leader first, the others by tid */
	struct thread leader;  /* storage of thread[] while there is no other thread */
	uint32_t n, cap;
	uint64_t clock_ns;    /* the last reading of its CPU clock */
	uint32_t first_seen;  /* the refresh in which it was found */
	uint32_t last_ran;    /* the refresh in which it was last seen to have run */
	uint32_t followed;    /* the refresh in which it was last sampled as an ancestor */
	int pid, parent;      /* parent: from the last walk; 0: none */
	uint8_t life;         /* enum life; changed by live_change() only */
	bool clock_known : 1; /* the last reading of the clock succeeded */
	bool met : 1;         /* found by the last walk of all processes or by a walk since */
	/* It has run since it was last described: owner or command line may have changed. */
	bool changed : 1;
	bool renamed : 1;   /* process_share_texts() has to be called */
	bool again : 1;     /* read it at the next refresh, even if it has not run */
	bool sleepless : 1; /* it cannot be put to sleep (sleeping.h) */
	uint32_t asleep;    /* the refresh in which it was put to sleep (sleeping.h) */
	/* Open while the process sleeps, of one thread, and [n_more] of the others: its clock
	 * stands still until the kernel gives a CPU to one of them. */
	struct sched_in sched_in;
	struct sched_in *more;
	uint32_t n_more;
};

struct table {
	struct process **v; /* [n] sorted by pid */
	size_t n, cap;
};

struct process *table_get(const struct table *t, int pid);
/* Adds a process with its leader, described by `from`. room: the facts for which its reading has
 * room. The pid must not be in the table yet. */
struct process *table_add(struct table *t, const struct proc_process *from, struct fact_set room);
/* Frees the processes that are GONE. */
void table_sweep(struct table *t, struct attach *a);
void table_done(struct table *t, struct attach *a);

/* Notes that all readings of the process still hold at the time `us` (CLOCK_MONOTONIC, in µs).
 * Counts keep the time at which they were read if the process has run since then (ran), or if that
 * reading failed. */
void process_set_time(struct process *p, int64_t us, bool ran);
uint64_t process_start_ns(const struct process *p);
/* Sets owner, parent and command line of the process from a walk; of threads, only of the leader.
 */
void process_describe(struct process *p, const struct proc_process *from);
/* Gives the living threads the name, owner and command line of the process, if these have changed.
 * To be called when it is known which threads have ended: their last readings keep the program
 * before an execve(2), which ends all threads. */
void process_share_texts(struct process *p);
/* Sets the fact PPID of its leader to process.parent, for a process whose facts are not read. */
void process_set_parent(struct process *p);
/* Sets those facts of one thread that are in `room`. Returns whether the name of the process has
 * changed, as by execve(2). */
bool process_set_facts(struct process *p, struct thread *t, const struct proc_facts *facts,
		       struct fact_set room);

/* Returns whether opening its counters was tried in this generation, with a result that is still
 * valid; true also after the process has ended. */
static inline bool process_is_attached(const struct process *p)
{
	return p->thread[0].counters >= COUNTERS_OPEN;
}

static inline bool process_sleeps(const struct process *p)
{
	return p->sched_in.page;
}

/* Returns whether the kernel has given a CPU to a thread of the sleeping process. */
bool process_was_scheduled(const struct process *p);
/* Closes the events by which tiptop sees that a sleeping process runs again (sched_in.h). Does
 * nothing if the process does not sleep. */
void process_wake(struct process *p, struct attach *a);

/* Returns the thread; NULL: the process has none with this tid. */
struct thread *process_find_thread(const struct process *p, int tid);
/* Adds a thread; the pointer is valid until the next add. */
struct thread *process_add_thread(struct process *p, int tid, struct fact_set room);
/* Applies an event to the state of the thread. Returns false, and keeps the state, if the event
 * cannot happen in it. */
bool thread_change(struct thread *t, enum thread_event event);
/* Applies an event to the state of its counters. refresh: the number of the present refresh.
 * Returns as thread_change(). */
bool thread_change_counters(struct thread *t, enum counters_event event, uint32_t refresh);
/* Frees the threads that are GONE, except the leader. */
void process_sweep(struct process *p, struct attach *a);
/* Closes the counters and kept files of all threads and forgets their counts, and frees the threads
 * that have ended. The state of the leader's counters stays: the caller sets it. */
void process_close(struct process *p, struct attach *a);
/* Closes the counters of all threads, forgets all counts and facts, and frees all threads but the
 * leader. The counters of the leader become UNTRIED. */
void process_detach(struct process *p, struct attach *a);

int thread_tid(const struct thread *t);
/* Returns the reading for changes. If a sample has the present reading, the thread gets a copy,
 * which is returned. */
struct task *thread_edit(struct thread *t);
/* Sets task.counting of the thread; removes its counts unless counting is COUNT_OK. */
void thread_set_counting(struct thread *t, enum count_state counting);
/* Resets the counts to 0 and marks a gap, after the counters were opened: the next interval starts
 * from 0. */
void thread_start_counts(struct thread *t);
/* Reads the counters of a thread, if it has any. If a counter cannot be read, all counts keep their
 * last values, from which the next interval starts. Returns 0, or -errno as group_read(). */
int thread_read(struct thread *t, struct attach *a);
/* Marks facts that only grow (FACT_COUNTER) as unknown, since they could not be read and have no
 * increment in this interval. Other facts stay. */
void thread_forget_increments(struct thread *t);
/* Keeps the files of the thread open from now on, unless that takes descriptors that counters may
 * need. */
void thread_keep_files(struct thread *t, struct attach *a);
void thread_drop_files(struct thread *t, struct attach *a);
/* Closes the counters and the files of the thread; its last reading stays. */
void thread_close(struct thread *t, struct attach *a);

#endif
