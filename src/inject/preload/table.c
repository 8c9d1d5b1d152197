/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/table.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* ---- build_id ---- */

/* Longer than the notes up to the build id in any known file. */
#define NOTES_MAX    1024
#define SEGMENTS_MAX 64

struct image {
	int fd;
	uint64_t begin; /* offset of the image in fd */
	bool mapped;    /* fd is /proc/self/mem; false: fd is the file itself */
	uint64_t first; /* the link-time address of the first byte */
};

static bool read_at(const struct image *i, void *to, size_t size, uint64_t at)
{
	at += i->begin;
	return at <= INT64_MAX && pread(i->fd, to, size, (off_t)at) == (ssize_t)size;
}

static uint32_t round_up(uint32_t size, uint32_t align)
{
	return (size + align - 1) & -align;
}

/* Finds the build id in notes. A note is a header (sizes of name and description, and the type),
 * then the name and the description. */
static bool take_notes(struct build_id *id, const char *notes, size_t n, uint32_t align)
{
	ElfW(Nhdr) note;

	while (n >= sizeof note) {
		size_t name, size;

		memcpy(&note, notes, sizeof note);
		if (note.n_namesz > n || note.n_descsz > n)
			return false;
		name = round_up((uint32_t)sizeof note + note.n_namesz, align);
		size = name + round_up(note.n_descsz, align);
		if (name + note.n_descsz > n)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
		    !memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)) {
			id->size = note.n_descsz < BUILD_ID_MAX ? note.n_descsz : BUILD_ID_MAX;
			memcpy(id->byte, notes + name, id->size);
			return true;
		}
		if (size >= n)
			return false;
		notes += size;
		n -= size;
	}
	return false;
}

static bool read_notes(struct build_id *id, const struct image *i, const ElfW(Phdr) * segment)
{
	const size_t size = segment->p_filesz < NOTES_MAX ? segment->p_filesz : NOTES_MAX;
	char notes[NOTES_MAX];

	return read_at(i, notes, size,
		       i->mapped ? segment->p_vaddr - i->first : segment->p_offset) &&
	       take_notes(id, notes, size, segment->p_align == 8 ? 8 : 4);
}

static void read_image(struct build_id *id, struct image *i)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool found = false, loaded = false;
	ElfW(Phdr) segment;
	ElfW(Ehdr) head;

	*id = (struct build_id){.size = 0};
	if (!read_at(i, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    head.e_phentsize != sizeof segment)
		return;
	/* Two passes, as the first PT_LOAD may follow the notes. */
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < head.e_phnum && k < SEGMENTS_MAX && !found; k++) {
			if (!read_at(i, &segment, sizeof segment,
				     head.e_phoff + (uint64_t)k * sizeof segment))
				return;
			if (!pass && !loaded && segment.p_type == PT_LOAD) {
				i->first = segment.p_vaddr & -page;
				loaded = true;
			}
			found = pass && segment.p_type == PT_NOTE && read_notes(id, i, &segment);
		}
}

void build_id_read_file(struct build_id *id, int fd)
{
	read_image(id, &(struct image){.fd = fd});
}

void build_id_read_memory(struct build_id *id, int fd, uint64_t begin)
{
	read_image(id, &(struct image){.fd = fd, .begin = begin, .mapped = true});
}

bool build_id_is_same(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->byte, b->byte, a->size);
}

/* ---- table ---- */

double locks_variance(const struct locks_quantity *q)
{
	const double mean = q->n ? (double)(int64_t)q->shifted / (double)q->n : 0;
	const double sum = q->squares - mean * mean * (double)q->n;

	return q->n > 1 && sum > 0 ? sum / (double)(q->n - 1) : 0;
}

/* Squares are relative to the base of the quantity that is added to. The process may have written
 * any numbers, so the arithmetic is unsigned, which cannot overflow. */
static void add_quantity(struct locks_quantity *q, const struct locks_quantity *f)
{
	const uint64_t shift = q->n ? f->base - q->base : 0;
	const double distance = (double)(int64_t)shift;

	if (!q->n)
		q->base = f->base;
	q->squares += f->squares + 2 * distance * (double)(int64_t)f->shifted +
		      (double)f->n * distance * distance;
	q->shifted += f->shifted + f->n * shift;
	q->n += f->n;
	q->max = f->max > q->max ? f->max : q->max;
	for (int b = 0; b < LOCKS_BUCKETS; b++)
		q->bucket[b] += f->bucket[b];
}

static void add_futex(struct locks_futex *to, const struct locks_futex *from)
{
	to->timeouts += from->timeouts;
	to->changed += from->changed;
	to->interrupted += from->interrupted;
	to->woken += from->woken;
	to->handed += from->handed;
	to->inheriting += from->inheriting;
	for (int i = 0; i < LOCKS_USES; i++)
		to->use[i] += from->use[i];
}

void locks_row_add(struct locks_row *to, const struct locks_row *from)
{
	to->contended += from->contended;
	to->waited += from->waited;
	to->nested += from->nested;
	to->failed += from->failed;
	to->lost += from->lost;
	to->n_under_way += from->n_under_way;
	to->under_way += from->under_way;
	add_futex(&to->futex, &from->futex);
	for (int p = 0; p < LOCKS_PHASES; p++) {
		to->untimed[p] += from->untimed[p];
		if (from->phase[p].n)
			add_quantity(&to->phase[p], &from->phase[p]);
	}
}

void locks_sched_add(struct locks_sched *to, const struct locks_sched *from)
{
	for (int i = 0; i < LOCKS_TOTALS; i++)
		to->total[i] += from->total[i];
	for (int k = 0; k < LOCKS_N_KINDS; k++) {
		to->waited[k] += from->waited[k];
		to->waited_run[k] += from->waited_run[k];
	}
	for (int b = 0; b < LOCKS_BLOCKINGS; b++) {
		to->blocked[b] += from->blocked[b];
		to->sampled[b] += from->sampled[b];
		to->sampled_run[b] += from->sampled_run[b];
	}
}

void locks_counts_add(struct locks_quantity *to, const struct locks_quantity *from,
		      uint32_t n_events)
{
	for (uint32_t i = 0; i < n_events * LOCKS_PHASES; i++)
		if (from[i].n)
			add_quantity(&to[i], &from[i]);
}

/* Leaves out the counts of an event that the thread could not read all the time. */
static void add_counts(struct locks_thread *to, const struct locks_thread *from)
{
	for (int e = 0; e < LOCKS_EVENTS; e++) {
		to->lacking[e] += from->lacking[e];
		for (int s = 0; s < LOCKS_STATES && !from->lacking[e]; s++)
			to->count[e][s] += from->count[e][s];
	}
}

void locks_thread_add(struct locks_thread *to, const struct locks_thread *from)
{
	for (int s = 0; s < LOCKS_STATES; s++)
		to->ticks[s] += from->ticks[s];
	to->n_pairs += from->n_pairs;
	to->n_untimed += from->n_untimed;
	to->n_unmeasured += from->n_unmeasured;
	to->n_too_deep += from->n_too_deep;
	to->n_unmatched += from->n_unmatched;
	to->n_futex += from->n_futex;
	to->n_futex_left_out += from->n_futex_left_out;
	locks_sched_add(&to->sched, &from->sched);
	add_counts(to, from);
	locks_row_add(&to->other, &from->other);
}

/* ---- table_layout ----
 *
 * Its sections and columns, for the directory of the file.
 */

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

static const struct container_part part[LOCKS_SECTIONS] = {
	[LOCKS_HEADER] = CONTAINER_PART("header", locks_header, 1, header),
	[LOCKS_EVENT] = CONTAINER_ARRAY("events", locks_header, event, event,
					.used = offsetof(struct locks_header, n_events),
					.within = LOCKS_HEADER + 1),
	[LOCKS_MODULE] = CONTAINER_ARRAY("modules", locks_head, module, module,
					 .used = offsetof(struct locks_header, n_modules)),
	[LOCKS_INSTANCE] = CONTAINER_ARRAY("locks", locks_head, instance, instance,
					   .used = offsetof(struct locks_header, n_instances)),
	[LOCKS_SLOT] = CONTAINER_ARRAY("slots", locks_head, slot, slot, .has_sequence = 1),
	[LOCKS_OTHER] = {.kind = "others",
			 .size = sizeof(struct locks_row),
			 .max = 1,
			 .column = row + 1,
			 .n_columns = sizeof row / sizeof *row - 1,
			 .within = LOCKS_SLOT + 1,
			 .offset = offsetof(struct locks_thread, other)},
	[LOCKS_HOLDS] = CONTAINER_ARRAY("held", locks_thread, held, held, .within = LOCKS_SLOT + 1),
	[LOCKS_WAIT] = CONTAINER_ARRAY("waits", locks_head, wait, wait,
				       .used = offsetof(struct locks_header, n_waits)),
	[LOCKS_PAST] = CONTAINER_ARRAY("pasts", locks_head, past, past,
				       .used = offsetof(struct locks_header, n_pasts)),
	[LOCKS_CHAIN] = CONTAINER_ARRAY("chains", locks_head, chain, chain,
					.used = offsetof(struct locks_header, n_chains)),
	[LOCKS_ROW] =
		CONTAINER_PART("rows", locks_row, LOCKS_SIZE_MAX / sizeof(struct locks_row), row,
			       .has_sequence = 1, .used = offsetof(struct locks_header, n_rows),
			       .offset = sizeof(struct locks_head)),
	[LOCKS_QUANTITY] =
		CONTAINER_ARRAY("quantities", locks_row, phase, quantity, .within = LOCKS_ROW + 1),
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

	tt_container_places(&locks_plan, place);
	place[LOCKS_ROW - 1].count = h->max_rows;
	place[LOCKS_COUNTS - 1].offset = locks_counts_offset(n, h->max_rows, 0);
	place[LOCKS_COUNTS - 1].stride = n ? locks_counts_size(n) : sizeof(struct locks_quantity);
	place[LOCKS_COUNTS - 1].count = n ? h->max_rows + LOCKS_SLOTS : 0;
}
