/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that appear and disappear, with a scripted PMU and a made-up /proc/stat. */
#include "collect/cpu/cpus.h"

#include <errno.h>
#include <unistd.h>

#include "fake_proc.h"
#include "fake_sysfs.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000u
#define CORE   4
#define ATOM   10

static const struct fake_file plain[] = {
	{"devices/cpu/type", "4\n"},
	{"cpus/cpu0/topology/thread_siblings_list", "0\n"},
	{"cpus/cpu0/topology/physical_package_id", "0\n"},
};

static const struct fake_file siblings[] = {
	{"devices/cpu/type", "4\n"},
	{"cpus/cpu0/topology/thread_siblings_list", "0-1\n"},
	{"cpus/cpu0/topology/physical_package_id", "0\n"},
	{"cpus/cpu1/topology/thread_siblings_list", "0-1\n"},
	{"cpus/cpu1/topology/physical_package_id", "1\n"},
};

static const struct fake_file hybrid[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "1\n"},
};

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct pmu pmu;
	struct world world;
	struct cpu_ticks ticks[4];
	struct source *source;
	struct sample sample[2];
	struct delta delta[2];
	struct err err, note;
	int now;
	bool begun;
	int frozen; /* a CPU whose counters do not advance; -1: none */
};

static void begin(struct scene *s, const struct fake_file *file, size_t n,
		  const struct cpus_scope *scope)
{
	*s = (struct scene){.frozen = -1};
	fake_sysfs_make(&s->sysfs, file, n);
	machine_init(&s->machine, &s->sysfs.host);
	pmu_init(&s->pmu);
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, 10ull * SECOND);
	s->world.use = (struct machine_use){.wanted = true, .cpu = s->ticks, .n_cpus = 2};
	for (int i = 0; i < 2; i++) {
		s->ticks[i].cpu = i;
		pmu_task_add(&s->pmu, PMU_CPU(i));
		sample_init(&s->sample[i]);
		delta_init(&s->delta[i]);
	}
	s->source = source_cpus_new(&s->pmu.sys, &s->world.proc, &s->machine, NULL, scope);
}

/* Configures n events of the PMU; on a hybrid machine (on_both), each with a part on both kinds of
 * cores. */
static void configure(struct scene *s, int n, bool on_both)
{
	struct want want = {.filter = FILTER_ALL};

	event_set_init(&want.events);
	want.events.kernel = true;
	for (int i = 0; i < n; i++) {
		struct event *e = event_set_add(&want.events, "event");

		e->config = (uint64_t)i;
		if (!on_both)
			continue;
		e->core = 0;
		e->config |= (uint64_t)CORE << 32;
		e = event_set_add_part(&want.events, "event");
		e->core = 1;
		e->config = (uint64_t)i | (uint64_t)ATOM << 32;
	}
	s->source->ops->configure(s->source, &want, &s->note);
}

/* Each CPU runs for a second, which is 100 ticks. It is busy for busy[CPU] of them, and a quarter
 * of the busy ticks are in interrupts. */
static int step(struct scene *s, const uint64_t busy[2])
{
	int old = s->now, ret;

	for (int i = 0; i < 2; i++) {
		s->ticks[i].in[CPU_USER] += busy[i] - busy[i] / 4;
		s->ticks[i].in[CPU_IRQ] += busy[i] / 4;
		s->ticks[i].in[CPU_IDLE] += 100 - busy[i];
		if (i != s->frozen)
			pmu_run(&s->pmu, PMU_CPU(i), SECOND);
	}
	world_wait(&s->world, SECOND);
	s->now = s->begun ? !old : old;
	ret = s->source->ops->next(s->source, &s->sample[s->now], &s->err);
	delta_compute(&s->delta[s->now], s->begun ? &s->delta[old] : NULL,
		      s->begun ? &s->sample[old] : NULL, &s->sample[s->now]);
	s->begun = true;
	return ret;
}

static const struct delta_row *row_of(const struct scene *s, size_t i)
{
	return &s->delta[s->now].row[i];
}

static void check(struct value v, enum quality quality, double number, const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s", what);
	if (value_known(v))
		tap_num(v.number, number, "%s", what);
}

static void end(struct scene *s)
{
	s->source->ops->free(s->source);
	for (int i = 0; i < 2; i++) {
		delta_done(&s->delta[i]);
		sample_done(&s->sample[i]);
	}
	fake_sysfs_remove(&s->sysfs);
	tap_int(s->pmu.n_open, 0, "no descriptor is left open");
	tap_int(s->pmu.bad_calls + s->pmu.orphans, 0, "every call made sense");
}

#define BEGIN(s, files, scope) begin(s, files, sizeof(files) / sizeof *(files), scope)

static double tick_ns(void)
{
	return 1e9 / (double)sysconf(_SC_CLK_TCK);
}

static void test_counts(void)
{
	struct scene s;

	BEGIN(&s, plain, NULL);
	configure(&s, 2, false);
	step(&s, (const uint64_t[2]){80, 0});
	tap_int(s.sample[s.now].n, 2, "a row for each CPU that is online");
	tap_ok(s.sample[s.now].task[0]->kind == &kind_cpu, "of the kind of CPUs");
	tap_str(s.sample[s.now].task[0]->name, "0", "by their numbers");
	tap_str(s.sample[s.now].task[0]->cmdline, "socket 0, core 0", "where the first one is");
	tap_str(s.sample[s.now].task[1]->cmdline, "?", "and the second one");
	check(row_of(&s, 0)->increment[1], QUALITY_FRESH, 0, "there is no interval yet");
	step(&s, (const uint64_t[2]){80, 4});
	for (size_t i = 0; i < 2; i++)
		for (int e = 0; e < 2; e++)
			check(row_of(&s, i)->increment[e], QUALITY_EXACT,
			      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, (uint64_t)e),
			      "what it has counted");
	check(delta_fact(row_of(&s, 0), FACT_CPU_NS), QUALITY_EXACT, 80 * tick_ns(), "busy");
	check(delta_fact(row_of(&s, 0), FACT_STIME_NS), QUALITY_EXACT, 20 * tick_ns(),
	      "of that in the kernel");
	check(delta_fact(row_of(&s, 1), FACT_CPU_NS), QUALITY_EXACT, 4 * tick_ns(),
	      "one that idles counts all the same");
	check(delta_cpu_share(row_of(&s, 0)), QUALITY_EXACT, 80 * tick_ns() / 1e9,
	      "not the time for which its counters were enabled");
	check(delta_fact_now(row_of(&s, 0), FACT_CORE), QUALITY_EXACT, 0, "its core");
	check(delta_fact_now(row_of(&s, 1), FACT_CORE), QUALITY_NOT_READ, 0, "which is unknown");
	end(&s);
}

static struct cpu_queue waited[] = {{1, 3000}, {0, 5000}};
static bool tells;

static int tell_queues(const struct cpu_queue **out, struct arena *arena)
{
	(void)arena;
	*out = waited;
	return tells ? 2 : -ENOENT;
}

/* Times of a CPU while it is not busy (idle, waits for a disk, stolen), and the time that tasks
 * waited in its queue. */
static void test_shares_of_time(void)
{
	const struct cpus_scope scope = {.queues = tell_queues};
	struct want want = {.filter = FILTER_ALL, .facts = FACT_SET(FACT_WAIT_NS)};
	struct log log = LOG_INIT;
	struct scene s;

	BEGIN(&s, plain, &scope);
	want.log = &log;
	event_set_init(&want.events);
	s.source->ops->configure(s.source, &want, NULL);
	for (int i = 0; i < 3; i++) {
		/* At the third sample, the kernel no longer gives the times of the queues. */
		tells = i < 2;
		waited[1].waited_ns += 700;
		s.ticks[0].in[CPU_STOLEN] += 5;
		s.ticks[0].waiting += 7;
		step(&s, (const uint64_t[2]){80, 100});
		if (i == 1)
			check(delta_fact(row_of(&s, 0), FACT_WAIT_NS), QUALITY_EXACT, 700,
			      "waits in its queue");
	}
	check(delta_fact(row_of(&s, 0), FACT_IDLE_NS), QUALITY_EXACT, 13 * tick_ns(), "idle");
	check(delta_fact(row_of(&s, 0), FACT_IOWAIT_NS), QUALITY_EXACT, 7 * tick_ns(),
	      "idle, while a task waited for a disk");
	check(delta_fact(row_of(&s, 0), FACT_STEAL_NS), QUALITY_EXACT, 5 * tick_ns(), "stolen");
	check(delta_fact(row_of(&s, 1), FACT_IDLE_NS), QUALITY_EXACT, 0, "never idle");
	check(delta_fact(row_of(&s, 0), FACT_WAIT_NS), QUALITY_NOT_READ, 0,
	      "waits that are not reported are unknown");
	tap_ok(log.n == 1 && strstr(log.line[0].text, "no /proc/schedstat"), "and why is said");
	log_done(&log);
	end(&s);
}

static void test_hotplug(void)
{
	const struct task *first, *dead;
	struct scene s;

	BEGIN(&s, plain, NULL);
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	first = task_ref(s.sample[s.now].task[1]);
	s.world.use.n_cpus = 1;
	step(&s, (const uint64_t[2]){10, 10});
	dead = s.sample[s.now].task[1];
	tap_ok(dead->dead && dead->start_ns == first->start_ns, "a CPU that has gone offline");
	check(row_of(&s, 1)->increment[0], QUALITY_EXACT,
	      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), "with its final counts");
	step(&s, (const uint64_t[2]){10, 10});
	tap_int(s.sample[s.now].n, 1, "then it is not a row any more");
	tap_int(pmu_open_on(&s.pmu, PMU_CPU(1)), 0, "and nothing is open on it");
	s.world.use.n_cpus = 2;
	step(&s, (const uint64_t[2]){10, 10});
	tap_ok(s.sample[s.now].task[1]->start_ns != first->start_ns,
	       "when it is back, it is another row");
	check(row_of(&s, 1)->increment[0], QUALITY_FRESH, 0, "whose counters have just begun");
	check(row_of(&s, 0)->increment[0], QUALITY_EXACT,
	      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), "the other one goes on");
	step(&s, (const uint64_t[2]){10, 10});
	check(row_of(&s, 1)->increment[0], QUALITY_EXACT,
	      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), "from there it counts");
	task_unref(first);
	end(&s);
}

/* When a CPU goes offline, the kernel stops its counters before /proc/stat leaves the CPU out. */
static void test_frozen(void)
{
	const double each = (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0);
	struct scene s;

	BEGIN(&s, plain, NULL);
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	s.frozen = 1;
	step(&s, (const uint64_t[2]){10, 0});
	check(row_of(&s, 1)->increment[0], QUALITY_NOT_READ, 0, "counters that stand still");
	check(row_of(&s, 0)->increment[0], QUALITY_EXACT, each, "and those that go on");
	s.world.use.n_cpus = 1;
	step(&s, (const uint64_t[2]){10, 0});
	tap_ok(s.sample[s.now].task[1]->dead, "its last row");
	check(row_of(&s, 1)->increment[0], QUALITY_NOT_READ, 0, "has nothing more to tell");
	end(&s);
}

static void test_hybrid(void)
{
	struct scene s;

	BEGIN(&s, hybrid, NULL);
	s.pmu.script.core_type[0] = CORE;
	s.pmu.script.core_type[1] = ATOM;
	s.pmu.task[1].core = 1;
	configure(&s, 1, true);
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	for (size_t i = 0; i < 2; i++)
		check(row_of(&s, i)->increment[0], QUALITY_EXACT,
		      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0),
		      i ? "the other kind of cores" : "one kind of cores");
	check(delta_fact_now(row_of(&s, 1), FACT_CORE_KIND), QUALITY_EXACT, 1, "which it is");
	end(&s);
}

/* Groups the rows by key. Checks the number of groups, and of the first one its name, members and
 * counts. */
static void check_groups(const struct scene *s, enum group_key key, size_t n, const char *name,
			 int n_members)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = key, .filter = &all};
	const char *what = group_key_table[key].name;
	struct delta groups;
	struct retired_groups retired;

	retired_groups_init(&retired);
	delta_init(&groups);
	retired_groups_update(&retired, &s->delta[s->now], &all, false, NULL);
	fold_groups(&groups, &s->delta[s->now], &by, &retired);
	tap_int(groups.n, n, "%s: groups", what);
	tap_str(groups.row[0].task->name, name, "%s: the first one", what);
	tap_int(groups.row[0].n_members, n_members, "%s: its members", what);
	check(groups.row[0].increment[0], QUALITY_EXACT,
	      n_members * (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), what);
	check(delta_fact(&groups.row[0], FACT_CPU_NS), QUALITY_EXACT, n_members * 10 * tick_ns(),
	      what);
	delta_done(&groups);
	retired_groups_done(&retired);
}

static void test_groups(void)
{
	struct scene s;

	BEGIN(&s, siblings, NULL);
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	check_groups(&s, GROUP_CORE, 1, "", 2);
	check_groups(&s, GROUP_SOCKET, 2, "", 1);
	check_groups(&s, GROUP_CORE_KIND, 1, "", 2);
	check_groups(&s, GROUP_MACHINE, 1, "all", 2);
	end(&s);
}

static void test_shares(void)
{
	struct scene s;

	BEGIN(&s, plain, NULL);
	s.pmu.script.share_running = 1;
	s.pmu.script.share_of = 4;
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	check(row_of(&s, 0)->increment[0], QUALITY_SCALED,
	      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0),
	      "what was on the PMU for a part of the time is scaled");
	end(&s);
}

/* Counts only the tasks of a control group. CPU time is then the time for which the counters were
 * enabled. */
static void test_cgroup(void)
{
	const struct cpus_scope scope = {.of_group = true, .group_fd = 77};
	struct scene s;

	BEGIN(&s, plain, &scope);
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){80, 80});
	for (int i = 0; i < PMU_FDS; i++)
		if (s.pmu.event[i].used && s.pmu.event[i].tid == PMU_CPU(0))
			tap_int(s.pmu.event[i].cgroup_fd, 77, "opened for the group");
	step(&s, (const uint64_t[2]){80, 80});
	check(row_of(&s, 0)->increment[0], QUALITY_EXACT,
	      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), "what it has counted");
	check(delta_cpu_share(row_of(&s, 0)), QUALITY_EXACT, 1,
	      "its share of the CPU is not that of /proc/stat");
	tap_ok(kind_is(row_of(&s, 0)->task->kind, &kind_cpu), "its rows are like CPUs");
	end(&s);
}

/* An event that its PMU counts for a whole socket is unsupported for each CPU and each group of
 * CPUs, although the kernel would return a number. */
static void test_shared(void)
{
	const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_SOCKET, .filter = &all};
	struct want want = {.filter = all};
	struct delta sockets;
	struct retired_groups retired;
	struct scene s;

	BEGIN(&s, siblings, NULL);
	event_set_init(&want.events);
	event_set_add(&want.events, "cycles");
	event_set_add(&want.events, "lines")->shared = true;
	s.source->ops->configure(s.source, &want, &s.note);
	tap_ok(strstr(s.note.text, "counts for a whole socket"), "why it is not counted");
	step(&s, (const uint64_t[2]){10, 10});
	step(&s, (const uint64_t[2]){10, 10});
	for (size_t i = 0; i < 2; i++) {
		check(row_of(&s, i)->increment[0], QUALITY_EXACT,
		      (double)SECOND * (double)pmu_rate(PERF_TYPE_HARDWARE, 0), "its own");
		check(row_of(&s, i)->increment[1], QUALITY_UNSUPPORTED, 0, "no CPU has it");
		tap_int(pmu_open_on(&s.pmu, PMU_CPU((int)i)), 1, "which alone is open there");
	}
	retired_groups_init(&retired);
	delta_init(&sockets);
	retired_groups_update(&retired, &s.delta[s.now], &all, false, NULL);
	fold_groups(&sockets, &s.delta[s.now], &by, &retired);
	check(sockets.row[0].increment[1], QUALITY_UNSUPPORTED, 0, "nor has a sum of CPUs");
	delta_done(&sockets);
	retired_groups_done(&retired);
	end(&s);
}

static void test_refusals(void)
{
	struct cpu_list only;
	struct scene s;

	cpu_list_parse(&only, "1,7");
	BEGIN(&s, plain, &(struct cpus_scope){.only = &only});
	pmu_task(&s.pmu, PMU_CPU(1))->denied = true;
	configure(&s, 1, false);
	step(&s, (const uint64_t[2]){10, 10});
	tap_int(s.sample[s.now].n, 1, "only the CPUs that are wanted");
	tap_int(s.sample[s.now].task[0]->id, 1, "by their numbers");
	step(&s, (const uint64_t[2]){10, 10});
	check(row_of(&s, 0)->increment[0], QUALITY_DENIED, 0, "one that may not be counted");
	check(delta_fact(row_of(&s, 0), FACT_CPU_NS), QUALITY_EXACT, 10 * tick_ns(),
	      "may be looked at");
	tap_ok(s.source->ops->note(s.source) &&
		       strstr(s.source->ops->note(s.source), "CPUs may not be counted"),
	       "and why is said");
	s.world.use.cpu_error = ENOENT;
	tap_int(step(&s, (const uint64_t[2]){10, 10}), -ENOENT, "no CPUs are listed");
	tap_str(s.err.text, "cannot read /proc/stat: No such file or directory", "the sentence");
	end(&s);
}

int main(void)
{
	test_counts();
	test_shares_of_time();
	test_hotplug();
	test_frozen();
	test_hybrid();
	test_groups();
	test_shares();
	test_cgroup();
	test_shared();
	test_refusals();
	return tap_done();
}
