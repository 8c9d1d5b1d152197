/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/lib/abandoned.h"
#include "inject/lib/local.h"
#include "inject/lib/overhead.h"
#include "inject/lib/regions.h"

static pthread_key_t key; /* its destructor runs when a thread ends */

/* So many regions in each other are usual. */
#define USUAL_DEPTH 8

/* A thread for which there is no memory or slot: it measures nothing. No process has this mark. */
static uint32_t no_mark;
static struct tt_thread homeless; /* large, so it has no bytes in the file of the library */

static bool read_nothing(struct tt *t, struct tt_value value[])
{
	(void)t, (void)value;
	return true;
}

/* --- a thread --- */

static void unmap(struct tt_thread *t)
{
	munmap(t, sizeof *t);
}

static void leave(void *thread)
{
	struct tt_thread *t = thread;
	struct tt_guard g;

	if (t != tt_local.thread || t->fork_mark != *t->fork_page)
		return;
	tt_guard_enter(&g);
	tt_local.thread = &homeless;
	tt_abandon_all(t);
	if (t->counters)
		tt_counters_close(t->counters);
	tt_regions_give_slot(t);
	unmap(t);
	tt_guard_leave(&g);
}

/* What it has of its parent: descriptors and memory. */
void tt_thread_forget(void)
{
	struct tt_thread *t = tt_local.thread;

	tt_local.thread = NULL;
	if (!t || t == &homeless)
		return;
	pthread_setspecific(key, NULL);
	if (t->counters)
		tt_counters_leave(t->counters);
	unmap(t);
}

void tt_thread_prepare(void)
{
	homeless.fork_page = &no_mark;
	homeless.fork_mark = UINT32_MAX;
	pthread_key_create(&key, leave);
}

static void open_counters(struct tt_thread *t)
{
	t->read = read_nothing;
	if (!tt_regions.found)
		return;
	t->counters = &t->own_counters;
	tt_counters_copy(t->counters, tt_regions.found);
	if (tt_regions.in_order)
		tt_in_order(t->counters, 1);
	t->read = t->counters->read;
	t->n_events = (uint32_t)tt_count(t->counters);
}

/* NULL: there is no memory or slot. Under the guard. */
static struct tt_thread *make(void)
{
	struct tt_thread *t =
		mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	/* Else regions in each other would have page faults of the library. */
	madvise(t, offsetof(struct tt_thread, frame[USUAL_DEPTH]), MADV_POPULATE_WRITE);
	open_counters(t);
	if (!tt_regions_begin(t->counters) || !tt_regions_take_slot(t)) {
		if (t->counters)
			tt_counters_close(t->counters);
		unmap(t);
		return NULL;
	}
	t->quick = t->steady = tt_clock_speed() != 0;
	t->fork_mark = tt_fork_mark();
	t->fork_page = tt_fork_page;
	t->frame[0].id = THREAD_NO_REGION;
	t->top = &t->frame[1];
	t->limit = t->top + THREAD_DEPTH;
	t->limit->id = THREAD_NO_REGION;
	tt_stack_find(t);
	if (!tt_regions.header->overhead_ticks)
		tt_overhead_measure(t);
	return t;
}

struct tt_thread *tt_thread_enter(void)
{
	struct tt_thread *t = tt_local.thread;
	struct tt_guard g;

	if (t == &homeless)
		return t;
	if (t)
		tt_regions_forget();
	tt_guard_enter(&g);
	tt_local.thread = &homeless;
	t = make();
	if (t) {
		pthread_setspecific(key, t);
		tt_local.thread = t;
	}
	tt_guard_leave(&g);
	return tt_local.thread;
}

/* Returns whether calls go on that began before measuring did, for the last time. */
static bool straddles(const struct tt_thread *t)
{
	return t->top > &t->frame[1] && t->frame[1].ticks < tt_regions.start_ticks;
}

/* Lets rows count from 0 on whose regions were reset. Those of calls that go on wait for the end of
 * these; of a row that is being written nothing is changed yet. */
static __attribute__((cold)) void catch_up(struct tt_thread *t)
{
	struct tt_guard g;

	if (t->writing)
		return;
	tt_guard_enter(&g);
	if (t->behind)
		tt_regions_renew_rows(t);
	__atomic_store_n(&t->behind, false, __ATOMIC_RELAXED);
	__atomic_store_n(&t->quick, t->steady && !straddles(t), __ATOMIC_RELAXED);
	tt_guard_leave(&g);
}

struct table_row *tt_thread_find_row(struct tt_thread *t, struct tt_region *region)
{
	uint32_t id = thread_region_id(region);
	struct table_row *row;
	struct tt_guard g;

	/* Who says that it is not quick has said before that it is behind. */
	atomic_thread_fence(memory_order_acquire);
	if (__atomic_load_n(&t->behind, __ATOMIC_RELAXED) ||
	    (!thread_is_quick(t) && t->steady && !straddles(t)))
		catch_up(t);
	row = t->row[id];
	if (row && row != tt_regions_no_row)
		return row;
	if (id == REGIONS_NO_ROOM)
		return NULL;
	tt_guard_enter(&g);
	if (!id) {
		id = tt_regions_find(region->label);
		__atomic_store_n(&region->id, id, __ATOMIC_RELAXED);
	}
	row = id == REGIONS_NO_ROOM ? NULL : tt_regions_take_row(t, id);
	tt_guard_leave(&g);
	return row;
}

bool tt_thread_is_writing(void)
{
	return tt_local.thread && tt_local.thread->writing;
}

bool tt_thread_defer_report(void)
{
	struct tt_thread *t = tt_local.thread;

	if (!tt_thread_is_writing())
		return false;
	t->report_waits = true;
	if (!t->n_waiting) {
		t->waiting[0].row = NULL;
		t->n_waiting = 1;
	}
	return true;
}
