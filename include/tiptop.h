/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tiptop.h - hardware counters of the calling thread, read without a system call.
 *
 *     struct tt *t = tt_open("instructions,cycles");
 *     struct tt_value before[2], after[2];
 *
 *     tt_read(t, before);
 *     sort(array, n);
 *     tt_read(t, after);
 *     printf("%.0f instructions\n", tt_between(&before[0], &after[0]));
 *     tt_close(t);
 *
 * Link with -ltiptop. A number that is not known is NaN, never 0, and its state says why. Counters
 * belong to the thread that opened them. tiptop(3) has the manual.
 */
#ifndef TIPTOP_H
#define TIPTOP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The most events that can be opened together. */
#define TT_MAX_EVENTS 8

/* How a number was had, or why there is none. */
enum tt_state {
	TT_OK,      /* exact, read in user space */
	TT_SYSCALL, /* exact, read by a system call, since user space may not or cannot */
	TT_SCALED,  /* an estimate: the kernel gave the counter to other events at times */
	TT_TSC,     /* the task clock, from the time stamp counter; has the time that a hypervisor
		       took from the thread while it was on a CPU */
	TT_DENIED,  /* none: the kernel refused the counter; tt_strerror() says why */
	TT_NO_PMU   /* none: this machine has no such counter */
};

/* One reading of one event. */
struct tt_value {
	uint64_t count;
	/* How long the event has been open while the thread ran, and how long it was counted, in
	   ns. Where both are the same they may be old, since nothing needs them. */
	uint64_t enabled, running;
	uint32_t opening; /* another number: the counter was opened anew in between */
	uint32_t state;   /* enum tt_state */
};

struct tt;

/*
 * Opens counters on the calling thread. events: names with commas between them, at most
 * TT_MAX_EVENTS: "cycles", "page-faults", "task-clock", "L1-dcache-load-misses", "r412e",
 * "0x43412e", "cpu/event=0x2e,umask=0x41/", or libpfm4's "LONGEST_LAT_CACHE:MISS". They count in
 * user mode; a modifier says otherwise: "cycles:k", "cycles:uk".
 *
 * An event that cannot be counted is opened, too: its state says so. Returns NULL where a name is
 * wrong or memory is short: tt_strerror() says what.
 */
struct tt *tt_open(const char *events);
/* Closes them; by the thread that opened them. NULL is fine. */
void tt_close(struct tt *t);

/* How many events there are. */
int tt_count(const struct tt *t);
/* The name of event i, as it was given. Valid until tt_close(). */
const char *tt_name(const struct tt *t, int i);
/* How event i is read. */
enum tt_state tt_state(const struct tt *t, int i);

/*
 * Reads all events into value[0 .. tt_count()). No lock, no memory; safe in a signal handler. After
 * fork(), the counters are opened anew in the child at its first reading.
 *
 * Returns 0, or -1 where another thread than the one that opened them asks; no value is known then.
 */
int tt_read(struct tt *t, struct tt_value value[]);

/* What was counted from one reading to a later one; NaN where that is not known. Where the kernel
   multiplexed the event, it is scaled to the whole time. */
double tt_between(const struct tt_value *from, const struct tt_value *to);

/* Why the last call of this thread failed, or the event whose state is TT_DENIED or TT_NO_PMU is
   not counted: one sentence; "" where nothing did. Valid until the next call of this thread. */
const char *tt_strerror(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
