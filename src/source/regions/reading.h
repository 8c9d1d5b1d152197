/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading - a region of a table as a reading (model/sample.h): its calls, its time and what they
 * counted.
 */
#ifndef SOURCE_REGIONS_READING_H
#define SOURCE_REGIONS_READING_H

#include "base/strbuf.h"
#include "event/machine.h"
#include "model/sample.h"
#include "source/regions/copy.h"
#include "source/tables/process.h"

/* What the events of the table are on this machine. The one reference belongs to the caller. */
struct sample_events *reading_events(const struct table_header *h, const struct machine *m);

/* When region i began, which tells it from itself before it was reset: ns behind the process. */
uint64_t reading_start_ns(const struct table_copy *c, uint32_t i, const struct table_process *p);
/* A new reading of region i, with one reference. */
struct task *reading_new(const struct table_copy *c, uint32_t i, const struct table_process *p,
			 const struct sample_events *events);

/* Appends how long calls took, a character for each power of two, between the least and the most:
 * "128ns .17+ 2us". A digit is so many tenths of the calls, '#' all of them, '+' fewer than a
 * twentieth, '.' none. Nothing where there was no call. */
void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick);

#endif
