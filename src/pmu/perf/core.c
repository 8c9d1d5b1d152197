/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/perf/core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

bool cpu_list_is(const char *text)
{
	static const char digits[] = "0123456789";

	do {
		size_t n = strspn(text, digits);

		if (!n)
			return false;
		text += n;
		if (*text == '-') {
			n = strspn(++text, digits);
			if (!n)
				return false;
			text += n;
		}
	} while (*text++ == ',');
	return !text[-1];
}

void cpu_list_parse(struct cpu_list *list, const char *text)
{
	char *end;

	CPU_ZERO_S(sizeof list->set, list->set);
	do {
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (end == text)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long cpu = first; cpu <= last && cpu < AFFINITY_CPUS; cpu++)
			CPU_SET_S(cpu, sizeof list->set, list->set);
		text = end + 1;
	} while (*end == ',');
}

bool cpu_list_has(const struct cpu_list *list, int cpu)
{
	return cpu >= 0 && cpu < AFFINITY_CPUS &&
	       CPU_ISSET_S((size_t)cpu, sizeof list->set, list->set);
}

int cpu_numbers_end(const char *path)
{
	struct cpu_list present;
	char text[4096];
	int end = 0;

	if (file_read(AT_FDCWD, path, text, sizeof text) > 0) {
		cpu_list_parse(&present, text);
		for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
			if (cpu_list_has(&present, cpu))
				end = cpu + 1;
	}
	return end ? end : (int)sysconf(_SC_NPROCESSORS_CONF);
}

static int bind_to(const struct cpu_list *cpus)
{
	return sched_setaffinity(0, sizeof cpus->set, cpus->set) ? -errno : 0;
}

static int get_bound(struct cpu_list *cpus)
{
	memset(cpus, 0, sizeof *cpus);
	return sched_getaffinity(0, sizeof cpus->set, cpus->set) ? -errno : 0;
}

/* Sets `one` to the first CPU that is in both lists. False: there is none. */
static bool pick_cpu(struct cpu_list *one, const struct cpu_list *a, const struct cpu_list *b)
{
	CPU_ZERO_S(sizeof one->set, one->set);
	for (size_t cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (CPU_ISSET_S(cpu, sizeof a->set, a->set) &&
		    CPU_ISSET_S(cpu, sizeof b->set, b->set)) {
			CPU_SET_S(cpu, sizeof one->set, one->set);
			return true;
		}
	return false;
}

int affinity_visit(struct affinity *a, const struct cpu_list *cpus)
{
	struct cpu_list one;
	int ret = a->away ? 0 : get_bound(&a->home);

	if (!ret && !pick_cpu(&one, &a->home, cpus))
		ret = -ENODEV;
	if (!ret)
		ret = bind_to(&one);
	a->away = a->away || !ret;
	return ret;
}

int affinity_return(struct affinity *a)
{
	struct cpu_list all, now;

	if (!a->away)
		return 0;
	a->away = false;
	/* With a mask of all CPUs, the thread may run on all CPUs that its cpuset allows, now and
	 * later. If this gives the mask that the thread had before, the thread was not bound, and
	 * stays so. */
	memset(&all, 0xff, sizeof all);
	if (!bind_to(&all) && !get_bound(&now) && CPU_EQUAL_S(sizeof now.set, now.set, a->home.set))
		return 0;
	return bind_to(&a->home);
}
