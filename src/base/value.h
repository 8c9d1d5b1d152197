/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value - a number that knows how good it is.
 *
 * Unknown is never 0: it is a value without a number, with the reason. Reasons spread through
 * arithmetic: what is computed from an unknown is unknown for the same reason, what is computed
 * from a scaled count is scaled.
 *
 * Invariant: number is NaN exactly when quality >= QUALITY_FIRST_NONE. share is in (0, 1]: the part
 * of the time in which the counter was on the PMU; 1 unless the quality is QUALITY_SCALED or
 * QUALITY_PARTIAL.
 *
 * A double has 53 bits for a count: rest is what an exact count of more bits has below them, number
 * + rest is the count. Arithmetic drops it.
 */
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* From best to worst: of two, the larger one wins. */
enum quality {
	QUALITY_EXACT,
	/* The counter shared the PMU; extrapolated from its share of the time. */
	QUALITY_SCALED,
	QUALITY_UNEQUAL, /* counts and facts in it are of intervals that differ */
	QUALITY_STALE,   /* read in an earlier refresh; it may have changed since */
	/* A part was not counted: some threads, or the time on one kind of cores. */
	QUALITY_PARTIAL,
	QUALITY_DIVZERO,       /* a division by zero: nothing happened to divide by */
	QUALITY_FRESH,         /* the task has been seen once only: there is no interval yet */
	QUALITY_OTHER_CORE,    /* the task ran only on cores that do not have the event */
	QUALITY_NOT_SCHEDULED, /* the counter was enabled but never got onto the PMU */
	QUALITY_NOT_READ,      /* the fact was not read, or the kernel does not give it */
	QUALITY_GONE,          /* the task ended before it could be counted */
	QUALITY_NOFILE,        /* no file descriptor left for this task */
	QUALITY_DENIED,        /* the kernel does not let this user count this task */
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

/* The declaration of each quality: name as scripts see it, mark (what is shown in place of the
 * number, or behind it), one sentence. */
struct quality_row {
	const char *name, *mark, *text;
};

extern const struct quality_row quality_table[N_QUALITIES];

struct value value_exact(double number);
/* All 64 bits of it. */
struct value value_count(uint64_t count);
struct value value_stale(double number);
struct value value_none(enum quality why);
bool value_known(struct value v);
/* Whether it is an exact whole number below 2^64, which is then *count. */
bool value_is_count(struct value v, uint64_t *count);

/* The quality of a result computed from a and b: the worse of both, with the smaller share. */
struct value value_combine(double result, struct value a, struct value b);
/* a / b; QUALITY_DIVZERO where both are known and b is 0. */
struct value value_divide(struct value a, struct value b);
/* The sum of parts of one whole (threads of a process). A part that is unknown makes a known sum
 * partial; only a sum with no known part is unknown. Counts are added with all their bits. */
struct value value_accumulate(struct value sum, struct value part);

#endif
