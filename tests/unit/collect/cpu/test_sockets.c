/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets as rows, on a made-up machine with two: the counts of their PMUs are exact, and
 * unknown values are marked. */
#include "collect/cpu/sockets.h"

#include <string.h>

#include "base/mem.h"
#include "fake_proc.h"
#include "fake_sysfs.h"
#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"
#include "pmu/event/name.h"
#include "tap.h"

#define SECOND 1000000000u
#define N_CPUS 4

static const struct fake_file files[] = {
	{"cpus/online", "0-3\n"},
	{"cpus/cpu0/topology/physical_package_id", "0\n"},
	{"cpus/cpu1/topology/physical_package_id", "0\n"},
	{"cpus/cpu2/topology/physical_package_id", "1\n"},
	{"cpus/cpu3/topology/physical_package_id", "1\n"},
	{"devices/cpu/type", "4\n"},
	{"devices/uncore_imc_0/type", "13\n"},
	{"devices/uncore_imc_0/cpumask", "0,2\n"},
	{"devices/uncore_imc_0/format/event", "config:0-7\n"},
	{"devices/uncore_imc_1/type", "14\n"},
	{"devices/uncore_imc_1/cpumask", "0,2\n"},
	{"devices/amd_l3/type", "15\n"},
	{"devices/amd_l3/cpumask", "0-3\n"},
	{"devices/amd_l3/format/event", "config:0-7\n"},
};

enum { IMC, L3, CORE, N_EVENTS };
static const char *const names[N_EVENTS] = {"uncore_imc/event=4/", "amd_l3/event=6/",
					    "cpu/config=7/"};

/* Returns the count per second of a PMU instance. The number shows which PMU and CPU was read. */
static uint64_t count_of(uint32_t type, int cpu)
{
	return type * 1000 + (uint64_t)cpu;
}

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct pmu pmu;
	struct world world;
	struct source *source;
	struct sample sample[2];
	struct delta delta[2];
	struct err note;
	int now, running; /* running: tenths of the time for which counters are on the PMU */
};

static void configure(struct scene *s)
{
	struct want want = {.filter = FILTER_ALL};

	event_set_init(&want.events);
	for (int i = 0; i < N_EVENTS; i++) {
		struct event *e = event_set_add(&want.events, names[i]);

		event_name_resolve(e, &s->machine, 0, names[i], NULL);
		e->what = xstrdup(names[i]);
	}
	event_set_describe(&want.events, &s->machine);
	s->source->ops->configure(s->source, &want, &s->note);
}

static void begin(struct scene *s)
{
	*s = (struct scene){.now = 0, .running = 10};
	fake_sysfs_make(&s->sysfs, files, sizeof files / sizeof *files);
	machine_init(&s->machine, &s->sysfs.host);
	pmu_init(&s->pmu);
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, SECOND);
	for (int i = 0; i < N_CPUS; i++)
		pmu_task_add(&s->pmu, PMU_CPU(i));
	for (int i = 0; i < 2; i++) {
		sample_init(&s->sample[i]);
		delta_init(&s->delta[i]);
	}
	s->source = source_sockets_new(&s->pmu.sys, &s->world.proc, &s->machine, NULL);
}

static void end(struct scene *s)
{
	for (int i = 0; i < 2; i++) {
		delta_done(&s->delta[i]);
		sample_done(&s->sample[i]);
	}
	s->source->ops->free(s->source);
	tap_ok(s->pmu.n_open == 0 && s->pmu.bad_calls == 0, "all is closed");
	fake_sysfs_remove(&s->sysfs);
}

static void run(struct scene *s)
{
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &s->pmu.event[i];

		if (!e->used || !e->open)
			continue;
		e->value += count_of(e->attr.type, PMU_CPU(0) - e->tid) * (uint64_t)s->running / 10;
		e->enabled_ns += SECOND;
		e->running_ns += SECOND / 10 * (uint64_t)s->running;
	}
	world_wait(&s->world, SECOND);
}

static void next(struct scene *s, bool first)
{
	struct err err = ERR_INIT;
	int old = s->now;

	s->now = !old;
	tap_int(s->source->ops->next(s->source, &s->sample[s->now], &err), 0, "a sample");
	delta_compute(&s->delta[s->now], first ? NULL : &s->delta[old],
		      first ? NULL : &s->sample[old], &s->sample[s->now]);
}

static struct value increment(const struct scene *s, size_t socket, int event)
{
	return s->delta[s->now].row[socket].increment[event];
}

/* want: the expected number; below 0 if there is none, and why is the expected quality. */
static void check(const struct scene *s, size_t socket, int event, enum quality why, double want,
		  const char *what)
{
	const struct value v = increment(s, socket, event);

	tap_int(v.quality, why, "%s: socket %zu, event %d", what, socket, event);
	if (value_known(v))
		tap_ok(v.number == want, "%s: %.0f, of %.0f", what, v.number, want);
}

static void check_all(const struct scene *s, size_t socket, int first_cpu, const char *what)
{
	const int cpu = socket ? 2 : 0;

	check(s, socket, IMC, QUALITY_EXACT,
	      (double)(count_of(13, first_cpu) + count_of(14, first_cpu)), what);
	check(s, socket, L3, QUALITY_EXACT,
	      (double)(count_of(15, cpu) * (first_cpu == cpu) + count_of(15, cpu + 1)), what);
}

static void change(struct scene *s, const char *path, const char *text)
{
	fake_sysfs_add(&s->sysfs, &(struct fake_file){path, text});
}

static void test_sums(void)
{
	const struct task *t;
	struct scene s;

	begin(&s);
	configure(&s);
	tap_ok(strstr(s.note.text, "'cpu/config=7/' is counted on CPUs"), "what is not shared: %s",
	       s.note.text);
	next(&s, true);
	run(&s);
	next(&s, false);
	tap_int(s.sample[s.now].n, 2, "a row for each socket");
	t = s.sample[s.now].task[1];
	tap_ok(t->kind == &kind_socket && t->id == 1 && task_fact(t, FACT_SOCKET) == 1,
	       "the second one");
	tap_str(t->cmdline, "CPU 2,3", "and where it is counted");
	check_all(&s, 0, 0, "all boxes of a socket are one sum");
	check_all(&s, 1, 2, "and none of another one is in it");
	check(&s, 0, CORE, QUALITY_UNSUPPORTED, 0, "a core has its own rows");
	s.running = 5;
	run(&s);
	next(&s, false);
	check(&s, 0, IMC, QUALITY_SCALED, 27000, "in turns with others");
	end(&s);
}

static void test_moving(void)
{
	struct scene s;

	begin(&s);
	configure(&s);
	next(&s, true);
	run(&s);
	change(&s, "cpus/online", "1-3\n");
	change(&s, "devices/uncore_imc_0/cpumask", "1,2\n");
	change(&s, "devices/uncore_imc_1/cpumask", "1,2\n");
	change(&s, "devices/amd_l3/cpumask", "1-3\n");
	next(&s, false);
	check(&s, 0, IMC, QUALITY_FRESH, 0, "it has moved, and what was meanwhile is unknown");
	check(&s, 0, L3, QUALITY_FRESH, 0, "so is the rest of the socket");
	check_all(&s, 1, 2, "the other socket goes on");
	tap_int(pmu_open_on(&s.pmu, PMU_CPU(0)), 0, "nothing is open where it was");
	run(&s);
	next(&s, false);
	check_all(&s, 0, 1, "it is counted where it is now");
	tap_str(s.sample[s.now].task[0]->cmdline, "CPU 1", "as is said");
	change(&s, "devices/uncore_imc_1/cpumask", "1,3\n");
	run(&s);
	next(&s, false);
	check(&s, 1, IMC, QUALITY_FRESH, 0, "one box moves alone");
	check_all(&s, 0, 1, "where nothing has moved, it goes on");
	change(&s, "cpus/online", "1\n");
	change(&s, "devices/uncore_imc_0/cpumask", "1\n");
	change(&s, "devices/uncore_imc_1/cpumask", "1\n");
	change(&s, "devices/amd_l3/cpumask", "1\n");
	next(&s, false);
	tap_int(s.sample[s.now].n, 1, "a socket without a CPU is not a row");
	end(&s);
}

static void test_refused(void)
{
	struct scene s;

	begin(&s);
	s.pmu.script.denied = 1ull << 4;
	configure(&s);
	next(&s, true);
	run(&s);
	next(&s, false);
	check(&s, 1, IMC, QUALITY_DENIED, 0, "who has no right gets no part of it");
	check(&s, 1, L3, QUALITY_EXACT, 30005, "but the rest");
	end(&s);
}

/* First, two instances of the second socket cannot be opened for lack of descriptors; later they
 * can. */
static void test_short(void)
{
	struct scene s;

	begin(&s);
	s.pmu.script.max_fds = 6;
	configure(&s);
	next(&s, true);
	tap_ok(s.source->ops->note(s.source) != NULL, "that something is short is said");
	run(&s);
	next(&s, false);
	check_all(&s, 0, 0, "one has all");
	check(&s, 1, IMC, QUALITY_EXACT, 27004, "the other one this");
	check(&s, 1, L3, QUALITY_NOT_READ, 0, "and no part of that for all of it");
	s.pmu.script.max_fds = 0;
	run(&s);
	next(&s, false);
	check(&s, 1, IMC, QUALITY_FRESH, 0, "it restarts");
	run(&s);
	next(&s, false);
	check_all(&s, 1, 2, "with all");
	tap_ok(s.source->ops->note(s.source) == NULL, "nothing is short any more");
	end(&s);
}

static void test_unread(void)
{
	struct scene s;

	begin(&s);
	configure(&s);
	next(&s, true);
	run(&s);
	s.pmu.script.read_zero = true;
	next(&s, false);
	check(&s, 0, IMC, QUALITY_NOT_READ, 0, "what cannot be read is unknown");
	s.pmu.script.read_zero = false;
	run(&s);
	next(&s, false);
	check(&s, 0, IMC, QUALITY_EXACT, 54000, "and not lost");
	end(&s);
}

int main(void)
{
	test_sums();
	test_moving();
	test_refused();
	test_short();
	test_unread();
	return tap_done();
}
