/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source - the interface of all sources of samples, as the live kernel and recordings; its users
 * need not know which one they have.
 *
 * configure() says what the screen needs. It may be called again at any time (another screen,
 * threads, kernel mode) and begins a new generation of samples, whose counts cannot be compared
 * with older ones. If events() has all events of another screen, go_on() may be called instead:
 * counting goes on.
 *
 * next() takes one sample. A fault of one task, event or file is data in the sample; next() fails
 * only if nothing can be read at all. After the last sample it returns SOURCE_END, without a
 * sentence, at each call. If the next sample does not exist yet it returns SOURCE_NOT_YET, and
 * due() says when to call it again.
 */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include "base/err.h"
#include "base/log.h"
#include "model/detail.h"
#include "model/filter.h"
#include "model/sample.h"
#include "pmu/perf/event.h"

struct want {
	struct event_set events; /* moved into the source */
	fact_mask facts;         /* facts to read, in addition to those that cost nothing */
	bool threads;            /* one row per thread */
	bool cmdline;            /* read command lines */
	bool no_hardware;        /* the machine has no hardware counters: why events are missing */
	/* Count and sample only these processes; its text is borrowed until another filter is
	 * set. */
	struct filter filter;
	/* Gets a sentence for each task that cannot be counted; NULL: none. */
	struct log *log;
	bool collect; /* if descriptors run out, close the counters of idle tasks */
	/* Pid of a child that waits before its execve(2), to be counted from there on; 0: none. */
	int command;
};

/* The cost of the last sample. */
struct source_cost {
	size_t tasks; /* processes whose clock was looked at */
	size_t ran;   /* those of them that had run or were new */
	/* Number of reads of clocks, of files and folders in /proc, and of groups of counters. */
	size_t reads;
	size_t groups;    /* open groups of counters */
	long descriptors; /* held by these groups, and at most by files that are kept open */
	size_t refused;   /* impossible changes of state, in all samples: a fault of the source */
};

#define SOURCE_END     1
#define SOURCE_NOT_YET 2

/* The time of the next sample, for sources that have times of their own. */
struct source_due {
	int fd;           /* readable when the next sample is there; -1: none */
	uint64_t mono_ns; /* on CLOCK_MONOTONIC; UINT64_MAX: only the descriptor counts */
};

struct source;

struct source_ops {
	/* Begins a new generation and takes over want->events. note: one sentence about what cannot
	 * be counted and why (code 0: nothing). NULL: the source cannot open counters; go_on() then
	 * never refuses. */
	int (*configure)(struct source *source, struct want *want, struct err *note);
	/* Returns the events that counts of readings are of; NULL: before configure(). */
	const struct sample_events *(*events)(const struct source *source);
	/* Continues counting with another `want`, all of whose events are counted already; the rest
	 * of `want` is used from the next sample on. Takes over want->events. Returns false, with
	 * nothing changed, if a new generation is needed all the same. */
	bool (*go_on)(struct source *source, struct want *want);
	int (*next)(struct source *source, struct sample *out, struct err *err);
	/* Says when the next sample is there. NULL: whenever next() is called; the user sets the
	 * delay. */
	void (*due)(const struct source *source, struct source_due *out);
	/* Sets another filter; the counts of tasks that stay go on. Returns whether tasks were
	 * added: the next sample begins to count them, and the sample after it has their first
	 * numbers. */
	bool (*filter)(struct source *source, const struct filter *filter);
	/* Says whether samples shall have the use of CPUs and memory of the machine. NULL: the
	 * source has none, or it costs nothing. */
	void (*watch_machine)(struct source *source, bool wanted);
	/* Reads more facts of one task, as of now. want: bits of detail_want. Sets out->error if
	 * nothing could be read. NULL: the source knows nothing beyond its samples. */
	void (*detail)(struct source *source, const struct task *task, unsigned want,
		       struct detail *out);
	/* Returns a sentence for the user about a problem since configure(); NULL: none. Valid
	 * until the next call. */
	const char *(*note)(const struct source *source);
	void (*cost)(const struct source *source, struct source_cost *out);
	void (*free)(struct source *source);
};

struct source {
	const struct source_ops *ops;
};

#endif
