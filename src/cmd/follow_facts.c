/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/follow_facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/task/proc_file.h"

#define NS_OF_US 1000

/* In the order of FOLLOW_FACTS_NAMES: each is the sum of these facts. */
static const struct {
	fact_mask facts;
	uint64_t unit;
} table[] = {
	{FACT_BIT(FACT_CPU_NS), NS_OF_US},
	{FACT_BIT(FACT_UTIME_NS), NS_OF_US},
	{FACT_BIT(FACT_STIME_NS), NS_OF_US},
	{FACT_BIT(FACT_WAIT_NS), NS_OF_US},
	{FACT_BIT(FACT_MINFLT) | FACT_BIT(FACT_MAJFLT), 1},
	{FACT_BIT(FACT_VCSW) | FACT_BIT(FACT_NVCSW), 1},
	{FACT_BIT(FACT_MIGRATIONS), 1},
};

#define TABLE_N (sizeof table / sizeof *table)

/* A file of the thread itself: /proc/TASK/stat would be of its process. */
static bool read_file(pid_t task, const char *name, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", task, task, name);
	return file_read(AT_FDCWD, path, text, size) > 0;
}

static void read_facts(const struct follow_facts *f, pid_t task, struct proc_facts *out)
{
	const struct proc_units units = {.tick_ns = f->tick_ns};
	fact_mask want = 0;
	char text[8192];

	out->known = 0;
	for (size_t i = 0; i < TABLE_N; i++)
		want |= table[i].facts;
	for (int i = FACT_FILE_STAT; i < N_FACT_FILES; i++)
		if (read_file(task, fact_file_name[i], text, sizeof text))
			proc_parse_file((enum fact_file)i, text, &units, want, out);
}

/* Returns a bit for each number that is not known. */
static uint64_t read_numbers(const struct follow_facts *f, pid_t task, uint64_t *out)
{
	struct proc_facts facts;
	uint64_t unknown = 0;

	read_facts(f, task, &facts);
	for (size_t i = 0; i < TABLE_N; i++) {
		out[i] = 0;
		for (int k = 0; k < N_NUMBER_FACTS; k++)
			out[i] += table[i].facts & FACT_BIT(k) & facts.known ? facts.fact[k] : 0;
		out[i] /= table[i].unit;
		if (table[i].facts & ~facts.known)
			unknown |= 1ull << i;
	}
	return unknown;
}

uint64_t follow_facts_read(void *context, pid_t task, uint64_t *out)
{
	struct follow_facts *f = context;

	if (task != f->ended)
		return read_numbers(f, task, out);
	memcpy(out, f->last, sizeof f->last);
	return f->unknown;
}

/* Of any task that has something to tell, the end is read before it is taken. */
static pid_t take(struct trace_sys *self, pid_t task, int *status, int options)
{
	struct follow_facts *f = (struct follow_facts *)self;
	siginfo_t info = {.si_pid = 0};

	if (!f->inner.wait(&f->inner, task, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) &&
	    info.si_pid) {
		task = info.si_pid;
		f->ended = 0;
		if (!WIFSTOPPED(trace_status(&info))) {
			f->unknown = read_numbers(f, task, f->last);
			f->ended = task;
		}
	}
	return f->inner.take(&f->inner, task, status, options);
}

void follow_facts_init(struct follow_facts *f)
{
	*f = (struct follow_facts){.inner = trace_kernel(),
				   .tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)};
	f->sys = f->inner;
	f->sys.take = take;
}

void follow_facts_set(struct event_set *set)
{
	char *names = xstrdup(FOLLOW_FACTS_NAMES), *rest = names, *name;

	event_set_init(set);
	while ((name = strsep(&rest, ",")))
		event_set_add(set, name);
	free(names);
}
