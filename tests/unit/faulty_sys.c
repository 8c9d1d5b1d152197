/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "faulty_sys.h"

#include <string.h>

bool fault_now(struct fault_plan *plan, const char *kind)
{
	if (plan->kind && strcmp(plan->kind, kind))
		return false;
	if (++plan->n < plan->fail_at || !plan->fail_at ||
	    (plan->n > plan->fail_at && !plan->from_then_on))
		return false;
	plan->reached = true;
	return true;
}

static int faulty_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid, int cpu,
		       int group_fd, unsigned long flags)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	return fault_now(f->plan, "open")
		       ? -f->plan->error
		       : f->inner->open(f->inner, attr, tid, cpu, group_fd, flags);
}

static ssize_t faulty_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	return fault_now(f->plan, "read") ? -f->plan->error
					  : f->inner->read(f->inner, fd, buf, size);
}

static int faulty_ioctl(struct perf_sys *sys, int fd, unsigned long request, void *arg)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	return fault_now(f->plan, "ioctl") ? -f->plan->error
					   : f->inner->ioctl(f->inner, fd, request, arg);
}

/* close(2) closes the descriptor even if it returns an error. */
static int faulty_close(struct perf_sys *sys, int fd)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;
	int ret = f->inner->close(f->inner, fd);

	return fault_now(f->plan, "close") ? -f->plan->error : ret;
}

static int faulty_map(struct perf_sys *sys, int fd, size_t size, void **at)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	return fault_now(f->plan, "map") ? -f->plan->error : f->inner->map(f->inner, fd, size, at);
}

static void faulty_unmap(struct perf_sys *sys, void *at, size_t size)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	f->inner->unmap(f->inner, at, size);
}

static int faulty_visit(struct perf_sys *sys, int core, struct err *err)
{
	struct faulty_sys *f = (struct faulty_sys *)sys;

	return fault_now(f->plan, "visit") ? err_set(err, f->plan->error, "made to fail")
					   : f->inner->visit(f->inner, core, err);
}

void faulty_sys_init(struct faulty_sys *f, struct perf_sys *inner, struct fault_plan *plan)
{
	*f = (struct faulty_sys){.inner = inner, .plan = plan};
	f->sys = (struct perf_sys){.open = faulty_open,
				   .read = faulty_read,
				   .ioctl = faulty_ioctl,
				   .close = faulty_close,
				   .map = inner->map ? faulty_map : NULL,
				   .unmap = inner->map ? faulty_unmap : NULL,
				   .visit = faulty_visit};
}
