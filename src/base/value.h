/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * value - a number with its quality; beside it, the reading of a counter from which it is computed,
 * and a truth value that may be unknown.
 *
 * Unknown is never 0: it is a value without a number, with the reason. Reasons spread through
 * arithmetic: what is computed from an unknown value is unknown for the same reason, and what is
 * computed from a scaled count is scaled.
 *
 * Invariants: number is NaN exactly when quality >= QUALITY_FIRST_NONE. share is in (0, 1]: the
 * part of the time in which the counter was on the PMU. It is 1 if the quality is QUALITY_EXACT,
 * and if there is no number.
 *
 * A double holds 53 bits of a count. `rest` has the lower bits of an exact count that has more: the
 * count is number + rest. Arithmetic drops `rest`.
 */
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* From best to worst. A result of two values has the larger of their qualities. */
enum quality {
	QUALITY_EXACT,
	/* The counter shared the PMU; extrapolated from its share of the time. */
	QUALITY_SCALED,
	/* The value is computed from counts and facts whose intervals differ; or it is a wait that
	 * began before the interval, without the part before it; or it is read from a CPU clock
	 * that may be a tick of the scheduler late. */
	QUALITY_UNEQUAL,
	QUALITY_STALE, /* read in an earlier refresh; may have changed since */
	/* A part was not counted: some threads, exited children, or the time on one kind of cores.
	 */
	QUALITY_PARTIAL,
	QUALITY_DIVZERO,    /* a division by zero: nothing happened in the interval to divide by */
	QUALITY_DIFFER,     /* the members of a group have different values */
	QUALITY_FRESH,      /* the task was seen only once so far: there is no interval yet */
	QUALITY_OTHER_CORE, /* the task ran only on cores that do not have the event */
	QUALITY_NOT_SCHEDULED, /* the counter was enabled but never got onto the PMU */
	QUALITY_NOT_READ,      /* the fact was not read, or the kernel does not provide it */
	QUALITY_NOT_COUNTED,   /* the event is not among those that were counted */
	QUALITY_GONE,          /* the task ended before it could be counted */
	QUALITY_NOFILE,        /* no file descriptor left for this task */
	QUALITY_DENIED,        /* the kernel does not allow this user to count this task */
	QUALITY_UNSUPPORTED,   /* this machine does not have the event */
	N_QUALITIES
};

#define QUALITY_FIRST_NONE QUALITY_DIVZERO

struct value {
	double number;
	float share;
	uint8_t quality; /* enum quality */
	uint16_t rest;
};

/* The declaration of a quality: its name for scripts; its mark, which is shown in place of the
 * number or after it; and a sentence. */
struct quality_row {
	const char *name, *mark, *text;
};

extern const struct quality_row quality_table[N_QUALITIES];

/* Returns the sentence of the table; if `ended` is true (the task has ended), the sentence for
 * QUALITY_NOT_READ says that. */
const char *quality_text(enum quality quality, bool ended);

static inline struct value value_exact(double number)
{
	return (struct value){number, 1, QUALITY_EXACT, 0};
}
/* Returns an exact value with all 64 bits of the count. */
struct value value_count(uint64_t count);
struct value value_stale(double number);
struct value value_none(enum quality why);
static inline bool value_known(struct value v)
{
	return v.quality < QUALITY_FIRST_NONE;
}
/* Returns whether the value is exactly 0, so that adding it changes no known sum. */
static inline bool value_is_zero(struct value v)
{
	return v.quality == QUALITY_EXACT && v.number == 0;
}
/* Returns whether the value is an exact whole number below 2^64. *count: that number. */
bool value_is_count(struct value v, uint64_t *count);

/* Returns a result that was computed from a and b, with the worse of their qualities and the
 * smaller of their shares. */
struct value value_combine(double result, struct value a, struct value b);
/* Returns a / b; QUALITY_DIVZERO if both are known and b is 0. */
struct value value_divide(struct value a, struct value b);
/* Adds a part (such as a thread of a process) to the sum of the other parts. An unknown part makes
 * a known sum partial; only a sum without any known part is unknown. Exact counts are added with
 * all their bits. */
struct value value_accumulate(struct value sum, struct value part);

/* ---- count ----
 *
 * One reading of one counter, as the kernel gives it.
 *
 * value       events counted while the counter was on the PMU
 * enabled_ns  time during which the task ran and the counter wanted to count
 * running_ns  the part of enabled_ns during which it was on the PMU; less than enabled_ns when
 *             there are too few counters and the kernel multiplexes them
 *
 * All three only grow while the counter is open.
 */

/* The scale of an event on a kind of cores that never does what the counter of the screen counts.
 * The value of the event is ignored; the event is opened for enabled_ns and running_ns, which show
 * that no part of the count is missing. */
#define SCALE_NOTHING (-1.0)

struct count {
	uint64_t value, enabled_ns, running_ns;
};

static inline void count_add(struct count *sum, const struct count *more)
{
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

/* Adds count[i] to sum[i] for each i below n whose bit is set in members. */
static inline void count_add_members(struct count *sum, const struct count *count, int n,
				     uint64_t members)
{
	for (int i = 0; i < n; i++)
		if (members >> i & 1)
			count_add(&sum[i], &count[i]);
}

/* A truth value that may be unknown, as that of a condition on an unknown number. */
enum tri { TRI_FALSE, TRI_TRUE, TRI_UNKNOWN };

#endif
