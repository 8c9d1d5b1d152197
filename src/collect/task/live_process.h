/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_process - one process of the live source: reads its facts, its counters and its threads, and
 * changes their states. Tasks share few descriptors: if descriptors run out, counters of some are
 * closed for others.
 *
 * struct live is the state of the source, which live.h creates. Reading a process may list
 * processes to be looked at again (struct live: walk, walk_again, list_again).
 */
#ifndef COLLECT_TASK_LIVE_PROCESS_H
#define COLLECT_TASK_LIVE_PROCESS_H

#include "collect/source.h"
#include "collect/task/process_table.h"
#include "collect/task/sleeping.h"

/* A process that has run, with the value of its CPU clock at the previous reading. */
struct ran {
	struct process *process;
	uint64_t clock_before;
};

/* A task that holds counters, which may be closed for others, or that waits for counters. */
struct fd_budget_entry {
	struct process *process;
	int tid;
	uint64_t key; /* sort key, ascending */
};

struct fd_budget_list {
	struct fd_budget_entry *v;
	size_t n, cap;
};

/* State of the sharing of descriptors. */
struct fd_budget {
	struct fd_budget_list holders, waiters;
	size_t next;     /* index of the holder whose counters are to be closed next */
	uint32_t listed; /* the refresh in which the holders were listed */
	/* How many turns may still end in this refresh: turns of holders that are not idle
	 * processes. */
	long turns;
};

struct live {
	struct source source;
	struct proc *proc;
	struct sample_machine *machine; /* NULL: unknown */
	struct attach attach;
	struct table table;
	struct want want;
	uint64_t generation;
	/* more facts are wanted than before: read them of tasks that did not run, too */
	bool more_facts;
	bool broken;      /* some counters are in error state: only opening them again helps */
	uint32_t refresh; /* number of the present sample */
	/* The refresh in which the names in /proc were last read, and the newest pid then. */
	uint32_t listed;
	int listed_pid;
	/* The newest pid of this PID namespace at the last refresh, and at the refresh before it.
	 */
	int last_pid, previous_pid;
	/* Time of the last sample, in ns since boot; 0: none yet. */
	uint64_t before_ns;
	int64_t last_us;      /* the last result of live_now_us() */
	bool machine_watched; /* samples include the use of CPUs and memory of the machine */
	bool walk_again;      /* describe all processes again */
	bool list_again;      /* a pid was reused: list all processes */
	bool unsorted;        /* rows of the sample are not in order */
	/* Some wanted facts can change while a task does not run. */
	bool drifting;
	/* Half of the descriptors are enough for the counters of all tasks. */
	bool plenty;
	struct pid_list pids, walk, tids; /* walk: pids to be walked; the others: scratch */
	struct ran *ran;                  /* scratch */
	struct fd_budget room;
	struct sleeping sleeping;
	uint32_t n_asleep; /* number of sleeping processes since the last call of live_now_us() */
	size_t n_ran, cap_ran;
	struct source_cost cost;
	size_t refused; /* number of impossible events, see process_table.h */
	char note[ERR_TEXT_MAX];
};

/* Returns CLOCK_MONOTONIC in µs, as in thread.counts_us and thread.facts_us. */
int64_t live_now_us(struct live *l);

/* Reads the CPU clock of a process into *ns, and the time of that reading into *us. If much time
 * has passed since the last call of live_now_us(), tiptop may have waited for a CPU between the two
 * reads, which would falsify %CPU: both are read again, up to three times in all. Errors: those of
 * proc.cpu_clock(). */
int live_read_clock(struct live *l, const struct process *p, uint64_t *ns, int64_t *us);

/* ---- one process ---- */

/* Applies an event to a process: sets the next state, and does its actions (process_table.h). */
void live_change(struct live *l, struct process *p, enum life_event event);

/* Returns the facts for which a reading of the process has room; p NULL: a reading of a new
 * process. */
struct fact_set live_room(const struct live *l, const struct process *p);

/* Reads the facts of one thread, or of the process as a whole if rows are processes and t is its
 * leader. A thread that has ended gets THREAD_END. */
void live_read_facts(struct live *l, struct process *p, struct thread *t);

/* Closes the files of a process that are kept open. */
void live_drop_files(struct live *l, struct process *p);
/* A task that has not run for this many refreshes loses its kept files. */
#define LIVE_IDLE_REFRESHES 10

/* Returns whether the process has ended and was not reaped. A leader that ends before the other
 * threads is in state Z, too, but its process has not ended. */
bool live_is_zombie(const struct process *p);

/* ---- the counters of a process ---- */

/* Opens the counters of the process, opens closed counters again, or reads the counters of its
 * leader. clock_before: its CPU clock at the previous reading; ran: it has run since then. */
void live_update_counters(struct live *l, struct process *p, uint64_t clock_before, bool ran);

/* Applies an event to the counters of a process (t: its leader), or of one thread if rows are
 * threads: sets the next state, and does its actions (process_table.h). */
void live_change_counters(struct live *l, struct process *p, struct thread *t,
			  enum counters_event event);

/* ---- the sharing of few descriptors ---- */

/* Opens the counters of tasks that wait for descriptors; called once in a refresh, after all tasks
 * were read. A task that gets no descriptors stays without counters in this refresh. */
void live_serve_waiting(struct live *l);
void fd_budget_done(struct fd_budget *r);

/* ---- the threads of a process ---- */

/* Finds new threads, and threads that have ended, if threads must be known one by one. */
void live_update_threads(struct live *l, struct process *p);
/* Applies an event to a thread: sets the next state, and does its actions (process_table.h). */
void live_change_thread(struct live *l, struct process *p, struct thread *t,
			enum thread_event event);
/* Reads the counters of all threads but the leader, and, if facts per thread are wanted, the facts
 * of those that ran. */
void live_read_threads(struct live *l, struct process *p);
/* Frees the threads whose end has been sampled and that are not needed any more. */
void live_drop_ended_threads(struct live *l, struct process *p);

/* ---- slices ---- */

/* Returns whether the process is in the slice of this refresh. Each process is in the slice of one
 * in LIVE_SLICES refreshes, so that expensive reads are spread over several refreshes. */
bool live_in_slice(const struct live *l, const struct process *p);

#define LIVE_SLICES 10

#endif
