/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample - what was read of all tasks at one moment, and nothing else.
 *
 * A sample is a plain value: no descriptor, no clock, no pointer out of its own arena. The source fills one, the
 * delta compares two, sinks that keep samples write them down.
 *
 * Rows. There is one struct task for each thing that was read: for a process its leader, and beside it each further
 * thread that has facts or counters of its own. With thread rows (sample.threads) every task is one thread; without,
 * the facts of a leader that are not per_thread (see fact.h) are those of the whole process.
 *
 * Invariants: tasks are sorted by (id, start_ns) after sample_sort(); within a sample that pair is unique. A row need
 * not be a task: kind says what `id` counts.
 *
 * Ownership: strings and arrays that a task points to lie in sample.arena and live until sample_reset().
 */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count.h"
#include "base/mem.h"
#include "base/value.h"
#include "model/fact.h"

enum row_kind { ROW_TASK };

/* How it stands with the counters of one task. */
enum count_state {
	COUNT_NONE,        /* not wanted: the screen needs no counter, or a filter leaves the task out */
	COUNT_OK,          /* read */
	COUNT_INHERITED,   /* counted by the group of the thread that started it: adds nothing of its own */
	COUNT_DENIED,      /* the kernel refuses (EACCES, EPERM) */
	COUNT_UNSUPPORTED, /* the kernel cannot count this here */
	COUNT_NOFILE,      /* no descriptor left (EMFILE, ENFILE) */
	COUNT_GONE,        /* ended before it could be attached (ESRCH) */
	N_COUNT_STATES
};

struct task {
	uint8_t kind;      /* enum row_kind */
	uint8_t counting;  /* enum count_state */
	char state;        /* R S D T Z ..., as in /proc; '?' where unknown */
	bool dead;         /* has ended: these are its final counts, and the task is not in later samples */
	int32_t id, pid;   /* thread and process; equal for the leader */
	uint64_t start_ns; /* since boot, in steps of a clock tick; with id, the identity */
	uint32_t uid;
	const char *user;          /* login name, or the number as text */
	const char *name;          /* as in /proc/PID/comm */
	const char *cmdline;       /* NULL: not read, or none (kernel threads) */
	const struct count *count; /* [sample.n_events] where counting is COUNT_OK, else NULL */
	bool gap;        /* its counters were closed for a part of the interval: a start for later ones only */
	uint64_t unread; /* bit i: event i was not read for this task; its quality is in sample.event[i] */
	fact_mask known; /* which of fact[] were read */
	fact_mask stale; /* which of them may have changed since */
	uint64_t fact[N_FACTS];
};

/*
 * One event that the kernel counts for a counter of the screen.
 *
 * Several events may belong to one counter. Those that count it on different kinds of cores are parts of one number:
 * the first one stands for it, the others say so in part_of. Those that count it in different groups are numbers of
 * their own; pick says which of them a column sees.
 */
struct sample_event {
	const char *name; /* the counter's alias */
	uint8_t quality;  /* QUALITY_EXACT, or why nobody here can have it */
	uint8_t part_of;  /* 1 + the event that stands for the number, of which this is a further part; else 0 */
	bool slow_core;   /* it counts on the slower cores of a hybrid machine */
};

/* The machine. */
struct host {
	double uptime_s, load1, load5, load15;
	int n_cpus;
};

struct sample {
	uint64_t mono_ns;    /* CLOCK_MONOTONIC: intervals */
	uint64_t boot_ns;    /* CLOCK_BOOTTIME: the clock of start_ns */
	uint64_t wall_ns;    /* CLOCK_REALTIME: for people */
	uint64_t generation; /* another number: counters were opened anew, nothing before can be compared */
	bool threads;        /* every task is one thread */
	struct host host;
	struct sample_event *event;
	int n_events; /* at most SAMPLE_MAX_EVENTS */
	/* [n_columns][n_counters] the event that stands for a counter in a column; NULL: event i stands for counter i.
	 */
	const uint8_t *pick;
	int n_columns, n_counters;
	struct task *task;
	size_t n, cap;
	struct arena arena;
};

#define SAMPLE_MAX_EVENTS 64

void sample_init(struct sample *s);
void sample_done(struct sample *s);
/* Empties it; keeps its memory. */
void sample_reset(struct sample *s);
/* A new task at the end, cleared but for user and name (""); valid until the next sample_add. */
struct task *sample_add(struct sample *s);
void sample_sort(struct sample *s);
/* The quality that a count of a task in this state has. */
enum quality count_state_quality(enum count_state state);

#endif
