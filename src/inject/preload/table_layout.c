/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of table: its sections and columns, for the directory of the file. */
#include "inject/preload/table.h"

#include <string.h>

#define HEADER(type, field, ...)   CONTAINER_FIELD(type, locks_header, field, __VA_ARGS__)
#define MODULE(type, field, ...)   CONTAINER_FIELD(type, locks_module, field, __VA_ARGS__)
#define INSTANCE(type, field, ...) CONTAINER_FIELD(type, locks_instance, field, __VA_ARGS__)
#define SLOT(type, field, ...)     CONTAINER_FIELD(type, locks_thread, field, __VA_ARGS__)
#define HELD(type, field, ...)     CONTAINER_FIELD(type, locks_held, field, __VA_ARGS__)
#define WAIT(type, field, ...)     CONTAINER_FIELD(type, locks_wait, field, __VA_ARGS__)
#define PAST(type, field, ...)     CONTAINER_FIELD(type, locks_past, field, __VA_ARGS__)
#define CHAIN(type, field, ...)    CONTAINER_FIELD(type, locks_chain, field, __VA_ARGS__)
#define ROW(type, field, ...)      CONTAINER_FIELD(type, locks_row, field, __VA_ARGS__)
#define SUM(type, field, ...)      CONTAINER_FIELD(type, locks_quantity, field, __VA_ARGS__)
#define TICKS                      .unit = CONTAINER_TICKS
#define ADDRESS                    .unit = CONTAINER_ADDRESS

_Static_assert(sizeof(struct locks_header) % 64 == 0 &&
		       sizeof(struct container_directory) % 64 == 0,
	       "no two locks are in one cache line");

static const struct container_column header[] = {
	HEADER(U64, ns_per_tick, .least = 1),
	HEADER(U64, overhead_ticks, TICKS),
	HEADER(U64, counted_ticks, TICKS),
	HEADER(U64, begin, TICKS),
	HEADER(U64, end, TICKS),
	HEADER(U64, futex_caller, ADDRESS),
	HEADER(U32, max_rows),
	HEADER(U32, n_modules),
	HEADER(U32, n_instances),
	HEADER(U32, n_rows),
	HEADER(U32, n_threads),
	HEADER(U32, n_ended),
	HEADER(U32, n_homeless),
	HEADER(U32, n_nameless),
	HEADER(U32, full),
	HEADER(U32, n_waits),
	HEADER(U32, n_events),
	HEADER(U32, n_pasts),
	HEADER(U32, sample, .least = 1, .most = LOCKS_SAMPLE_MAX),
	HEADER(U32, lacking_call),
	HEADER(U32, n_chains),
};

static const struct container_column event[] = {EVENT_NOTE_COLUMNS};

static const struct container_column module[] = {
	MODULE(U64, begin, ADDRESS), MODULE(U64, end, ADDRESS),
	MODULE(U64, inode),          MODULE(U32, id.size, .most = BUILD_ID_MAX),
	MODULE(BYTES, id.byte),      MODULE(U32, layer),
	MODULE(U32, gone),           MODULE(TEXT, path),
};

static const struct container_column instance[] = {
	INSTANCE(U64, address, ADDRESS),
	INSTANCE(U64, first_caller, ADDRESS),
	INSTANCE(U64, owner_changes),
	INSTANCE(U32, owner),
	INSTANCE(U32, generation),
	INSTANCE(U32, kind, .most = LOCKS_N_KINDS - 1),
	INSTANCE(U32, ended),
	INSTANCE(U32, given),
	INSTANCE(U32, several),
	INSTANCE(U32, owner_slot),
	INSTANCE(U32, layer),
	INSTANCE(U64, memory),
};

static const struct container_column slot[] = {
	SLOT(U32, sequence),
	SLOT(U32, tid),
	SLOT(U32, number),
	SLOT(U32, state, .most = LOCKS_STATES - 1),
	SLOT(U64, begin, TICKS),
	SLOT(U64, since, TICKS),
	SLOT(U64, ticks, TICKS),
	SLOT(U64, n_pairs),
	SLOT(U64, n_untimed),
	SLOT(U64, n_unmeasured),
	SLOT(U64, n_too_deep),
	SLOT(U64, n_unmatched),
	SLOT(U64, n_futex),
	SLOT(U32, lacking),
	SLOT(U32, n_held),
	SLOT(U64, wait_since, TICKS),
	SLOT(U32, wait_row),
	SLOT(U32, wait_for),
	SLOT(U64, n_futex_left_out),
	SLOT(U64, sched),
	SLOT(TEXT, name),
	SLOT(U64, count),
};

static const struct container_column held[] = {
	HELD(U64, lock, ADDRESS),
	HELD(U64, caller, ADDRESS),
	HELD(U64, since, TICKS),
	HELD(U32, depth),
};

static const struct container_column wait[] = {
	WAIT(U32, instance, .most = LOCKS_INSTANCES),
	WAIT(U32, n_frames, .most = LOCKS_FRAMES),
	WAIT(U64, holder, ADDRESS),
	WAIT(U64, frame, ADDRESS),
	WAIT(U64, n),
	WAIT(U64, ticks, TICKS),
};

static const struct container_column past[] = {
	PAST(U32, tid),        PAST(U32, number),       PAST(U64, begin, TICKS),
	PAST(U64, end, TICKS), PAST(U64, ticks, TICKS), PAST(U64, acquisitions),
	PAST(U32, instances),  PAST(U32, at_least),     PAST(TEXT, name),
	PAST(U64, sched),
};

static const struct container_column chain[] = {
	CHAIN(U32, wait, .most = LOCKS_WAITS - 1),
	CHAIN(U32, next, .most = LOCKS_CHAINS - 1),
	CHAIN(U32, depth),
	CHAIN(U64, n),
	CHAIN(U64, ticks, TICKS),
};

/* The columns of a row. The first one does not apply to the row `other`. */
static const struct container_column row[] = {
	ROW(U32, instance, .least = 1, .section = LOCKS_INSTANCE + 1),
	ROW(U32, sequence),
	ROW(U32, slot),
	ROW(U32, next),
	ROW(U64, caller, ADDRESS),
	ROW(U64, contended),
	ROW(U64, waited, TICKS),
	ROW(U64, nested),
	ROW(U64, failed),
	ROW(U64, lost, TICKS),
	ROW(U32, shared),
	ROW(U32, ended),
	ROW(U64, untimed),
	ROW(U64, futex.timeouts),
	ROW(U64, futex.changed),
	ROW(U64, futex.interrupted),
	ROW(U64, futex.woken),
	ROW(U64, futex.handed),
	ROW(U64, futex.inheriting),
	ROW(U64, futex.use),
};

static const struct container_column quantity[] = {
	SUM(U64, n),        SUM(U64, base), SUM(U64, shifted),
	SUM(REAL, squares), SUM(U64, max),  SUM(U64, bucket),
};

_Static_assert(sizeof header + sizeof event + sizeof module + sizeof instance + sizeof slot +
			       sizeof row - sizeof *row + sizeof held + sizeof wait + sizeof past +
			       sizeof chain + sizeof row + sizeof quantity + sizeof quantity <=
		       CONTAINER_COLUMNS * sizeof *header,
	       "a directory has room for all columns");

static const struct container_part part[LOCKS_SECTIONS] = {
	[LOCKS_HEADER] = CONTAINER_PART("header", locks_header, 1, header),
	[LOCKS_EVENT] = CONTAINER_PART("events", event_note, LOCKS_EVENTS, event,
				       .used = offsetof(struct locks_header, n_events),
				       .within = LOCKS_HEADER + 1,
				       .offset = offsetof(struct locks_header, event)),
	[LOCKS_MODULE] = CONTAINER_PART("modules", locks_module, LOCKS_MODULES, module,
					.used = offsetof(struct locks_header, n_modules)),
	[LOCKS_INSTANCE] = CONTAINER_PART("locks", locks_instance, LOCKS_INSTANCES, instance,
					  .used = offsetof(struct locks_header, n_instances)),
	[LOCKS_SLOT] = CONTAINER_PART("slots", locks_thread, LOCKS_SLOTS, slot, .has_sequence = 1),
	[LOCKS_OTHER] = {.kind = "others",
			 .size = sizeof(struct locks_row),
			 .max = 1,
			 .column = row + 1,
			 .n_columns = sizeof row / sizeof *row - 1,
			 .within = LOCKS_SLOT + 1,
			 .offset = offsetof(struct locks_thread, other)},
	[LOCKS_HOLDS] =
		CONTAINER_PART("held", locks_held, LOCKS_HELD, held, .within = LOCKS_SLOT + 1,
			       .offset = offsetof(struct locks_thread, held)),
	[LOCKS_WAIT] = CONTAINER_PART("waits", locks_wait, LOCKS_WAITS, wait,
				      .used = offsetof(struct locks_header, n_waits)),
	[LOCKS_PAST] = CONTAINER_PART("pasts", locks_past, LOCKS_EXITED_MAX, past,
				      .used = offsetof(struct locks_header, n_pasts)),
	[LOCKS_CHAIN] = CONTAINER_PART("chains", locks_chain, LOCKS_CHAINS, chain,
				       .used = offsetof(struct locks_header, n_chains)),
	[LOCKS_ROW] =
		CONTAINER_PART("rows", locks_row, LOCKS_SIZE_MAX / sizeof(struct locks_row), row,
			       .has_sequence = 1, .used = offsetof(struct locks_header, n_rows)),
	[LOCKS_QUANTITY] = CONTAINER_PART("quantities", locks_quantity, LOCKS_PHASES, quantity,
					  .within = LOCKS_ROW + 1,
					  .offset = offsetof(struct locks_row, phase)),
	[LOCKS_COUNTS] =
		CONTAINER_PART("counts", locks_quantity, LOCKS_SIZE_MAX / sizeof(struct locks_row),
			       quantity, .is_wide = 1),
};

const struct container_plan locks_plan = {
	.kind = LOCKS_KIND,
	.writer = "tiptop",
	.layout = LOCKS_LAYOUT,
	.header_size = sizeof(struct locks_header),
	.n_parts = LOCKS_SECTIONS,
	.part = part,
};

void locks_places(struct container_place place[LOCKS_SECTIONS - 1], const struct locks_header *h)
{
	const uint32_t n = h->n_events;
	const struct container_place all[LOCKS_SECTIONS - 1] = {
		[LOCKS_EVENT - 1] = {0, sizeof(struct event_note), LOCKS_EVENTS},
		[LOCKS_MODULE - 1] = {locks_modules_offset(), sizeof(struct locks_module),
				      LOCKS_MODULES},
		[LOCKS_INSTANCE - 1] = {locks_instances_offset(), sizeof(struct locks_instance),
					LOCKS_INSTANCES},
		[LOCKS_SLOT - 1] = {locks_slot_offset(0), sizeof(struct locks_thread), LOCKS_SLOTS},
		[LOCKS_OTHER - 1] = {0, sizeof(struct locks_row), 1},
		[LOCKS_HOLDS - 1] = {0, sizeof(struct locks_held), LOCKS_HELD},
		[LOCKS_WAIT - 1] = {locks_wait_offset(0), sizeof(struct locks_wait), LOCKS_WAITS},
		[LOCKS_PAST - 1] = {locks_past_offset(0), sizeof(struct locks_past),
				    LOCKS_EXITED_MAX},
		[LOCKS_CHAIN - 1] = {locks_chain_offset(0), sizeof(struct locks_chain),
				     LOCKS_CHAINS},
		[LOCKS_ROW - 1] = {locks_row_offset(0), sizeof(struct locks_row), h->max_rows},
		[LOCKS_QUANTITY - 1] = {0, sizeof(struct locks_quantity), LOCKS_PHASES},
		[LOCKS_COUNTS - 1] = {locks_counts_offset(n, h->max_rows, 0),
				      n ? locks_counts_size(n) : sizeof(struct locks_quantity),
				      n ? h->max_rows + LOCKS_SLOTS : 0},
	};

	memcpy(place, all, sizeof all);
}
