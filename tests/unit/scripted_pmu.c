/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scripted_pmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct pmu *self_of(struct perf_sys *sys)
{
	return (struct pmu *)sys;
}

uint64_t pmu_rate(uint32_t type, uint64_t config)
{
	return type * 10 + (config & UINT32_MAX) + 1;
}

struct pmu_task *pmu_task(struct pmu *pmu, int tid)
{
	/* of several tasks with a reused id, the newest */
	for (int i = pmu->n_tasks; i-- > 0;)
		if (pmu->task[i].tid == tid)
			return &pmu->task[i];
	return NULL;
}

static struct pmu_event *event_of(struct pmu *pmu, int fd)
{
	struct pmu_event *e = fd >= PMU_FIRST_FD && fd < PMU_FIRST_FD + PMU_FDS
				      ? &pmu->event[fd - PMU_FIRST_FD]
				      : NULL;

	if (e && e->used && e->open)
		return e;
	pmu->bad_calls++;
	return NULL;
}

static bool is_hardware(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_SOFTWARE;
}

int pmu_core(const struct pmu *pmu, const struct perf_event_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
	uint64_t type = generic ? attr->config >> 32 : attr->type;

	if (!is_hardware(attr))
		return -1;
	if (generic && pmu->script.no_extended)
		return 0;
	return type && type == pmu->script.core_type[1];
}

static bool is_metric(const struct pmu *pmu, const struct perf_event_attr *attr)
{
	return pmu->script.topdown && attr->type == PERF_TYPE_RAW && attr->config >= 0x8000 &&
	       attr->config <= 0x8300;
}

/* Returns the largest number of PMU events with which this group can be scheduled; 0: any
 * number. */
static int most_of(const struct pmu *pmu, const struct pmu_event *leader)
{
	const struct pmu_script *s = &pmu->script;
	int core = pmu_core(pmu, &leader->attr);

	if (leader->tid && s->task_never_above)
		return s->task_never_above;
	for (int i = 0; i < PMU_FDS; i++)
		if (pmu->event[i].used && pmu->event[i].leader == leader &&
		    is_hardware(&pmu->event[i].attr) &&
		    s->exclusive >> (pmu->event[i].attr.config & 63) & 1)
			return 2;
	return core >= 0 && s->core_never_above[core] ? s->core_never_above[core] : s->never_above;
}

/* Returns whether the group of this event has too many events to be scheduled. */
static bool never_runs(const struct pmu *pmu, const struct pmu_event *e)
{
	int most = most_of(pmu, e->leader), n = 0;

	for (int i = 0; i < PMU_FDS; i++)
		n += pmu->event[i].used && pmu->event[i].leader == e->leader &&
		     is_hardware(&pmu->event[i].attr);
	return most && n > most;
}

/* Updates a group on the caller itself, which always runs: a pinned group is on the PMU at once, or
 * never. */
static void run_self(struct pmu *pmu, struct pmu_event *leader)
{
	int core = pmu_core(pmu, &leader->attr);
	bool here = !pmu->script.core_type[1] || core < 0 || core == pmu->core;

	if (leader->tid || !leader->enabled)
		return;
	if (leader->attr.pinned && here && never_runs(pmu, leader)) {
		leader->error = true;
		leader->enabled = false;
		return;
	}
	leader->enabled_ns++;
	leader->value += pmu->script.ignore_modes && is_hardware(&leader->attr);
	leader->running_ns += here && !never_runs(pmu, leader);
}

static bool leaves_modes_out(const struct perf_event_attr *attr)
{
	return attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
	       attr->exclude_guest || attr->exclude_host;
}

/* Returns what the script has for opening an event, whatever task it is for: a negative errno, or
 * 0. */
static int refuse_event(const struct pmu *pmu, const struct perf_event_attr *attr)
{
	const struct pmu_script *s = &pmu->script;

	if (s->paranoid && !attr->exclude_kernel)
		return -EACCES;
	if (s->refuse_exclude_guest && attr->exclude_guest)
		return -s->refuse_exclude_guest;
	if (s->refuse_modes && is_hardware(attr) && leaves_modes_out(attr))
		return -s->refuse_modes;
	if (s->refuse_inherit_thread && attr->inherit_thread)
		return -EINVAL;
	if (s->missing & (1ull << (attr->config & 63)))
		return s->refusal ? -s->refusal : -ENOENT;
	if (s->core_type[1] && pmu_core(pmu, attr) == 1 &&
	    s->no_atom & (1ull << (attr->config & 63)))
		return -ENOENT;
	return s->denied & (1ull << (attr->config & 63)) ? -EACCES : 0;
}

static int refuse_member(struct pmu *pmu, const struct pmu_event *leader,
			 const struct perf_event_attr *attr, int tid)
{
	int hardware = is_hardware(attr), core = pmu_core(pmu, attr);
	int most = pmu->script.max_hardware;

	if (leader->leader != leader || leader->tid != tid || attr->pinned)
		return -EINVAL;
	if (core >= 0 && is_hardware(&leader->attr) && pmu_core(pmu, &leader->attr) != core)
		return -EINVAL;
	if (is_metric(pmu, attr) && leader->attr.config != 0x400)
		return -EINVAL;
	if (core >= 0 && pmu->script.core_max[core])
		most = pmu->script.core_max[core];
	if (pmu->script.no_mixing && leader->attr.type != attr->type)
		return -EINVAL;
	for (int i = 0; i < PMU_FDS; i++)
		if (pmu->event[i].used && pmu->event[i].leader == leader)
			hardware += is_hardware(&pmu->event[i].attr);
	return most && hardware > most ? -EINVAL : 0;
}

static int free_slot(const struct pmu *pmu)
{
	for (int i = 0; i < PMU_FDS; i++)
		if (!pmu->event[i].used)
			return i;
	return -1;
}

static int refuse(struct pmu *pmu, const struct perf_event_attr *attr, int tid, bool member)
{
	int ret = refuse_event(pmu, attr);

	if (ret)
		return ret;
	if (tid && (!pmu_task(pmu, tid) || pmu_task(pmu, tid)->dead))
		return member ? -ENODEV : -ESRCH; /* as Linux 6.18 does */
	if (tid && pmu_task(pmu, tid)->denied)
		return -EACCES;
	if (tid < 0 && pmu_core(pmu, attr) >= 0 && pmu_core(pmu, attr) != pmu_task(pmu, tid)->core)
		return -ENOENT;
	return pmu->script.max_fds && pmu->n_open >= pmu->script.max_fds ? -EMFILE : 0;
}

static int pmu_sys_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid,
			int cpu, int group_fd, unsigned long flags)
{
	struct pmu *pmu = self_of(sys);
	struct pmu_event *leader = group_fd >= 0 ? event_of(pmu, group_fd) : NULL, *e;
	int cgroup_fd = flags & PERF_FLAG_PID_CGROUP ? tid : -1, slot = free_slot(pmu), ret;

	pmu->calls.open++;
	tid = tid == -1 || tid == cgroup_fd ? PMU_CPU(cpu) : tid;
	pmu->bad_calls += (tid < 0) != (cpu != -1) || attr->size != sizeof *attr || slot < 0 ||
			  (flags & ~PERF_FLAG_PID_CGROUP) != PERF_FLAG_FD_CLOEXEC;
	ret = refuse(pmu, attr, tid, leader);
	if (!ret && leader)
		ret = refuse_member(pmu, leader, attr, tid);
	else if (!ret && is_metric(pmu, attr))
		ret = -EINVAL;
	if (ret || slot < 0)
		return ret;
	e = &pmu->event[slot];
	*e = (struct pmu_event){true, true, *attr, tid, ++pmu->next_id, .cgroup_fd = cgroup_fd};
	e->leader = leader ? leader : e;
	e->enabled = !attr->disabled;
	run_self(pmu, e->leader);
	if (++pmu->n_open > pmu->most_open)
		pmu->most_open = pmu->n_open;
	if (pmu->on_open)
		pmu->on_open(pmu, pmu->context, tid);
	return slot + PMU_FIRST_FD;
}

/* Adds up the counts of an event and all its clones. */
static void sum_event(const struct pmu *pmu, const struct pmu_event *e, uint64_t sum[3])
{
	sum[0] = sum[1] = sum[2] = 0;
	for (int i = 0; i < PMU_FDS; i++) {
		const struct pmu_event *x = &pmu->event[i];

		if (!x->used || (x != e && x->original != e))
			continue;
		sum[0] += x->value;
		sum[1] += x->enabled_ns;
		sum[2] += x->running_ns;
	}
}

/* The layout of PERF_FORMAT_GROUP | ID | both times: nr, enabled, running, {value, id}... */
static size_t write_group(const struct pmu *pmu, const struct pmu_event *leader, uint64_t *out)
{
	uint64_t sum[3], nr = 0;

	for (int i = 0; i < PMU_FDS; i++) {
		const struct pmu_event *e = &pmu->event[i];

		if (!e->used || !e->open || e->leader != leader)
			continue;
		sum_event(pmu, e, sum);
		out[3 + 2 * nr] = sum[0];
		out[4 + 2 * nr++] = e->id;
	}
	sum_event(pmu, leader, sum);
	out[0] = nr;
	out[1] = sum[1];
	out[2] = sum[2];
	for (uint64_t i = 0; pmu->script.reversed && i < nr / 2; i++)
		for (int half = 3; half < 5; half++) {
			uint64_t *a = &out[2 * i + half], *b = &out[2 * (nr - 1 - i) + half],
				 t = *a;

			*a = *b;
			*b = t;
		}
	return (3 + 2 * nr) * sizeof *out;
}

static ssize_t pmu_sys_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	struct pmu *pmu = self_of(sys);
	struct pmu_event *e = event_of(pmu, fd);
	uint64_t out[3 + 2 * PMU_FDS];
	size_t n;

	pmu->calls.read++;
	if (!e)
		return -EBADF;
	run_self(pmu, e->leader);
	if (pmu->script.read_zero || e->leader->error)
		return 0;
	if (pmu->script.exiting) {
		pmu->script.exiting -= pmu->script.exiting > 0;
		return -ECHILD;
	}
	n = write_group(pmu, e->leader, out);
	if (n > size)
		return -ENOSPC;
	if (pmu->script.read_short && n > (size_t)pmu->script.read_short)
		n = (size_t)pmu->script.read_short;
	memcpy(buf, out, n);
	return (ssize_t)n;
}

static int pmu_sys_ioctl(struct perf_sys *sys, int fd, unsigned long request, void *arg)
{
	struct pmu *pmu = self_of(sys);
	struct pmu_event *e = event_of(pmu, fd);

	pmu->calls.ioctl++;
	if (!e)
		return -EBADF;
	if (request == PERF_EVENT_IOC_ENABLE) {
		e->error = false;
		e->enabled = true;
		run_self(pmu, e->leader);
		return 0;
	}
	if (request != PERF_EVENT_IOC_ID)
		return -ENOTTY;
	*(uint64_t *)arg = e->id;
	return 0;
}

static void close_event(struct pmu *pmu, struct pmu_event *e)
{
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *x = &pmu->event[i];

		if (x->used && x->original == e)
			x->used = false;
		/* A member whose leader is closed continues as a single event. */
		if (x->used && x != e && x->leader == e) {
			pmu->orphans++;
			x->leader = x;
			x->enabled = e->enabled;
		}
	}
	e->used = e->open = false;
}

static int pmu_sys_close(struct perf_sys *sys, int fd)
{
	struct pmu *pmu = self_of(sys);
	struct pmu_event *e = event_of(pmu, fd);

	pmu->calls.close++;
	if (!e)
		return -EBADF;
	pmu->n_open--;
	close_event(pmu, e);
	return 0;
}

static int pmu_sys_visit(struct perf_sys *sys, int core, struct err *err)
{
	struct pmu *pmu = self_of(sys);
	int ret = core >= 0 ? pmu->script.no_visit[core] : 0;

	pmu->calls.visit++;
	if (ret)
		return err_set(err, ret, "core %d cannot be visited", core);
	pmu->core = core > 0;
	pmu->away = core >= 0;
	return 0;
}

static int pmu_sys_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct pmu *pmu = self_of(sys);
	struct pmu_event *e = event_of(pmu, fd);

	pmu->calls.map++;
	if (pmu->script.no_map)
		return -pmu->script.no_map;
	if (!e || e->page) {
		pmu->bad_calls++;
		return -EBADF;
	}
	e->page = calloc(1, size);
	*at = e->page;
	return 0;
}

static void pmu_sys_unmap(struct perf_sys *sys, void *at, size_t size)
{
	struct pmu *pmu = self_of(sys);
	int i = 0;

	(void)size;
	while (i < PMU_FDS && pmu->event[i].page != at)
		i++;
	if (i == PMU_FDS) {
		pmu->bad_calls++;
		return;
	}
	free(at);
	pmu->event[i].page = NULL;
}

void pmu_init(struct pmu *pmu)
{
	memset(pmu, 0, sizeof *pmu);
	pmu->sys = (struct perf_sys){
		.open = pmu_sys_open,
		.read = pmu_sys_read,
		.ioctl = pmu_sys_ioctl,
		.close = pmu_sys_close,
		.visit = pmu_sys_visit,
	};
}

void pmu_map_pages(struct pmu *pmu)
{
	pmu->sys.map = pmu_sys_map;
	pmu->sys.unmap = pmu_sys_unmap;
}

void pmu_task_add(struct pmu *pmu, int tid)
{
	if (pmu->n_tasks < PMU_TASKS)
		pmu->task[pmu->n_tasks++] = (struct pmu_task){.tid = tid};
}

static struct pmu_event *clone_event(struct pmu *pmu, struct pmu_event *from, int tid)
{
	int slot = free_slot(pmu);
	struct pmu_event *e = &pmu->event[slot < 0 ? 0 : slot];

	if (slot < 0) {
		pmu->bad_calls++;
		return from;
	}
	*e = (struct pmu_event){.used = true, .attr = from->attr, .tid = tid};
	e->original = from->original ? from->original : from;
	/* A clone counts without a group: only the sum over clones is ever read. */
	e->leader = e;
	e->enabled = from->leader->enabled;
	return e;
}

void pmu_made_add(struct pmu *pmu, int tid, int creator, bool child)
{
	const struct pmu_task *old = pmu_task(pmu, creator);

	pmu_task_add(pmu, tid);
	pmu_task(pmu, tid)->denied = old && old->denied;
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &pmu->event[i];
		bool inherits = e->attr.inherit && !(child && e->attr.inherit_thread);

		if (e->used && e->tid == creator && inherits)
			clone_event(pmu, e, tid);
	}
}

/* Updates the pages of a task that gets a CPU, and of the caller, which waits for it. */
static void update_pages(struct pmu *pmu, int tid)
{
	for (int i = 0; i < PMU_FDS; i++) {
		const struct pmu_event *e = &pmu->event[i];

		if (e->used && e->page && (e->tid == tid || e->tid == 0))
			e->page->lock += 2;
	}
}

void pmu_run(struct pmu *pmu, int tid, uint64_t ns)
{
	const struct pmu_script *s = &pmu->script;
	struct pmu_task *task = pmu_task(pmu, tid);

	if (!task || task->dead) {
		pmu->bad_calls++;
		return;
	}
	task->run_ns += ns;
	if (!s->stays)
		update_pages(pmu, tid);
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &pmu->event[i];
		bool shares = s->share_of && is_hardware(&e->attr);
		uint64_t running =
			shares ? ns * (uint64_t)s->share_running / (uint64_t)s->share_of : ns;
		int core = pmu_core(pmu, &e->attr);

		if (!e->used || e->tid != tid || !e->leader->enabled)
			continue;
		e->enabled_ns += ns;
		if (never_runs(pmu, e) || (s->core_type[1] && core >= 0 && core != task->core))
			continue;
		e->running_ns += running;
		e->value += running * pmu_rate(e->attr.type, e->attr.config);
	}
}

void pmu_exec(struct pmu *pmu, int tid)
{
	for (int i = 0; i < PMU_FDS; i++)
		if (pmu->event[i].used && pmu->event[i].tid == tid &&
		    pmu->event[i].attr.enable_on_exec)
			pmu->event[i].enabled = true;
}

void pmu_move_events(struct pmu *pmu, int from, int to)
{
	for (int i = 0; i < PMU_FDS; i++)
		if (pmu->event[i].used && pmu->event[i].tid == from)
			pmu->event[i].tid = to;
}

/* Its events stay readable, but belong to no task any more, as the id may be reused. */
void pmu_exit(struct pmu *pmu, int tid)
{
	pmu_task(pmu, tid)->dead = true;
	pmu_move_events(pmu, tid, -1);
}

int pmu_open_on(const struct pmu *pmu, int tid)
{
	int n = 0;

	for (int i = 0; i < PMU_FDS; i++)
		n += pmu->event[i].used && pmu->event[i].open && pmu->event[i].tid == tid;
	return n;
}
