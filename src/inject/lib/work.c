/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of thread: the work that regions do, in units that the program names. */
#include "inject/lib/thread.h"

#include <string.h>
#include <tiptop.h>

#include "inject/lib/local.h"
#include "inject/lib/regions.h"

static uint32_t find_unit(const char *unit)
{
	const uint32_t n = __atomic_load_n(&tt_regions.n_units, __ATOMIC_ACQUIRE);
	uint32_t u = 0;

	while (u < n && strcmp(tt_regions.unit[u], unit) != 0)
		u++;
	return u < n ? u : TABLE_UNITS;
}

/* TABLE_UNITS: there is no room, which is noted. */
static uint32_t add_unit(const char *unit)
{
	const size_t len = strlen(unit);
	struct tt_guard g;
	uint32_t u;

	tt_guard_enter(&g);
	u = find_unit(unit);
	if (u == TABLE_UNITS && len && len < TABLE_UNIT_MAX && tt_regions.n_units < TABLE_UNITS) {
		u = tt_regions.n_units;
		memcpy(tt_regions.unit[u], unit, len + 1);
		memcpy(tt_regions.header->unit[u], unit, len + 1);
		__atomic_store_n(&tt_regions.header->n_units, u + 1, __ATOMIC_RELEASE);
		__atomic_store_n(&tt_regions.n_units, u + 1, __ATOMIC_RELEASE);
	}
	tt_regions.header->n_unitless += u == TABLE_UNITS;
	tt_guard_leave(&g);
	return u;
}

/* NULL: there is no room. */
static struct table_row *find_row(struct tt_region *region)
{
	struct tt_thread *t = tt_local.thread;

	if (!t || t->fork_mark != *t->fork_page)
		t = tt_thread_enter();
	if (!t->slot)
		return NULL;
	return tt_thread_find_row(t, region);
}

/* A handler may add to it amid an addition. */
void tt_region_work(struct tt_region *region, const char *unit, uint64_t n)
{
	struct table_row *row = find_row(region);
	uint32_t u;

	if (!row || !unit)
		return;
	u = find_unit(unit);
	if (u == TABLE_UNITS)
		u = add_unit(unit);
	if (u < TABLE_UNITS)
		__atomic_fetch_add(&row->work[u], n, __ATOMIC_RELAXED);
}

void tt_work(const char *label, const char *unit, uint64_t n)
{
	if (tt_enabled)
		tt_region_work(tt_region_of(label), unit, n);
}
