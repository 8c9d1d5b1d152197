/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of counters: opens and reads them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/lib/counters.h"
#include "pmu/perf/sys.h"

/* ---- opening and closing ---- */

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int open_here(const struct perf_event_attr *attr, int leader)
{
	return perf_kernel_open(NULL, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* Returns whether the kernel may have refused the attributes rather than the event. */
static bool may_be_attributes(int ret)
{
	return ret == -EINVAL || ret == -EOPNOTSUPP;
}

/* Opens an event with as many exclusions as its PMU supports: some PMUs cannot exclude guests, and
 * some cannot exclude any mode. Sets *all_modes if the event could be opened in all modes only. */
static int open_attr(const struct perf_event_attr *attr, int leader, bool *all_modes)
{
	struct perf_event_attr less = *attr;
	int fd = open_here(attr, leader), all;

	if (!may_be_attributes(fd))
		return fd;
	less.exclude_guest = 0;
	if (attr->exclude_guest)
		fd = open_here(&less, leader);
	if (!may_be_attributes(fd) || (!less.exclude_user && !less.exclude_kernel))
		return fd;
	less.exclude_user = less.exclude_kernel = less.exclude_hv = less.exclude_host = 0;
	all = open_here(&less, leader);
	*all_modes |= all >= 0;
	return all >= 0 ? all : fd;
}

static int open_low(const struct tt *t, int i, int leader, bool *all_modes)
{
	static const uint64_t config1[] = ARCH_USER_CONFIG1;
	const struct event *e = &t->set.event[i];
	struct perf_event_attr attr;
	int fd = -EINVAL;

	event_attr(&t->set, i, true, false, &attr);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!event_is_hardware(e) || e->config1)
		return open_attr(&attr, leader, all_modes);
	for (size_t k = 0; k < sizeof config1 / sizeof *config1; k++) {
		attr.config1 = config1[k];
		fd = open_attr(&attr, leader, all_modes);
		if (fd != -EINVAL && fd != -EOPNOTSUPP)
			return fd;
	}
	return fd;
}

static int open_event(struct tt *t, int i, int leader)
{
	bool all_modes = false;
	const int fd = open_low(t, i, leader, &all_modes);

	t->all_modes |= (uint32_t)all_modes << t->set.event[i].counter;
	return fd < 0 ? fd : tt_descriptor_lift(fd);
}

static page_t *map_page(int fd)
{
	page_t *page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (page->cap_user_rdpmc)
		return page;
	munmap((void *)(uintptr_t)page, page_size());
	return NULL;
}

/* Returns the state of an event that the kernel refused with this errno. */
static enum tt_state state_of_error(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EINVAL:
	case EOPNOTSUPP:
		return TT_NO_PMU;
	default:
		return TT_DENIED;
	}
}

/* The kernel groups being opened: one for each kind of cores, one for software events. */
struct groups {
	int leader[COUNTERS_CORES_MAX + 1], n[COUNTERS_CORES_MAX + 1];
};

/* Opens a part in its group, whose members are all counted at the same time. If the PMU has no room
 * for the part in the group, opens it alone. */
static int open_part(struct tt *t, int i, struct groups *groups)
{
	const struct event *e = &t->set.event[i];
	struct counters_part *part = &t->part[t->n_parts];
	int g = e->type == PERF_TYPE_SOFTWARE ? COUNTERS_CORES_MAX : e->core;

	*part = (struct counters_part){.fd = -EINVAL, .event = e->counter};
	if (g >= 0 && groups->n[g])
		part->fd = open_event(t, i, groups->leader[g]);
	if (part->fd >= 0) {
		part->leader = groups->leader[g];
		part->place = groups->n[g]++;
	} else {
		if (part->fd == -EINVAL)
			part->fd = open_event(t, i, -1);
		if (part->fd < 0)
			return part->fd;
		part->leader = part->fd;
		if (g >= 0 && !groups->n[g]) {
			groups->leader[g] = part->fd;
			groups->n[g] = 1;
		}
	}
	ioctl(part->fd, PERF_EVENT_IOC_ID, &part->id);
	part->page = map_page(part->fd);
	t->n_parts++;
	return 0;
}

static void open_parts(struct tt *t)
{
	struct groups groups = {.n = {0}};

	for (int i = 0; i < t->set.n; i++) {
		const struct event *e = &t->set.event[i];
		int ret;

		if (e->quality != QUALITY_EXACT || e->counter == t->clock)
			continue;
		ret = open_part(t, i, &groups);
		if (ret < 0) {
			t->reason[e->counter] = (uint8_t)-ret;
			t->state[e->counter] = (uint8_t)state_of_error(-ret);
		}
	}
}

/* Orders the parts that have a page before the others, and both by events. */
static int compare_parts(const struct counters_part *a, const struct counters_part *b)
{
	return !a->page != !b->page ? !a->page - !b->page : a->event - b->event;
}

static void order_parts(struct tt *t)
{
	/* Insertion sort, since qsort() may allocate memory. */
	for (int i = 1; i < t->n_parts; i++)
		for (int k = i; k && compare_parts(&t->part[k - 1], &t->part[k]) > 0; k--) {
			const struct counters_part part = t->part[k];

			t->part[k] = t->part[k - 1];
			t->part[k - 1] = part;
		}
	t->n_mapped = 0;
	while (t->n_mapped < t->n_parts && t->part[t->n_mapped].page) {
		t->page[t->n_mapped] = t->part[t->n_mapped].page;
		t->n_mapped++;
	}
}

void tt_counters_open(struct tt *t)
{
	struct tt_value value[TT_MAX_EVENTS];

	memset(t->reason, 0, sizeof t->reason);
	if (t->clock >= 0)
		tt_clock_open(&t->time);
	open_parts(t);
	order_parts(t);
	tt_counters_choose(t);
	tt_counters_read(t, value);
	for (int i = 0; i < t->n; i++)
		t->state[i] = (uint8_t)value[i].state;
}

bool tt_counters_need_calls(const struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++)
		if (!t->part[i].page || t->state[t->part[i].event] != TT_OK)
			return true;
	return false;
}

void tt_counters_close(struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++) {
		if (t->part[i].page)
			munmap((void *)(uintptr_t)t->part[i].page, page_size());
		tt_descriptor_close(t->part[i].fd, t->part[i].id);
	}
	t->n_parts = t->n_mapped = 0;
	if (t->clock >= 0)
		tt_clock_close(&t->time);
}

/* ---- reading ---- */

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
	if (t->reason[part->event] != EBADF)
		t->lost |= 1u << part->event;
	t->reason[part->event] = EBADF;
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
	value->state = value->state >= TT_DENIED || part->state >= TT_DENIED     ? TT_DENIED
		       : value->running < value->enabled                         ? TT_SCALED
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

/* Reads events that have no pages and are one group, such as software events, by one system call.
 * The task clock may be among the events. */
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

/* Returns whether each event but the task clock has one part, no part has a page, and all parts are
 * in one group. */
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

/* Sets the text of tt_strerror() for counters whose descriptors the program has closed. Called once
 * for each such loss, as t->lost is cleared. */
static __attribute__((noinline, cold)) void explain_lost(struct tt *t)
{
	for (int i = 0; i < t->n; i++)
		if (t->lost >> i & 1)
			tt_error_set(EBADF,
				     "'%s' is not counted any more: the program has closed its "
				     "descriptor",
				     t->name[i]);
	t->lost = 0;
}

static __attribute__((noinline)) int read_several(struct tt *t, struct tt_value value[])
{
	if (t->read(t, value))
		page_complete(t->n, t->mark, value);
	else if (t->lost)
		explain_lost(t);
	return 0;
}

/* Handles tt_read() in another thread, or in a child process. */
static __attribute__((noinline, cold)) int read_foreign(struct tt *t, struct tt_value value[])
{
	if (t->thread != tt_local.number) {
		for (int i = 0; i < t->n; i++)
			value[i] = (struct tt_value){.state = TT_DENIED};
		return tt_error_set(1,
				    "these counters belong to another thread: each opens its own");
	}
	tt_counters_reopen(t);
	return read_several(t, value);
}

/* A single counter, the most frequent case, is read without a function call. */
int tt_read(struct tt *t, struct tt_value value[])
{
	page_t *const page = t->single;

	if (__builtin_expect(*t->owner != tt_local.number, 0))
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
