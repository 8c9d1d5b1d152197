/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/backend_open.h"
#include "collect/task/procfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/command/command_source.h"
#include "collect/cpu/cgroup.h"
#include "collect/cpu/modes.h"
#include "collect/cpu/sockets.h"
#include "collect/table/call_rows.h"
#include "collect/table/lock_rows.h"
#include "collect/table/region_rows.h"
#include "collect/task/live.h"
#include "model/kinds.h"
#include "pmu/check/privilege.h"
#include "pmu/check/probe.h"
#include "pmu/check/refusal.h"
#include "pmu/event/describe.h"
#include "run/command_output.h"
#include "session/replay_session.h"

int backend_identify(struct configuration *config, struct backend *backend, struct err *err)
{
	const struct event_table *table = backend->machine.table;

	if (config->options.replay)
		return recorded_identify(config, backend, err);
	machine_init_here(&backend->machine);
	backend->machine.table = table;
	perf_kernel_init(&backend->kernel, backend->machine.core, backend->machine.n_cores);
	privilege_wrap(&backend->kernel);
	backend->counts_others = probe_may_count_others();
	return 0;
}

/* Raises the soft limit of file descriptors to the hard one, as each counter needs one. */
static void raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/* Returns whether the first screen shows only facts from /proc, which need no permission. */
static bool needs_no_rights(const struct configuration *config, const struct backend *backend)
{
	const int i = backend_asked_screen(config, backend);

	return i >= 0 && !screen_needs_counters(config->screens.v[i]);
}

/* If CPU-wide events are not permitted, counts only the user's own tasks, as one row for the whole
 * machine. Fails if rows of single CPUs were requested. */
static int count_own_tasks(struct setup *s, struct err *err)
{
	struct err why = ERR_INIT;

	if (!kind_is(configuration_kind(&s->config), &kind_cpu) ||
	    needs_no_rights(&s->config, &s->backend) ||
	    !refusal_try_cpus(&s->backend.kernel.sys, &why))
		return 0;
	if (s->display.view.group == GROUP_MODE)
		s->display.view.group = GROUP_MACHINE;
	if (s->display.view.group != GROUP_MACHINE)
		return err_set(err, why.code, "%s", why.text);
	if (s->display.view.kernel && probe_software(&s->backend.kernel.sys, true, false)) {
		if (s->config.options.kernel_only)
			return err_set(err, why.code, "%s", why.text);
		s->display.view.kernel = false;
	}
	print_fault(&why, 0);
	s->display.view.own_only = true;
	s->display.view.filter.uid = (long)geteuid();
	s->display.view.sums_over = "your own tasks, as CPUs may not be counted";
	s->config.rows = NULL;
	return 0;
}

/* Sets up counting a command, which needs no CPU-wide events. Falls back to user mode if the kernel
 * part is refused. */
static int count_command(struct setup *s, struct err *err)
{
	const struct refusal_attempt attempt = {.event = "cycles", .kernel = true};
	struct err why = ERR_INIT;
	int ret = s->display.view.kernel ? probe_software(&s->backend.kernel.sys, true, false) : 0;

	s->display.view.sums_over = "the tasks of the command alone";
	if (!ret)
		return 0;
	refusal_explain(ret, &attempt, &why);
	if (s->config.options.kernel_only)
		return err_set(err, why.code, "%s", why.text);
	print_fault(&why, 0);
	s->display.view.kernel = false;
	s->display.view.sums_over = "the tasks of the command alone, in user mode";
	return 0;
}

/* Sets up counting a control group, which needs permission for CPU-wide events. */
static int count_cgroup(struct setup *s, struct err *err)
{
	const char *path = s->config.options.cgroup;

	s->backend.cgroup_fd = cgroup_open_here(path, err);
	if (s->backend.cgroup_fd < 0 ||
	    refusal_try_cgroup(&s->backend.kernel.sys, s->backend.cgroup_fd, path, err))
		return err_prefix(err, "--cgroup");
	s->display.sums_over = xasprintf("the tasks of the control group '%s' alone", path);
	s->display.view.sums_over = s->display.sums_over;
	return 0;
}

/* Adapts the setup to the events that the user is permitted to count, or returns an error. */
static int take_rights(struct setup *s, struct err *err)
{
	if (configuration_kind(&s->config) == &kind_cpu_cgroup)
		return count_cgroup(s, err);
	if (configuration_kind(&s->config) == &kind_socket)
		return refusal_try_cpus(&s->backend.kernel.sys, err);
	return configuration_kind(&s->config) == &kind_command ? count_command(s, err)
							       : count_own_tasks(s, err);
}

static struct source *open_source(const struct configuration *config, struct backend *backend,
				  const struct sample_machine *description)
{
	static const struct tables_use *const tables[] = {&lock_tables, &call_tables};
	const struct cpus_scope scope = {.only = config->options.cpus ? &backend->cpus : NULL,
					 .of_group = backend->cgroup_fd >= 0,
					 .group_fd = backend->cgroup_fd};

	if (configuration_kind(config) == &kind_cpu ||
	    configuration_kind(config) == &kind_cpu_cgroup)
		return source_cpus_new(&backend->kernel.sys, backend->proc, &backend->machine,
				       description, &scope);
	if (configuration_kind(config) == &kind_cpu_mode)
		return source_modes_new(&backend->kernel.sys, backend->proc, &backend->machine,
					description, &scope);
	if (configuration_kind(config) == &kind_socket)
		return source_sockets_new(&backend->kernel.sys, backend->proc, &backend->machine,
					  description);
	if (configuration_kind(config) == &kind_command)
		return source_command_new(&backend->kernel.sys, backend->proc, description,
					  config->options.command[0]);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (configuration_kind(config) == tables[i]->kind)
			return source_tables_new(
				tables[i], backend->proc, &backend->machine, description,
				backend->tables.path[0] ? backend->tables.path : NULL);
	return config->rows
		       ? source_regions_new(backend->proc, &backend->machine, description,
					    backend->tables.path[0] ? backend->tables.path : NULL)
		       : source_live_new(&backend->kernel.sys, backend->proc, description);
}

int backend_open(struct setup *s, struct err *err)
{
	struct sample_machine *description;

	if (s->backend.recording)
		return recorded_open(&s->config, &s->backend, err);
	/* Probes user mode only: counting kernel mode may be refused although user mode is
	 * permitted. */
	refusal_try_hardware(&s->backend.kernel.sys, false, NULL, &s->backend.hardware);
	raise_limit();
	s->backend.proc = procfs_new(err);
	if (!s->backend.proc)
		return -err->code;
	if (take_rights(s, err))
		return -err->code;
	/* The history needs the places of CPUs (the caches and sockets that they share): by these,
	 * tasks that disturb each other are found. */
	description = machine_describe(&s->backend.machine, configuration_keeps_past(&s->config));
	s->backend.source = open_source(&s->config, &s->backend, description);
	sample_machine_unref(description);
	return 0;
}
