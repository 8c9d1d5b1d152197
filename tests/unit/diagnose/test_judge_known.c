/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs whose counts can be computed from published data of CPUs, as are the micro-kernels by
 * which the paper (Inria RR-7789) validates its method. Each CPU counts the events that the screen
 * 'why' has there.
 *
 * random jumps: per round ten instructions, of which one is a branch in random direction; half of
 * these are mispredicted. pointers: per round four instructions, of which one is a load from an
 * address that was loaded before; each load misses all caches. a loop: per round ten instructions,
 * four per cycle.
 */
#include "diagnose/judge.h"
#include "model/kinds.h"
#include "verdict_rig.h"

enum program { JUMPS, POINTERS, LOOP, N_PROGRAMS };

static const char *const programs[N_PROGRAMS] = {
	[JUMPS] = "random jumps", [POINTERS] = "pointers", [LOOP] = "a loop"};

/* branch, memory: the cost in cycles of a mispredicted branch, and of a load from memory. */
static const struct cpu {
	const char *name;
	double branch, memory;
	const char *first[N_PROGRAMS]; /* word of the first verdict */
	const char *pointers;          /* name of the first verdict of POINTERS */
} cpus[] = {
	/* Levinthal, Performance Analysis Guide for Intel Core i7 and Xeon 5500: about 60 ns, at
	 * 2.93 GHz; Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs: 17. */
	{"nehalem", 17, 176, {"branches", "memory", "computes"}, "memory-misses"},
	/* Agner Fog: 16.5. If no source has the cost of a load from memory, 200 cycles are
	 * assumed. */
	{"skylake", 16.5, 200, {"branches", "memory", "computes"}, "memory-stalls"},
	/* AMD, Software Optimization Guide for the Zen 4 Microarchitecture: 11 to 18, mostly 13. */
	{"zen4", 13, 200, {"branches", "memory", "computes"}, "data-memory"},
	/* Pellegrini et al., The Arm Neoverse N1 Platform, IEEE Micro 40(2), 2020: 11 stages. */
	{"neoverse-n1", 11, 200, {"branches", "memory", "computes"}, "memory-misses"},
};

struct kernel {
	const struct cpu *cpu;
	enum program program;
};

/* Returns the cycles of one round. */
static double cycles_of(const struct kernel *k)
{
	switch (k->program) {
	case JUMPS:
		return 10 / 4.0 + k->cpu->branch / 2;
	case POINTERS:
		return 1 + k->cpu->memory;
	default:
		return 10 / 4.0;
	}
}

/* Returns the count of an event by its alias, in one second at 3 GHz. */
static double count_of(const void *context, const char *alias)
{
	const struct kernel *k = context;
	const double rounds = 3e9 / cycles_of(k);

	if (!strcmp(alias, "cycle"))
		return 3e9;
	if (!strcmp(alias, "instr"))
		return rounds * (k->program == POINTERS ? 4 : 10);
	if (!strcmp(alias, "br_miss"))
		return k->program == JUMPS ? rounds / 2 : 0;
	if (!strcmp(alias, "l3") || !strcmp(alias, "dram") || !strcmp(alias, "ll"))
		return k->program == POINTERS ? rounds : 0;
	if (!strcmp(alias, "stall") || !strcmp(alias, "load") || !strcmp(alias, "mem"))
		return k->program == POINTERS ? rounds * k->cpu->memory : 0;
	return 0;
}

static void test_program(struct verdict_rig *r, const struct cpu *cpu, enum program program)
{
	struct task *task =
		task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "kernel"});
	const struct kernel kernel = {cpu, program};
	size_t n;

	task->state = 'R';
	n = verdict_rig_judge(r, task, count_of, &kernel);
	tap_ok(n > 0, "%s, %s: something is told", cpu->name, programs[program]);
	if (n) {
		tap_str(verdict_rule_row(&r->found[0])->word, cpu->first[program], "%s, %s",
			cpu->name, programs[program]);
		if (program == POINTERS)
			tap_str(verdict_rule_row(&r->found[0])->name, cpu->pointers,
				"by what is counted");
	}
	task_unref(task);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
		struct verdict_rig r;

		verdict_rig_begin(&r, cpus[i].name, "why");
		for (int k = 0; k < N_PROGRAMS; k++)
			test_program(&r, &cpus[i], (enum program)k);
		verdict_rig_end(&r);
	}
	return tap_done();
}
