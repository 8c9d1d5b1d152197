/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/calls/report.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/arch.h"
#include "inject/table_reader.h"

/* How often to try to read a slot that changes while it is read. */
#define SLOT_TRIES 8

/* The state of a reading. */
struct reading {
	struct calls_report *r;
	struct container_reader reader;
	struct calls_thread *slot; /* the slot being read, with its rows */
	uint64_t *counts;          /* the counts of that slot */
};

/* --- the file --- */

static int read_header(struct reading *g, struct err *err)
{
	const struct calls_header *h = &g->r->header;
	const struct container_reader *reader = &g->reader;
	int ret = container_reader_open(&g->reader, err);

	if (!ret &&
	    (h->n_events % 2 || container_reader_count(reader, CALLS_ROW) != h->n_functions ||
	     container_reader_stride(reader, CALLS_SLOT) != calls_slot_size(h->n_functions) ||
	     (h->n_events && (container_reader_count(reader, CALLS_COUNTS) < h->n_slots ||
			      container_reader_stride(reader, CALLS_COUNTS) !=
				      calls_counts_size(h->n_functions, h->n_events)))))
		ret = err_set(err, EBADMSG, "is damaged");
	return ret;
}

static size_t counts_size(const struct calls_report *r)
{
	return calls_counts_size(r->header.n_functions, r->header.n_events);
}

/* Returns whether the slots of all living threads have been read, so that no further slots need to
 * be searched. Returns false also if this cannot be known: a thread has started since the header
 * was read, or had no slot. */
static bool has_all_threads(const struct reading *g)
{
	const struct calls_header *h = &g->r->header;
	uint32_t now;

	return !h->n_homeless && h->n_threads >= h->n_ended &&
	       g->r->n_alive >= h->n_threads - h->n_ended &&
	       !file_read_at(g->reader.fd, &now, sizeof now,
			     offsetof(struct calls_header, n_threads), NULL) &&
	       now == h->n_threads;
}

/* Reads a slot as of one moment. If its thread writes too often for that, the slot is used as it
 * is, and *torn is set: its numbers are then some calls apart. */
static int read_slot(const struct reading *g, uint32_t place, bool *torn, struct err *err)
{
	const struct container_piece piece[] = {{CALLS_SLOT, place, g->slot, 0},
						{CALLS_COUNTS, place, g->counts, 0}};
	int ret = container_reader_copy(&g->reader, piece, 1, err);

	if (!ret)
		ret = container_reader_copy_stable(&g->reader, piece, g->r->header.n_events ? 2 : 1,
						   SLOT_TRIES, torn, err);
	return ret ? ret : container_reader_check(&g->reader, CALLS_SLOT, g->slot, 1, err);
}

static int add_slot(const struct reading *g, uint32_t place, struct err *err)
{
	struct calls_report *r = g->r;
	const uint32_t n = r->header.n_functions;
	/* Slot 0 has the sums over exited threads: counts of lacking events were left out of it
	 * already. */
	static const uint32_t none[EVENT_NOTES_MAX];
	struct calls_thread *s = g->slot;
	const struct container_piece begin = {CALLS_SLOT, place, s, sizeof *s};
	bool torn;
	int ret = container_reader_copy(&g->reader, &begin, 1, err);

	if (ret || (place && !s->tid))
		return ret;
	ret = read_slot(g, place, &torn, err);
	if (ret)
		return ret;
	/* If the slot was read while its thread wrote it, the time since `since` may be in the time
	 * of the function already: with `since` UINT64_MAX, calls_report_close() does not add it
	 * again. */
	if (s->tid) {
		r->alive = xgrow(r->alive, &r->cap_alive, r->n_alive + 1, sizeof *r->alive);
		r->alive[r->n_alive++] =
			(struct calls_alive){s->function, torn ? UINT64_MAX : s->since};
	}
	calls_thread_add(r->sum, s, n);
	calls_counts_add(r->counts, g->counts, n + 1, r->header.n_events,
			 place ? s->lacking : none);
	return 0;
}

static void clear_sums(struct reading *g)
{
	struct calls_report *r = g->r;
	const size_t size = calls_slot_size(r->header.n_functions);

	g->slot = xreallocarray(g->slot, 1, size);
	r->sum = xreallocarray(r->sum, 1, size);
	memset(r->sum, 0, size);
	g->counts = xreallocarray(g->counts, 1, counts_size(r) + 1);
	r->counts = xreallocarray(r->counts, 1, counts_size(r) + 1);
	memset(r->counts, 0, counts_size(r));
	r->n_alive = 0;
}

/* Reads the table once. -EAGAIN if a thread exited during the reading: it would be counted twice,
 * or not at all. */
static int read_once(struct reading *g, struct err *err)
{
	struct calls_report *r = g->r;
	void *function = r->function;
	int ret = read_header(g, err);

	if (!ret)
		ret = container_reader_copy_all(&g->reader, CALLS_FUNCTIONS, &function, err);
	r->function = function;
	if (ret)
		return ret;
	clear_sums(g);
	for (uint32_t place = 0;
	     place < r->header.n_slots && !ret && !(place && has_all_threads(g)); place++)
		ret = add_slot(g, place, err);
	return ret ? ret : container_reader_close(&g->reader, err);
}

/* --- the lines --- */

static const char *const parts[CALLS_PARTS] = {"program", "library", "user", "kernel"};

/* Sorts by kind, then by self time, then by name. */
static int compare_lines(const void *a, const void *b)
{
	const struct calls_line *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->sum.self != y->sum.self)
		return x->sum.self < y->sum.self ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void add_counts(const struct calls_report *r, uint64_t to[], uint32_t function)
{
	const uint32_t n = r->header.n_events;

	for (uint32_t e = 0; e < n; e++)
		to[e] += r->counts[function * n + e];
}

/* Adds the sums of a function to those of a line, except total and maximum. function: from 1 on. */
static void add_sum(const struct calls_report *r, struct calls_line *to, uint32_t function)
{
	calls_row_add(&to->sum, &calls_rows(r->sum)[function - 1]);
	to->sum.total = to->sum.max = 0;
	add_counts(r, to->count, function);
}

/* Sums up events over the program and the library: the total of an event in user mode is the count
 * of the line CALLS_USER, in kernel mode of CALLS_KERNEL. */
static void add_modes(struct calls_report *r)
{
	struct calls_line *part = r->line;

	for (uint32_t e = 0; e < r->header.n_events; e++) {
		r->count[e] = part[CALLS_OF_PROGRAM].count[e] + part[CALLS_LIBRARY].count[e];
		part[e % 2 ? CALLS_KERNEL : CALLS_USER].count[e] = r->count[e];
	}
}

static struct calls_line *find_group(struct calls_report *r, const char *group)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->line[i].kind == CALLS_GROUP && !strcmp(r->line[i].name, group))
			return &r->line[i];
	r->line[r->n] = (struct calls_line){.kind = CALLS_GROUP, .name = group, .group = group};
	return &r->line[r->n++];
}

static void add_lines(struct calls_report *r)
{
	const struct calls_row *row = calls_rows(r->sum);
	struct calls_line *part, *library;

	/* At the most, each function has a group of its own. */
	r->line = xreallocarray(NULL, 2 * r->header.n_functions + CALLS_PARTS, sizeof *r->line);
	r->n = CALLS_PARTS;
	part = r->line;
	library = &part[CALLS_LIBRARY];
	for (int i = 0; i < CALLS_PARTS; i++)
		part[i] = (struct calls_line){.kind = CALLS_PART, .name = parts[i], .group = ""};
	for (uint32_t i = 0; i < r->header.n_functions; i++) {
		const struct calls_function *f = &r->function[i];

		if (!row[i].calls && !row[i].amid)
			continue;
		add_sum(r, find_group(r, f->group), i + 1);
		add_sum(r, library, i + 1);
		r->line[r->n++] = (struct calls_line){
			.kind = CALLS_FUNCTION, .name = f->name, .group = f->group, .sum = row[i]};
		add_counts(r, r->line[r->n - 1].count, i + 1);
	}
	part[CALLS_OF_PROGRAM].sum.self = r->sum->program;
	add_counts(r, part[CALLS_OF_PROGRAM].count, 0);
	add_modes(r);
	part[CALLS_USER].unknown = part[CALLS_KERNEL].unknown = true;
	r->time = library->sum.self + r->sum->program;
	r->own = library->sum.calls * r->header.overhead / CALLS_OVERHEAD_UNIT;
	r->n_too_deep = r->sum->n_too_deep;
	array_sort(r->line + CALLS_PARTS, r->n - CALLS_PARTS, sizeof *r->line, compare_lines);
	r->longest = 0;
	for (size_t i = 0; i < r->n; i++)
		if (strlen(r->line[i].name) > r->longest)
			r->longest = strlen(r->line[i].name);
}

/* --- report --- */

uint64_t calls_report_clock(void)
{
	return arch_time_is_steady() ? arch_read_time() : clock_ns(CLOCK_MONOTONIC);
}

int calls_report_read(struct calls_report *r, int fd, bool ended, struct err *err)
{
	struct reading g = {
		.r = r,
		.reader = {.plan = &calls_plan, .fd = fd, .ended = ended, .header = &r->header}};
	int ret = -EAGAIN;

	*r = (struct calls_report){.n = 0};
	for (int tries = 0; ret == -EAGAIN && backoff(tries); tries++)
		ret = read_once(&g, err);
	if (ret)
		calls_report_done(r);
	free(g.slot);
	free(g.counts);
	return ret;
}

void calls_report_close(struct calls_report *r, uint64_t end)
{
	end = r->header.end ? r->header.end : end;
	for (size_t i = 0; i < r->n_alive; i++) {
		const struct calls_alive *a = &r->alive[i];

		if (end > a->since)
			*(a->function ? &calls_rows(r->sum)[a->function - 1].self
				      : &r->sum->program) += end - a->since;
	}
}

void calls_report_make(struct calls_report *r, uint64_t end)
{
	calls_report_close(r, end);
	add_lines(r);
}

bool calls_report_has_total(const struct calls_row *row)
{
	return row->calls > row->depth && (row->total || (!row->depth && !isnan(row->squares)));
}

bool calls_report_knows(const struct calls_report *r, uint32_t event)
{
	return r->header.n_threads > r->sum->lacking[event];
}

void calls_report_done(struct calls_report *r)
{
	free(r->line);
	free(r->function);
	free(r->sum);
	free(r->alive);
	free(r->counts);
	*r = (struct calls_report){.n = 0};
}
