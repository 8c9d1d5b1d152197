/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scene - writes a recording of made-up tasks, the same one each time, for captures of the screen.
 *
 *   scene FILE [threads]
 *
 * 30 samples, two seconds apart, of a machine with four CPUs: render computes, graph-search waits
 * for memory from the middle on, three tasks queue share a CPU, db has four threads, a shell has
 * started make, which has started two cc1plus; one of these ends in the last sample. The counters
 * of sshd were refused. With "threads", each row is a thread.
 */
#include <stdio.h>
#include <string.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/writer.h"
#include "recorded_events.h"

#define N_SAMPLES 30
#define N_CPUS    4
#define DELAY_NS  2000000000ull
/* 2026-01-31 12:00 UTC. */
#define BEGIN_NS 1769860800000000000ull
#define BOOT_NS  90000000000000ull

enum counter { CYCLES, INSTRUCTIONS, CACHE_MISSES, BRANCH_MISSES, BUS_CYCLES };

struct actor {
	uint64_t pid, parent, session;
	unsigned uid;
	const char *user, *name, *cmdline;
	unsigned threads, cpu_pct, sys_pct;
	/* Per 1000 cycles. */
	unsigned instructions;
	/* Per 100000 instructions. */
	unsigned cache_misses, branch_misses;
	unsigned wait_pct, faults, switches;
	int nice;
	unsigned rss_mb;
};

/* clang-format off */
static const struct actor actors[] = {
	{1, 0, 1, 0, "root", "init", "/sbin/init", 1, 0, 0, 500, 900, 800, 0, 0, 0, 0, 12},
	{412, 1, 412, 0, "root", "sshd", "sshd: alice@pts/0", 1, 1, 1, 700, 400, 600, 0, 3, 40, 0, 9},
	{700, 412, 700, 1000, "alice", "bash", "-bash", 1, 0, 0, 600, 500, 700, 0, 0, 0, 0, 6},
	{810, 700, 700, 1000, "alice", "render", "render --size 4096 scene.blend",
	 1, 94, 1, 2500, 2, 60, 1, 20, 4, 0, 310},
	{820, 700, 700, 1000, "alice", "graph-search", "graph-search roads.bin",
	 1, 91, 2, 1900, 15, 90, 2, 60, 6, 0, 1800},
	{831, 700, 700, 1000, "alice", "queue", "queue --lane 1", 1, 28, 1, 1200, 40, 120, 66, 1, 90, 10, 4},
	{832, 700, 700, 1000, "alice", "queue", "queue --lane 2", 1, 27, 1, 1190, 41, 125, 67, 1, 95, 10, 4},
	{833, 700, 700, 1000, "alice", "queue", "queue --lane 3", 1, 26, 1, 1210, 42, 118, 68, 1, 92, 10, 4},
	{900, 700, 700, 1000, "alice", "make", "make -j2", 1, 2, 1, 900, 300, 700, 1, 400, 60, 0, 8},
	{911, 900, 700, 1000, "alice", "cc1plus", "cc1plus -quiet -O2 view.cc",
	 1, 46, 6, 1400, 60, 300, 12, 9000, 30, 0, 220},
	{912, 900, 700, 1000, "alice", "cc1plus", "cc1plus -quiet -O2 model.cc",
	 1, 41, 5, 1350, 66, 310, 14, 8000, 31, 0, 190},
	{1200, 1, 1200, 33, "db", "db", "/usr/bin/db --data /srv/db", 4, 20, 8, 800, 220, 350, 3, 15, 900, -5, 4100},
};
/* clang-format on */
#define N_ACTORS (sizeof actors / sizeof *actors)

/* Returns a number between 95 and 105 % of this one; never the same twice. */
static uint64_t about(uint64_t mean)
{
	static uint64_t seed = 11;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return mean / 100 * 95 + (seed >> 33) % (mean / 10 + 1);
}

static void add_fact(struct task *t, const struct task *before, int fact, uint64_t more)
{
	task_set_fact(t, fact, (before ? task_fact(before, fact) : more * 100) + more);
}

static void count(struct task *t, const struct task *before, const struct actor *a, uint64_t cpu_ns,
		  bool stalls)
{
	const uint64_t cycles = cpu_ns * 3;
	const uint64_t instructions = about(cycles / 1000 * a->instructions) / (stalls ? 5 : 1);
	const uint64_t grown[RECORDED_EVENTS] = {
		cycles,
		instructions,
		about(instructions / 100000 * a->cache_misses) * (stalls ? 90 : 1),
		about(instructions / 100000 * a->branch_misses),
		cycles / 30,
	};

	for (int i = 0; i < RECORDED_EVENTS; i++) {
		t->count[i].value = (before ? before->count[i].value : 0) + grown[i];
		t->count[i].enabled_ns = (before ? before->count[i].enabled_ns : 0) + cpu_ns;
		t->count[i].running_ns = t->count[i].enabled_ns;
	}
}

/* Sets what a task has used so far; before NULL: at its first reading. */
static void use(struct task *t, const struct task *before, const struct actor *a, unsigned parts)
{
	add_fact(t, before, FACT_STIME_NS, DELAY_NS / 100 * a->sys_pct / parts);
	add_fact(t, before, FACT_UTIME_NS, DELAY_NS / 100 * (a->cpu_pct - a->sys_pct) / parts);
	add_fact(t, before, FACT_WAIT_NS, about(DELAY_NS / 100 * a->wait_pct / parts));
	add_fact(t, before, FACT_MINFLT, about(a->faults * 2 / parts));
	add_fact(t, before, FACT_MAJFLT, 0);
	add_fact(t, before, FACT_VCSW, about(a->switches * 2 / parts));
	add_fact(t, before, FACT_NVCSW, about(a->cpu_pct / parts));
	add_fact(t, before, FACT_MIGRATIONS, 0);
	add_fact(t, before, FACT_CHILD_NS, 0);
	task_set_fact(t, FACT_PROC_ID, t->id % N_CPUS);
	task_set_fact(t, FACT_NUM_THREADS, a->threads / parts);
	task_set_fact(t, FACT_RSS_KB, a->rss_mb * 1024ull);
	task_set_fact(t, FACT_VSZ_KB, a->rss_mb * 4096ull);
	task_set_fact(t, FACT_NICE, (uint64_t)(int64_t)a->nice);
	task_set_fact(t, FACT_SESSION, a->session);
	task_set_fact(t, FACT_PPID, a->parent);
}

/* Returns the facts that each reading has. */
static struct fact_set list_facts(void)
{
	struct fact_set facts = FACT_SET(FACT_EXECUTABLE);

	for (int f = 0; f < FACT_EXIT; f++)
		fact_add(&facts, f);
	return facts;
}

static struct task *read_task(const struct actor *a, unsigned thread, unsigned parts,
			      const struct task *before, struct sample_events *events,
			      uint32_t number)
{
	const bool refused = !strcmp(a->name, "sshd"), stalls = a->pid == 820 && number > 15;
	const uint64_t cpu_ns = about(DELAY_NS / 100 * a->cpu_pct / parts);
	const struct task_texts texts = {.user = a->user,
					 .name = a->name,
					 .cmdline = a->cmdline,
					 .read = {NULL, "", "/usr/bin/x"}};
	struct task *t = task_new(&kind_task, list_facts(), refused ? 0 : RECORDED_EVENTS, &texts);

	t->id = a->pid + thread;
	t->owner = a->pid;
	t->uid = a->uid;
	t->start_ns = BOOT_NS - 600000000000ull + a->pid * 10000000;
	t->state = a->cpu_pct > 25 ? 'R' : 'S';
	t->counting = refused ? COUNT_DENIED : COUNT_OK;
	t->facts_read = number;
	task_set_events(t, events);
	add_fact(t, before, FACT_CPU_NS, cpu_ns);
	use(t, before, a, parts);
	if (!refused)
		count(t, before, a, cpu_ns, stalls);
	return t;
}

/* Finds the reading of a thread in the sample before; NULL: there is none. */
static struct task *find_before(const struct sample *old, const struct actor *a, unsigned thread)
{
	for (size_t i = 0; old && i < old->n; i++)
		if (old->task[i]->id == a->pid + thread)
			return old->task[i];
	return NULL;
}

static void add_actor(struct sample *s, const struct sample *old, const struct actor *a,
		      struct sample_events *events)
{
	const unsigned parts = s->threads ? a->threads : 1;

	for (unsigned thread = 0; thread < parts; thread++) {
		struct task *before = find_before(old, a, thread), *t;

		if (before && !a->cpu_pct) {
			sample_add(s, task_ref(before));
			continue;
		}
		t = read_task(a, thread, parts, before, events, s->number);
		t->dead = a->pid == 912 && s->number == N_SAMPLES;
		sample_add(s, t);
	}
}

/* Says what CPUs and memory are used for. */
static void use_machine(struct sample *s)
{
	static const uint64_t busy_pct[N_CPUS] = {99, 97, 85, 60};
	struct cpu_ticks ticks[N_CPUS] = {{.cpu = 0}};

	for (int i = 0; i < N_CPUS; i++) {
		ticks[i].cpu = i;
		ticks[i].in[CPU_SYSTEM] = 10ull * s->number;
		ticks[i].in[CPU_USER] = 2 * busy_pct[i] * s->number - 10ull * s->number;
		ticks[i].in[CPU_IDLE] = 2 * (100 - busy_pct[i]) * s->number;
	}
	s->use.wanted = true;
	s->use.cpu = memcpy(arena_alloc(&s->arena, sizeof ticks), ticks, sizeof ticks);
	s->use.n_cpus = N_CPUS;
	s->use.memory = (struct memory_use){16384000, 4000000, 9000000, 2048000, 2000000};
}

static struct sample *next_sample(const struct sample *old, struct sample_events *events,
				  uint32_t number, bool threads)
{
	struct sample *s = sample_new();

	s->number = number;
	s->generation = 1;
	s->threads = threads;
	s->mono_ns = s->boot_ns = BOOT_NS + number * DELAY_NS;
	s->wall_ns = BEGIN_NS + number * DELAY_NS;
	s->host = (struct host){.uptime_s = (double)(s->boot_ns / 1000000000),
				.load1 = 3.5,
				.load5 = 3.25,
				.load15 = 2.75,
				.n_cpus = N_CPUS,
				.mem_total_kb = 16384000,
				.n_running = 7};
	use_machine(s);
	for (size_t i = 0; i < N_ACTORS; i++)
		add_actor(s, old, &actors[i], events);
	sample_sort(s);
	return s;
}

static int write_all(struct record_writer *w, bool threads, struct err *err)
{
	static const char *const pmu[] = {"cpu", NULL};
	struct sample_machine *machine =
		sample_machine_new(&(struct sample_machine){.arch = "x86",
							    .model = "06_5E",
							    .host = "node1",
							    .boot_id = "1",
							    .n_cores = 1,
							    .ticks_per_s = 100,
							    .core = pmu,
							    .pmu = pmu});
	struct sample_events *events = recorded_events_new();
	struct sample *old = NULL;
	int ret = 0;

	for (uint32_t i = 1; i <= N_SAMPLES && !ret; i++) {
		struct sample *s = next_sample(old, events, i, threads);

		sample_set_machine(s, machine);
		ret = record_writer_sample(w, s, err);
		sample_unref(old);
		old = s;
	}
	sample_unref(old);
	sample_events_unref(events);
	sample_machine_unref(machine);
	return ret;
}

int main(int argc, char **argv)
{
	const struct record_about about_run = {.kernel = "6.1.0", .version = "3.0.0"};
	const bool threads = argc == 3 && !strcmp(argv[2], "threads");
	struct err err = ERR_INIT;
	struct record_writer *w;
	int ret, last;

	if (argc < 2 || argc > 3 || (argc == 3 && !threads)) {
		fputs("usage: scene FILE [threads]\n", stderr);
		return 2;
	}
	ret = record_writer_new(&w, argv[1], &about_run, &err);
	if (!ret) {
		ret = write_all(w, threads, &err);
		last = record_writer_close(w, &err);
		ret = ret ? ret : last;
	}
	if (ret)
		fprintf(stderr, "scene: %s\n", err.text);
	return ret != 0;
}
