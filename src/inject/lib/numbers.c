/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of figure: tt_get_numbers(), by which a program reads the numbers of its own regions. */
#include "inject/lib/figures.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <tiptop.h>

#include "inject/lib/counters.h"
#include "inject/lib/regions.h"
#include "inject/lib/sum.h"
#include "inject/lib/thread.h"

_Static_assert(TABLE_UNITS == TT_MAX_UNITS, "as the header says");

/* Sets the numbers to those of a region that was never called. */
static void begin_numbers(struct tt_numbers *n)
{
	const struct tt *found = tt_regions.found;

	*n = (struct tt_numbers){.time_ns = NAN, .n_events = found ? (uint32_t)found->n : 0};
	n->n_units = tt_regions.n_units;
	for (uint32_t u = 0; u < n->n_units; u++)
		n->unit[u] = tt_regions.unit[u];
	for (uint32_t i = 0; i < n->n_events; i++) {
		n->event[i] = found->name[i];
		n->count[i] = NAN;
		n->state[i] = "unread";
	}
}

static double number_of(const struct tt_figure *f)
{
	return f->whole ? (double)f->sum : (double)NAN;
}

static void set_numbers(struct tt_numbers *n, struct table_row *row)
{
	struct tt_figure f = tt_figure_of(tt_regions.header, row, 0);

	n->calls = row->calls;
	memcpy(n->work, row->work, sizeof n->work);
	n->time_ns = number_of(&f);
	for (uint32_t i = 0; i < n->n_events; i++) {
		f = tt_figure_of(tt_regions.header, row, i + 1);
		n->count[i] = number_of(&f);
		n->state[i] = f.state;
	}
}

int tt_get_numbers(const char *label, enum tt_whose whose, struct tt_numbers *numbers)
{
	uint64_t row[TABLE_ROW_WORDS], scratch[TABLE_ROW_WORDS];
	struct table_row *sum = (void *)row;
	uint32_t id;

	if (tt_regions_check())
		return -1;
	if (tt_thread_is_writing()) {
		tt_error_set(EAGAIN, "the signal has interrupted the thread while it was writing "
				     "down a call");
		return -1;
	}
	begin_numbers(numbers);
	id = tt_regions_look_up(label);
	if (!id)
		return 0;
	(whose == TT_THREAD ? tt_sum_own_row : tt_sum_row)(sum, (void *)scratch, id);
	set_numbers(numbers, sum);
	return 0;
}
