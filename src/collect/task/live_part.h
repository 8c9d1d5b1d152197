/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_part - the inside of the live source, shared by its files only: live.c (the steps of a
 * refresh, who is there, the facts of a process and the order of its reading), counting.c (its
 * counters and threads, and who has counters where descriptors are few), and detail.c (what people
 * ask beyond that).
 */
#ifndef COLLECT_TASK_LIVE_PART_H
#define COLLECT_TASK_LIVE_PART_H

#include "collect/source.h"
#include "collect/task/process_table.h"

/* A process that has run, and its CPU clock at the last look. */
struct ran {
	struct process *process;
	uint64_t clock_before;
};

/* One that has counters and may give them up, or one that wants some. */
struct fd_budget_entry {
	struct process *process;
	int tid;
	uint64_t key; /* the least is first */
};

struct fd_budget_list {
	struct fd_budget_entry *v;
	size_t n, cap;
};

/* The memory of counting.c. */
struct fd_budget {
	struct fd_budget_list holders, waiters;
	size_t next;     /* the index of the holder that gives its descriptors up next */
	uint32_t listed; /* the refresh in which holders were listed */
	long turns;      /* how many turns may still end in that refresh */
};

struct live {
	struct source source;
	struct proc *proc;
	struct sample_machine *machine; /* NULL: not known */
	struct attach attach;
	struct table table;
	struct want want;
	uint64_t generation;
	bool more_facts;  /* others are wanted than before: also those that did not run are asked */
	bool broken;      /* some counters are in error state: only opening them anew helps */
	uint32_t refresh; /* the number of the sample that is taken */
	/* The refresh in which the names in /proc were last read. */
	uint32_t listed;
	/* The newest pid of the machine at the last look, and at the one before. */
	int last_pid, previous_pid;
	/* The moment of the last sample since boot; 0: there was none. */
	uint64_t before_ns;
	int64_t last_us;      /* the moment that live_now_us() told last */
	bool machine_watched; /* CPUs and memory are read, too */
	bool walk_again;      /* all processes have to be described */
	bool list_again;      /* some pid was used again */
	bool unsorted;        /* rows of the sample are not in their order */
	/* Some facts are wanted that change though nothing runs. */
	bool drifting;
	/* There are descriptors for the counters of all tasks, and many more. */
	bool plenty;
	struct pid_list pids, walk, tids; /* walk: pids to be described; the others are scratch */
	struct ran *ran;                  /* scratch */
	struct fd_budget room;
	size_t n_ran, cap_ran;
	struct source_cost cost;
	size_t refused; /* events that the state of a thing does not have */
	char note[ERR_TEXT_MAX];
};

/* The present moment, as threads note it: CLOCK_MONOTONIC in µs. */
int64_t live_now_us(struct live *l);

/* Reads the CPU clock of a process, and the moment when it showed that. If much time has passed
 * since the last moment that was asked for, tiptop may have waited for a CPU between the two, and
 * %CPU would be wrong by that: both are read again, up to three times. Errors: those of
 * proc.cpu_clock(). */
int live_read_clock(struct live *l, const struct process *p, uint64_t *ns, int64_t *us);

/* ---- live.c: one process, and who is there ---- */

/* What happens to it: the next state, and what process_table.h says of that. */
void live_change(struct live *l, struct process *p, enum life_event event);

/* The facts that a reading of the process has room for; p NULL: that of a newcomer. */
fact_mask live_room(const struct live *l, const struct process *p);

/* Reads the facts of one thread, or of the process as a whole for a leader that stands for it. One
 * that has gone ends. */
void live_read_facts(struct live *l, struct process *p, struct thread *t);

/* Lists the tids of the threads of a process in l->tids, sorted. */
int live_list_threads(struct live *l, const struct process *p);
/* Whether the process may have other threads than its leader. */
bool live_may_have_threads(const struct process *p);

/* ---- counting.c: its counters ---- */

/* Attaches the process as a whole, or opens again what was closed, or reads the counters of its
 * leader. */
void live_update_counters(struct live *l, struct process *p, uint64_t clock_before, bool ran);

/* What happens to the counters of a process (t: its leader), or of one thread, where rows are
 * threads: the next state, and what process_table.h says of that. */
void live_change_counters(struct live *l, struct process *p, struct thread *t,
			  enum counters_event event);
/* What was opened or tried for the process does not hold any more: the next refresh tries again,
 * whether it runs or not. */
void live_reset_counters(struct live *l, struct process *p);
/* The thread that keeps the state of the counters of this one. */
static inline struct thread *live_unit(const struct live *l, const struct process *p,
				       struct thread *t)
{
	return l->want.threads ? t : &p->thread[0];
}
/* How many such threads there are: the first ones. */
static inline size_t live_n_units(const struct live *l, const struct process *p)
{
	return l->want.threads ? p->n : 1;
}
/* Reads the counters of a thread that has ended for the last time. */
void live_read_last(struct live *l, struct process *p, struct thread *t);

/* ---- counting.c: who has counters where descriptors are too few ---- */

/* Opens the counters of those that wait; to be called once in a refresh. Whoever finds no room has
 * no counters in this one. */
void live_serve_waiting(struct live *l);
void fd_budget_done(struct fd_budget *r);

/* ---- counting.c: its threads ---- */

/* Finds the threads that have come, and those that have ended, where threads must be known one by
 * one. */
void live_update_threads(struct live *l, struct process *p);
/* What happens to one of its threads: the next state, and what process_table.h says of that. */
void live_change_thread(struct live *l, struct process *p, struct thread *t,
			enum thread_event event);
/* Reads the counters of all threads but the leader, and the facts of those that ran. */
void live_read_threads(struct live *l, struct process *p);
/* Forgets the threads whose end has been sampled and that nothing needs any more. */
void live_drop_ended_threads(struct live *l, struct process *p);

/* ---- detail.c: one task that is looked at ---- */

void live_detail(struct source *source, const struct task *task, unsigned want, struct detail *out);

/* ---- live.c: who is there ---- */

/* Whether the process is in the slice of this refresh: each process is once in LIVE_SLICES
 * refreshes. */
bool live_in_slice(const struct live *l, const struct process *p);

#define LIVE_SLICES 10

#endif
