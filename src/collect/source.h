/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source - where samples come from: the live kernel, or a recording; from above they look the
 * same.
 *
 * configure() says what the screen needs; it may be called again at any time (another screen,
 * threads, kernel) and begins a new generation of samples, whose counts cannot be compared with
 * older ones. Where events() has all that another screen needs, go_on() may do without: what was
 * counted goes on. next() takes one sample. A fault of one task, event or file is data in the
 * sample; next() itself fails only where nothing can be read at all. Where there are no more
 * samples, it answers SOURCE_END without a sentence, and does so each time that it is asked again;
 * where the next one is still to come, SOURCE_NOT_YET, and due() says when to ask again.
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
	fact_mask facts;         /* facts to read, beside those that cost nothing */
	bool threads;            /* one row a thread */
	bool cmdline;            /* read command lines */
	/* Only these processes are counted and sampled; text is borrowed until
	 * another one is set. */
	struct filter filter;
	/* The log that gets a sentence for each task that cannot be counted; NULL: none. */
	struct log *log;
	bool collect; /* close the counters of idle tasks where descriptors run out */
	int command;  /* a child that waits before its execve(2): count it from there; 0: none */
};

/* What the last sample cost. */
struct source_cost {
	size_t tasks; /* processes that were looked at */
	size_t ran;   /* how many of these had run or were new */
	/* How often clocks, files and lists of /proc, and groups of counters were read. */
	size_t reads;
	size_t groups;    /* how many groups of counters are open */
	long descriptors; /* the descriptors that these hold */
	size_t refused;   /* what cannot happen and did, in all samples: a fault of the source */
};

#define SOURCE_END     1
#define SOURCE_NOT_YET 2

/* When the next sample is there, for sources that have their own times. */
struct source_due {
	int fd;           /* readable then; -1: there is none */
	uint64_t mono_ns; /* on CLOCK_MONOTONIC; UINT64_MAX: only the descriptor tells */
};

struct source;

struct source_ops {
	/* NULL: nothing can be opened, and go_on() never refuses.
	 * note: one sentence about what cannot be counted and why (code 0: nothing to say). The
	 * source then has the events. */
	int (*configure)(struct source *source, struct want *want, struct err *note);
	/* What readings are of; NULL: nothing was wanted so far. */
	const struct sample_events *(*events)(const struct source *source);
	/* Goes on with what is counted, which has all events of `want`; the rest of it holds from
	 * the next sample on. The source then has the events. False, and nothing done, where a new
	 * generation is needed all the same. */
	bool (*go_on)(struct source *source, struct want *want);
	int (*next)(struct source *source, struct sample *out, struct err *err);
	/* NULL: there is one whenever next() is called, and the user says how often. */
	void (*due)(const struct source *source, struct source_due *out);
	/* Other tasks are wanted; the counts of those that stay go on. Whether there are some that
	 * were not wanted before: the next sample begins to count them, and only the one after it
	 * has numbers of them. */
	bool (*filter)(struct source *source, const struct filter *filter);
	/* Whether the next samples are to tell what CPUs and memory of the machine are used for;
	 * NULL: that is not to be had, or costs nothing. */
	void (*watch_machine)(struct source *source, bool wanted);
	/* Reads what there is to be known of one task now, beyond samples; want: bits of
	 * detail_want. out->error says where nothing could be read. NULL: the source knows nothing
	 * but its samples. */
	void (*detail)(struct source *source, const struct task *task, unsigned want,
		       struct detail *out);
	/* What was noticed since configure() and concerns the user, or NULL; valid
	 * until the next call. */
	const char *(*note)(const struct source *source);
	void (*cost)(const struct source *source, struct source_cost *out);
	void (*free)(struct source *source);
};

struct source {
	const struct source_ops *ops;
};

#endif
