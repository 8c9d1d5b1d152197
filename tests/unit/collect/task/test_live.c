/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source with a scripted PMU and fake_proc: what is read of each task, how many calls that
 * takes, and the ends of tasks.
 */
#include <errno.h>
#include <stdlib.h>

#include "live_rig.h"
#include "model/fact_list.h"

static void test_processes(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "fresh", "the first sample gives no increments");
	tap_int(rig_sample(&r)->n, 4, "each thread that was there has a group");
	RUN(&r, 10, 1);
	RUN(&r, 21, 2);
	world_start_thread(&r.world, 20, 23, 21);
	RUN(&r, 23, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 1), "exact 80000", "a process with one thread");
	tap_str(rig_increment(&r, 20, 0), "exact 200000",
		"a process is the sum of its threads, new ones too");
	tap_num(rig_row(&r, 20)->cpu_ns.number, 200000, "and so is its time");
	tap_str(rig_task(&r, 10)->name, "alpha", "its name");
	tap_str(rig_task(&r, 10)->user, "root", "its user");
	world_start(&r.world, 30, "gamma");
	RUN(&r, 30, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 30, 0), "fresh", "a newcomer is found at once");
	tap_int(r.world.calls.walk_all, 1, "without another full walk");
	RUN(&r, 30, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 30, 0), "exact 80000", "and counted from then on");
	tap_int(rig_sample(&r)->generation, 1, "all in one generation");
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	tap_int(rig_sample(&r)->generation, 2, "configure() begins another");
	tap_int(rig_events(&r)->n, 1, "with its own events");
	tap_str(rig_increment(&r, 10, 0), "fresh", "in which all are fresh");
	rig_end(&r, "processes");
}

static void test_cost(void)
{
	static struct rig r;
	struct world_calls before;
	struct source_cost cost;
	int reads, opens;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	for (int i = 0; i < 2; i++)
		rig_next(&r);
	before = r.world.calls;
	reads = r.pmu.calls.read;
	opens = r.pmu.calls.open;
	rig_next(&r);
	tap_int(r.world.calls.cpu_clock - before.cpu_clock, 2,
		"an idle process costs one look at its clock");
	tap_int(r.pmu.calls.read - reads, 0, "no read of its counters");
	tap_int(r.world.calls.facts - before.facts + r.world.calls.tids - before.tids, 0,
		"none of its files");
	tap_int(r.world.calls.pids - before.pids, 0, "no list of pids where no process was born");
	tap_int(r.world.calls.walk_all - before.walk_all + r.world.calls.walk_some -
			before.walk_some,
		0, "no walk");
	before = r.world.calls;
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_int(r.world.calls.cpu_clock - before.cpu_clock, 3,
		"when one of two ran: a look at both clocks, at its own twice");
	tap_int(r.pmu.calls.read - reads, 1, "one read of a group");
	tap_int(r.world.calls.facts - before.facts, 1, "and of the facts");
	tap_int(r.pmu.calls.open - opens, 0, "nothing is opened");
	r.source->ops->cost(r.source, &cost);
	tap_ok(cost.tasks == 2 && cost.ran == 1 && cost.groups == 4 && cost.descriptors == 8,
	       "which is known");
	tap_int((long)cost.reads, 1 + 3 + 1 + 1,
		"the looks, too: at the host, the clocks, a group, a file");
	before = r.world.calls;
	for (int i = 4; i < 64; i++)
		rig_next(&r);
	tap_int(r.world.calls.walk_all, 1, "there is one full walk");
	tap_int(r.world.calls.pids - before.pids, 1,
		"the names are listed once in sixty refreshes");
	tap_int(r.world.calls.walk_some - before.walk_some, 1, "who ran is described again, once");
	tap_int(r.world.calls.facts - before.facts, 0, "and that is all");
	before = r.world.calls;
	for (int i = 0; i < 30; i++) {
		r.world.last_pid++; /* a process that has already ended */
		rig_next(&r);
	}
	tap_int(r.world.calls.pids - before.pids, 3,
		"once in ten, if a pid was assigned since the last list");
	rig_end(&r, "cost");
}

/* Two samples share the reading of a task that did not run; a task that ran gets a new reading. */
static void test_shared(void)
{
	const struct task *idle, *ran;
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	idle = rig_task(&r, 20);
	ran = rig_task(&r, 10);
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_ok(rig_task(&r, 20) == idle, "an idle task keeps its reading");
	tap_ok(rig_task(&r, 10) != ran, "one that ran has another");
	tap_int((long)ran->count[0].value, 0, "and the first one is what it was");
	tap_str(rig_increment(&r, 20, 0), "exact 0", "which says that it did nothing");
	rig_end(&r, "shared readings");
}

static void test_end(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS));
	rig_next(&r);
	RUN(&r, 10, 2);
	rig_next(&r);
	RUN(&r, 10, 3);
	RUN(&r, 22, 5);
	world_exit(&r.world, 22);
	world_reap(&r.world, 10);
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 10)->dead,
	       "a process that has gone is sampled once more, dead");
	tap_str(rig_increment(&r, 10, 0), "exact 120000", "with its final counts");
	tap_str(rig_value(delta_fact(rig_row(&r, 10), FACT_MINFLT)), "stale 80",
		"and the facts of the last complete interval");
	tap_str(rig_value(delta_fact_rate(rig_row(&r, 10), FACT_MINFLT)), "stale 80",
		"as a rate, too");
	tap_str(rig_value(delta_fact_now(rig_row(&r, 10), FACT_MINFLT)), "stale 80",
		"and as a total");
	tap_str(rig_value(rig_row(&r, 10)->cpu_ns), "exact 120000",
		"its counters tell its time until the end");
	tap_str(rig_increment(&r, 20, 0), "exact 200000",
		"a thread that ended counts in its process");
	rig_next(&r);
	tap_ok(!rig_task(&r, 10), "then no more");
	tap_str(rig_increment(&r, 20, 0), "exact 0", "nor does the thread, again");
	RUN(&r, 20, 7);
	world_exit(&r.world, 20);
	world_exit(&r.world, 21);
	rig_next(&r);
	tap_ok(rig_task(&r, 20) && rig_task(&r, 20)->dead, "a zombie is dead");
	tap_str(rig_increment(&r, 20, 0), "exact 280000", "with its final counts");
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_MINFLT)), "exact 280",
		"and its facts, which are still there");
	for (int i = 0; i < 12; i++) {
		rig_next(&r);
		if (rig_task(&r, 20))
			tap_ok(false, "a zombie is sampled once");
	}
	tap_int(rig_sample(&r)->n, 0, "and then never again, walks or not");
	world_reap(&r.world, 20);
	rig_next(&r);
	rig_end(&r, "the end");
}

/* A zombie at the first refresh was never counted. A process whose leader is a zombie lives as long
 * as it has other threads. */
static void test_zombies(void)
{
	static struct rig r;

	rig_begin(&r);
	RUN(&r, 10, 1);
	world_exit(&r.world, 10);
	RUN(&r, 20, 2);
	world_exit(&r.world, 20);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	tap_ok(rig_task(&r, 10)->dead, "a zombie at the first sight is dead");
	tap_int(rig_task(&r, 10)->counting, COUNT_GONE, "and was never counted");
	tap_str(rig_value(rig_row(&r, 10)->total[0]), "gone", "which is unknown, not 0");
	tap_ok(!rig_task(&r, 20)->dead, "threads outlive their leader");
	RUN(&r, 21, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 120000", "and are counted");
	world_start(&r.world, 30, "short");
	RUN(&r, 30, 4);
	world_exit(&r.world, 30);
	rig_next(&r);
	tap_str(rig_value(rig_row(&r, 30)->total[0]), "gone",
		"a newcomer that has ended already is unknown, not 0");
	rig_end(&r, "zombies");
}

static void test_pid_reuse(void)
{
	static struct rig r;
	const struct task *t;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 10, 5);
	world_reap(&r.world, 10);
	world_start(&r.world, 10, "another");
	RUN(&r, 10, 2);
	rig_next(&r);
	t = rig_task(&r, 10);
	tap_ok(t && t->dead, "a pid that is used again: first the old process, dead");
	tap_str(rig_increment(&r, 10, 0), "exact 200000", "with its own counts");
	tap_str(t->name, "alpha", "and name");
	rig_next(&r);
	t = rig_task(&r, 10);
	tap_ok(t && !t->dead, "then the new one");
	tap_str(t ? t->name : "", "another", "by its name");
	tap_str(rig_increment(&r, 10, 0), "fresh", "as another task");
	RUN(&r, 10, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 120000", "with counts of its own");
	rig_end(&r, "pid reuse");
}

static void test_exec(void)
{
	static struct rig r;

	rig_begin(&r);
	world_task(&r.world, 10)->cmdline = "alpha -x";
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .cmdline = true));
	rig_next(&r);
	tap_str(rig_task(&r, 10)->cmdline, "alpha -x", "the command line");
	RUN(&r, 10, 1);
	world_exec(&r.world, 10, "omega");
	world_task(&r.world, 10)->cmdline = "omega -y";
	rig_next(&r);
	tap_str(rig_task(&r, 10)->name, "omega",
		"a process that runs another program has its name at once");
	tap_str(rig_task(&r, 10)->cmdline, "omega -y", "and the command line of that one");
	tap_str(rig_increment(&r, 10, 0), "exact 40000", "its counts go on");
	rig_end(&r, "execve");
}

/* The counters of a zombie are closed even if its parent does not wait for it. */
static void test_zombie_closed(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2));
	rig_next(&r);
	RUN(&r, 10, 1);
	world_exit(&r.world, 10);
	rig_next(&r);
	tap_ok(rig_task(&r, 10) && rig_task(&r, 10)->dead, "a zombie has its last row");
	tap_int(r.pmu.n_open, 2 + 3 * 2, "and its counters are closed already");
	rig_end(&r, "a zombie closed");
}

/* If a task executes a program with other rights, the kernel stops the counters without an
 * error. */
static void test_counters_lost(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 10, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 40000", "a task is counted");
	pmu_exec_protected(&r.pmu, 10);
	RUN(&r, 10, 1000);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "not-read",
		"counts that stand still while it runs are none");
	RUN(&r, 10, 2);
	rig_next(&r);
	RUN(&r, 10, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 120000", "it is counted again");
	tap_str(rig_value(rig_row(&r, 10)->total[0]), "partial 160000", "and its total is a part");
	rig_end(&r, "counters lost");
}

/* A program that could not be counted for lack of permission is tried again after its execve(2). */
static void test_denied(void)
{
	static struct rig r;

	rig_begin(&r);
	pmu_task(&r.pmu, 10)->denied = true;
	pmu_task(&r.pmu, 21)->denied = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 10, 1);
	RUN(&r, 20, 2);
	RUN(&r, 21, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "denied", "a task that may not be counted");
	tap_num(rig_row(&r, 10)->cpu_ns.number, 40000, "still has a CPU time");
	tap_str(rig_increment(&r, 20, 0), "partial 80000",
		"one thread that may not be counted makes the sum partial");
	tap_num(rig_row(&r, 20)->cpu_ns.number, 200000, "but not the CPU time");
	pmu_task(&r.pmu, 10)->denied = false;
	world_exec(&r.world, 10, "open");
	RUN(&r, 10, 1);
	rig_next(&r);
	rig_next(&r);
	RUN(&r, 10, 4);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 160000", "after an execve it is tried again");
	rig_end(&r, "denied");
}

static void test_command(void)
{
	static struct rig r;

	rig_begin(&r);
	rig_configure(&r, &(struct rig_want){
				  .n_events = 2, .command = 10, .filter = {.pid = 10, .uid = -1}});
	rig_next(&r);
	for (int i = 0; i < PMU_FDS; i++) {
		const struct pmu_event *e = &r.pmu.event[i];

		if (e->used && e->tid == 10)
			tap_int(e->attr.enable_on_exec, e->leader == e,
				"enable_on_exec is set on leaders only");
	}
	world_exec(&r.world, 10, "program");
	RUN(&r, 10, 1);
	world_start_thread(&r.world, 10, 11, 10);
	RUN(&r, 11, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 80000",
		"a command is counted from its execve, with its threads");
	tap_str(rig_value(rig_row(&r, 10)->total[0]), "exact 80000", "all of it");
	rig_end(&r, "a command");
}

/* A command that got no descriptor before its execve is counted later, like any other task. */
static void test_command_later(void)
{
	static struct rig r;

	rig_begin(&r);
	r.pmu.script.max_fds = 2;
	rig_configure(&r, &(struct rig_want){
				  .n_events = 2, .command = 10, .filter = {.pid = 10, .uid = -1}});
	rig_next(&r);
	tap_int(rig_task(&r, 10)->counting, COUNT_NOFILE, "a command without descriptors");
	r.pmu.script.max_fds = 0;
	world_exec(&r.world, 10, "program");
	RUN(&r, 10, 1);
	rig_next(&r);
	RUN(&r, 10, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 80000", "does not wait for another execve");
	rig_end(&r, "a command, later");
}

/* A task moves between two kinds of cores whose PMUs are multiplexed. The counts of both kinds are
 * added, after scaling by the same factor. */
static void test_hybrid(void)
{
	static struct rig r;
	const struct delta_row *row;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	r.pmu.script.core_max[0] = r.pmu.script.core_max[1] = 2;
	r.pmu.script.share_running = 1;
	r.pmu.script.share_of = 4;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(3, .hybrid = true));
	rig_next(&r);
	tap_int(rig_events(&r)->n, 6, "three counters on two kinds of cores");
	for (int i = 0; i < 4; i++) {
		pmu_task(&r.pmu, 10)->core = i & 1;
		RUN(&r, 10, 300);
		pmu_task(&r.pmu, 10)->core = !(i & 1);
		RUN(&r, 10, 100);
		rig_next(&r);
		row = rig_row(&r, 10);
		tap_str(rig_increment(&r, 10, 2), "scaled 48000000",
			"the sum of both, by one factor");
		tap_num(row->fast_ns.number / row->core_ns.number, i & 1 ? 0.25 : 0.75,
			"the share of the fast cores");
	}
	rig_end(&r, "hybrid");
}

/* The second kind of cores lacks an event. Its count is exact on the first kind, partial if the
 * task ran on both, and unknown on the second. */
static void test_hybrid_lacking(void)
{
	static struct rig r;

	rig_init(&r);
	r.pmu.script.core_type[0] = RIG_CORE;
	r.pmu.script.core_type[1] = RIG_ATOM;
	r.pmu.script.no_atom = 1 << 1;
	world_start(&r.world, 10, "alpha");
	world_wait(&r.world, 10000000000);
	rig_configure(&r, &(struct rig_want)RIG_WANT(2, .hybrid = true));
	rig_next(&r);
	RUN(&r, 10, 100);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 1), "exact 8000000", "only on the fast cores: exact");
	RUN(&r, 10, 100);
	pmu_task(&r.pmu, 10)->core = 1;
	RUN(&r, 10, 100);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 0), "exact 8000000", "on both: one counter has both");
	tap_str(rig_increment(&r, 10, 1), "partial 8000000", "the other one a part");
	RUN(&r, 10, 100);
	rig_next(&r);
	tap_str(rig_increment(&r, 10, 1), "other-core", "only where it is lacking: no number");
	rig_end(&r, "lacking");
}

/* The use of the machine's CPUs and memory is read only if wanted: just the header of the live
 * screen shows it. */
static void test_machine(void)
{
	static const struct cpu_ticks cpu = {.cpu = 3, .in = {[CPU_IDLE] = 1}};
	static struct rig r;

	rig_begin(&r);
	r.world.use = (struct machine_use){.cpu = &cpu, .n_cpus = 1, .memory_error = EACCES};
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	tap_int(r.world.calls.use, 0, "what CPUs are used for is not read");
	tap_ok(!rig_sample(&r)->use.wanted, "nor told");
	r.source->ops->watch_machine(r.source, true);
	rig_next(&r);
	tap_int(r.world.calls.use, 1, "unless it is wanted");
	tap_int(rig_sample(&r)->use.cpu[0].cpu, 3, "then the sample has it");
	tap_int(rig_sample(&r)->use.memory_error, EACCES, "or why not");
	r.source->ops->watch_machine(r.source, false);
	rig_next(&r);
	tap_int(r.world.calls.use, 1, "as long as it is");
	rig_end(&r, "the machine");
}

int main(void)
{
	test_processes();
	test_machine();
	test_cost();
	test_shared();
	test_end();
	test_zombies();
	test_zombie_closed();
	test_counters_lost();
	test_pid_reuse();
	test_exec();
	test_denied();
	test_command();
	test_command_later();
	test_hybrid();
	test_hybrid_lacking();
	return tap_done();
}
