/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visiting CPUs: the thread runs there, and its affinity is restored afterwards.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/perf/sys.h"
#include "tap.h"

#define ABSENT (AFFINITY_CPUS - 1)

static struct cpu_list list_of(const char *text)
{
	struct cpu_list list;

	cpu_list_parse(&list, text);
	return list;
}

static struct cpu_list here(void)
{
	struct cpu_list list;

	memset(&list, 0, sizeof list);
	sched_getaffinity(0, sizeof list.set, list.set);
	return list;
}

static bool same(const struct cpu_list *a, const struct cpu_list *b)
{
	return CPU_EQUAL_S(sizeof a->set, a->set, b->set);
}

static void test_parse(void)
{
	static const struct {
		const char *text;
		int n, last;
	} table[] = {
		{"0", 1, 0},       {"0-3\n", 4, 3},        {"0-3,8", 5, 8}, {"2,4,6-7\n", 4, 7},
		{"8191", 1, 8191}, {"8190-8195", 2, 8191}, {"\n", 0, -1},   {"", 0, -1},
		{"x", 0, -1},      {"1,x,3", 1, 1},        {"3-1", 0, -1},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct cpu_list list = list_of(table[i].text);

		tap_int(CPU_COUNT_S(sizeof list.set, list.set), table[i].n, "list %d: how many",
			(int)i);
		tap_ok(table[i].last < 0 ||
			       CPU_ISSET_S((size_t)table[i].last, sizeof list.set, list.set),
		       "list %d: the last one", (int)i);
	}
}

/* A machine with CPUs 0 and 2 has numbers up to 2. */
static void test_numbers(void)
{
	static const struct {
		const char *text;
		int end;
	} table[] = {{"0\n", 1}, {"0-3\n", 4}, {"0,2\n", 3}, {"0-1,64-65\n", 66}};
	char path[] = P_tmpdir "/tiptop-cpus.XXXXXX";
	int fd = mkstemp(path);

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const size_t n = strlen(table[i].text);

		tap_ok(!ftruncate(fd, 0) && pwrite(fd, table[i].text, n, 0) == (ssize_t)n &&
			       cpu_numbers_end(path) == table[i].end,
		       "numbers up to %d", table[i].end - 1);
	}
	close(fd);
	unlink(path);
	tap_int(cpu_numbers_end(path), sysconf(_SC_NPROCESSORS_CONF), "no file: the CPUs");
	tap_ok(cpu_numbers_end(CPUS_PRESENT) >= sysconf(_SC_NPROCESSORS_ONLN), "this machine");
}

/* Visits each CPU on which this thread may run; then checks that it may run on all of them
 * again. */
static void visit_all(const char *what)
{
	struct cpu_list before = here(), after, absent;
	struct affinity a = {.away = false};
	int there = 0, n = 0;

	for (size_t cpu = 0; cpu < ABSENT; cpu++) {
		struct cpu_list one;

		if (!CPU_ISSET_S(cpu, sizeof before.set, before.set))
			continue;
		CPU_ZERO_S(sizeof one.set, one.set);
		CPU_SET_S(cpu, sizeof one.set, one.set);
		n++;
		there += !affinity_visit(&a, &one) && sched_getcpu() == (int)cpu;
	}
	tap_int(there, n, "%s: it is on each CPU in turn", what);
	absent = list_of("8191");
	tap_int(affinity_visit(&a, &absent), -ENODEV, "%s: a CPU that is not there", what);
	tap_int(affinity_return(&a), 0, "%s: it goes back", what);
	after = here();
	tap_ok(same(&before, &after), "%s: it may run where it might before", what);
	tap_int(affinity_visit(&a, &absent), -ENODEV, "%s: again", what);
	after = here();
	tap_ok(!a.away && same(&before, &after), "%s: a visit that fails changes nothing", what);
	tap_int(affinity_return(&a), 0, "%s: nowhere to return from", what);
}

/* By the system calls of tiptop, with kinds of cores that this machine may not have. */
static void test_kernel(void)
{
	struct core_pmu core[] = {{.name = "fast"}, {.name = "slow"}};
	struct cpu_list before = here(), after;
	struct err err = ERR_INIT;
	struct perf_kernel k;

	core[0].cpus = before;
	core[1].cpus = list_of("8191");
	perf_kernel_init(&k, NULL, 0);
	tap_int(k.sys.visit(&k.sys, 1, &err), 0, "if it is not wanted: nothing is done");
	k.core = core;
	k.n_cores = 2;
	tap_int(k.sys.visit(&k.sys, 0, &err), 0, "the first kind is visited");
	after = here();
	tap_int(CPU_COUNT_S(sizeof after.set, after.set), 1, "on one of its CPUs");
	tap_int(k.sys.visit(&k.sys, 1, &err), -ENODEV, "the second kind is not to be had");
	tap_ok(strstr(err.text, "'slow' (taskset(1) or a cpuset"), "as the sentence says");
	tap_int(k.sys.visit(&k.sys, EVENT_NO_CORE, &err), 0, "and back");
	after = here();
	tap_ok(same(&before, &after), "to where it might run before");
	k.n_cores = 1;
	tap_int(k.sys.visit(&k.sys, 0, &err), 0, "one kind only");
	after = here();
	tap_ok(same(&before, &after), "is where the thread is anyway");
}

int main(void)
{
	struct cpu_list one, all = here();

	test_parse();
	test_numbers();
	visit_all("all CPUs");
	test_kernel();
	for (size_t cpu = 0; cpu < ABSENT; cpu++)
		if (CPU_ISSET_S(cpu, sizeof all.set, all.set)) {
			CPU_ZERO_S(sizeof one.set, one.set);
			CPU_SET_S(cpu, sizeof one.set, one.set);
		}
	sched_setaffinity(0, sizeof one.set, one.set);
	visit_all("bound to one CPU");
	return tap_done();
}
