/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/presets.h"

#include "base/mem.h"
#include "screen/preset.h"

/* clang-format off */
static const struct preset hardware_table[] = {
	{
		.name = "default", .desc = "Work done and what slows it down, on any CPU",
		.counter = {
			{"cycle", "cycles", NULL, NULL},
			{"instr", "instructions", NULL, NULL},
			{"miss", "cache-misses", NULL, NULL},
			{"br_miss", "branch-misses", NULL, NULL},
			{"bus", "bus-cycles", NULL, NULL},
		},
		.column = {
			PRESET_CPU,
			PRESET_SYS,
			PRESET_P,
			PRESET_MCYCLE,
			PRESET_MINSTR,
			PRESET_IPC,
			/* A miss is one of the last level on Intel, of L2 on AMD Zen (event 0x64), of the L1 data cache on Arm
			 * (L1D_CACHE_REFILL). */
			/* 100 x cache misses / instructions: a tenth of MPKI, misses per 1000 instructions */
			{" %MISS", "%6.2f", "Cache misses (per 100 instructions): last level on Intel, L2 on AMD Zen, L1 data on Arm",
			 "100 * delta(miss) / delta(instr)", false},
			/* 100 x mispredicted branches / instructions: a tenth of the branch MPKI */
			{" %BMIS", "%6.2f", "Wrongly predicted branches (per 100 instructions)",
			 "100 * delta(br_miss) / delta(instr)", false},
			/* bus cycles / instructions: pure number, in spite of its header; many CPUs lack the event */
			{" %BUS", "%5.1f", "Bus cycles (per instruction)", "delta(bus) / delta(instr)", true},
		},
	},
	{
		.name = "branch", .desc = "Branches and how well they are predicted",
		.counter = {
			{"instr", "instructions", NULL, NULL},
			{"branch", "branches", NULL, NULL},
			{"br_miss", "branch-misses", NULL, NULL},
		},
		.column = {
			/* 100 x ns on a CPU / ns of the interval: % of one CPU; CPU clock of the task */
			{"  %CPU", " %5.1f", "CPU usage (% of one CPU)", "CPU_TOT", false},
			/* 100 x mispredicted branches / instructions: a tenth of the branch MPKI */
			{"   %MIS/I", "   %6.2f", "Wrongly predicted branches (per 100 instructions)",
			 "100 * delta(br_miss) / delta(instr)", false},
			/* 100 x mispredicted branches / branches: % of the branches */
			{"   %MISP", "   %5.2f", "Wrongly predicted branches (per 100 branches)",
			 "100 * delta(br_miss) / delta(branch)", false},
			/* 100 x branches / instructions: % of the instructions */
			{"  %BR/I", "  %5.1f", "Branches (per 100 instructions)",
			 "100 * delta(branch) / delta(instr)", false},
		},
	},
};

static const struct preset software_table[] = {
	{
		.name = "software", .desc = "What the kernel knows of each task, without hardware counters",
		.column = {
			PRESET_CPU,
			PRESET_SYS,
			PRESET_P,
			/* 1/s; voluntary_ctxt_switches, proc(5): it gave the CPU up, to wait for something */
			{" VCSW/s", "%7.1f", "Voluntary context switches: it had to wait (per second)",
			 "rate(VCSW)", false},
			/* 1/s; nonvoluntary_ctxt_switches, proc(5): the scheduler took the CPU away */
			{"NVCSW/s", "%7.1f", "Involuntary context switches: it was preempted (per second)",
			 "rate(NVCSW)", false},
			/* 1/s; se.nr_migrations in /proc/PID/sched */
			{"MIGR/s", "%6.1f", "Migrations to another CPU (per second)", "rate(MIGRATIONS)", false},
			/* 1/s; minflt, proc(5): the page was in memory or could be made without I/O */
			{" MINFL/s", "%8.1f", "Minor page faults: no I/O needed (per second)", "rate(MINFLT)", false},
			/* 1/s; majflt, proc(5): the page had to be read */
			{"MAJFL/s", "%7.1f", "Major page faults: waited for I/O (per second)", "rate(MAJFLT)", false},
			/* 10^-6 x ns waited / s: ms per s, 1000 = one thread that waits all the time;
			 * field 2 of /proc/PID/schedstat */
			{"WAITms/s", "%8.1f", "Time ready to run but waiting for a CPU (ms per second)",
			 "rate(WAIT_NS) / 1e6", false},
		},
	},
};
/* clang-format on */

/* In their order on the screen. */
static const struct preset *const today_table[] = {
	&preset_memory,   &preset_stalls,   &preset_frontend, &preset_topdown,
	&preset_flops_dp, &preset_flops_sp, &preset_fp,       &preset_system,
};

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void add(struct screen_list *l, const struct preset *p)
{
	struct screen *s = screen_new(p->name, p->desc);

	s->needs = copy(p->needs);
	for (const struct preset_counter *c = p->counter; c->alias; c++) {
		struct counter_decl *decl = screen_add_counter(s, c->alias, NULL, NULL);

		decl->event = copy(c->event);
		decl->arch = copy(c->arch);
		decl->model = copy(c->models);
	}
	for (const struct preset_column *c = p->column; c->header; c++)
		screen_add_column(s, c->header, c->format, c->desc, c->text)->optional = c->optional;
	screen_list_add(l, s);
}

static void add_table(struct screen_list *l, const struct preset *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add(l, &table[i]);
}

void presets_add_hardware(struct screen_list *l)
{
	add_table(l, hardware_table, sizeof hardware_table / sizeof *hardware_table);
	add_table(l, preset_table_intel, preset_table_intel_n);
}

void presets_add_today(struct screen_list *l)
{
	for (size_t i = 0; i < sizeof today_table / sizeof *today_table; i++)
		add(l, today_table[i]);
}

void presets_add_software(struct screen_list *l)
{
	add_table(l, software_table, sizeof software_table / sizeof *software_table);
}
