/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/table.h"

#include <string.h>

/* ---- layout ----
 *
 * The sections and columns of the table, for the directory of the file.
 */

#define HEADER(type, field, ...) CONTAINER_FIELD(type, table_header, field, __VA_ARGS__)
#define EVENT(type, field, ...)  CONTAINER_FIELD(type, table_event, field, __VA_ARGS__)
#define SLOT(type, field, ...)   CONTAINER_FIELD(type, table_slot, field, __VA_ARGS__)
#define ROW(type, field, ...)    CONTAINER_FIELD(type, table_row, field, __VA_ARGS__)
#define SUM(type, field, ...)    CONTAINER_FIELD(type, table_quantity, field, __VA_ARGS__)

_Static_assert(offsetof(struct table_header, event) % 8 == 0, "as sections are");
_Static_assert(sizeof(struct table_header) % 8 == 0, "as sections are");

static const struct container_column header[] = {
	HEADER(U32, row_size),
	HEADER(U32, n_events),
	HEADER(U64, ns_per_tick, .least = 1),
	HEADER(U64, overhead_ticks, .unit = CONTAINER_TICKS),
	HEADER(U64, inner_overhead_ticks, .unit = CONTAINER_TICKS),
	HEADER(U32, n_regions),
	HEADER(U32, n_homeless),
	HEADER(U32, n_unseen),
	HEADER(U32, n_unlabeled),
	HEADER(U32, n_cut),
	HEADER(U32, is_private),
	HEADER(U32, subtract),
	HEADER(U64, wall_start, .unit = CONTAINER_NS),
	HEADER(U64, wall_begin, .unit = CONTAINER_NS),
	HEADER(U64, wall_end, .unit = CONTAINER_NS),
	HEADER(TEXT, program),
	HEADER(TEXT, host),
	HEADER(TEXT, rank),
	HEADER(TEXT, unit[0]),
	HEADER(TEXT, unit[1]),
	HEADER(TEXT, unit[2]),
	HEADER(TEXT, unit[3]),
	HEADER(U32, n_units, .most = TABLE_UNITS),
	HEADER(U32, n_unitless),
};

static const struct container_column event[] = {
	EVENT(TEXT, name),     EVENT(U32, state),    EVENT(U32, n_closed),
	EVENT(U32, n_refused), EVENT(U64, overhead), EVENT(U64, inner_overhead),
	EVENT(TEXT, reason),   EVENT(TEXT, refusal),
};

static const struct container_column region[] = {
	CONTAINER_FIELD(TEXT, table_region, label),
	CONTAINER_FIELD(U32, table_region, epoch),
};

static const struct container_column slot[] = {
	SLOT(U32, tid),         SLOT(U32, block, .most = TABLE_BLOCKS - 1),
	SLOT(U64, n_unmatched), SLOT(U64, n_abandoned),
	SLOT(U64, n_too_deep),  SLOT(U64, n_rowless),
};

static const struct container_column row[] = {
	ROW(U32, sequence), ROW(U32, depth),    ROW(U32, epoch),    ROW(U32, id),
	ROW(U32, n_async),  ROW(U64, calls),    ROW(U64, n_waited), ROW(U64, n_nested),
	ROW(U64, n_inner),  ROW(U64, n_within), ROW(U64, work),
};

static const struct container_column quantity[] = {
	SUM(U64, n_unknown), SUM(U64, n_off),     SUM(U64, base),
	SUM(U64, shifted),   SUM(REAL, squares),  SUM(U64, min),
	SUM(U64, max),       SUM(U64, inner),     SUM(U64, nested),
	SUM(U64, n_scaled),  SUM(U64, estimated), SUM(U64, missed, .unit = CONTAINER_TICKS),
	SUM(U32, bucket),
};

static const struct container_part part[TABLE_SECTIONS] = {
	[TABLE_HEADER] = CONTAINER_PART("header", table_header, 1, header),
	[TABLE_EVENT] = CONTAINER_ARRAY("events", table_header, event, event,
					.used = offsetof(struct table_header, n_events),
					.within = TABLE_HEADER + 1),
	[TABLE_REGION] = CONTAINER_ARRAY("regions", table_head, region, region,
					 .used = offsetof(struct table_header, n_regions)),
	[TABLE_SLOT] = CONTAINER_PART("slots", table_slot, TABLE_SLOTS, slot, .is_wide = 1),
	[TABLE_ROW] =
		CONTAINER_PART("rows", table_row, TABLE_BLOCK, row, .is_wide = 1, .has_sequence = 1,
			       .within = TABLE_SLOT + 1, .offset = sizeof(struct table_slot)),
	[TABLE_QUANTITY] =
		CONTAINER_PART("quantities", table_quantity, TABLE_EVENTS + 1, quantity,
			       .within = TABLE_ROW + 1, .offset = sizeof(struct table_row)),
};

const struct container_plan tt_table_plan = {
	.kind = TABLE_KIND,
	.writer = "libtiptop",
	.layout = TABLE_LAYOUT,
	.header_size = sizeof(struct table_header),
	.n_parts = TABLE_SECTIONS,
	.part = part,
};

void tt_table_places(struct container_place place[TABLE_SECTIONS - 1], uint32_t n_events,
		     size_t page)
{
	const uint32_t row_size = (uint32_t)table_row_size(n_events);

	tt_container_places(&tt_table_plan, place);
	place[TABLE_SLOT - 1].offset = table_slot_offset(row_size, page, 0);
	place[TABLE_SLOT - 1].stride = table_slot_size(row_size, page);
	place[TABLE_ROW - 1].stride = row_size;
	place[TABLE_QUANTITY - 1].count = n_events + 1;
}

/* ---- table ---- */

static void add_quantity(struct table_quantity *q, const struct table_quantity *f, uint64_t n)
{
	/* Sums are relative to the base of the row that is added to. The rows may be those of
	 * another process, which may have written any numbers: unsigned arithmetic cannot overflow.
	 */
	const uint64_t shift = f->base - q->base;
	const double distance = (double)(int64_t)shift;

	q->squares += f->squares + 2 * distance * (double)(int64_t)f->shifted +
		      (double)n * distance * distance;
	q->shifted += f->shifted + n * shift;
	q->n_unknown += f->n_unknown;
	q->n_off += f->n_off;
	q->min = f->min < q->min ? f->min : q->min;
	q->max = f->max > q->max ? f->max : q->max;
	q->inner += f->inner;
	q->nested += f->nested;
	q->n_scaled += f->n_scaled;
	q->estimated += f->estimated;
	q->missed += f->missed;
	for (int b = 0; b < TABLE_BUCKETS; b++)
		q->bucket[b] += f->bucket[b];
}

void tt_table_add(struct table_row *to, const struct table_row *from, uint32_t n_events)
{
	for (int u = 0; u < TABLE_UNITS; u++)
		to->work[u] += from->work[u];
	if (!from->calls)
		return;
	for (uint32_t i = 0; i <= n_events; i++) {
		struct table_quantity *q = table_quantity(to, i);
		const struct table_quantity *f =
			(const void *)((const struct table_quantity *)(from + 1) + i);

		if (to->calls)
			add_quantity(q, f, table_n(from, f));
		else
			*q = *f;
	}
	to->calls += from->calls;
	to->n_waited += from->n_waited;
	to->n_nested += from->n_nested;
	to->n_inner += from->n_inner;
	to->n_within += from->n_within;
}
