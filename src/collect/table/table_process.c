/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/table_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "inject/lib/container.h"

static void take_description(void *context, const struct proc_process *p)
{
	struct table_process *out = context;

	*out = (struct table_process){
		.pid = p->pid,
		.uid = p->uid,
		.start_ns = p->facts.start_ns,
		.user = xstrdup(p->user),
		.name = xstrdup(p->facts.name),
		.cmdline = xstrdup_or_null(p->cmdline),
	};
}

bool table_process_read(struct table_process *p, struct proc *proc, int pid)
{
	*p = (struct table_process){.pid = pid};
	proc->walk(proc, &pid, 1, true, take_description, p);
	return p->name != NULL;
}

void table_process_done(struct table_process *p)
{
	free(p->user);
	free(p->name);
	free(p->cmdline);
	*p = (struct table_process){.pid = p->pid};
}

/* Returns whether the process is a zombie. The name before the state may contain parentheses. */
static bool has_ended(const char *stat)
{
	const char *end = strrchr(stat, ')');

	return end && (!strncmp(end, ") Z", 3) || !strncmp(end, ") X", 3));
}

/* Returns the start; 0: no such process. */
static uint64_t read_stat(char *stat, size_t size, int pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	return file_read(AT_FDCWD, path, stat, size) > 0 ? tt_container_start(stat) : 0;
}

uint64_t table_process_start(int pid)
{
	char stat[1024];

	return read_stat(stat, sizeof stat, pid);
}

bool table_process_exists(int pid, uint64_t start_ticks)
{
	const uint64_t start = table_process_start(pid);

	return start && start == start_ticks;
}

bool table_process_lives(int pid, uint64_t start_ticks)
{
	char stat[1024];
	const uint64_t start = read_stat(stat, sizeof stat, pid);

	return start && start == start_ticks && !has_ended(stat);
}

bool table_process_runs(int pid)
{
	char stat[1024];

	return read_stat(stat, sizeof stat, pid) && !has_ended(stat);
}

bool table_process_is_wanted(int pid, const struct filter *f)
{
	struct stat process;
	char path[64];

	if (f->pid && f->pid != pid)
		return false;
	if (f->uid < 0)
		return true;
	snprintf(path, sizeof path, "/proc/%d", pid);
	return !stat(path, &process) && process.st_uid == (unsigned long)f->uid;
}

void tables_begin_sample(struct sample *out, struct proc *proc)
{
	struct proc_clocks clocks;
	int last_pid;

	sample_reset(out);
	proc->host(proc, &out->host, &last_pid);
	proc->clocks(proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
}

struct task *tables_unknown_reading(const struct task *last)
{
	const struct task_texts texts = task_texts(last);
	struct task *t = task_copy(last, last->room, 0, &texts);

	t->known = FACT_NONE;
	t->counting = COUNT_REFUSED;
	return t;
}
