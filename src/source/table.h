/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table - what the live source remembers of each process between two samples.
 *
 * A process has at least one struct thread: its leader. Others are there only where they are needed: for rows of
 * threads, for counters (a group for each thread that was alive at the attach) and for facts that the kernel keeps per
 * thread only.
 *
 * Ownership: the table owns processes, threads and their strings; groups belong to the attach, which must close them
 * before a process is freed (table_free_process() does).
 */
#ifndef SOURCE_TABLE_H
#define SOURCE_TABLE_H

#include "base/hash.h"
#include "source/attach.h"
#include "source/proc.h"

struct thread {
	int tid;
	uint64_t start_ns;
	char *name; /* of a thread that is not the leader; NULL: that of the process */
	char state;
	uint8_t counting; /* enum count_state */
	bool ended;       /* no longer in the kernel's list; its counts are final */
	bool seen;        /* mark of a listing */
	struct group *group;
	struct count *count; /* [set.plan.n], the last reading; NULL without counters */
	struct count *base; /* [set.plan.n], counted before the group was closed and opened again; NULL: it never was */
	bool gap;           /* the group was closed while the thread ran, since the last sample */
	uint64_t unread;
	fact_mask known;
	unsigned facts_read; /* the refresh in which */
	uint64_t fact[N_FACTS];
};

struct process {
	int pid;
	uint32_t uid;
	char *user, *name, *cmdline; /* cmdline may be NULL */
	uint64_t start_ns, clock_ns; /* clock_ns: the last reading of its CPU clock */
	bool clock_known;            /* that reading succeeded */
	bool wanted;                 /* passes the filter: is sampled */
	bool attached;               /* opening its counters was tried in this generation */
	bool parked;                 /* its counters were closed, since it was idle and others needed the descriptors */
	unsigned first_seen;         /* the refresh in which it was found */
	unsigned last_ran;           /* the refresh in which it was last seen to have run */
	bool ended;                  /* gone, or a zombie: sampled once more, as dead */
	bool reported;               /* its end was sampled */
	bool seen;                   /* mark of a listing */
	struct thread *thread;       /* [n], the leader first */
	size_t n, cap;
};

struct table {
	struct hash by_pid;
};

struct process *table_get(const struct table *t, int pid);
/* A new process, with its leader, described by `from`. */
struct process *table_add(struct table *t, const struct proc_process *from, fact_mask facts);
void table_remove(struct table *t, struct process *p, struct attach *a);
void table_done(struct table *t, struct attach *a);

/* Takes over what a walk told, and of its facts these. */
void process_describe(struct process *p, const struct proc_process *from, fact_mask facts);
/* Takes over what the files of one of its threads told. Returns whether the process has a new name (execve). */
bool process_take_facts(struct process *p, struct thread *t, const struct proc_facts *facts);

struct thread *process_find_thread(const struct process *p, int tid);
/* Valid until the next add. */
struct thread *process_add_thread(struct process *p, int tid);
void process_remove_thread(struct process *p, size_t i, struct attach *a);
/* Closes its counters and forgets all readings and all threads but the leader. */
void process_detach(struct process *p, struct attach *a);

/* Reads the counters of a thread that has some. */
void thread_read(struct thread *t, struct attach *a);
/* What its facts grew by since the last look is lost, as it ended: only its last state is still known. */
void thread_forget_increments(struct thread *t);
/* Closes its counters for a while: the last reading becomes the base of those to come. */
void thread_park(struct thread *t, struct attach *a);
/* Closes its counters; the last reading stays. */
void thread_close(struct thread *t, struct attach *a);

#endif
