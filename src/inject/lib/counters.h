/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * counters - the counters of one thread: the implementation of struct tt.
 *
 * An event has one part, or one part for each kind of cores: only one of these counts at a time,
 * and their counts are added. The parts whose page user space may read come first in the array. An
 * event of which no part could be opened has no part; the task clock (clock.h) has none either.
 *
 * In a child of fork(), the pages are not mapped (the kernel does not copy them) and the
 * descriptors count the parent. The owner word (below) is 0 there, so the next reading reopens
 * all counters.
 *
 * counters.c has what tiptop.h declares, the owner words, and the data of each thread (tt_local);
 * counters_read.c, which the preloaded objects contain, too, opens and reads counters.
 */
#ifndef INJECT_LIB_COUNTERS_H
#define INJECT_LIB_COUNTERS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/lib/clock.h"
#include "inject/lib/descriptor.h"
#include "inject/lib/page.h"
#include "pmu/perf/event.h"

/* ---- local ----
 *
 * The data of each thread, in initial-exec TLS: an access is one instruction and takes no
 * lock. Such TLS is scarce for a library that is loaded by dlopen(3), so it is at most 256 bytes.
 */

#define LOCAL_ERROR_MAX 200

struct tt_thread;

struct tt_local {
	struct tt_thread *thread; /* the thread's state for regions (thread.h); NULL: none yet */
	int n_reports; /* reports that the thread still has to write, including one in progress */
	/* The number of the thread, from 1 on. No other thread of the process has it, not even
	 * after the thread has exited, unlike the address of its TLS. LOCAL_NO_NUMBER: the thread
	 * has not opened counters. */
	uintptr_t number;
	char error[LOCAL_ERROR_MAX];
};

#define LOCAL_NO_NUMBER UINTPTR_MAX

_Static_assert(sizeof(struct tt_local) <= 256, "initial-exec TLS is scarce");

extern __thread struct tt_local tt_local __attribute__((tls_model("initial-exec")));

/* Sets the text of tt_strerror(), truncated if it is too long. Returns -code. */
int tt_error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- owner ----
 *
 * A word for each struct tt, with the number of the thread that opened the struct (struct
 * tt_local). The words lie in pages that the kernel clears in a child that gets a copy of the
 * memory, by fork(2) or clone(2). So a reader needs one comparison to detect both another thread
 * and such a child.
 *
 * Linux before 4.14 cannot clear pages in a child, so the fork handler calls tt_owner_wipe(), too.
 */

typedef volatile uintptr_t tt_owner;

/* ---- counters ---- */

/* The most kinds of cores. */
#define COUNTERS_CORES_MAX 3
#define COUNTERS_PARTS_MAX (TT_MAX_EVENTS * COUNTERS_CORES_MAX)
_Static_assert(COUNTERS_PARTS_MAX <= DESCRIPTOR_COUNTERS, "a group has room for all parts");

struct counters_part {
	int fd;
	uint64_t id;  /* the kernel's id of the event; shows whether fd is still the descriptor of
			 this counter */
	page_t *page; /* NULL: not mapped, the part is read by read(2) */
	int event;    /* the index of the event */
	/* The descriptor of the first event in the part's kernel group, and the part's index in the
	 * group: one system call reads the whole group as of one moment. leader -1: the descriptor
	 * was closed. */
	int leader, place;
};

/* The first word of this page is the fork mark, a number that differs between a child and its
 * parent; 0: not set yet. */
extern volatile uint32_t *tt_fork_page;
/* Returns the fork mark; sets it first if it is 0. */
uint32_t tt_fork_mark(void);

/* Reads the counters on the thread that opened them. Returns whether page_read_counts() was enough:
 * then all numbers are exact, and page_complete() has to set the other members of the values. */
typedef bool (*reader_t)(struct tt *t, struct tt_value value[]);

struct tt {
	tt_owner *owner; /* the thread that opened the counters; 0 in a child process, except in a
			    copy (tt_counters_copy()) */
	page_t *single;  /* the page of the only event; NULL: several events, or tt_read() must call
			    `read` */
	struct page_mark mark; /* the last members of struct tt_value, which are the same in all
				  values with the state TT_OK */
	reader_t read; /* the fastest reader for the open counters; with in_order, a reader that
			  calls `direct` */
	bool in_order; /* as set by tt_in_order() */
	uint32_t lost; /* bit i: the descriptor of event i was found to be closed, and this was not
			  reported yet */
	reader_t direct;          /* with in_order: the fastest reader */
	tt_owner thread;          /* the same as *owner, but not cleared in a child process */
	int n, n_parts, n_mapped; /* events, open parts, parts with a page */
	struct counters_part part[COUNTERS_PARTS_MAX];
	page_t *page[COUNTERS_PARTS_MAX]; /* the pages of the first n_mapped parts */
	const struct page_limits *limits; /* NULL: the machine has one kind of cores */
	/* State of each event at the first reading; of an event that was not opened, at each
	 * reading. */
	uint8_t state[TT_MAX_EVENTS];
	/* Why the event is not counted: the errno with which the kernel refused it; EBADF: the
	 * program has closed its descriptor; 0: it is counted, or `unknown` has the reason. */
	uint8_t reason[TT_MAX_EVENTS];
	uint32_t all_modes; /* bit i: event i counts in all modes, as its PMU cannot exclude any */
	char *name[TT_MAX_EVENTS];
	char *unknown[TT_MAX_EVENTS]; /* why this machine has no such event; NULL: it has the event
				       */
	struct event_set set;         /* the requested events; counter i of the set is event i */
	int clock;                    /* index of the task clock; -1: none */
	struct tt_clock time;
};

/* Opens the events of the set on the calling thread, and sets the state of each event. Does not
 * call malloc(3). */
void tt_counters_open(struct tt *t);
void tt_counters_close(struct tt *t);
/* Returns whether descriptors must stay open: a part has no page, or the first reading of its event
 * was not exact in user space, as the event is multiplexed, or its page cannot be used now (arm64
 * with kernel.perf_user_access = 0). */
bool tt_counters_need_calls(const struct tt *t);
/* Chooses t->read. */
void tt_counters_choose(struct tt *t);
/* Reads all open counters, each by its page if possible, else by read(2). */
void tt_counters_read(struct tt *t, struct tt_value value[]);
/* Closes all counters in a child process. */
void tt_counters_drop(struct tt *t);
/* Returns why an event is not counted, or not in the requested modes; "": it is. tt_strerror()
 * returns the same text afterwards. */
const char *tt_counters_explain(const struct tt *t, int i);
/* Looks up events as tt_open() does, but opens none. NULL: error, see tt_strerror(). */
struct tt *tt_counters_find(const char *events);
/* Initializes *t, memory of the caller, with the events of `found`, and opens them on the calling
 * thread. Does not call malloc(3). Close *t by tt_counters_close(), and do not pass it to
 * tt_read(). `found` must outlive *t. */
void tt_counters_copy(struct tt *t, const struct tt *found);
/* Reopens all counters in a child process. */
void tt_counters_reopen(struct tt *t);

#endif
