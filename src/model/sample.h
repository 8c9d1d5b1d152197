/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample - what was read of all tasks at one moment, and nothing else.
 *
 * A sample has no descriptor and no clock: time is data. The source fills one, the delta compares
 * two, sinks that keep samples write them down.
 *
 * Rows. There is one struct task for each thing that was read: for a process its leader, and beside
 * it each further thread that has facts or counters of its own. With thread rows (sample.threads)
 * every task is one thread; without, the facts of a leader that are not per_thread (see fact.h) are
 * those of the whole process.
 *
 * A struct task is one reading, and does not change once a sample has it. Of a task that has not
 * run since, there is nothing to read: the next samples hold the same object. So two samples that
 * point to the same reading say that the task did nothing in between, and ten thousand idle tasks
 * cost a pointer each.
 *
 * Invariants: tasks are sorted by (kind, owner, id, start_ns) after sample_sort(), so that those of
 * a process stand together; within a sample these four are unique. A row need not be a task: its
 * kind (kind.h) says what the id is.
 *
 * Time. A sample takes a while: some µs a task, or a second where thousands get counters. So each
 * of its rows has a moment of its own at which its counts were true, and one for its facts: they
 * were read then, or the task was seen not to have run since they were. What was read for an
 * earlier sample and is shared has the moment of the last look.
 *
 * Moved counts. What a task did before its counters were opened is told of another row, if of any:
 * of the rest of a command. Once it is known whose it was, it moves: the one row has it in `moved`,
 * the other one the same below 0. That is of totals alone: in no interval was anything done twice,
 * or undone.
 *
 * Ownership: a reading is one block of memory that lives as long as somebody holds a reference; the
 * strings and arrays that it points to lie in it, but for `moved`. A sample holds a reference to
 * each of its tasks until sample_reset(). A reading holds one to the set of its events. A sample
 * itself is shared in the same way by all who want to keep it.
 */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/count.h"
#include "base/mem.h"
#include "base/value.h"
#include "model/kind.h"
#include "model/sample_event.h"
#include "model/sample_machine.h"

/* ---- machine use ----
 *
 * What CPUs and memory of the machine are used for: what was read of it for a sample,
 * and what that says of an interval. Pure.
 *
 * CPUs. The kernel tells in clock ticks how long each CPU has been in each state since boot. Busy
 * are user, nice, system, irq and softirq; time as the host of a virtual machine is in user. What a
 * hypervisor gave to others is stolen: that time is neither busy nor idle. A share is a part of the
 * ticks of this CPU in the interval, not of the clock, as those of different CPUs do not begin at
 * the same moment. Where the idle time of a CPU steps back, as that of waiting for a disk may, its
 * shares of that interval are unknown.
 *
 * Intervals. An interval shorter than USE_INTERVAL_MIN_NS has too few ticks for a share: the last
 * ones stay, and the next interval begins where theirs ended. It does not end with a generation.
 *
 * A CPU that was there and is not any more (it went offline) stays in the list, without a number.
 */

enum cpu_state {
	CPU_USER, /* with the guests of virtual machines */
	CPU_NICE, /* the same with a positive nice value */
	CPU_SYSTEM,
	CPU_IRQ, /* and softirq */
	CPU_STOLEN,
	CPU_IDLE, /* and waiting for a disk */
	N_CPU_STATES
};

/* Of one CPU, in clock ticks since boot. */
struct cpu_ticks {
	int cpu;
	uint64_t in[N_CPU_STATES];
	uint64_t waiting; /* those of CPU_IDLE in which a task of it waited for a disk */
};

/* In KiB. */
struct memory_use {
	uint64_t total, free;
	/* What tasks could still get without swapping: beside what is free, most of the caches. */
	uint64_t available;
	uint64_t swap_total, swap_free;
};

/* Of one moment. */
struct machine_use {
	bool wanted; /* else nothing of it was read */
	/* Why they could not be read (errno); 0: they were. */
	int cpu_error, memory_error;
	const struct cpu_ticks *cpu; /* [n_cpus] those that are online, by number */
	size_t n_cpus;
	struct memory_use memory;
};

/* Of one CPU in the interval, in %. */
struct cpu_share {
	int cpu;
	/* All but CPU_STOLEN and CPU_IDLE. QUALITY_FRESH: there is no interval yet; QUALITY_GONE:
	 * the CPU is not there any more. */
	struct value busy;
	struct value in[N_CPU_STATES];
};

struct use_delta {
	bool wanted;
	int cpu_error, memory_error;
	const struct cpu_share *share; /* [n_shares], by number */
	size_t n_shares;
	struct memory_use memory; /* at its end */
	/* Where the next interval begins. */
	const struct cpu_ticks *base; /* [n_base] */
	size_t n_base;
	uint64_t base_ns;
};

#define USE_INTERVAL_MIN_NS 100000000u

/* now_ns: the moment of `now`. before: that of the sample before; NULL: there is none. What it
 * needs is copied into the arena. */
void use_compute(struct use_delta *out, const struct use_delta *before,
		 const struct machine_use *now, uint64_t now_ns, struct arena *arena);

/* ---- sample ---- */

/* How it stands with the counters of one task. */
enum count_state {
	/* Not wanted: the screen needs no counter, or a filter leaves the task out. */
	COUNT_NONE,
	COUNT_OK, /* read */
	/* Counted by the group of the thread that started it: adds nothing of its own. */
	COUNT_INHERITED,
	COUNT_DENIED,      /* the kernel refuses (EACCES, EPERM) */
	COUNT_UNSUPPORTED, /* the kernel cannot count this here */
	COUNT_NOFILE,      /* no descriptor left (EMFILE, ENFILE) */
	COUNT_GONE,        /* ended before it could be attached (ESRCH) */
	/* The kernel refuses for the moment (ENOMEM, EBUSY): it is tried again. */
	COUNT_REFUSED,
	/* Not opened yet, since it has not run since it was found: has counted nothing so far. */
	COUNT_IDLE,
	/* Read, and counted from the first instruction of the task on: all of it, of its facts,
	 * too, is of the interval in which it is met for the first time. */
	COUNT_WHOLE,
	N_COUNT_STATES
};

/* What a refresh looks at of each row, also of an idle one, stands first: one line of the cache. */
struct task {
	const struct kind *kind;
	uint32_t refs;
	/* Has ended: these are its final counts, and the task is not in later samples. */
	bool dead : 1;
	/* Its counters were closed for a part of the interval before and began at
	 * 0 if open again. */
	bool gap : 1;
	/* Has ended, and its facts went with it: these are the ones of its last reading. */
	bool lost : 1;
	/* A thread of a process that lives on: the same, but its process has the row. */
	bool ended : 1;
	uint8_t counting; /* enum count_state */
	uint8_t n_counts; /* what count[] has room for: events->n, or 0 */
	char state;       /* R S D T Z ..., as in /proc; '?' where unknown */
	/* What is counted of it, or would be; NULL: nothing is wanted. */
	struct sample_events *events;
	uint64_t id;    /* of a task: of the thread */
	uint64_t owner; /* the id of what it belongs to: of a thread, its process; else, and of a
			   leader, its own */
	/* Since boot, in steps of a clock tick; with kind and id, the identity. */
	uint64_t start_ns;
	/* Of each event, where counting is COUNT_OK or COUNT_WHOLE; NULL: it has no counters. */
	struct count *count;
	/* Bit i: event i was not read; count[i] is what was read of it last, 0 at first. */
	uint64_t unread;
	/* Of each event, what was told of other rows before and is of this one, so far; below 0: of
	 * others. It is not in count. NULL: nothing. Owned; see task_make_moved(). */
	int64_t *moved;
	const char *user;    /* login name, or the number as text */
	const char *name;    /* as in /proc/PID/comm; of a thread, its own */
	const char *process; /* the name of its process, which is that of the leader */
	const char *cmdline; /* NULL: not read, or none (kernel threads) */
	/* Those of `room`, in their order; of a text, where it stands in this block. */
	uint64_t *fact;
	uint32_t uid;
	/* The sample.number for which its facts were read: in later ones, some are stale. */
	uint32_t facts_read;
	fact_mask room;  /* which facts there is room for */
	fact_mask known; /* which of them were read */
};

/* What parts belong to: a process. */
struct owner {
	const struct kind *kind;
	uint64_t id;
};

struct task_texts {
	const char *user, *name;        /* NULL: "" */
	const char *process;            /* NULL: as name */
	const char *cmdline;            /* NULL: none */
	const char *read[N_READ_TEXTS]; /* the facts from FACT_FIRST_READ_TEXT on; NULL: unknown */
};

/* The texts of a reading, valid as long as it lives. */
struct task_texts task_texts(const struct task *t);
/* A new reading with one reference, cleared but for its texts, which it copies: of the facts, those
 * that it has room for and that its kind may have. n_counts 0: count is NULL. */
struct task *task_new(const struct kind *kind, fact_mask room, int n_counts,
		      const struct task_texts *texts);
/* Copies t into a new reading of another size, with these texts. Facts that it has no room for are
 * dropped; so are counts, and what moved, unless there are as many. */
struct task *task_copy(const struct task *t, fact_mask room, int n_counts,
		       const struct task_texts *texts);
/* Makes the array of a new reading that has its events, cleared. */
void task_make_moved(struct task *t);
/* The bytes that the reading takes. */
size_t task_size(const struct task *t);
struct task *task_ref(const struct task *t);
/* NULL is fine. */
void task_unref(const struct task *t);
/* Sets a fact and marks it as known; one that there is no room for is dropped. */
void task_set_fact(struct task *t, enum fact fact, uint64_t value);
/* Of a text, as long as the task lives; NULL: it is not known. "": there is none, as of a task
 * in no container. */
const char *task_text(const struct task *t, enum fact fact);

/* These are asked several times of each task in each refresh, of idle ones, too: a call each would
 * cost more than they do. */

/* Where a fact stands that there is room for. */
static inline uint64_t *task_fact_place(const struct task *t, enum fact fact)
{
	return &t->fact[fact_count(t->room & (FACT_BIT(fact) - 1))];
}

/* Of a number that is known. */
static inline uint64_t task_fact(const struct task *t, enum fact fact)
{
	return *task_fact_place(t, fact);
}

/* Whether it belongs to nothing else: the leader of a process. */
static inline bool task_is_leader(const struct task *t)
{
	return t->id == t->owner;
}

/* What is shown as its id. */
static inline uint64_t task_number(const struct task *t)
{
	return t->kind->id_is_pid ? (uint64_t)t->kind->pid(t) : t->id;
}

static inline struct owner task_owner(const struct task *t)
{
	return (struct owner){t->kind, t->owner};
}

static inline bool task_has_owner(const struct task *t, struct owner owner)
{
	return t->kind == owner.kind && t->owner == owner.id;
}

static inline int owner_compare(struct owner x, struct owner y)
{
	if (x.kind != y.kind)
		return strcmp(x.kind->name, y.kind->name);
	return x.id < y.id ? -1 : x.id > y.id;
}

/* By (kind, owner, id, start_ns). */
static inline int task_compare(const struct task *x, const struct task *y)
{
	int order = owner_compare(task_owner(x), task_owner(y));

	if (order)
		return order;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return 0;
}

/* What its counts are of; it takes a reference. */
void task_set_events(struct task *t, const struct sample_events *events);

/* The machine. */
struct host {
	double uptime_s, load1, load5, load15;
	int n_cpus;
	uint64_t mem_total_kb; /* what tasks can have; 0: not known */
	int n_running;         /* threads that run, or wait for a CPU; 0: not known */
	uint64_t tick_ns;      /* between two ticks of the scheduler; 0: not known */
	bool contained; /* the threads that run are the machine's, not all of which can be seen */
};

/* When what a sample says of a row was true, in µs after sample.mono_ns; below 0: before. That may
 * be days, whose µs do not matter. */
struct task_time {
	float counts_us, facts_us;
};

struct sample {
	uint32_t refs;    /* of one made by sample_new() */
	uint64_t mono_ns; /* CLOCK_MONOTONIC: when it was begun */
	uint64_t boot_ns; /* CLOCK_BOOTTIME: the clock of start_ns */
	uint64_t wall_ns; /* CLOCK_REALTIME: for people */
	/* Another number: counters were opened anew, nothing before can be compared. */
	uint64_t generation;
	uint32_t number; /* the number of the sample, from 1 on */
	/* The last one of its generation: the next one is to be taken at once, as a new start. */
	bool last;
	bool threads; /* every task is one thread */
	/* All tasks are known to have one set of events, so that nobody has to look at each. */
	bool one_set;
	struct host host;
	struct machine_use use;         /* what it points to lies in the arena */
	struct sample_machine *machine; /* NULL: not known */
	const struct kind *kind;        /* what its rows are of; NULL: tasks */
	struct task **task;
	struct task_time *time; /* [n] the moments of each task */
	size_t n, cap, cap_time;
	size_t n_left_out; /* how many processes were seen but not asked for */
	struct arena arena;
};

void sample_init(struct sample *s);
void sample_done(struct sample *s);
/* An empty one with one reference. Who has the only one may fill it; from then on it is shared. */
struct sample *sample_new(void);
struct sample *sample_ref(const struct sample *s);
/* NULL is fine. */
void sample_unref(const struct sample *s);
/* Empties the sample; keeps its memory. */
void sample_reset(struct sample *s);
/* Takes a reference. */
void sample_set_machine(struct sample *s, const struct sample_machine *machine);
/* Takes over one reference, and returns the task. Its time is that of the sample. */
struct task *sample_add(struct sample *s, struct task *t);
void sample_sort(struct sample *s);
/* The reading of the same thing as t, which needs kind, owner, id and start_ns only; NULL: there is
 * none. */
struct task *sample_find(const struct sample *s, const struct task *t);
/* The moments of the counts and of the facts of task i, CLOCK_MONOTONIC. */
uint64_t sample_counts_ns(const struct sample *s, size_t i);
uint64_t sample_facts_ns(const struct sample *s, size_t i);
/* The quality that a count of a task in this state has. */
enum quality count_state_quality(enum count_state state);

#endif
