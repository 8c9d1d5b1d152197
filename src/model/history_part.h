/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_part - how history keeps records, shared by history.c, which writes them,
 * history_store.c, where they lie, and history_walk.c, which reads them.
 *
 * A chunk is a header and words of 32 bits. A record is
 *
 *   moment  flags  counts_s  facts_s  cpu  [fast  core]  increments  facts  [qualities]
 *
 * or only the first two, where it is fresh. Numbers are floats. There are qualities, 16 bits each,
 * two in a word, only where not all numbers are exact.
 */
#ifndef MODEL_HISTORY_PART_H
#define MODEL_HISTORY_PART_H

#include "base/hash.h"
#include "model/history.h"

enum { RECORD_FRESH = 1, RECORD_PLAIN = 2, RECORD_COUNTED = 4, RECORD_UNEQUAL = 8 };

/* Which numbers the records of a chunk have. */
struct shape {
	const struct sample_events *events; /* NULL: none; a reference */
	fact_mask facts;
	bool cores;    /* fast_ns and core_ns */
	int n_values;  /* all numbers but the two intervals */
	size_t words;  /* of a record with qualities */
	size_t n_used; /* by so many chunks */
};

struct chunk {
	struct chunk *next;          /* of the track */
	struct chunk *older, *newer; /* of all: the order in which they were made */
	struct history_track *track;
	struct shape *shape;
	size_t size, used; /* in words */
	uint32_t word[];
};

struct history_track {
	struct history_track *same; /* another one under the same key */
	const struct kind *kind;
	uint64_t id, start_ns;
	bool threads;
	/* Its last reading, a reference, and the bytes that this takes. A sample shares it while
	 * the row is there: it is counted all the same. */
	const struct task *task;
	size_t task_size;
	struct chunk *first, *last;
	uint32_t cut; /* see history_track_cut() */
};

struct history {
	size_t max, size;
	struct hash track; /* struct history_track, by key */
	struct chunk *oldest, *newest;
	struct shape **shape; /* the latest last */
	size_t n_shapes, cap_shapes;
	struct history_moment *moment;
	size_t n_moments, cap_moments;
	uint32_t first; /* the number of the first moment */
	uint32_t lost;  /* see history_lost() */
};

/* The facts that are kept: not those that are only names of others. */
#define HISTORY_FACTS                                                                              \
	((FACT_BIT(N_NUMBER_FACTS) - 1) & ~(FACT_BIT(FACT_SESSION) | FACT_BIT(FACT_PPID)))

/* 4 bits of quality, 12 of the share. */
#define QUALITY_SHARE_MAX 4095u
_Static_assert(N_QUALITIES <= 16, "a quality has 4 bits");

/* The shape that the records of this row have. */
struct shape *history_find_shape(struct history *h, const struct delta_row *row);
/* NULL: there is none. */
struct history_track *history_find_track(const struct history *h, const struct task *t,
					 bool threads);
/* A new one, which is there as long as it has records. */
struct history_track *history_add_track(struct history *h, const struct task *t, bool threads);
/* This is its last reading now. */
void history_keep_task(struct history *h, struct history_track *track, const struct task *t);
/* Room for a record of so many words, at the end of the track. */
uint32_t *history_add_record(struct history *h, struct history_track *track, struct shape *shape,
			     size_t words);
/* The moment of its last record. */
uint32_t history_chunk_end(const struct chunk *c);
/* Drops the oldest chunk, which is the first of its track. */
void history_drop_oldest(struct history *h);

#endif
