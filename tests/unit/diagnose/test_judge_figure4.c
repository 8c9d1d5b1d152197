/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of figure 4 of Inria RR-7789 (examples/assist.c): additions of finite numbers, and of
 * infinities or NaN, by x87 and by SSE, with the counts of table 1 there. On Nehalem and Skylake,
 * the rules report assists and the slowdown. Zen has no event for assists: there, the rules report
 * that assists are unknown.
 */
#include <string.h>

#include "diagnose/judge.h"
#include "model/kinds.h"
#include "verdict_rig.h"

/* Table 1, for one second of a core at 3 GHz. */
static const struct {
	const char *of;
	double ipc, assists_pct;
	bool slow;
} loops[] = {
	{"x87, finite", 1.33, 0, false},
	{"x87, infinite or NaN", 1.33 / 87, 25, true},
	{"SSE, finite", 1.33, 0, false},
	{"SSE, infinite or NaN", 1.33, 0, false},
};

static const struct {
	const char *cpu;
	const char *event; /* event named in the next step; NULL: the CPU has none */
} cpus[] = {
	{"nehalem", "config=0x1f7/"},
	{"skylake", "config=0x1001eca/"},
	{"zen2", NULL},
};

/* Returns the count of a counter by its alias; 0 for all others. */
static double count_of(const void *context, const char *alias)
{
	const size_t loop = *(const size_t *)context;
	const double cycles = 3e9, instructions = cycles * loops[loop].ipc;

	if (!strcmp(alias, "cycle"))
		return cycles;
	if (!strcmp(alias, "instr"))
		return instructions;
	return !strcmp(alias, "assist") ? instructions * loops[loop].assists_pct / 100 : 0;
}

static size_t find(const struct verdict_rig *r, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(verdict_rule_row(&r->found[i])->name, name))
		i++;
	return i;
}

static void test_slow(struct verdict_rig *r, const struct task *task, const char *event)
{
	const struct tell tell = {r->rules, r->bound, task, r->cell, false};
	struct strbuf text, why;

	strbuf_init(&text);
	strbuf_init(&why);
	tap_str(verdict_rule_row(&r->found[0])->word, "FP assists", "the first verdict");
	verdict_sentence(&text, &tell, &r->found[0]);
	tap_ok(!strncmp(text.text, "25 of 100 instructions ", 23) &&
		       strstr(text.text, "this task has 0.0153, which is 87 times less"),
	       "with the factor: %s", text.text);
	strbuf_reset(&text);
	tap_ok(verdict_step(&text, &why, &tell, &r->found[0], 0), "there is something to do");
	tap_ok(strstr(text.text, event), "what to do names the event: %s", text.text);
	strbuf_done(&why);
	strbuf_done(&text);
}

/* Without the event, no cause is guessed: the task runs, and assists are reported as unknown. */
static void test_unknown(struct verdict_rig *r, size_t n, const struct task *task)
{
	const struct tell tell = {r->rules, r->bound, task, r->cell, false};
	struct strbuf text;

	strbuf_init(&text);
	tap_int((long)n, 1, "one verdict");
	tap_str(verdict_rule_row(&r->found[0])->name, "nothing",
		"that of what is counted nothing stands out");
	verdict_sentence(&text, &tell, &r->found[0]);
	tap_ok(strstr(text.text, "with 0.0153 instructions a cycle"), "with its IPC: %s",
	       text.text);
	strbuf_reset(&text);
	tap_ok(verdict_unknown(&text, &tell, QUALITY_UNSUPPORTED), "something is not known");
	tap_ok(strstr(text.text, "floating-point assists"), "this CPU does not have the event: %s",
	       text.text);
	strbuf_done(&text);
}

static void test_loop(struct verdict_rig *r, size_t cpu, size_t loop)
{
	struct task *task =
		task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "assist"});
	size_t n;

	task->id = task->owner = 4711;
	task->state = 'R';
	n = verdict_rig_judge(r, task, count_of, &loop);
	if (!loops[loop].slow) {
		tap_int((long)find(r, n, "assists"), (long)n, "%s, %s: nothing of assists",
			cpus[cpu].cpu, loops[loop].of);
	} else if (cpus[cpu].event) {
		tap_int((long)find(r, n, "assists"), 0, "%s, %s: assists", cpus[cpu].cpu,
			loops[loop].of);
		test_slow(r, task, cpus[cpu].event);
	} else {
		tap_int((long)find(r, n, "assists"), (long)n, "%s, %s: assists are unknown",
			cpus[cpu].cpu, loops[loop].of);
		test_unknown(r, n, task);
	}
	task_unref(task);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
		struct verdict_rig r;

		verdict_rig_begin(&r, cpus[i].cpu, "why");
		for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
			test_loop(&r, i, k);
		verdict_rig_end(&r);
	}
	return tap_done();
}
