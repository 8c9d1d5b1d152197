/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of counters: reads them. */
#include <errno.h>
#include <math.h>

#include "inject/lib/counters.h"

static const struct page_hardware hardware = {
	arch_read_pmc,
	arch_read_time,
	ARCH_OFFSET_IS_COUNT,
	ARCH_COUNTERS,
};

/* Returns whether the counts read from a group include those of the part. */
static bool has_part(const struct descriptor_group *group, const struct counters_part *part)
{
	const uint64_t place = (uint64_t)part->place;

	return place < group->n && place < DESCRIPTOR_COUNTERS &&
	       group->counter[place].id == part->id;
}

/* Notes that the descriptor of a part was closed, or is another file now. */
static void lose_part(struct tt *t, struct counters_part *part)
{
	part->leader = -1;
	t->reason[part->event] = EBADF;
	t->lost = true;
}

/* Reads the parts of the group with this leader. Returns a bit for each of these parts. */
static uint32_t read_group(struct tt *t, int leader, struct tt_value value[])
{
	struct descriptor_group group;
	const bool there = tt_descriptor_read(leader, &group);
	uint32_t read = 0;

	for (int i = 0; i < t->n_parts; i++) {
		struct counters_part *part = &t->part[i];

		if (part->leader != leader)
			continue;
		read |= 1u << i;
		value[i] = (struct tt_value){.opening = t->mark.opening, .state = TT_DENIED};
		if (there && has_part(&group, part)) {
			value[i].count = group.counter[part->place].count;
			value[i].enabled = group.enabled;
			value[i].running = group.running;
			value[i].state = group.enabled == group.running ? TT_SYSCALL : TT_SCALED;
		} else if (leader >= 0) {
			lose_part(t, part);
		}
	}
	return read;
}

/* Reads the parts whose bits are set in `call` by read(2), group by group. */
static void read_calls(struct tt *t, uint32_t call, struct tt_value part[])
{
	for (int i = 0; i < t->n_parts; i++)
		if (call >> i & 1)
			call &= ~read_group(t, t->part[i].leader, part);
}

/* Adds a part, the count on one kind of cores, to the value of its event. All parts are enabled
 * whenever the thread runs, and one of them is running. */
static void add_part(struct tt_value *value, const struct tt_value *part, bool first)
{
	if (first) {
		*value = *part;
		return;
	}
	value->count += part->count;
	value->running += part->running;
	if (part->enabled > value->enabled)
		value->enabled = part->enabled;
	value->state = value->running < value->enabled                           ? TT_SCALED
		       : value->state == TT_SYSCALL || part->state == TT_SYSCALL ? TT_SYSCALL
										 : TT_OK;
}

static void read_clock(struct tt *t, struct tt_value value[])
{
	enum tt_state state;
	uint64_t ns;

	if (t->clock < 0)
		return;
	ns = tt_clock_read(&t->time, &state);
	value[t->clock] = (struct tt_value){ns, ns, ns, t->mark.opening, state};
}

/* Also handles events that have several parts or no part. */
void tt_counters_read(struct tt *t, struct tt_value value[])
{
	struct tt_value part[COUNTERS_PARTS_MAX];
	bool read[TT_MAX_EVENTS] = {false};
	uint32_t call;

	for (int i = 0; i < t->n; i++)
		value[i] = (struct tt_value){.opening = t->mark.opening, .state = t->state[i]};
	call = page_read_all(t->page, t->n_mapped, t->limits, &hardware, t->mark.opening, part);
	for (int i = t->n_mapped; i < t->n_parts; i++)
		call |= 1u << i;
	read_calls(t, call, part);
	for (int i = 0; i < t->n_parts; i++) {
		int event = t->part[i].event;

		add_part(&value[event], &part[i], !read[event]);
		read[event] = true;
	}
	read_clock(t, value);
}

/* The general case: reads events for which tt_counters_choose() selects neither READ_DIRECT() nor
 * read_grouped(), and reads that these two functions could not complete. */
static __attribute__((noinline, cold)) bool read_long(struct tt *t, struct tt_value value[])
{
	tt_counters_read(t, value);
	return false;
}

/* Reads software events: they have no pages and are one group, so one system call reads all of
 * them. The task clock may be among the events. */
static bool read_grouped(struct tt *t, struct tt_value value[])
{
	struct tt_value now = {.opening = t->mark.opening, .state = TT_SYSCALL};
	struct descriptor_group group;

	if (!tt_descriptor_read(t->part[0].leader, &group))
		return read_long(t, value);
	now.enabled = group.enabled;
	now.running = group.running;
	if (group.enabled != group.running)
		now.state = TT_SCALED;
	for (int i = 0; i < t->n_parts; i++) {
		const struct counters_part *part = &t->part[i];

		if (!has_part(&group, part))
			return read_long(t, value);
		now.count = group.counter[part->place].count;
		value[part->event] = now;
	}
	read_clock(t, value);
	return false;
}

/* n is a compile-time constant in each inlined copy, so the loops over pages are unrolled. */
PAGE_INLINE bool read_direct(struct tt *t, int n, struct tt_value value[])
{
	return page_read_counts(t->page, n, &hardware, value) || read_long(t, value);
}

#define READ_DIRECT(n)                                                                             \
	static bool read_direct_##n(struct tt *t, struct tt_value value[])                         \
	{                                                                                          \
		return read_direct(t, n, value);                                                   \
	}

READ_DIRECT(1)
READ_DIRECT(2)
READ_DIRECT(3)
READ_DIRECT(4)

/* Reads the counters after all earlier instructions have been executed, and before any later
 * instruction begins. */
static bool read_in_order(struct tt *t, struct tt_value value[])
{
	bool plain;

	arch_wait();
	plain = t->direct(t, value);
	arch_wait();
	return plain;
}

/* Returns whether each event but the task clock has one part, and all parts are in one group. */
static bool is_grouped(const struct tt *t)
{
	uint32_t events = t->clock >= 0 ? 1u << t->clock : 0;

	if (t->n_mapped || !t->n_parts || t->n_parts + (t->clock >= 0) != t->n)
		return false;
	for (int i = 0; i < t->n_parts; i++) {
		if (t->part[i].leader != t->part[0].leader)
			return false;
		events |= 1u << t->part[i].event;
	}
	return events == (1u << t->n) - 1;
}

void tt_counters_choose(struct tt *t)
{
	static const reader_t direct[] = {
		NULL, read_direct_1, read_direct_2, read_direct_3, read_direct_4,
	};
	size_t n = (size_t)t->n;
	bool usual = t->n_mapped == t->n && t->n_parts == t->n && !t->limits;

	for (int i = 0; i < t->n_parts; i++)
		usual &= t->part[i].event == i;
	usual &= n < sizeof direct / sizeof *direct;
	t->single = usual && n == 1 ? t->page[0] : NULL;
	t->read = usual ? direct[n] : is_grouped(t) ? read_grouped : read_long;
	if (!t->in_order)
		return;
	t->single = NULL;
	t->direct = t->read;
	t->read = read_in_order;
}

void tt_in_order(struct tt *t, int yes)
{
	t->in_order = yes;
	tt_counters_choose(t);
}

/* Handles tt_read() in another thread, or in a child process. */
static __attribute__((noinline, cold)) int read_foreign(struct tt *t, struct tt_value value[])
{
	if (t->thread != arch_thread()) {
		for (int i = 0; i < t->n; i++)
			value[i] = (struct tt_value){.state = TT_DENIED};
		return tt_error_set(1,
				    "these counters belong to another thread: each opens its own");
	}
	tt_counters_reopen(t);
	tt_counters_read(t, value);
	return 0;
}

/* Sets the text of tt_strerror() for counters whose descriptors the program has closed. Called once
 * for each such loss, as t->lost is cleared. */
static __attribute__((noinline, cold)) void explain_lost(struct tt *t)
{
	for (int i = 0; i < t->n; i++)
		if (t->reason[i] == EBADF)
			tt_error_set(EBADF,
				     "'%s' is not counted any more: the program has closed its "
				     "descriptor",
				     t->name[i]);
	t->lost = false;
}

static __attribute__((noinline)) int read_several(struct tt *t, struct tt_value value[])
{
	if (t->read(t, value))
		page_complete(t->n, t->mark, value);
	else if (t->lost)
		explain_lost(t);
	return 0;
}

/* A single counter, the most frequent case, is read without a function call. */
int tt_read(struct tt *t, struct tt_value value[])
{
	page_t *const page = t->single;

	if (__builtin_expect(*t->owner != arch_thread(), 0))
		return read_foreign(t, value);
	if (page && page_read_fast(&page, 1, &hardware, t->mark, value))
		return 0;
	return read_several(t, value);
}

double tt_between(const struct tt_value *from, const struct tt_value *to)
{
	uint64_t enabled = to->enabled - from->enabled, running = to->running - from->running;
	double count = (double)(int64_t)(to->count - from->count);

	if (from->opening != to->opening || from->state >= TT_DENIED || to->state >= TT_DENIED ||
	    !to->running)
		return NAN;
	if (enabled == running)
		return count;
	return running ? count * (double)enabled / (double)running : NAN;
}
