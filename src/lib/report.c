/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/report.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "lib/derived.h"
#include "lib/destination.h"
#include "lib/lines.h"
#include "lib/output.h"
#include "lib/regions.h"
#include "lib/sum.h"
#include "lib/thread.h"

/* --- what they lack --- */

/* Of all threads. */
struct lacks {
	uint64_t n_abandoned, n_unmatched, n_too_deep, n_going_on;
};

/* Other threads may change these numbers meanwhile: each is as of some moment. */
static __attribute__((no_sanitize("thread"))) void add_slot(struct lacks *sum,
							    const struct table_slot *slot)
{
	sum->n_abandoned += slot->n_abandoned;
	sum->n_unmatched += slot->n_unmatched;
	sum->n_too_deep += slot->n_too_deep;
}

static __attribute__((no_sanitize("thread"))) void add_thread(struct lacks *sum,
							      const struct tt_thread *t)
{
	add_slot(sum, t->slot);
	for (uint32_t id = 1; id <= tt_regions.header->n_regions; id++)
		sum->n_going_on += t->row[id] ? t->row[id]->depth : 0;
}

static void sum_lacks(struct lacks *sum)
{
	struct tt_guard g;

	*sum = (struct lacks){.n_abandoned = 0};
	tt_guard_enter(&g);
	add_slot(sum, tt_regions.ended);
	for (unsigned slot = 1; slot < tt_regions.n_slots; slot++)
		if (tt_regions.thread[slot])
			add_thread(sum, tt_regions.thread[slot]);
	tt_guard_leave(&g);
}

/* Why events have no number. */
static void write_reasons(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = tt_regions.header;

	for (uint32_t i = 0; i < h->n_events; i++) {
		char key[TABLE_NAME_MAX + 16];

		snprintf(key, sizeof key, "not_counted %s", h->event[i].name);
		if (h->event[i].reason[0])
			lines->lack(o, &(struct tt_lack){key, 0, h->event[i].reason});
	}
}

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

static void write_lacks(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = tt_regions.header;
	struct lacks sum;

	sum_lacks(&sum);
	const struct tt_lack lack[] = {
		{"going_on", sum.n_going_on, "calls go on: they are not in the numbers yet"},
		{"abandoned", sum.n_abandoned,
		 "calls were left without their end, by a jump, an exception or the end of a "
		 "thread: they are in no number"},
		{"unmatched", sum.n_unmatched, "ends were of calls that did not go on"},
		{"too_deep", sum.n_too_deep,
		 "calls had no room, in " TEXT_OF(
			 THREAD_DEPTH) " others of their thread or in "
				       "signal handlers: they are in no number"},
		{"threads_left_out", h->n_homeless,
		 "threads had no room or no memory: nothing of them is known"},
		{"threads_joined", tt_regions.n_unkept,
		 "threads have no rows of their own, for want of memory: they are in the sums"},
		{"labels_left_out", h->n_unlabeled,
		 "regions had no room, as there are " TEXT_OF(TABLE_REGIONS) " labels: nothing of "
									     "them is known"},
		{"units_left_out", h->n_unitless,
		 "times work was said in a unit that had no room, as there are " TEXT_OF(
			 TABLE_UNITS) " units, or that is too long: it is in no number"},
		{"labels_cut", h->n_cut,
		 "labels are too long: they end in '~' and the hash of all of it"},
	};

	write_reasons(o, lines);
	for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
		if (lack[i].n)
			lines->lack(o, &lack[i]);
}

/* --- all --- */

/* What a report needs room for. */
struct room {
	struct tt_output output;
	uint64_t sum[SUM_ROOM], scratch[SUM_ROOM];
};

static void write_threads(struct room *room, const struct tt_lines *lines, uint32_t id)
{
	struct tt_subject of = {tt_regions.region[id - 1].label, 0};
	struct sum_place at = {.slot = 0};

	while ((of.tid = tt_sum_next((void *)room->scratch, id, &at)))
		lines->row(&room->output, &of, (void *)room->scratch);
}

static void write_regions(struct room *room)
{
	const struct tt_lines *lines = tt_lines_find(tt_regions.format);
	struct table_row *sum = (void *)room->sum;
	struct tt_output *o = &room->output;

	o->held = lines->once;
	lines->head(o);
	o->held = false;
	if (lines->once && tt_destination_begins_with(o->text, o->n))
		tt_output_drop(o);
	for (uint32_t i = 0; i < tt_regions.header->n_regions; i++) {
		tt_sum_row(sum, (void *)room->scratch, i + 1);
		if (sum->calls)
			lines->row(o, &(struct tt_subject){tt_regions.region[i].label, 0}, sum);
		if (sum->calls && tt_regions.by_thread)
			write_threads(room, lines, i + 1);
	}
	write_lacks(o, lines);
}

static int report(struct room *room)
{
	const int fd = tt_destination_open();

	if (fd < 0)
		return -1;
	tt_output_begin(&room->output, tt_regions.header, fd);
	room->output.n_derived = tt_derived_n(tt_regions.header);
	write_regions(room);
	tt_output_end(&room->output);
	tt_destination_close(fd);
	return room->output.failed ? -1 : 0;
}

/* Where there is no other memory. */
static __attribute__((noinline)) int report_on_stack(void)
{
	struct room room;

	return report(&room);
}

int tt_report(void)
{
	struct room *room;
	int ret;

	if (!tt_regions.header)
		return -1;
	if (tt_thread_defer_report())
		return 0;
	/* The stack of a handler may be small. */
	room = mmap(NULL, sizeof *room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return report_on_stack();
	ret = report(room);
	munmap(room, sizeof *room);
	return ret;
}

static void on_signal(int signal)
{
	int saved = errno;

	(void)signal;
	tt_report();
	errno = saved;
}

int tt_report_on(int signal)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	return sigaction(signal, &action, NULL);
}
