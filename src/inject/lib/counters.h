/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * counters - the counters of one thread: what stands behind struct tt.
 *
 * Each event has a part, or one for each kind of cores, which count in turns: their counts are
 * added. The parts that have a page that user space may read come first. An event of which no part
 * could be opened has none.
 *
 * After fork() the pages are not there (the kernel does not copy them), and the descriptors count
 * the parent. The word that says whose counters they are is empty then (owner.h), and the next
 * reading opens all counters anew.
 */
#ifndef INJECT_LIB_COUNTERS_H
#define INJECT_LIB_COUNTERS_H

#include "inject/lib/clock.h"
#include "inject/lib/descriptor.h"
#include "inject/lib/owner.h"
#include "inject/lib/page.h"
#include "pmu/perf/event.h"

/* Kinds of cores that an event may have parts for. */
#define COUNTERS_CORES_MAX 3
#define COUNTERS_PARTS_MAX (TT_MAX_EVENTS * COUNTERS_CORES_MAX)
_Static_assert(COUNTERS_PARTS_MAX <= DESCRIPTOR_COUNTERS, "a group has room for all parts");

struct counters_part {
	int fd;
	uint64_t id;  /* the kernel's, by which the descriptor is known */
	page_t *page; /* NULL: not mapped, read(2) is the way */
	int event;    /* whose part it is */
	/* Its kernel's group, by the descriptor of its first member, and its place there: one
	 * system call reads all of a group, as of one moment. -1: the program has closed it. */
	int leader, place;
};

/* Its first word is another one in a child than in its parent; 0 where that has not been set. */
extern volatile uint32_t *tt_fork_page;
/* Sets it in a child that has none. Returns it. */
uint32_t tt_fork_mark(void);

/* Reads the counters of the calling thread, which is no child of who opened them. True: all numbers
 * are exact, and were read in user space; of the values only count and enabled are set then, see
 * page_complete(). */
typedef bool (*reader_t)(struct tt *t, struct tt_value value[]);

struct tt {
	tt_owner *owner; /* its thread; 0 in a child */
	page_t *single;  /* the only one, where it can be read; NULL: there is none, or more */
	struct page_mark mark; /* what its values have, where all is well */
	reader_t read;         /* the fastest one for what is open, or the way to it in order */
	bool in_order;         /* tt_in_order() */
	bool lost;             /* descriptors were found to be closed, and that has not been said */
	reader_t direct;       /* where it is in order: the fastest one */
	tt_owner thread;       /* as *owner, but in a child that of its parent */
	int n, n_parts, n_mapped;
	struct counters_part part[COUNTERS_PARTS_MAX];
	page_t *page[COUNTERS_PARTS_MAX]; /* of the first n_mapped parts */
	const struct page_limits *limits; /* NULL: there is one kind of cores */
	/* Each event's state where it has no part; else the one that it was opened with. */
	uint8_t state[TT_MAX_EVENTS];
	/* Why it is not counted: the errno of the kernel, which has refused it; EBADF: the program
	 * has closed its descriptor; 0: it is. */
	uint8_t reason[TT_MAX_EVENTS];
	uint32_t all_modes; /* bit i: event i counts in all modes, as its PMU can leave none out */
	char *name[TT_MAX_EVENTS];
	char *unknown[TT_MAX_EVENTS]; /* why no event here has the name; NULL: one has */
	struct event_set set;         /* what was asked for; its counter i is event i */
	int clock;                    /* the event that is the task clock; -1: none */
	struct tt_clock time;
};

/* Opens on the calling thread what its set has, from 0, and sets how each event is read. No memory
 * is asked for, and nothing is shared with other threads. */
void tt_counters_open(struct tt *t);
void tt_counters_close(struct tt *t);
/* Whether the first reading had to ask the kernel for a part, so that its descriptor must stay
 * open: it has no page, or one by which user space may read nothing now (arm64, where
 * kernel.perf_user_access is 0). */
bool tt_counters_need_calls(const struct tt *t);
/* Sets t->read. */
void tt_counters_choose(struct tt *t);
/* Reads whatever is open, in whatever way. */
void tt_counters_read(struct tt *t, struct tt_value value[]);
/* Closes all in a child. */
void tt_counters_drop(struct tt *t);
/* Why an event is not counted, or not as it was asked for, as tt_strerror() has it then; "": it is.
 */
const char *tt_counters_explain(const struct tt *t, int i);
/* Looks events up, as tt_open() does, and opens none. */
struct tt *tt_counters_find(const char *events);
/* Opens what has been found on the calling thread, in memory of the caller, and asks for none: to
 * be closed by tt_counters_close(). tt_read() does not know it. `found` must outlive it. */
void tt_counters_copy(struct tt *t, const struct tt *found);
/* Opens all anew, in a child. */
void tt_counters_reopen(struct tt *t);

#endif
