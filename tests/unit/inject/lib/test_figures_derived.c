/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers derived from others, for a made-up row. */
#include <string.h>

#include "inject/lib/figures.h"
#include "tap.h"

static struct table_header header = {
	.ns_per_tick = 1ull << 32,
	.n_events = 3,
	.event = {{.name = "cycles:u"}, {.name = "misses"}, {.name = "instructions:u"}},
};
static uint64_t space[512];

/* Makes the row of a single call. */
static struct table_row *make_row(uint64_t ns, uint64_t cycles, uint64_t misses,
				  uint64_t instructions)
{
	const uint64_t number[] = {ns, cycles, misses, instructions};
	struct table_row *row = (void *)space;

	memset(space, 0, sizeof space);
	row->calls = 1;
	for (uint32_t i = 0; i < 4; i++)
		table_quantity(row, i)->base = number[i];
	return row;
}

static struct tt_derived get(struct table_row *row, const char *name)
{
	struct tt_derived d = {.known = false};

	for (uint32_t k = 0; k < tt_derived_n(&header); k++) {
		tt_derived_get(&d, &header, row, k);
		if (!strcmp(d.name, name))
			return d;
	}
	tap_ok(false, "there is '%s'", name);
	return d;
}

static void check_ipc(void)
{
	struct table_row *row = make_row(1000, 400, 7, 600);

	tap_int((int)tt_derived_n(&header), 1, "without work there is the IPC alone");
	tap_num(get(row, "ipc").value, 1.5, "of both events");
	table_quantity(row, 3)->n_unknown = 1;
	tap_ok(!get(row, "ipc").known, "without instructions it is not known");
	tap_ok(!get(make_row(1000, 0, 7, 600), "ipc").known, "nor without cycles");
	memcpy(header.event[0].name, "cycles:k", sizeof "cycles:k");
	tap_int((int)tt_derived_n(&header), 0, "of another mode there is none");
	memcpy(header.event[0].name, "cpu-cycles:u", sizeof "cpu-cycles:u");
	tap_int((int)tt_derived_n(&header), 1, "under another name there is");
}

static void check_work(void)
{
	struct table_row *row = make_row(2000, 400, 7, 600);

	memcpy(header.unit[0], "bytes", sizeof "bytes");
	memcpy(header.unit[1], "items", sizeof "items");
	header.n_units = 2;
	row->work[0] = 1600;
	tap_num(get(row, "bytes").value, 1600, "work");
	tap_num(get(row, "bytes/s").value, 800e6, "a second");
	tap_num(get(row, "cpu-cycles:u/bytes").value, 0.25, "what an event counted for one");
	table_quantity(row, 2)->n_unknown = 1;
	tap_ok(!get(row, "misses/bytes").known, "where it has not, that is not known");
	tap_ok(!get(row, "items").known && !get(row, "items/s").known,
	       "no work of a unit: it has no number");
}

int main(void)
{
	check_ipc();
	check_work();
	return tap_done();
}
