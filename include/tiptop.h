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

/* The most units of work. */
#define TT_MAX_UNITS 4

/* How a number was had, or why there is none. */
enum tt_state {
	TT_OK,      /* exact, read in user space */
	TT_SYSCALL, /* exact, read by a system call, since user space may not or cannot */
	TT_SCALED,  /* an estimate: the kernel gave the counter to other events at times */
	TT_TSC,     /* the task clock, from the time stamp counter; has the time that a hypervisor
		       took from the thread while it was on a CPU */
	TT_DENIED,  /* none: the kernel refused the counter, or the program has closed its
		       descriptor; tt_strerror() says why */
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

/*
 * A CPU executes instructions before and behind a reading at the same time as it, so that some are
 * counted on the other side: a few dozen. With yes other than 0, tt_read() waits from now on until
 * all before it have been executed, and lets none behind it begin (lfence on x86, isb on Arm),
 * which takes some tens of ns more.
 */
void tt_in_order(struct tt *t, int yes);

/* What was counted from one reading to a later one; NaN where that is not known. Where the kernel
   multiplexed the event, it is scaled to the whole time. */
double tt_between(const struct tt_value *from, const struct tt_value *to);

/* Why the last call of this thread failed, or the event whose state is TT_DENIED or TT_NO_PMU is
   not counted: one sentence; "" where nothing did. Valid until the next call of this thread. */
const char *tt_strerror(void);

/*
 * Regions: pieces of code that are measured whenever they run, in a program that is started with
 *
 *     TIPTOP_REGIONS=instructions,cycles program
 *
 * and cost one branch otherwise. TIPTOP_REPORT=FILE says where the report goes at the end, instead
 * of standard error, TIPTOP_FORMAT=text|csv|json how, TIPTOP_SUBTRACT=yes without what empty
 * regions cost, TIPTOP_THREADS=yes with rows of threads. With TIPTOP_IN_ORDER=yes, counters are
 * read as tt_in_order() says.
 *
 *     TT_REGION(sorting, "sort");
 *
 *     TT_BEGIN(sorting);
 *     sort(array, n);
 *     TT_END(sorting);
 *
 * Regions may stand in each other, and call themselves. A call that is left without its end (by
 * longjmp(), by an exception) counts as abandoned, and no further: when the region around it ends,
 * or when it begins again from the same place or from a caller of that. With TT_DISABLE defined
 * before the header is included, no code is left of them.
 */
struct tt_region {
	const char *label;
	uint32_t id;    /* 0: has not run yet */
	uint32_t flags; /* TT_INTERPRETED or 0 */
};

/* Calls of the region in each other may begin at the same place of the stack, as in an interpreter:
   none of them counts as abandoned when another one begins. */
#define TT_INTERPRETED 1

/* Not 0: regions are measured. */
extern int tt_enabled;

/* Begin and end of a region, of the calling thread. Safe in a signal handler: the first call of a
   region in a thread takes a lock, with all signals blocked, and memory by mmap(2); the others take
   neither, and make no system call of their own. */
void tt_region_begin(struct tt_region *region);
void tt_region_end(struct tt_region *region);
void tt_region_leave(struct tt_region **region);

/*
 * Begin and end of a call that may wait while its thread does something else, as one of a coroutine
 * or of an event loop: such calls end in any order. tt_async_begin() returns the number of the
 * call, which its end takes in the same thread; 0: it is not measured, which the end takes, too.
 *
 * how: TT_WAITED, the thread did something else meanwhile. The time of the call is known then; what
 * it counted itself is not, as counters are those of the thread. TT_NESTED: it was in another call
 * of its region. As safe in a signal handler as the others.
 */
#define TT_WAITED 1u
#define TT_NESTED 2u
uint64_t tt_async_begin(struct tt_region *region);
void tt_async_end(uint64_t call, unsigned how);

/*
 * Regions whose labels are made at run time. A label is copied and stays, however often it is made,
 * and the region is found by it: at once where the label is at the same address as before, else by
 * its hash. The same label in TT_REGION() is the same region.
 *
 *     snprintf(label, sizeof label, "step %d", i);
 *     tt_begin(label);
 *     step(i);
 *     tt_end(label);
 *
 * As safe in a signal handler as the others. tt_region_of() returns the region itself, for who
 * begins it often; never NULL.
 */
void tt_begin(const char *label);
void tt_end(const char *label);
struct tt_region *tt_region_of(const char *label);

/* Whose numbers: of the calling thread, or of all threads, those that have ended included. */
enum tt_whose { TT_THREAD, TT_PROCESS };

/* What the calls of a region that have ended have counted, as the report has it. */
struct tt_numbers {
	uint64_t calls;
	double time_ns; /* that went by; NaN: not known, as with no call */
	uint32_t n_events;
	const char *event[TT_MAX_EVENTS]; /* as TIPTOP_REGIONS names it */
	double count[TT_MAX_EVENTS];      /* in all of these calls; NaN: not known */
	const char *state[TT_MAX_EVENTS]; /* in the words of the report: "exact", "scaled", or why
					     it is not known */
	uint32_t n_units;
	const char *unit[TT_MAX_UNITS]; /* see tt_work() */
	uint64_t work[TT_MAX_UNITS];
};

/* Reads the numbers of the region with this label, of one that has not been called as well: 0
   calls. They are kept by others while regions are measured: it takes a lock with all signals
   blocked, and no memory. Returns 0, or -1: regions are not measured, or a signal handler asks that
   came while its thread was writing down a call; tt_strerror() says which. */
int tt_get_numbers(const char *label, enum tt_whose whose, struct tt_numbers *numbers);

/*
 * Says that a region has done so much work: n of a unit, as 4096 "bytes", or 1 "request". The
 * report has how much that is in all and a second, and what each event counted for one. Units are
 * found by their texts, at most TT_MAX_UNITS of up to 31 characters. Work counts where it is said,
 * also of a call that is abandoned. As safe in a signal handler as a begin.
 */
void tt_region_work(struct tt_region *region, const char *unit, uint64_t n);
void tt_work(const char *label, const char *unit, uint64_t n);

/* Lets the region with this label count from 0 on, or all regions (NULL), in all threads. A call
   that goes on then is left out, and so are calls of the region in it. */
int tt_reset(const char *label);

/* Ends measuring, in all threads, and begins it again. A call that goes on at an end is abandoned.
   In between, regions cost what they cost where nothing is measured. Returns 0, or -1 where the
   program was started without TIPTOP_REGIONS. These are safe in a signal handler. */
int tt_stop(void);
int tt_start(void);

/* Writes the report so far. Returns 0, or -1 where it could not be written. In a signal handler
   that came while the thread was writing down a call, it is written right behind that. */
int tt_report(void);
/* Writes the report whenever this signal comes. Returns 0, or -1 where that signal cannot be had.
 */
int tt_report_on(int signal);

#ifdef TT_DISABLE
#define TT_REGION(name, label)  struct tt_region
#define TT_BEGIN(name)          ((void)0)
#define TT_END(name)            ((void)0)
#define TT_SCOPE(name)          ((void)0)
#define tt_begin(label)         ((void)(label))
#define tt_end(label)           ((void)(label))
#define TT_WORK(name, unit, n)  ((void)(unit), (void)(n))
#define tt_work(label, unit, n) ((void)(label), (void)(unit), (void)(n))
#else
/* Declares a region, in a function or outside of all. */
#define TT_REGION(name, label) static struct tt_region name = {label, 0, 0}
#define TT_BEGIN(name)                                                                             \
	do {                                                                                       \
		if (__builtin_expect(tt_enabled, 0))                                               \
			tt_region_begin(&name);                                                    \
	} while (0)
#define TT_END(name)                                                                               \
	do {                                                                                       \
		if (__builtin_expect(tt_enabled, 0))                                               \
			tt_region_end(&name);                                                      \
	} while (0)
/* Work that the region has done: see tt_region_work(). */
#define TT_WORK(name, unit, n)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(tt_enabled, 0))                                               \
			tt_region_work(&name, unit, n);                                            \
	} while (0)
/* The region goes from here to the end of the block, however that is left. */
#define TT_SCOPE(name)                                                                             \
	__attribute__((cleanup(tt_region_leave), unused)) struct tt_region *tt_scope_##name =      \
		&name;                                                                             \
	TT_BEGIN(name)
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
