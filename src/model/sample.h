/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample - the readings of all tasks at one moment, and nothing else; the kinds of rows that
 * readings belong to; and the filter that selects readings.
 *
 * A sample has no descriptor and no clock: time is data. A source fills a sample, a delta compares
 * two, and recordings store them.
 *
 * Rows. A process has one struct task for its leader, and one for each further thread that has
 * facts or counters of its own. With thread rows (sample.threads) every task is one thread;
 * without, the facts of a leader that are not per_thread (see fact.h) are those of the whole
 * process.
 *
 * A struct task is one reading, and does not change once a sample has it. While a task does not
 * run, it is not read again: the next samples point to the same object. So if two samples have the
 * same reading, the task did nothing in between, and ten thousand idle tasks cost a pointer each.
 *
 * Invariants: tasks are sorted by (kind, owner, id, start_ns) after sample_sort(), so that the
 * tasks of a process are adjacent; no two tasks of a sample have the same key. A row need not be a
 * task: its kind (struct kind) says what the id is.
 *
 * Time. Reading a sample takes a while: some µs per task, or a second if counters are opened for
 * thousands of tasks. So each row has two times, one for its counts and one for its facts: when
 * they were read, or when a later check found that the task had not run since.
 *
 * Moved counts. What a child of a command counted before its own counters were opened is first part
 * of the rest row of the command (kind_rest). If they are known when the child has ended, these
 * counts move to it: they are in `moved` of its last row, and with a negative sign in `moved` of
 * the rest row. Only totals change: increments of past intervals stay as they are.
 *
 * Ownership: a reading is one block of memory with a reference count; its strings and arrays lie in
 * it, except `moved`. A sample holds a reference to each of its tasks until sample_reset(). A
 * reading holds one to the set of its events. Samples have a reference count, too.
 */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/value.h"
#include "model/fact.h"
#include "model/sample_event.h"

/* ---- kind ----
 *
 * The properties of all rows of one kind: their names in sentences and headers, and which facts and
 * filters they have.
 *
 * A reading points to its kind. Only the kind knows what ids mean: two kinds may have the same ids,
 * and only some have pids, users or command lines. Kinds are identified by their names.
 * model/kinds.h declares the kinds of tiptop itself; a source may define its own.
 */

struct task;

/* The conditions of a filter (struct filter). */
enum { CONDITION_PID = 1, CONDITION_USER = 2, CONDITION_TEXT = 4 };

struct kind {
	const char *name; /* singular, in sentences: "process" */
	/* Another kind, whose screens and group keys apply to this kind as well; NULL: none. */
	const struct kind *like;
	const char *many; /* plural, in sentences: "tasks" */
	/* The command of tiptop whose rows are of this kind, for sentences; NULL: none, or the
	 * monitor itself. */
	const char *command;
	/* The name of a part, if the rows are parts: "thread". For a kind without parts, its own
	 * name; for groups, NULL. */
	const char *part;
	const char *id_name;    /* header of the id: "PID" */
	const char *id_help;    /* description of the id, without a full stop */
	const char *label_name; /* header of the last field: "COMMAND" */
	const char *label_help; /* its description, without a full stop */
	bool id_is_text;        /* the name is shown in place of the id */
	bool id_is_comm;        /* this name is that of a task: rarely above 15 characters */
	bool id_is_pid;         /* pid() is shown in place of the id */
	bool counts_members;    /* the last field is the number of members */
	/* The counters of a row are enabled while it is on a CPU, and only then: the enabled time
	 * is its CPU time. */
	bool enabled_on_cpu;
	/* The counters of a row are enabled as long as it exists. */
	bool enabled_always;
	/* A row is idle if neither this fact, nor own_time, nor an event grew; 0: its CPU time. */
	int busy;
	int own_time;    /* the time that a row was busy (ns); 0: its CPU time */
	bool in_program; /* its name is unique only within its program */
	/* The facts that its rows may have: an element of fact_of_table[]. */
	const struct fact_set *facts;
	/* The conditions of a filter that apply to its rows; all rows pass the others. */
	unsigned conditions;
	/* Returns the last field of a row; NULL: the name. */
	const char *(*label)(const struct task *t, bool cmdline);
	/* Returns the process to which a signal for this row is sent; NULL: none. */
	int32_t (*pid)(const struct task *t);
};

/* ---- machine use ----
 *
 * Use of the CPUs and the memory of the machine: as read for a sample, and as shares of an
 * interval. Pure.
 *
 * CPUs. The kernel shows in clock ticks how long each CPU has been in each state since boot. A CPU
 * is busy in the states user, nice, system, irq and softirq; the time of guests of virtual machines
 * is part of user. Time that the hypervisor gave to other machines is stolen: it is neither busy
 * nor idle. Shares are relative to the ticks of this CPU in the interval, not to the clock, as the
 * ticks of different CPUs are not read at the same moment. If the idle time of a CPU goes back, as
 * iowait may, its shares of that interval are unknown.
 *
 * Intervals. An interval shorter than USE_INTERVAL_MIN_NS has too few ticks for a share: the shares
 * of the previous interval stay, and the next interval begins where that one ended. A new
 * generation of samples has no effect on this.
 *
 * A CPU that went offline stays in the list, without a number.
 */

enum cpu_state {
	CPU_USER, /* including guests of virtual machines */
	CPU_NICE, /* user time with a positive nice value */
	CPU_SYSTEM,
	CPU_IRQ, /* and softirq */
	CPU_STOLEN,
	CPU_IDLE, /* including iowait */
	N_CPU_STATES
};

/* The times of one CPU, in clock ticks since boot. */
struct cpu_ticks {
	int cpu;
	uint64_t in[N_CPU_STATES];
	uint64_t waiting; /* iowait: the part of CPU_IDLE while a task waited for I/O */
};

/* The use of memory, in KiB. */
struct memory_use {
	uint64_t total, free;
	/* The memory that tasks could get without swapping: free memory and most of the caches. */
	uint64_t available;
	uint64_t swap_total, swap_free;
};

/* The use of the machine at one moment. */
struct machine_use {
	bool wanted; /* false: nothing was read */
	/* errno if the files could not be read; 0: read. */
	int cpu_error, memory_error;
	const struct cpu_ticks *cpu; /* [n_cpus] the online CPUs, sorted by number */
	size_t n_cpus;
	struct memory_use memory;
};

/* The shares of one CPU in the interval, in %. */
struct cpu_share {
	int cpu;
	/* All states but CPU_STOLEN and CPU_IDLE. QUALITY_FRESH: no interval yet; QUALITY_GONE: the
	 * CPU went offline. */
	struct value busy;
	struct value in[N_CPU_STATES];
};

struct use_delta {
	bool wanted;
	int cpu_error, memory_error;
	const struct cpu_share *share; /* [n_shares], sorted by CPU number */
	size_t n_shares;
	struct memory_use memory; /* at the end of the interval */
	/* The ticks and the time (CLOCK_MONOTONIC) at the start of the next interval. */
	const struct cpu_ticks *base; /* [n_base] */
	size_t n_base;
	uint64_t base_ns;
	uint64_t interval_ns; /* of the shares; 0: they are those of an earlier interval */
};

#define USE_INTERVAL_MIN_NS 100000000u

/* Computes the shares of an interval that ends with `now`, at now_ns. before: the result for the
 * previous sample; NULL: none. All data is copied into the arena. */
void use_compute(struct use_delta *out, const struct use_delta *before,
		 const struct machine_use *now, uint64_t now_ns, struct arena *arena);

/* ---- sample ---- */

/* The state of the counters of one task. */
enum count_state {
	/* Not wanted: the screen needs no counter, or a filter leaves the task out. */
	COUNT_NONE,
	COUNT_OK, /* read */
	/* Adds no counts of its own: the inherited counters of another thread count it, or it ended
	 * before it could be attached. */
	COUNT_INHERITED,
	COUNT_DENIED,      /* the kernel refuses (EACCES, EPERM) */
	COUNT_UNSUPPORTED, /* not supported by the kernel or the hardware here */
	COUNT_NOFILE,      /* no descriptor left (EMFILE, ENFILE) */
	COUNT_GONE,        /* ended before it could be attached (ESRCH) */
	/* The kernel refuses for now (ENOMEM, EBUSY): opening is tried again. */
	COUNT_REFUSED,
	/* Not opened yet: the task has not run since it was found, so it has counted nothing. */
	COUNT_IDLE,
	/* Read, and counted from the first instruction of the task on: all its counts, and its
	 * facts, belong to the interval in which it is first seen. */
	COUNT_WHOLE,
	N_COUNT_STATES
};

/* In place of a uid: no user has this number (chown(2)). */
#define TASK_UID_UNKNOWN UINT32_MAX

/* One reading. The fields that each refresh reads, also of idle rows, come first: they fit one
 * cache line. */
struct task {
	const struct kind *kind;
	uint32_t refs;
	/* Has ended: these are its final counts; the task is in no later sample. */
	bool dead : 1;
	/* Its counters were closed for a part of the interval before this reading; counts restarted
	 * at 0 if they are open again. */
	bool gap : 1;
	/* Has ended before its facts could be read again: the facts are those of its previous
	 * reading. */
	bool lost : 1;
	/* A thread that has ended while its process goes on: its counts stay in the process. */
	bool ended : 1;
	/* The facts were read within this interval, but not at the end of the task: their growth is
	 * a lower bound. Only in steps of a recording (record/reader.h). */
	bool early_facts : 1;
	uint8_t counting; /* enum count_state */
	uint8_t n_counts; /* elements of count[]: events->n, or 0 */
	char state;       /* R S D T Z ..., as in /proc; '?': unknown */
	/* The events that are counted, or that would be if it had counters; NULL: none are
	 * wanted. */
	struct sample_events *events;
	uint64_t id;    /* the tid; the pid of a leader */
	uint64_t owner; /* the id of the process of a thread; equal to id for a leader, and for rows
			   without an owner */
	/* Its start, since boot, with the resolution of a clock tick. Kind, id and start identify a
	 * task. */
	uint64_t start_ns;
	/* [n_counts] if counting is COUNT_OK or COUNT_WHOLE; NULL: no counters. */
	struct count *count;
	/* Bit i: event i was not read; count[i] is its last successful reading, or 0. */
	uint64_t unread;
	/* [events->n] The counts that were moved to this row so far (negative: away from it), which
	 * count[] does not include. NULL: none. Owned; see task_make_moved(). */
	int64_t *moved;
	const char *user;    /* login name, or the uid as text */
	const char *name;    /* as in /proc/PID/comm; of a thread, its own name */
	const char *process; /* the name of its process, which is the name of the leader */
	const char *cmdline; /* NULL: not read, or none (kernel threads) */
	/* One element for each fact of `room`, in the order of their numbers. The element of a text
	 * is its address in this block. */
	uint64_t *fact;
	uint32_t uid;
	/* The number of the sample for which its facts were read: in later samples, some may be
	 * stale. */
	uint32_t facts_read;
	struct fact_set room;  /* the facts that have an element in fact[] */
	struct fact_set known; /* the facts that were read */
};

/* The identity of an owner; the owner of threads is their process. */
struct owner {
	const struct kind *kind;
	uint64_t id;
};

struct task_texts {
	const char *user, *name; /* NULL: "" */
	const char *process;     /* NULL: the same as name */
	const char *cmdline;     /* NULL: none */
	const char
		*read[FACT_TEXTS_MAX]; /* the facts from FACT_FIRST_READ_TEXT on; NULL: unknown */
};

/* Returns the texts of a reading, valid as long as it exists. */
struct task_texts task_texts(const struct task *t);
/* Creates a reading with one reference. Copies the texts; its state is unknown, and everything else
 * is 0. It has elements for the facts of `room` that its kind may have. n_counts 0: count is
 * NULL. */
struct task *task_new(const struct kind *kind, struct fact_set room, int n_counts,
		      const struct task_texts *texts);
/* Copies t into a new reading with these texts and another room. Drops facts that are not in
 * `room`, and counts and moved counts unless n_counts is the same. */
struct task *task_copy(const struct task *t, struct fact_set room, int n_counts,
		       const struct task_texts *texts);
/* Creates moved[], zeroed, for a new reading whose events are set. */
void task_make_moved(struct task *t);
/* Returns the bytes that the reading uses. */
size_t task_size(const struct task *t);
struct task *task_ref(const struct task *t);
void task_unref(const struct task *t);
/* Sets a fact and marks it as known; ignored if the fact is not in `room`. */
void task_set_fact(struct task *t, int fact, uint64_t value);
/* Sets all numbers of the set `known` that are in `room`. number: indexed by fact. */
void task_set_numbers(struct task *t, struct fact_set known, const uint64_t *number);
/* Returns a text, valid as long as the task; NULL: unknown; "": none, such as the container of a
 * task in no container. */
const char *task_text(const struct task *t, int fact);

/* The following functions are called several times per task and refresh, also for idle tasks. They
 * are inline because a call would cost more than their work. */

/* Returns the element of a fact, which must be in `room`. */
static inline uint64_t *task_fact_place(const struct task *t, int fact)
{
	return &t->fact[fact_place(t->room, fact)];
}

/* Returns a number that is known. */
static inline uint64_t task_fact(const struct task *t, int fact)
{
	return *task_fact_place(t, fact);
}

/* Returns whether the task has no other owner: the leader of a process, or a row without parts. */
static inline bool task_is_leader(const struct task *t)
{
	return t->id == t->owner;
}

/* Returns the number that is shown as its id. */
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

/* Compares by (kind, owner, id, start_ns). */
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

/* Sets the events that the counts of the task belong to; takes a reference. */
void task_set_events(struct task *t, const struct sample_events *events);

/* The state of the machine. */
struct host {
	double uptime_s, load1, load5, load15; /* loads: NAN: unknown */
	int n_cpus;
	uint64_t mem_total_kb; /* usable by tasks; 0: unknown */
	int n_running;         /* threads that run or wait for a CPU; 0: unknown */
	uint64_t tick_ns;      /* between two ticks of the scheduler; 0: unknown */
	bool contained; /* in a container: n_running counts all threads of the machine, not only the
			   visible ones */
	bool hides;     /* /proc hides processes of other users (hidepid); n_running counts them */
};

/* The moments at which the counts and the facts of a row were true, in µs after sample.mono_ns;
 * below 0: before it. Their precision as floats is enough even for days. */
struct task_time {
	float counts_us, facts_us;
};

struct sample {
	uint32_t refs;    /* used only if sample_new() made the sample */
	uint64_t mono_ns; /* CLOCK_MONOTONIC: when reading it began */
	uint64_t boot_ns; /* CLOCK_BOOTTIME: the clock of start_ns */
	uint64_t wall_ns; /* CLOCK_REALTIME: for display */
	/* Changes when counters are reopened: samples of two generations cannot be compared. */
	uint64_t generation;
	uint32_t number; /* number of the sample, from 1 on */
	/* The last one of its generation: the next sample has to follow at once. */
	bool last;
	bool threads; /* every task is one thread */
	/* All tasks have the same set of events: no need to compare the sets task by task. */
	bool one_set;
	struct host host;
	struct machine_use use;         /* its arrays lie in the arena */
	struct sample_machine *machine; /* NULL: unknown */
	const struct kind *kind;        /* of the rows; NULL: kind_task */
	struct task **task;
	struct task_time *time; /* [n] the moments of each task */
	size_t n, cap, cap_time;
	size_t n_left_out; /* processes that the filter excluded and that have no row */
	struct arena arena;
};

void sample_init(struct sample *s);
void sample_done(struct sample *s);
/* Creates an empty sample with one reference. It may be filled only while that is the only one. */
struct sample *sample_new(void);
struct sample *sample_ref(const struct sample *s);
void sample_unref(const struct sample *s);
/* Empties the sample but keeps its memory. */
void sample_reset(struct sample *s);
/* Sets the machine; takes a reference. */
void sample_set_machine(struct sample *s, const struct sample_machine *machine);
/* Adds a task and returns it. Takes over one reference to the task. The times of its counts and
 * facts are set to sample.mono_ns. */
struct task *sample_add(struct sample *s, struct task *t);
void sample_sort(struct sample *s);
/* Returns the reading with the kind, owner, id and start_ns of t; NULL: none. */
struct task *sample_find(const struct sample *s, const struct task *t);
/* Return the time (CLOCK_MONOTONIC) at which the counts, or the facts, of task i were true. */
uint64_t sample_counts_ns(const struct sample *s, size_t i);
uint64_t sample_facts_ns(const struct sample *s, size_t i);
/* Returns the quality of counts in this state. */
enum quality count_state_quality(enum count_state state);

/* ---- filter ----
 *
 * The tasks that the user wants to see. The source counts only these, and the frame shows only
 * these, in a tree also their ancestors.
 */

struct filter {
	/* Only the process with this pid and all its threads, or only the thread with this number;
	 * 0: all. */
	int pid;
	/* Only tasks with this text in their name or in the name of their process; or in the
	 * command line instead, if that is shown and they have one; NULL: all. */
	const char *text;
	long uid; /* only tasks of this user; -1: all */
	/* Also processes of this family, if pid is set; NULL: none. Borrowed. */
	const struct filter_family *family;
};

/* The descendants of a process; implemented by the source that follows it. */
struct filter_family {
	bool (*has)(const struct filter_family *self, const struct task *t);
};

#define FILTER_ALL                                                                                 \
	{                                                                                          \
		0, NULL, -1, NULL                                                                  \
	}

struct delta_row;

/* A condition on rows that needs more than the task, such as columns (view/row_filter.h). */
struct row_test {
	enum tri (*ask)(void *context, const struct task *task, const struct delta_row *row);
	void *context;
	bool of_task;     /* the task alone decides: row may be NULL */
	const char *text; /* identifies the condition */
};

/* Returns whether a task passes. Conditions that do not apply to its kind are ignored. use_cmdline:
 * match text against the command line; tasks without one, such as kernel threads, match by name. */
bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline);

#define FILTER_NAMES_MAX 2

/* Sets the names that are searched for a text and returns their number. */
int filter_names(const struct task *t, bool use_cmdline, const char *name[FILTER_NAMES_MAX]);

/* Returns whether the filter has a condition that applies to this kind of rows. */
bool filter_applies(const struct filter *f, const struct kind *kind);

#endif
