/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct constant {
	const char *name;
	uint64_t value;
};

/* Names as in linux/perf_event.h, without the prefix PERF_COUNT_HW_ and the like: so tiptop 2.3.1 has them. */
static const struct constant hardware_constants[] = {
	{"CPU_CYCLES", PERF_COUNT_HW_CPU_CYCLES},
	{"INSTRUCTIONS", PERF_COUNT_HW_INSTRUCTIONS},
	{"CACHE_REFERENCES", PERF_COUNT_HW_CACHE_REFERENCES},
	{"CACHE_MISSES", PERF_COUNT_HW_CACHE_MISSES},
	{"BRANCH_INSTRUCTIONS", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"BRANCH_MISSES", PERF_COUNT_HW_BRANCH_MISSES},
	{"BUS_CYCLES", PERF_COUNT_HW_BUS_CYCLES},
	{"STALLED_CYCLES_FRONTEND", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"STALLED_CYCLES_BACKEND", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"REF_CPU_CYCLES", PERF_COUNT_HW_REF_CPU_CYCLES},
	{NULL, 0},
};

static const struct constant software_constants[] = {
	{"CPU_CLOCK", PERF_COUNT_SW_CPU_CLOCK},
	{"TASK_CLOCK", PERF_COUNT_SW_TASK_CLOCK},
	{"PAGE_FAULTS", PERF_COUNT_SW_PAGE_FAULTS},
	{"CONTEXT_SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"CPU_MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"PAGE_FAULTS_MIN", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"PAGE_FAULTS_MAJ", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"ALIGNMENT_FAULTS", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"EMULATION_FAULTS", PERF_COUNT_SW_EMULATION_FAULTS},
	{NULL, 0},
};

/* A cache event is cache | operation << 8 | result << 16. */
static const struct constant cache_constants[] = {
	{"L1D", PERF_COUNT_HW_CACHE_L1D},
	{"L1I", PERF_COUNT_HW_CACHE_L1I},
	{"LL", PERF_COUNT_HW_CACHE_LL},
	{"DTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"ITLB", PERF_COUNT_HW_CACHE_ITLB},
	{"BPU", PERF_COUNT_HW_CACHE_BPU},
	{"NODE", PERF_COUNT_HW_CACHE_NODE},
	{"OP_READ", PERF_COUNT_HW_CACHE_OP_READ},
	{"OP_WRITE", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"OP_PREFETCH", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"RESULT_ACCESS", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"RESULT_MISS", PERF_COUNT_HW_CACHE_RESULT_MISS},
	{NULL, 0},
};

static int find_constant(const struct constant *table, const char *name, size_t len, uint64_t *value)
{
	for (; table->name; table++)
		if (strlen(table->name) == len && !memcmp(table->name, name, len)) {
			*value = table->value;
			return 0;
		}
	return -1;
}

static int hardware_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(hardware_constants, name, len, value);
}

static int software_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(software_constants, name, len, value);
}

static int cache_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(cache_constants, name, len, value);
}

static int no_constant(const char *name, size_t len, uint64_t *value)
{
	(void)name, (void)len, (void)value;
	return -1;
}

static const struct event_type type_table[] = {
	{"HARDWARE", PERF_TYPE_HARDWARE, hardware_constant},
	{"SOFTWARE", PERF_TYPE_SOFTWARE, software_constant},
	{"HW_CACHE", PERF_TYPE_HW_CACHE, cache_constant},
	{"RAW", PERF_TYPE_RAW, no_constant},
};

const struct event_type *event_type_find(const char *name, struct err *err)
{
	if (!name)
		return &type_table[0];
	for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
		if (!strcmp(type_table[i].name, name))
			return &type_table[i];
	err_set(err, EINVAL, "'%s' is no type of counter: there are HARDWARE, SOFTWARE, HW_CACHE and RAW", name);
	return NULL;
}

void event_set_init(struct event_set *set)
{
	memset(set, 0, sizeof *set);
}

void event_set_done(struct event_set *set)
{
	for (int i = 0; i < set->n; i++) {
		free(set->event[i].name);
		free(set->event[i].what);
	}
	free(set->event);
	free(set->together);
	free(set->plan.pick);
	event_set_init(set);
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
	set->together = xreallocarray(set->together, (size_t)set->n_together + 1, sizeof *set->together);
	set->together[set->n_together++] = counters;
}

bool event_is_hardware(const struct event *e)
{
	return e->type != PERF_TYPE_SOFTWARE && e->type != PERF_TYPE_TRACEPOINT && !e->all_modes;
}

bool event_is_kernel_side(const struct event *e)
{
	return e->type == PERF_TYPE_SOFTWARE &&
	       (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES || e->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

static void set_modes(const struct event_set *set, const struct event *e, struct perf_event_attr *attr)
{
	if (e->all_modes)
		return;
	attr->exclude_guest = !e->guest_too;
	attr->exclude_host = e->no_host;
	/* Who asks for the kernel's part by name (:k) means it. */
	if (e->no_user || e->no_kernel || e->no_hv) {
		attr->exclude_user = e->no_user;
		attr->exclude_kernel = e->no_kernel;
		attr->exclude_hv = e->no_hv;
	} else {
		attr->exclude_kernel = !set->kernel && !event_is_kernel_side(e);
		attr->exclude_hv = attr->exclude_kernel;
	}
}

void event_attr(const struct event_set *set, int i, bool leader, bool on_exec, struct perf_event_attr *attr)
{
	const struct event *e = &set->event[i];

	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	attr->type = e->type;
	attr->config = e->config;
	attr->config1 = e->config1;
	attr->config2 = e->config2;
	attr->read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	set_modes(set, e, attr);
	attr->inherit = set->inherit;
	attr->inherit_thread = set->inherit;
	/* Members count whenever their leader does. */
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

/* The leader that a top-down metric needs; -1 where the event needs none. */
static int open_slots(struct perf_sys *sys, const struct event *e, const struct perf_event_attr *attr)
{
	struct perf_event_attr slots = *attr;

	slots.config = 0x400;
	return e->topdown == TOPDOWN_METRIC ? open_on_self(sys, &slots, -1) : -1;
}

static int probe(struct perf_sys *sys, const struct event *e, const struct perf_event_attr *attr)
{
	int leader_fd = open_slots(sys, e, attr), fd;

	if (leader_fd < -1)
		return leader_fd;
	fd = open_on_self(sys, attr, leader_fd);
	if (leader_fd >= 0)
		sys->close(sys, leader_fd);
	return fd;
}

int event_probe(struct perf_sys *sys, struct event_set *set, int i)
{
	struct event *e = &set->event[i];
	struct perf_event_attr attr;
	int fd;

	event_attr(set, i, true, false, &attr);
	fd = probe(sys, e, &attr);
	/* Not every PMU can leave guests out. */
	if ((fd == -EINVAL || fd == -EOPNOTSUPP) && attr.exclude_guest) {
		attr.exclude_guest = 0;
		fd = probe(sys, e, &attr);
		e->guest_too = fd >= 0;
	}
	return fd;
}
