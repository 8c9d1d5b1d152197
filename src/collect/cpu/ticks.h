/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks - what CPUs count, set by set, in rows.
 *
 *   ticks_start()  begins to count a set
 *   ticks_take()   reads what it has counted since then, or since the last tick, as rows
 *
 * The same set goes on counting from one tick to the next; another one has its counters opened
 * first, and where they stand then is its beginning.
 */
#ifndef COLLECT_CPU_TICKS_H
#define COLLECT_CPU_TICKS_H

#include "base/err.h"
#include "collect/cpu/tick_rows.h"
#include "collect/source.h"
#include "model/delta.h"

struct ticks {
	struct source *source;       /* of CPUs; borrowed */
	const struct event_set *set; /* [n_sets], borrowed */
	struct tick_rows rows;
	int current; /* the set that is counted; -1: none */
	struct sample sample[2];
	struct delta delta[2];
	int now; /* of these two, the last one */
	/* The moment from which rows have their time; 0: that of the first sample. */
	uint64_t begin_ns;
};

void ticks_init(struct ticks *t, enum report_format_id format, struct source *source,
		const struct event_set *set, int n_sets, bool cycles);
void ticks_done(struct ticks *t);
/* Fails where nothing can be read at all. note: one sentence about what of the set cannot be
 * counted (code 0: nothing to say). */
int ticks_start(struct ticks *t, int set, struct err *note, struct err *err);
int ticks_take(struct ticks *t, struct strbuf *out, struct err *err);

#endif
