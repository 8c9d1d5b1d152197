/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source - the common interface of all sources of samples: the running machine, a command, the
 * tables of measured programs, a recording. Code that uses a source is the same for all of them.
 *
 * configure() sets the events and facts that the screen needs. It may be called again at any time,
 * as for another screen, rows of threads or kernel mode. Each call begins a new generation of
 * samples, whose counts cannot be compared with older ones. If events() already has all events of a
 * new screen, go_on() may be called instead of configure(): counting then continues in the same
 * generation.
 *
 * next() takes one sample. A failure of one task, event or file is recorded in the sample; next()
 * itself fails only if nothing can be read at all. After the last sample, each call returns
 * SOURCE_END and leaves err unset. If the next sample does not exist yet, next() returns
 * SOURCE_NOT_YET, and due() returns when to call it again.
 */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include "base/err.h"
#include "base/log.h"
#include "model/detail.h"
#include "model/sample.h"
#include "pmu/perf/event.h"

struct want {
	struct event_set events; /* moved into the source */
	struct fact_set facts;   /* facts to read, in addition to those that are always read */
	bool threads;            /* one row per thread */
	bool cmdline;            /* read command lines */
	/* the machine has no hardware counters, which explains missing events */
	bool no_hardware;
	/* Only processes that pass the filter are counted and sampled. filter.text is borrowed
	 * until another filter is set. */
	struct filter filter;
	/* Receives a sentence for each task that cannot be counted; NULL: no log. */
	struct log *log;
	/* if descriptors run out, close the counters of other tasks, idle ones first */
	bool collect;
	/* Pid of a child process that has not executed its command yet: its counters start at its
	 * execve(2). 0: none. */
	int command;
};

/* The cost of the last sample. */
struct source_cost {
	size_t tasks; /* processes that pass the filter; the clocks of most that sleep are not read
		       */
	size_t ran;   /* of these, the processes that were read: they had run or were new */
	/* Number of reads of clocks, of files and folders in /proc, and of groups of counters. */
	size_t reads;
	size_t groups;    /* open groups of counters */
	long descriptors; /* held by groups of counters */
	/* state changes that process_table.h rules out, since the start; not 0: a bug of the
	 * source */
	size_t refused;
};

#define SOURCE_END     1
#define SOURCE_NOT_YET 2

/* When the next sample will be available, for sources with a schedule of their own, such as
 * recordings. */
struct source_due {
	int fd;           /* readable when the next sample is available; -1: no descriptor */
	uint64_t mono_ns; /* time of the next sample on CLOCK_MONOTONIC; UINT64_MAX: not set */
};

struct source;

struct source_ops {
	/* Begins a new generation and takes over want->events. note: one sentence about an event
	 * that cannot be counted, or is counted in more modes than requested, with the reason; code
	 * 0: the source found no such event. The member is NULL if the source cannot open counters;
	 * its go_on() then always returns true. */
	int (*configure)(struct source *source, struct want *want, struct err *note);
	/* Returns the events to which the counts of all readings belong; of a recording, all of its
	 * events. NULL: configure() was not called yet, or each table has its own events. */
	const struct sample_events *(*events)(const struct source *source);
	/* Applies another `want`, all of whose events are counted already, from the next sample on,
	 * without a new generation. Returns true and takes over want->events; or returns false and
	 * changes nothing, if configure() must be called instead. */
	bool (*go_on)(struct source *source, struct want *want);
	int (*next)(struct source *source, struct sample *out, struct err *err);
	/* Sets *out to the time at which the next sample is available. NULL: a sample is available
	 * at each call of next(), so the caller chooses the interval. */
	void (*due)(const struct source *source, struct source_due *out);
	/* Takes in data that would be lost until the next sample. Returns when to call it again
	 * (CLOCK_MONOTONIC, ns); 0: not before the next sample. NULL: nothing is lost. */
	uint64_t (*collect)(struct source *source);
	/* Sets another filter. Tasks that pass both the old and the new filter stay counted.
	 * Returns whether tasks were added: the next sample opens their counters, and the sample
	 * after it has their first counts. */
	bool (*filter)(struct source *source, const struct filter *filter);
	/* Sets whether samples include the use of CPUs and memory of the machine. NULL: samples of
	 * this source never include it, or always. */
	void (*watch_machine)(struct source *source, bool wanted);
	/* Reads more facts of one task, as of now. want: bits of detail_want. Sets out->error if
	 * nothing could be read. NULL: the source has no facts beyond its samples. */
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
