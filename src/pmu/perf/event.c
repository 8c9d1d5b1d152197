/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/perf/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void event_set_init(struct event_set *set)
{
	memset(set, 0, sizeof *set);
}

void event_set_done(struct event_set *set)
{
	for (int i = 0; i < set->n; i++) {
		free(set->event[i].name);
		free(set->event[i].what);
		free(set->event[i].pmu);
		free(set->event[i].format);
		free(set->event[i].resolved);
	}
	free(set->event);
	free(set->together);
	event_set_init(set);
}

static void copy_texts(struct event *e)
{
	e->name = xstrdup(e->name);
	e->what = xstrdup_or_null(e->what);
	e->pmu = xstrdup_or_null(e->pmu);
	e->format = xstrdup_or_null(e->format);
	e->resolved = xstrdup_or_null(e->resolved);
}

void event_set_copy(struct event_set *out, const struct event_set *set)
{
	const size_t n = (size_t)set->n, n_together = (size_t)set->n_together;

	*out = *set;
	out->event = n ? xreallocarray(NULL, n, sizeof *set->event) : NULL;
	out->together = n_together ? xreallocarray(NULL, n_together, sizeof *set->together) : NULL;
	for (size_t i = 0; i < n; i++) {
		out->event[i] = set->event[i];
		copy_texts(&out->event[i]);
	}
	for (size_t i = 0; i < n_together; i++)
		out->together[i] = set->together[i];
}

struct event *event_set_add_part(struct event_set *set, const char *name)
{
	struct event *e;

	if (set->n == EVENT_SET_MAX)
		return NULL;
	set->event = xreallocarray(set->event, (size_t)set->n + 1, sizeof *set->event);
	e = &set->event[set->n++];
	memset(e, 0, sizeof *e);
	e->name = xstrdup(name);
	e->counter = (uint8_t)(set->n_counters - 1);
	return e;
}

struct event *event_set_add(struct event_set *set, const char *name)
{
	if (set->n == EVENT_SET_MAX)
		return NULL;
	set->n_counters++;
	return event_set_add_part(set, name);
}

void event_set_join(struct event_set *set, uint64_t counters)
{
	set->together =
		xreallocarray(set->together, (size_t)set->n_together + 1, sizeof *set->together);
	set->together[set->n_together++] = counters;
}

const char *event_set_counter_name(const struct event_set *set, int counter)
{
	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter)
			return set->event[i].what ? set->event[i].what : set->event[i].name;
	return "?";
}

void event_set_counter_names(const struct event_set *set, const char *name[])
{
	for (int c = 0; c < set->n_counters; c++)
		name[c] = event_set_counter_name(set, c);
}

bool event_is_hardware(const struct event *e)
{
	return e->type != PERF_TYPE_SOFTWARE && e->type != PERF_TYPE_TRACEPOINT && !e->all_modes;
}

bool event_is_kernel_side(const struct event *e)
{
	return e->type == PERF_TYPE_SOFTWARE && (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						 e->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

static void set_modes(const struct event_set *set, const struct event *e,
		      struct perf_event_attr *attr)
{
	if (event_has_no_modes(e))
		return;
	attr->exclude_guest = !e->guest_too;
	attr->exclude_host = e->no_host;
	/* A modifier such as :k takes precedence over the modes of the set. */
	if (e->own_modes) {
		attr->exclude_user = e->no_user;
		attr->exclude_kernel = e->no_kernel;
		attr->exclude_hv = e->no_hv;
	} else {
		attr->exclude_user = set->no_user;
		attr->exclude_kernel = !set->kernel && !event_is_kernel_side(e);
		attr->exclude_hv = attr->exclude_kernel;
	}
}

void event_attr(const struct event_set *set, int i, bool leader, bool on_exec,
		struct perf_event_attr *attr)
{
	const struct event *e = &set->event[i];

	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	attr->type = e->type;
	attr->config = e->config;
	attr->config1 = e->config1;
	attr->config2 = e->config2;
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	set_modes(set, e, attr);
	attr->inherit = set->inherit || set->children;
	attr->inherit_thread = set->inherit && !set->children;
	/* PERF_SAMPLE_READ, although no sample is ever taken, makes the kernel switch the events
	 * of each task. Without it, at a context switch between two tasks with equal events, the
	 * kernel swaps their counts by list position, which the events of another tool can
	 * change. */
	if (set->finals) {
		attr->inherit_stat = 1;
		attr->sample_id_all = 1;
		attr->sample_type =
			PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_READ;
	}
	/* Only the leader is opened disabled: members count whenever their leader does. */
	attr->disabled = leader && on_exec;
	attr->enable_on_exec = leader && on_exec;
}

bool event_counts_kernel(const struct event_set *set, int i)
{
	struct perf_event_attr attr;

	event_attr(set, i, true, false, &attr);
	return !attr.exclude_kernel;
}

static int open_on_self(struct perf_sys *sys, const struct perf_event_attr *attr, int leader_fd)
{
	return sys->open(sys, attr, 0, -1, leader_fd, PERF_FLAG_FD_CLOEXEC);
}

static int probe(struct perf_sys *sys, const struct event *e, const struct perf_event_attr *attr)
{
	struct perf_event_attr slots = *attr;
	int slots_fd, fd;

	if (e->topdown != TOPDOWN_METRIC)
		return open_on_self(sys, attr, -1);
	/* A top-down metric needs SLOTS as leader. */
	slots.config = 0x400;
	slots_fd = open_on_self(sys, &slots, -1);
	if (slots_fd < 0)
		return slots_fd;
	fd = open_on_self(sys, attr, slots_fd);
	sys->close(sys, slots_fd);
	return fd;
}

/* Returns whether the kernel may have refused the attributes rather than the event. */
static bool may_be_modes(int ret)
{
	return ret == -EINVAL || ret == -EOPNOTSUPP;
}

/* Retries in all modes an event that the kernel refused in fewer modes. refused: the error of that
 * attempt. Returns a descriptor, or `refused`. */
static int probe_all_modes(struct perf_sys *sys, struct event *e, struct perf_event_attr *attr,
			   int refused)
{
	int fd;

	if (!attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv &&
	    !attr->exclude_host)
		return refused;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = attr->exclude_host = 0;
	fd = probe(sys, e, attr);
	e->modes_forced = fd >= 0;
	/* The kernel checks the rights first, so it is unknown whether the PMU has the event. */
	e->modes_denied = fd == -EACCES || fd == -EPERM;
	return fd >= 0 ? fd : refused;
}

/* Counts the event on tiptop itself with all modes excluded: if there is a count, they are ignored.
 * False if it cannot be tried. */
static bool ignores_modes(struct perf_sys *sys, const struct event *e,
			  const struct perf_event_attr *wanted)
{
	struct perf_event_attr attr = *wanted;
	uint64_t group[5] = {0}; /* one event, both times, count, id */
	int fd;

	if (!sys->modes_may_be_ignored || !event_is_hardware(e) ||
	    (!wanted->exclude_user && !wanted->exclude_kernel))
		return false;
	attr.exclude_user = attr.exclude_kernel = attr.exclude_hv = 1;
	attr.disabled = 0;
	fd = probe(sys, e, &attr);
	if (fd < 0)
		return false;
	for (volatile int work = 0; work < 1000; work++)
		;
	if (sys->read(sys, fd, group, sizeof group) != sizeof group)
		group[3] = 0;
	sys->close(sys, fd);
	return group[3];
}

int event_probe(struct perf_sys *sys, struct event_set *set, int i)
{
	struct event *e = &set->event[i];
	struct perf_event_attr attr;
	int fd;

	if (e->shared)
		return -EXDEV;
	if (e->absent)
		return -ENOENT;
	event_attr(set, i, true, false, &attr);
	/* Before the event is opened: the PMU may have one counter for it. */
	e->modes_ignored = ignores_modes(sys, e, &attr);
	attr.disabled = 1;
	fd = probe(sys, e, &attr);
	/* Not every PMU can exclude guests. */
	if (may_be_modes(fd) && attr.exclude_guest) {
		attr.exclude_guest = 0;
		fd = probe(sys, e, &attr);
		e->guest_too = e->guest_forced = fd >= 0;
	}
	return may_be_modes(fd) ? probe_all_modes(sys, e, &attr, fd) : fd;
}

enum quality event_opening_quality(int ret)
{
	switch (-ret) {
	case 0:
		return QUALITY_EXACT;
	case EACCES:
	case EPERM:
		return QUALITY_DENIED;
	case EMFILE:
	case ENFILE:
		return QUALITY_NOFILE;
	case EBUSY:
		return QUALITY_NOT_SCHEDULED;
	case ENOMEM:
	case EINTR:
		return QUALITY_NOT_READ;
	case ESRCH:
		return QUALITY_GONE;
	default:
		return QUALITY_UNSUPPORTED;
	}
}
