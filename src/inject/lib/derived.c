/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/derived.h"

#include <stdio.h>
#include <string.h>

#include "inject/lib/figure.h"

/* Returns whether `name` consists of the event and the modifier. */
static bool is_event(const char *name, const char *event, const char *modifier)
{
	const size_t n = strlen(event);

	return !strncmp(name, event, n) && !strcmp(name + n, modifier);
}

/* Returns the index of the quantity "instructions", and sets *cycles to the index of "cycles" with
 * the same modifier. Returns 0 if the table does not have both. */
static uint32_t find_instructions(const struct table_header *h, uint32_t *cycles)
{
	for (uint32_t i = 1; i <= h->n_events; i++) {
		const char *modifier = strchrnul(h->event[i - 1].name, ':');

		if (!is_event(h->event[i - 1].name, "instructions", modifier))
			continue;
		for (*cycles = 1; *cycles <= h->n_events; ++*cycles)
			if (is_event(h->event[*cycles - 1].name, "cycles", modifier) ||
			    is_event(h->event[*cycles - 1].name, "cpu-cycles", modifier))
				return i;
	}
	return 0;
}

uint32_t tt_derived_n(const struct table_header *h)
{
	uint32_t cycles;

	return (find_instructions(h, &cycles) != 0) +
	       __atomic_load_n(&h->n_units, __ATOMIC_ACQUIRE) * (2 + h->n_events);
}

static void divide(struct tt_derived *d, double by)
{
	d->known = d->known && by > 0;
	d->value = d->known ? d->value / by : 0;
}

/* Sets *d to the sum of quantity i over all calls. */
static void set_sum(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t i)
{
	const struct tt_figure f = tt_figure_of(h, row, i);

	d->known = f.whole;
	d->value = (double)f.sum;
}

static void get_ipc(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t instructions, uint32_t cycles)
{
	snprintf(d->name, sizeof d->name, "ipc");
	d->decimals = 3;
	if (!row)
		return;
	set_sum(d, h, row, instructions);
	divide(d,
	       tt_figure_of(h, row, cycles).whole ? (double)tt_figure_of(h, row, cycles).sum : 0);
}

/* Computes number k of unit u: 0: the total; 1: the rate per second; from 2 on: the count of event
 * k - 2 per unit. */
static void get_work(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		     uint32_t u, uint32_t k)
{
	const char *unit = h->unit[u];
	const double work = row ? (double)row->work[u] : 0;

	d->decimals = k == 0 ? 0 : k == 1 ? 3 : 6;
	if (k > 1)
		snprintf(d->name, sizeof d->name, "%s/%s", h->event[k - 2].name, unit);
	else
		snprintf(d->name, sizeof d->name, k ? "%s/s" : "%s", unit);
	if (!row || !work)
		return;
	if (k > 1) {
		set_sum(d, h, row, k - 1);
		divide(d, work);
		return;
	}
	d->known = true;
	d->value = work;
	if (k)
		divide(d, (double)tt_figure_of(h, row, 0).sum / 1e9);
}

void tt_derived_get(struct tt_derived *d, const struct table_header *h, struct table_row *row,
		    uint32_t k)
{
	const uint32_t of_unit = 2 + h->n_events;
	uint32_t cycles;
	const uint32_t instructions = find_instructions(h, &cycles);

	*d = (struct tt_derived){.known = false};
	if (instructions && !k--)
		get_ipc(d, h, row, instructions, cycles);
	else
		get_work(d, h, row, k / of_unit, k % of_unit);
}
