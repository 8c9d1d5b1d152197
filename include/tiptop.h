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
 * Link with -ltiptop. An unknown number is NaN, never 0, and its state says why. Counters belong to
 * the thread that opened them. The manual is tiptop(3).
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

/* The most units of work that a process can record. */
#define TT_MAX_UNITS 4

/* How a number was read, or why there is none. */
enum tt_state {
	TT_OK,      /* exact, read in user space */
	TT_SYSCALL, /* exact, read by a system call: reads in user space are forbidden or impossible
		     */
	TT_SCALED,  /* an estimate: the kernel multiplexed the event with others */
	TT_TSC, /* the task clock, from the time stamp counter; includes time that a hypervisor took
		   from the thread while it was on a CPU */
	TT_DENIED, /* no number: the kernel refused the counter, or the program closed its
		      descriptor; tt_strerror() says why */
	TT_NO_PMU  /* no number: this machine has no such counter */
};

/* One reading of one event. */
struct tt_value {
	uint64_t count;
	/* enabled: nanoseconds for which the thread ran while the event was open; of the task
	 * clock, since the thread began. running: nanoseconds of these in which the event was
	 * counted, fewer if the kernel multiplexed it. If both are equal, they may be those of an
	 * earlier moment, as the count then needs no scaling. */
	uint64_t enabled, running;
	uint32_t opening; /* differs between two readings if the counter was reopened in between */
	uint32_t state;   /* enum tt_state */
};

struct tt;

/*
 * Opens counters on the calling thread. events: names with commas between them, at most
 * TT_MAX_EVENTS: "cycles", "page-faults", "task-clock", "L1-dcache-load-misses", "r412e",
 * "0x43412e", "cpu/event=0x2e,umask=0x41/", or libpfm4's "LONGEST_LAT_CACHE:MISS". They count in
 * user mode unless a modifier says otherwise: "cycles:k", "cycles:uk".
 *
 * An event that cannot be counted, or is unknown, is not an error: its state says so. Returns NULL
 * if no event or too many are named, an event is not well-formed, or memory is short; tt_strerror()
 * says which.
 */
struct tt *tt_open(const char *events);
/* Closes the counters; to be called by the thread that opened them. NULL is allowed. */
void tt_close(struct tt *t);

/* Returns the number of events. */
int tt_count(const struct tt *t);
/* Returns the name of event i, as it was passed to tt_open(). Valid until tt_close(). */
const char *tt_name(const struct tt *t, int i);
/* Returns how event i was read when the counters were opened. */
enum tt_state tt_state(const struct tt *t, int i);

/*
 * Reads all events into value[0 .. tt_count()). Takes no lock and no memory; safe in a signal
 * handler. After fork(), the first reading in the child reopens the counters.
 *
 * Returns 0, or -1 if another thread opened the counters: the values are then unknown.
 */
int tt_read(struct tt *t, struct tt_value value[]);

/*
 * A CPU executes instructions before and after a reading at the same time as the reading, so a few
 * dozen of them are counted on the wrong side. If yes is not 0, each later tt_read() first waits
 * until all earlier instructions have been executed, and no later instruction begins before the
 * reading has ended (lfence on x86, isb on Arm). A reading then takes some tens of ns more.
 */
void tt_in_order(struct tt *t, int yes);

/* Returns the increase of the count from one reading to a later one; NaN if it is unknown. If the
 * kernel multiplexed the event, the increase is scaled to the whole time between the readings. */
double tt_between(const struct tt_value *from, const struct tt_value *to);

/* Returns the last error of this thread, as one sentence: why a call failed; why an event with the
 * state TT_DENIED or TT_NO_PMU is not counted; or that an event is also counted in the kernel, as
 * the PMU cannot exclude modes. Returns "" if there was no error. Valid until the next call of this
 * thread. */
const char *tt_strerror(void);

/*
 * Regions: pieces of code that are measured each time they run, if the program is started with
 *
 *     TIPTOP_REGIONS=instructions,cycles program
 *
 * Otherwise TT_BEGIN() and TT_END() cost one branch each. At exit a report is written: to standard
 * error, or to TIPTOP_REPORT=FILE; in the format TIPTOP_FORMAT=text|csv|json. TIPTOP_SUBTRACT=yes
 * subtracts the cost of empty regions, TIPTOP_THREADS=yes adds rows of threads. With
 * TIPTOP_IN_ORDER=yes, counters are read as after tt_in_order(t, 1).
 *
 *     TT_REGION(sorting, "sort");
 *
 *     TT_BEGIN(sorting);
 *     sort(array, n);
 *     TT_END(sorting);
 *
 * Regions may be nested and recursive. A call that is left without its end (by longjmp(), by an
 * exception) is counted as abandoned and adds to no other number. Such a call is detected when the
 * region around it ends, or when the same region begins again from the same place or from a caller
 * of that place. If TT_DISABLE is defined before the header is included, regions compile to no
 * code.
 */
struct tt_region {
	const char *label;
	uint32_t id;    /* number of the region; 0: it has not run yet */
	uint32_t flags; /* TT_INTERPRETED or 0 */
};

/* A flag for regions of which nested calls may begin at the same place of the stack, as in an
 * interpreter: when a call of the region begins, earlier calls are not taken as abandoned. */
#define TT_INTERPRETED 1

/* Not 0: regions are measured. */
extern int tt_enabled;

/* Begin and end a region in the calling thread. tt_region_leave() ends it for TT_SCOPE(). Safe in a
 * signal handler: the first call of a region in a thread takes a lock, with all signals blocked,
 * and memory by mmap(2); the first begin of a thread after tt_reset() or tt_start() takes the lock,
 * too. All other calls take neither, and make no system call except those that read counters. */
void tt_region_begin(struct tt_region *region);
void tt_region_end(struct tt_region *region);
void tt_region_leave(struct tt_region **region);

/*
 * Begin and end a call that may wait while its thread does something else, as in a coroutine or an
 * event loop: such calls may end in any order. tt_async_begin() returns the number of the call, to
 * be passed to tt_async_end() in the same thread; 0: the call is not measured. tt_async_end()
 * accepts 0, too.
 *
 * how: 0, or a sum of flags. TT_WAITED: the thread did something else in between. The time of the
 * call is then known, but its counts are not, as counters count the whole thread. TT_NESTED: the
 * call was inside another call of the same region, so its time and counts are not added to the sums
 * a second time. As safe in a signal handler as tt_region_begin().
 */
#define TT_WAITED 1u
#define TT_NESTED 2u
uint64_t tt_async_begin(struct tt_region *region);
void tt_async_end(uint64_t call, unsigned how);

/*
 * Regions with labels made at run time. Each distinct label is copied once and never freed. The
 * region is looked up by its label: directly if the label is at the same address as before, else by
 * its hash. The same label in TT_REGION() is the same region.
 *
 *     snprintf(label, sizeof label, "step %d", i);
 *     tt_begin(label);
 *     step(i);
 *     tt_end(label);
 *
 * As safe in a signal handler as tt_region_begin(). tt_region_of() returns the region itself, for
 * callers that begin it often; never NULL.
 */
void tt_begin(const char *label);
void tt_end(const char *label);
struct tt_region *tt_region_of(const char *label);

/* Whose numbers to read: those of the calling thread, or those of all threads, including threads
 * that have exited. */
enum tt_whose { TT_THREAD, TT_PROCESS };

/* The numbers of a region over its finished calls, as in the report. */
struct tt_numbers {
	uint64_t calls;
	double time_ns; /* elapsed; NaN: unknown, as without calls */
	uint32_t n_events;
	const char *event[TT_MAX_EVENTS]; /* as named in TIPTOP_REGIONS */
	double count[TT_MAX_EVENTS];      /* over all of these calls; NaN: unknown */
	const char *state[TT_MAX_EVENTS]; /* as in the report: "exact", "scaled", or why the count
					     is unknown */
	uint32_t n_units;
	const char *unit[TT_MAX_UNITS]; /* see tt_work() */
	uint64_t work[TT_MAX_UNITS];
};

/* Reads the numbers of the region with this label; one that was never called has 0 calls. Takes a
 * lock, with all signals blocked, as threads may start and exit meanwhile; takes no memory. Returns
 * 0, or -1 for one of two reasons, which tt_strerror() names: the program was started without
 * TIPTOP_REGIONS or cannot measure regions; or the caller is a signal handler that interrupted its
 * thread while the thread was recording a call. */
int tt_get_numbers(const char *label, enum tt_whose whose, struct tt_numbers *numbers);

/*
 * Records work that a region has done: n of a unit, such as 4096 "bytes" or 1 "request". The report
 * has the total, the rate per second, and the count of each event per unit. Units are identified by
 * their texts: at most TT_MAX_UNITS, of up to 31 characters. Work counts when it is recorded, even
 * if the call is abandoned later; but the report has only regions of which a call has ended. As
 * safe in a signal handler as tt_region_begin().
 */
void tt_region_work(struct tt_region *region, const char *unit, uint64_t n);
void tt_work(const char *label, const char *unit, uint64_t n);

/* Resets the region with this label, or all regions (NULL), to 0 in all threads. A call in progress
 * is left out, and so are calls of the region inside it. Returns 0, or -1 if the program was
 * started without TIPTOP_REGIONS or cannot measure regions. */
int tt_reset(const char *label);

/* Stop measuring in all threads, and start it again. A call in progress at a stop is abandoned.
 * While measuring is stopped, TT_BEGIN() and TT_END() cost one branch each. Both functions return
 * 0, or -1 if the program was started without TIPTOP_REGIONS or cannot measure regions. Safe in a
 * signal handler. */
int tt_stop(void);
int tt_start(void);

/* Writes the report so far. Returns 0, or -1 if it could not be written. If the caller is a signal
 * handler that interrupted its thread while the thread was recording a call, the report is written
 * right after that call is recorded. */
int tt_report(void);
/* Makes this signal write the report. Returns 0, or -1 if no handler can be set for it. */
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
/* Declares a region, inside a function or at file scope. */
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
/* Records work that the region has done: see tt_region_work(). */
#define TT_WORK(name, unit, n)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(tt_enabled, 0))                                               \
			tt_region_work(&name, unit, n);                                            \
	} while (0)
/* Makes the region extend from here to the end of the block, however the block is left. */
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
