/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/calls_table.h"

#include <math.h>
#include <string.h>

/* The process may have written any numbers, so the sum may be NaN or infinite. */
double calls_row_variance(const struct calls_row *row)
{
	const double n = (double)row->calls, self = (double)row->self;
	const double sum = row->squares - self / n * self;

	if (row->calls < 2 || row->depth || !isfinite(sum))
		return NAN;
	return sum > 0 ? sum / (n - 1) : 0;
}

void calls_row_add(struct calls_row *to, const struct calls_row *from)
{
	to->calls += from->calls;
	to->amid += from->amid;
	to->nested += from->nested;
	to->self += from->self;
	to->total += from->total;
	to->max = from->max > to->max ? from->max : to->max;
	to->depth += from->depth;
	to->squares += from->squares;
}

void calls_thread_add(struct calls_thread *to, const struct calls_thread *from,
		      uint32_t n_functions)
{
	struct calls_row *row = calls_rows(to);
	const struct calls_row *other = calls_rows(from);

	to->program += from->program;
	to->n_too_deep += from->n_too_deep;
	for (uint32_t i = 0; i < n_functions; i++)
		calls_row_add(&row[i], &other[i]);
	for (int e = 0; e < EVENT_NOTES_MAX; e++)
		to->lacking[e] += from->lacking[e];
}

void calls_counts_add(uint64_t to[], const uint64_t from[], uint32_t n, uint32_t n_events,
		      const uint32_t lacking[])
{
	for (uint32_t i = 0; i < n * n_events; i++)
		if (!lacking[i % n_events])
			to[i] += from[i];
}

/* ---- calls_layout ----
 *
 * The sections and columns of the table, for the directory of the file.
 */

#define HEADER(type, field, ...) CONTAINER_FIELD(type, calls_header, field, __VA_ARGS__)
#define SLOT(type, field, ...)   CONTAINER_FIELD(type, calls_thread, field, __VA_ARGS__)
#define ROW(type, field, ...)    CONTAINER_FIELD(type, calls_row, field, __VA_ARGS__)

/* The count of one event in the program or in one function. */
struct calls_counts {
	uint64_t count;
};

static const struct container_column header[] = {
	HEADER(U32, n_functions, .least = 1),
	HEADER(U32, n_slots, .least = 1),
	HEADER(U64, ns_per_tick, .least = 1),
	HEADER(U64, overhead, .unit = CONTAINER_TICKS),
	HEADER(U64, inside, .unit = CONTAINER_TICKS),
	HEADER(U64, begin, .unit = CONTAINER_TICKS),
	HEADER(U64, end, .unit = CONTAINER_TICKS),
	HEADER(U32, n_threads),
	HEADER(U32, n_ended),
	HEADER(U32, n_homeless),
	HEADER(U64, n_late),
	HEADER(U32, n_events),
	HEADER(U32, lacking_call),
};

static const struct container_column event[] = {EVENT_NOTE_COLUMNS};

static const struct container_column function[] = {
	CONTAINER_FIELD(TEXT, calls_function, name),
	CONTAINER_FIELD(TEXT, calls_function, group),
};

static const struct container_column slot[] = {
	SLOT(U32, sequence),
	SLOT(U32, tid),
	SLOT(U32, number),
	SLOT(U32, function, .section = CALLS_FUNCTIONS + 1),
	SLOT(U64, begin, .unit = CONTAINER_TICKS),
	SLOT(U64, since, .unit = CONTAINER_TICKS),
	SLOT(U64, program, .unit = CONTAINER_TICKS),
	SLOT(U64, n_too_deep),
	SLOT(U32, lacking),
};

static const struct container_column row[] = {
	ROW(U64, calls),
	ROW(U64, amid),
	ROW(U64, nested),
	ROW(U64, self, .unit = CONTAINER_TICKS),
	ROW(U64, total, .unit = CONTAINER_TICKS),
	ROW(U64, max, .unit = CONTAINER_TICKS),
	ROW(U64, depth),
	ROW(REAL, squares),
};

static const struct container_column counts[] = {
	CONTAINER_FIELD(U64, calls_counts, count),
};

static const struct container_part part[CALLS_SECTIONS] = {
	[CALLS_HEADER] = CONTAINER_PART("header", calls_header, 1, header),
	[CALLS_EVENT] = CONTAINER_ARRAY("events", calls_header, event, event,
					.used = offsetof(struct calls_header, n_events),
					.within = CALLS_HEADER + 1),
	[CALLS_FUNCTIONS] = CONTAINER_PART(
		"functions", calls_function, CALLS_FUNCTIONS_MAX, function,
		.used = offsetof(struct calls_header, n_functions),
		.offset = sizeof(struct calls_header) + sizeof(struct container_directory)),
	[CALLS_SLOT] =
		CONTAINER_PART("slots", calls_thread, CALLS_SLOTS_MAX, slot, .is_wide = 1,
			       .has_sequence = 1, .used = offsetof(struct calls_header, n_slots)),
	[CALLS_ROW] =
		CONTAINER_PART("rows", calls_row, CALLS_FUNCTIONS_MAX, row,
			       .used = offsetof(struct calls_header, n_functions),
			       .within = CALLS_SLOT + 1, .offset = sizeof(struct calls_thread)),
	[CALLS_COUNTS] =
		CONTAINER_PART("counts", calls_counts, CALLS_SLOTS_MAX, counts, .is_wide = 1),
};

const struct container_plan calls_plan = {
	.kind = CALLS_KIND,
	.writer = "tiptop",
	.layout = CALLS_LAYOUT,
	.header_size = sizeof(struct calls_header),
	.n_parts = CALLS_SECTIONS,
	.part = part,
};

void calls_places(struct container_place place[CALLS_SECTIONS - 1], const struct calls_header *h)
{
	const uint32_t n = h->n_functions;
	const size_t counts_size = calls_counts_size(n, h->n_events);

	tt_container_places(&calls_plan, place);
	place[CALLS_FUNCTIONS - 1].count = place[CALLS_ROW - 1].count = n;
	place[CALLS_SLOT - 1] =
		(struct container_place){calls_slot_offset(n, 0), calls_slot_size(n), h->n_slots};
	place[CALLS_COUNTS - 1].offset = calls_counts_offset(h, 0);
	place[CALLS_COUNTS - 1].stride = counts_size ? counts_size : sizeof(uint64_t);
	place[CALLS_COUNTS - 1].count = counts_size ? h->n_slots : 0;
}
