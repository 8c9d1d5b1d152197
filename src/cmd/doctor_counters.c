/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of doctor: whether hardware counters work, and how many tasks there are descriptors for. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/doctor_part.h"
#include "collect/task/attach.h"
#include "collect/task/proc.h"
#include "pmu/check/probe.h"
#include "pmu/check/refusal.h"
#include "screen/bind/counters.h"

/* No PMU that there is takes a group of more members. */
#define GROUP_MAX 24

static struct finding find_no_hardware(const struct doctor *d)
{
	struct finding f = finding_make(FINDING_NO, "%s", d->hardware.text);

	if (d->patient->machine->n_cores || d->rights.user_ret)
		return f;
	if (d->virtual_cpu)
		finding_set_remedy(&f, "on the host of this virtual machine, QEMU: -cpu "
				       "host,pmu=on; VMware: vpmc.enable = TRUE");
	else
		finding_set_remedy(&f, "%sdmesg | grep -iE 'performance events|hw perfevents'",
				   rights_sudo(&d->rights));
	return f;
}

static void check_groups(struct doctor *d)
{
	const struct machine *m = d->patient->machine;

	for (int core = 0; core < machine_kinds(m); core++) {
		int n = probe_group(d->patient->sys, m, core, GROUP_MAX);
		int now = probe_group_now(d->patient->sys, m, core, n);
		char held[64] = "";

		if (now < n)
			snprintf(held, sizeof held, "; now of %d, since others hold counters", now);
		doctor_put_fact(d, "groups",
				"of up to %d events%s%s, cycles and instructions in turn%s", n,
				machine_is_hybrid(m) ? " on " : "",
				machine_is_hybrid(m) ? m->core[core].name : "", held);
	}
}

void doctor_check_hardware(struct doctor *d)
{
	struct finding f = finding_make(FINDING_OK, "cycles are counted");
	struct err err = ERR_INIT;

	doctor_section(d, "Hardware counters");
	if (d->hardware.code) {
		f = find_no_hardware(d);
		/* Users who may not count at all have been told so already. */
		if (d->rights.user_ret)
			doctor_put_consequence(d, "user mode", &f);
		else
			doctor_put(d, "user mode", &f);
		return;
	}
	if (d->all_modes) {
		refusal_tell_modes("cycles", &err);
		f = finding_make(FINDING_WARN, "%s", err.text);
	}
	doctor_put(d, "user mode", &f);
	if (refusal_try_hardware(d->patient->sys, true, NULL, &err))
		f = finding_make(FINDING_WARN, "%s", err.text);
	if (d->rights.kernel_ret)
		doctor_put_consequence(d, "and kernel", &f);
	else
		doctor_put(d, "and kernel", &f);
	check_groups(d);
}

struct crowd {
	bool all; /* the threads of all users */
	uint64_t n_threads;
};

static void add_process(void *context, const struct proc_process *process)
{
	struct crowd *crowd = context;

	if (crowd->all || process->uid == geteuid())
		crowd->n_threads += process->facts.fact[FACT_NUM_THREADS];
}

/* Counts the threads that there are now, of all users or of this one. */
static int count_threads(bool all, uint64_t *n, struct err *err)
{
	struct crowd crowd = {all, 0};
	struct proc *proc = proc_lib_new(err);
	int ret;

	if (!proc)
		return -err->code;
	ret = proc->walk(proc, NULL, 0, false, add_process, &crowd);
	proc_lib_free(proc);
	*n = crowd.n_threads;
	return ret ? err_set(err, -ret, "cannot read the tasks in /proc: %s", strerror(-ret)) : 0;
}

/* A sysctl as text. */
static const char *read_word(const char *path, char *buf, size_t size)
{
	if (file_read(AT_FDCWD, path, buf, size) <= 0)
		return "not known";
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}

/* Names as remedy a limit with which all could be counted, and as many again. */
static void set_limit_remedy(const struct doctor *d, struct finding *f, uint64_t wanted)
{
	char text[32];
	uint64_t limit = 1024, most;

	most = strtoull(read_word("/proc/sys/fs/nr_open", text, sizeof text), NULL, 10);
	while (limit < 2 * wanted)
		limit *= 2;
	if (most && limit > most)
		limit = most;
	if (rights_is_contained(&d->rights))
		finding_set_remedy(f, "docker run --ulimit nofile=%llu ...",
				   (unsigned long long)limit);
	else if (d->rights.caps >> CAP_SYS_RESOURCE_BIT & 1)
		finding_set_remedy(f, "ulimit -n %llu", (unsigned long long)limit);
	else
		finding_set_remedy(f,
				   "echo \"$(id -un) hard nofile %llu\" | %stee "
				   "/etc/security/limits.d/tiptop.conf # and log in again",
				   (unsigned long long)limit, rights_sudo(&d->rights));
}

/* For how many tasks the descriptors are enough, with the limit as tiptop raises it. */
static long count_tasks(struct doctor *d, const struct screen *screen, long *n_fds)
{
	const struct doctor_patient *p = d->patient;
	const struct offer offer = offer_live(p->machine, p->sys, p->kernel);
	struct event_set set;
	struct attach attach;
	long n;

	counters_make_set(&set, screen, &offer);
	attach_init(&attach, p->sys);
	attach_configure(&attach, &set, false, NULL);
	/* Where nothing can be opened, the number is that which the events would take. */
	*n_fds = attach.n_usable ? attach.set.plan.n_fds : attach.set.n;
	n = attach.max_fds > 0 ? attach.max_fds / *n_fds : 0;
	attach_done(&attach);
	return n;
}

static void check_budget(struct doctor *d, const struct screen *screen)
{
	bool all = rights_may_count_others(&d->rights);
	long n_fds, n_tasks = count_tasks(d, screen, &n_fds);
	struct err err = ERR_INIT;
	uint64_t n_threads = 0;
	struct finding f;

	if (count_threads(all, &n_threads, &err)) {
		f = finding_make(FINDING_NO, "%s", err.text);
		doctor_put(d, "threads", &f);
		return;
	}
	f = finding_make((uint64_t)n_tasks < n_threads ? FINDING_WARN : FINDING_OK,
			 "enough for the counters of about %ld threads at once (screen '%s', %ld "
			 "each); there are %llu now, of %s",
			 n_tasks, screen->name, n_fds, (unsigned long long)n_threads,
			 all ? "all users" : "this user");
	if (f.mark == FINDING_WARN)
		set_limit_remedy(d, &f, n_threads * (uint64_t)n_fds);
	doctor_put(d, "threads", &f);
}

void doctor_check_descriptors(struct doctor *d)
{
	const struct screen_list *screens = d->patient->screens;
	char open[32], max[32];
	struct rlimit limit;

	doctor_section(d, "Descriptors");
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	doctor_put_fact(
		d, "limit",
		"%llu (soft), %llu (hard), which tiptop takes; fs.nr_open is %s, fs.file-max %s",
		(unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max,
		read_word("/proc/sys/fs/nr_open", open, sizeof open),
		read_word("/proc/sys/fs/file-max", max, sizeof max));
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (size_t i = 0; i < screens->n && !d->rights.user_ret; i++)
		if (screens->v[i]->n_aliases) {
			check_budget(d, screens->v[i]);
			return;
		}
}
