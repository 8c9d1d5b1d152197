/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of counters: opens and closes them. */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject/lib/counters.h"
#include "pmu/perf/sys.h"

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
