/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event sets, and the attributes passed to the kernel.
 */
#include <errno.h>
#include <stdlib.h>

#include "pmu/perf/event.h"
#include "scripted_pmu.h"
#include "tap.h"

/* A kernel that refuses everything. */
struct refusing {
	struct perf_sys sys;
	int n_calls;
	int error;
};

static void test_set(void)
{
	struct event_set set;
	int n = 0;

	event_set_init(&set);
	while (event_set_add(&set, "event"))
		n++;
	tap_int(n, EVENT_SET_MAX, "a set takes this many events, and says when it is full");
	tap_int(set.event[63].quality, QUALITY_EXACT, "a new event is not known to lack");
	event_set_done(&set);
	tap_int(set.n, 0, "done is empty");
	event_set_done(&set);
}

static void test_attributes(void)
{
	struct perf_event_attr attr;
	struct event_set set;
	struct event *e;

	event_set_init(&set);
	e = event_set_add(&set, "e");
	e->type = PERF_TYPE_RAW;
	e->config = 1;
	e->config1 = 2;
	e->config2 = 3;
	memset(&attr, 0xff, sizeof attr);
	event_attr(&set, 0, true, false, &attr);
	tap_ok(attr.type == PERF_TYPE_RAW && attr.config == 1 && attr.config1 == 2 &&
		       attr.config2 == 3,
	       "what to count");
	tap_int(attr.size, sizeof attr, "the size");
	tap_int(attr.read_format,
		PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING,
		"groups with ids and times");
	tap_ok(!attr.exclude_user && attr.exclude_kernel && attr.exclude_hv && attr.exclude_guest,
	       "user mode only");
	tap_ok(!attr.disabled && !attr.enable_on_exec && !attr.pinned && !attr.inherit &&
		       !attr.inherit_thread,
	       "at once, not pinned, this task only");
	tap_ok(!attr.sample_period && !attr.sample_type && !attr.mmap && !attr.comm, "no samples");
	set.kernel = true;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && !attr.exclude_kernel && !attr.exclude_hv, "the kernel, too");
	set.kernel = false;
	e->own_modes = e->no_user = true;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(attr.exclude_user && !attr.exclude_kernel,
	       "an event of the kernel only, though the set is not");
	e->no_user = false;
	e->no_kernel = set.kernel = true;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && attr.exclude_kernel,
	       "an event of user mode only, though the set has the kernel");
	e->guest_too = set.inherit = true;
	event_attr(&set, 0, true, true, &attr);
	tap_ok(!attr.exclude_guest && attr.inherit && attr.inherit_thread,
	       "guests, and threads to come");
	set.children = true;
	event_attr(&set, 0, true, true, &attr);
	tap_ok(attr.inherit && !attr.inherit_thread, "and processes to come");
	tap_ok(attr.disabled && attr.enable_on_exec, "a leader waits for execve");
	event_attr(&set, 0, false, true, &attr);
	tap_ok(!attr.disabled && !attr.enable_on_exec, "a member waits for its leader");
	event_set_done(&set);
}

static void test_modes(void)
{
	struct perf_event_attr attr;
	struct event_set set;
	struct event *e;

	event_set_init(&set);
	e = event_set_add(&set, "e");
	e->own_modes = e->no_hv = true;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && !attr.exclude_kernel && attr.exclude_hv,
	       "both modes by name, though the set has no kernel");
	e->no_user = e->no_kernel = true;
	e->no_hv = false;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(attr.exclude_user && attr.exclude_kernel && !attr.exclude_hv, "the hypervisor only");
	e->no_user = e->no_kernel = false;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && !attr.exclude_kernel && !attr.exclude_hv,
	       "all modes by name, though the set has no kernel");
	e->own_modes = false;
	e->guest_too = e->no_host = true;
	event_attr(&set, 0, true, false, &attr);
	tap_ok(attr.exclude_host && !attr.exclude_guest && attr.exclude_kernel,
	       "guests only, and the modes of the set");
	*e = (struct event){.name = e->name, .all_modes = true};
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && !attr.exclude_kernel && !attr.exclude_hv &&
		       !attr.exclude_guest && !attr.exclude_host,
	       "an event that knows no modes is opened without");
	event_set_done(&set);
}

static int count_and_refuse(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid,
			    int cpu, int group_fd, unsigned long flags)
{
	struct refusing *r = (struct refusing *)self;

	(void)attr, (void)tid, (void)cpu, (void)group_fd, (void)flags;
	r->n_calls++;
	return -r->error;
}

static void test_probe_once(void)
{
	struct refusing r = {.sys = {.open = count_and_refuse}, .error = EINVAL};
	struct event e = {.all_modes = true};
	struct event_set set = {.event = &e, .n = 1};

	tap_int(event_probe(&r.sys, &set, 0), -EINVAL, "an event without modes that is refused");
	tap_int(r.n_calls, 1, "was not tried a second time in the same way");
	tap_ok(!e.guest_too, "and taught nothing about guests");
}

/* A PMU that cannot exclude any mode; the errno depends on the kernel. */
static void test_probe_modes(int error)
{
	struct event e = {.type = PERF_TYPE_HARDWARE};
	struct event_set set = {.event = &e, .n = 1};
	struct perf_event_attr attr;
	struct pmu pmu;
	int fd;

	pmu_init(&pmu);
	pmu.script.refuse_modes = error;
	fd = event_probe(&pmu.sys, &set, 0);
	tap_ok(fd >= 0 && e.modes_forced, "errno %d: it is counted in all modes", error);
	pmu.sys.close(&pmu.sys, fd);
	event_attr(&set, 0, true, false, &attr);
	tap_ok(!attr.exclude_user && !attr.exclude_kernel && !attr.exclude_hv &&
		       !attr.exclude_guest,
	       "from then on, too");
	tap_ok(event_is_hardware(&e), "by a counter of the PMU");
	e.modes_forced = e.guest_too = false;
	pmu.script.paranoid = true;
	tap_int(event_probe(&pmu.sys, &set, 0), -error, "where the kernel may not be counted");
	tap_ok(!e.modes_forced && e.modes_denied, "it is not known whether it would be");
	pmu.script = (struct pmu_script){.missing = 1};
	e.modes_denied = false;
	tap_int(event_probe(&pmu.sys, &set, 0), -ENOENT, "an event that is not there");
	tap_ok(!e.modes_forced && !e.modes_denied, "says nothing of modes");
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* A kernel that accepts excluded modes, and counts in them all the same. */
static void test_probe_ignored_modes(void)
{
	struct event e = {.type = PERF_TYPE_HARDWARE};
	struct event_set set = {.event = &e, .n = 1};
	struct perf_event_attr attr;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu.script.paranoid = true;
	pmu.sys.modes_may_be_ignored = true;
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &set, 0));
	tap_ok(!e.modes_ignored, "modes that the PMU excludes");
	pmu.script.ignore_modes = true;
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &set, 0));
	tap_ok(e.modes_ignored && event_is_beyond_modes(&e), "modes that it ignores");
	event_attr(&set, 0, true, false, &attr);
	tap_ok(attr.exclude_kernel, "are excluded all the same: the user has no other rights");
	pmu.script.paranoid = false;
	set.kernel = true;
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &set, 0));
	tap_ok(!e.modes_ignored, "nothing is ignored if all modes are wanted");
	set.kernel = false;
	e.type = PERF_TYPE_SOFTWARE;
	pmu.calls.open = 0;
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &set, 0));
	tap_ok(!e.modes_ignored && pmu.calls.open == 1, "an event of the kernel is not tried");
	e.type = PERF_TYPE_HARDWARE;
	pmu.sys.modes_may_be_ignored = false;
	pmu.calls.open = 0;
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &set, 0));
	tap_int(pmu.calls.open, 1, "nor one on other architectures");
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* A top-down metric whose leader is refused, also with the error 1 (EPERM), is not tried alone. */
static void test_probe_metric(void)
{
	struct refusing r = {.sys = {.open = count_and_refuse}, .error = EPERM};
	struct event e = {.type = PERF_TYPE_RAW, .config = 0x8000, .topdown = TOPDOWN_METRIC};
	struct event_set set = {.event = &e, .n = 1};

	tap_int(event_probe(&r.sys, &set, 0), -EPERM, "a metric whose leader is refused");
	tap_int(r.n_calls, 1, "is not tried without it");
}

/* Shared and missing events are refused without a system call, as the kernel would accept them. */
static void test_probe_shared(void)
{
	struct refusing r = {.sys = {.open = count_and_refuse}};
	struct event e = {.all_modes = true, .shared = true};
	struct event_set set = {.event = &e, .n = 1};

	tap_int(event_probe(&r.sys, &set, 0), -EXDEV, "an event that CPUs share");
	tap_int(r.n_calls, 0, "is not tried");
	e = (struct event){.absent = "0x03 (L1D_CACHE_REFILL)"};
	tap_int(event_probe(&r.sys, &set, 0), -ENOENT, "nor one that the PMU does not implement");
	tap_int(r.n_calls, 0, "since the kernel would open it");
}

/* Context switches and migrations happen in kernel mode: with the kernel excluded, their counts
 * would always be 0. */
static void test_kernel_side(void)
{
	static const uint64_t config[] = {PERF_COUNT_SW_CONTEXT_SWITCHES,
					  PERF_COUNT_SW_CPU_MIGRATIONS};
	struct perf_event_attr attr;
	struct event_set set;

	event_set_init(&set);
	for (int i = 0; i < 2; i++) {
		struct event *e = event_set_add(&set, "switches");

		e->type = PERF_TYPE_SOFTWARE;
		e->config = config[i];
		event_attr(&set, i, true, false, &attr);
		tap_ok(!attr.exclude_kernel,
		       "software event %d is counted in the kernel or not at all", (int)config[i]);
	}
	event_set_done(&set);
}

static void test_quality(void)
{
	static const struct {
		int error;
		enum quality quality;
	} table[] = {
		{0, QUALITY_EXACT},
		{EACCES, QUALITY_DENIED},
		{EPERM, QUALITY_DENIED},
		{EMFILE, QUALITY_NOFILE},
		{ENFILE, QUALITY_NOFILE},
		{EBUSY, QUALITY_NOT_SCHEDULED},
		{ENOMEM, QUALITY_NOT_READ},
		{EINTR, QUALITY_NOT_READ},
		{ESRCH, QUALITY_GONE},
		{ENOENT, QUALITY_UNSUPPORTED},
		{EINVAL, QUALITY_UNSUPPORTED},
		{EOPNOTSUPP, QUALITY_UNSUPPORTED},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_int(event_opening_quality(-table[i].error), table[i].quality,
			"an event that was opened with error %d", table[i].error);
}

int main(void)
{
	test_set();
	test_attributes();
	test_modes();
	test_probe_once();
	test_probe_modes(EINVAL);
	test_probe_modes(EOPNOTSUPP);
	test_probe_ignored_modes();
	test_probe_metric();
	test_probe_shared();
	test_kernel_side();
	test_quality();
	return tap_done();
}
