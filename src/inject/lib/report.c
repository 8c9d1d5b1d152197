/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/report.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#include "inject/lib/derived.h"
#include "inject/lib/destination.h"
#include "inject/lib/lacks.h"
#include "inject/lib/lines.h"
#include "inject/lib/output.h"
#include "inject/lib/regions.h"
#include "inject/lib/sum.h"
#include "inject/lib/thread.h"

/* --- what they lack --- */

/* Other threads may change these numbers meanwhile: each is as of some moment. */
static __attribute__((no_sanitize("thread"))) void add_slot(struct tt_lacks *sum,
							    const struct table_slot *slot)
{
	sum->n_abandoned += slot->n_abandoned;
	sum->n_unmatched += slot->n_unmatched;
	sum->n_too_deep += slot->n_too_deep;
	sum->n_rowless += slot->n_rowless;
}

static __attribute__((no_sanitize("thread"))) void add_thread(struct tt_lacks *sum,
							      const struct tt_thread *t)
{
	add_slot(sum, t->slot);
	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1))
		sum->n_going_on += t->row[id]->depth;
}

static void sum_lacks(struct tt_lacks *sum)
{
	struct tt_guard g;

	sum->n_unkept = tt_regions.n_unkept;
	tt_guard_enter(&g);
	add_slot(sum, tt_regions.ended.block[0]);
	for (unsigned slot = 1; slot < tt_regions.n_slots; slot++)
		if (tt_regions.thread[slot])
			add_thread(sum, tt_regions.thread[slot]);
	tt_guard_leave(&g);
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
	const uint32_t n = tt_regions_n();
	struct tt_lacks lacks = {.n_waited = 0};

	o->held = lines->once;
	lines->head(o);
	o->held = false;
	if (lines->once && tt_destination_begins_with(o->text, o->n))
		tt_output_drop(o);
	for (uint32_t id = tt_sum_find(1); id && id <= n; id = tt_sum_find(id + 1)) {
		tt_sum_row(sum, (void *)room->scratch, id);
		lacks.n_waited += sum->n_waited;
		if (sum->calls)
			lines->row(o, &(struct tt_subject){tt_regions.region[id - 1].label, 0},
				   sum);
		if (sum->calls && tt_regions.by_thread)
			write_threads(room, lines, id);
	}
	sum_lacks(&lacks);
	tt_lacks_write(o, lines, &lacks);
}

static ssize_t write_file(struct tt_output *o, const char *text, size_t size)
{
	return tt_destination_write(o->fd, text, size);
}

static int report(struct room *room)
{
	const int fd = tt_destination_open();

	if (fd < 0)
		return -1;
	tt_output_begin(&room->output, tt_regions.header, fd, write_file);
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

	if (!__atomic_load_n(&tt_regions.header, __ATOMIC_ACQUIRE))
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
