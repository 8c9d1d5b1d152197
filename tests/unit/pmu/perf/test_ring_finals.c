/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Final counts of ended tasks, from the kernel's records in the ring buffers of groups. */
#include "pmu/perf/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

#define TID      42
#define DUMMIES  8
#define FIRST_FD 50

/* A scripted PMU whose dummy events have ring buffers. */
struct rig {
	struct perf_sys sys;
	struct pmu pmu;
	struct event_set set;
	struct group *group;
	struct finals *finals;
	int n_open, n_opened, n_mapped, refuse_output;
	size_t most; /* most bytes that may be mapped at once */
	struct {
		char *pages;
		size_t size;
		int writer; /* descriptor of the event that writes to this ring */
	} dummy[DUMMIES];
};

static struct rig *rig_of(struct perf_sys *sys)
{
	return (struct rig *)sys;
}

static int rig_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid, int cpu,
		    int group_fd, unsigned long flags)
{
	struct rig *r = rig_of(sys);

	if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
		return tid == TID && !attr->inherit ? (r->n_open++, FIRST_FD + r->n_opened++)
						    : -EINVAL;
	return r->pmu.sys.open(&r->pmu.sys, attr, tid, cpu, group_fd, flags);
}

static ssize_t rig_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	return rig_of(sys)->pmu.sys.read(&rig_of(sys)->pmu.sys, fd, buf, size);
}

static int rig_ioctl(struct perf_sys *sys, int fd, unsigned long request, void *arg)
{
	struct rig *r = rig_of(sys);

	if (request != PERF_EVENT_IOC_SET_OUTPUT)
		return r->pmu.sys.ioctl(&r->pmu.sys, fd, request, arg);
	if (!r->refuse_output)
		r->dummy[(intptr_t)arg - FIRST_FD].writer = fd;
	return r->refuse_output;
}

static int rig_close(struct perf_sys *sys, int fd)
{
	struct rig *r = rig_of(sys);

	if (fd >= PMU_FIRST_FD)
		return r->pmu.sys.close(&r->pmu.sys, fd);
	r->n_open--;
	return 0;
}

static int rig_visit(struct perf_sys *sys, int core, struct err *err)
{
	(void)sys, (void)core, (void)err;
	return 0;
}

static int rig_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct rig *r = rig_of(sys);

	if (size > r->most)
		return -EPERM;
	r->n_mapped++;
	r->dummy[fd - FIRST_FD].pages = *at = calloc(1, size);
	r->dummy[fd - FIRST_FD].size = size - (size_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static void rig_unmap(struct perf_sys *sys, void *at, size_t size)
{
	(void)size;
	rig_of(sys)->n_mapped--;
	free(at);
}

/* Opens a group of hardware events and a group of software events. */
static void begin(struct rig *r)
{
	struct trial trial;

	memset(r, 0, sizeof *r);
	r->sys = (struct perf_sys){.open = rig_open,
				   .read = rig_read,
				   .ioctl = rig_ioctl,
				   .close = rig_close,
				   .map = rig_map,
				   .unmap = rig_unmap,
				   .visit = rig_visit};
	r->most = (size_t)1 << 30;
	pmu_init(&r->pmu);
	pmu_task_add(&r->pmu, TID);
	event_set_init(&r->set);
	r->set.children = r->set.finals = true;
	for (int i = 0; i < 4; i++) {
		struct event *e = event_set_add(&r->set, "event");

		e->type = i < 2 ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
		e->config = (uint64_t)i;
		e->core = i < 2 ? 0 : EVENT_NO_CORE;
	}
	trial_init(&trial, &r->sys);
	plan_make(&r->set, &trial);
	trial_done(&trial);
	tap_int(group_open(&r->group, &r->sys, &r->set, TID, false), 0, "the groups");
}

static void end(struct rig *r)
{
	finals_close(r->finals);
	group_close(r->group, &r->sys);
	event_set_done(&r->set);
	tap_int(r->n_open + r->n_mapped + r->pmu.n_open, 0, "nothing stays open or mapped");
	tap_int(r->pmu.bad_calls, 0, "every call made sense");
}

static void put(struct rig *r, int i, const void *data, size_t n)
{
	struct perf_event_mmap_page *page = (struct perf_event_mmap_page *)r->dummy[i].pages;

	for (size_t k = 0; k < n; k++)
		r->dummy[i].pages[(size_t)sysconf(_SC_PAGESIZE) +
				  (page->data_head + k) % r->dummy[i].size] =
			((const char *)data)[k];
	page->data_head += n;
}

/* Writes the kernel's record of a task's end to ring i: each member of the group has counted its id
 * multiplied by `times`. */
static void write_end(struct rig *r, int i, pid_t task, uint64_t times)
{
	const struct pmu_event *writer = &r->pmu.event[r->dummy[i].writer - PMU_FIRST_FD];
	struct {
		struct perf_event_header h;
		uint32_t pid, tid;
		uint64_t nr, enabled, running, value[8];
	} record = {.h = {.type = PERF_RECORD_READ}, .pid = TID + 1, .tid = (uint32_t)task};

	record.enabled = 1000;
	record.running = 500;
	for (int k = 0; k < PMU_FDS; k++) {
		const struct pmu_event *e = &r->pmu.event[k];

		if (!e->used || e->leader != writer->leader)
			continue;
		record.value[2 * record.nr] = e->id * times;
		record.value[2 * record.nr++ + 1] = e->id;
	}
	record.h.size = (uint16_t)(offsetof(__typeof__(record), value) + 16 * record.nr);
	put(r, i, &record, record.h.size);
}

static void test_ends(void)
{
	struct final final;
	struct rig r;
	uint64_t members = 0, sum = 0, ids = 0;
	int n_first = 0, n = 0;

	begin(&r);
	tap_int(finals_open(&r.finals, &r.sys, r.group, TID), 0, "rings");
	tap_int(r.n_open, 2, "one for each group");
	for (int i = 0; i < 2; i++) {
		const struct pmu_event *e = &r.pmu.event[r.dummy[i].writer - PMU_FIRST_FD];

		tap_ok(e->leader != e, "its last member writes");
		tap_ok(e->attr.inherit_stat && e->attr.sample_id_all, "the kernel is asked to");
		tap_ok(e->attr.sample_type & PERF_SAMPLE_READ, "and to exchange no counts");
	}
	tap_ok(!finals_next(r.finals, &final), "no process has ended yet");
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 100; k++)
			write_end(&r, i, 100 + k, 3);
	for (int k = 0; k < PMU_FDS; k++)
		ids += r.pmu.event[k].used ? r.pmu.event[k].id : 0;
	while (finals_next(r.finals, &final)) {
		n++;
		n_first += final.first;
		members |= final.members;
		for (int m = 0; m < r.set.plan.n; m++)
			if (final.members >> m & 1)
				sum += final.count[m].value;
	}
	tap_int(n, 200, "each end, of each group");
	tap_int(n_first, 100, "each task once");
	tap_int(members, 0xf, "all members");
	tap_int(sum, 100 * 3 * ids, "with their counts");
	tap_ok(!finals_next(r.finals, &final), "and no more");
	write_end(&r, 1, 7, 1);
	tap_ok(finals_next(r.finals, &final) && final.task == 7 && final.process == TID + 1 &&
		       !final.first,
	       "who has ended");
	end(&r);
}

static void test_losses(void)
{
	const struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = 24};
	struct final final;
	struct rig r;

	begin(&r);
	finals_open(&r.finals, &r.sys, r.group, TID);
	put(&r, 0, &h, sizeof h);
	put(&r, 0, (uint64_t[2]){1, 17}, 16);
	tap_ok(!finals_next(r.finals, &final), "ends that there was no room for");
	tap_int(finals_losses(r.finals).records, 17, "are counted");
	end(&r);
}

static void test_reopen(void)
{
	const struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = 24};
	struct final final;
	struct rig r;

	begin(&r);
	finals_open(&r.finals, &r.sys, r.group, TID);
	put(&r, 0, &h, sizeof h);
	put(&r, 0, (uint64_t[2]){1, 17}, 16);
	finals_next(r.finals, &final);
	tap_int(finals_reopen(r.finals), 0, "other rings");
	tap_int(r.n_open, 2, "in place of the old ones");
	tap_int(r.dummy[2].writer, r.dummy[0].writer, "the same event writes");
	tap_int(r.dummy[3].writer, r.dummy[1].writer, "of each group");
	write_end(&r, 2, 7, 1);
	write_end(&r, 3, 7, 1);
	tap_ok(finals_next(r.finals, &final) && final.task == 7 && final.first, "an end comes");
	tap_ok(finals_next(r.finals, &final) && !final.first, "of each group");
	tap_ok(!finals_next(r.finals, &final), "and no more");
	tap_int(finals_losses(r.finals).records, 17, "what was lost before stays counted");
	r.refuse_output = -EINVAL;
	tap_int(finals_reopen(r.finals), -EINVAL, "the kernel refuses");
	tap_int(r.n_open, 2, "the rings stay");
	write_end(&r, 2, 8, 1);
	tap_ok(finals_next(r.finals, &final) && final.task == 8, "and what comes there is taken");
	end(&r);
}

/* If memory that may be locked is short, ring buffers are smaller, or refused. */
static void test_short(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct rig r;

	begin(&r);
	r.most = 5 * page;
	tap_int(finals_open(&r.finals, &r.sys, r.group, TID), 0, "little memory");
	tap_int(r.dummy[0].size, 4 * page, "a small ring");
	finals_close(r.finals);
	r.finals = NULL;
	r.most = 2 * page;
	tap_int(finals_open(&r.finals, &r.sys, r.group, TID), -EPERM, "too little");
	r.most = 65 * page;
	r.refuse_output = -EINVAL;
	tap_int(finals_open(&r.finals, &r.sys, r.group, TID), -EINVAL, "another kernel");
	end(&r);
}

int main(void)
{
	test_ends();
	test_losses();
	test_reopen();
	test_short();
	return tap_done();
}
