/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another CPU than that of this machine: its names and kinds of cores. This machine must not be
 * queried.
 */
#include <errno.h>
#include <stdlib.h>

#include "pmu/event/foreign_cpu.h"
#include "pmu/event/list.h"
#include "pmu/event/name.h"
#include "tap.h"

static const struct cpu_name cpus[] = {
	{"plain", "06_10;06_2?", "a test", NULL},
	{"twice", "06_10;06_10", "a test", NULL},
	{"mixed", "06_30", "a test", NULL},
	{"big", "06_10;mixed@cpu_core", "a test", NULL},
	{"small", "mixed@cpu_atom;mixed@cpu_lowpower", "a test", NULL},
	{"all", "big;small", "a test", NULL},
	{"circle", "circle", "a test", NULL},
	{"arm", "41_D4F;41_D49_R03;41_D49_R1?", "a test", NULL},
	{"maker", "06_??@cpu_other;06_??", "a test", NULL},
};

static const struct event_choice misses[] = {
	{.model = "big", .event = "r10d1", .name = "L2_MISS", .source = "a test"},
	{.model = "small", .event = "r80d1", .name = "DRAM_HIT", .source = "a test"},
	{.model = "plain",
	 .event = "cpu/topdown/; SOME_EVENT:ANY",
	 .name = "ASKED",
	 .source = "a test"},
};

static const struct event_choice named[] = {
	{.model = "big", .event = "topdown-x; r1", .code = "r8100", .source = "a test"},
	{.model = "mixed@cpu_atom", .event = "r3c", .weight = "5", .source = "a test"},
	{.model = "mixed@cpu_lowpower", .event = "r03c", .weight = "0", .source = "a test"},
};

static const struct event_def events[] = {
	{"slots-x", "slots", "slots of the kernel's", named, sizeof named / sizeof *named, NULL},
	{"misses", "loads", "loads that missed", misses, sizeof misses / sizeof *misses, NULL},
};

static const struct event_table table = {
	.cpu = cpus,
	.n_cpus = sizeof cpus / sizeof *cpus,
	.event = events,
	.n_events = sizeof events / sizeof *events,
};

static void test_names(void)
{
	/* arch: NULL for a wrong name. */
	static const struct {
		const char *name, *arch, *model;
	} row[] = {
		{"plain", "x86", "06_10"},
		{"mixed", "x86", "06_30"},
		{"small", "x86", "06_30"},
		{"arm", "arm64", "41_D4F"},
		{"06_AD", "x86", "06_AD"},
		{"06_ad", "x86", "06_AD"},
		{"41_D40", "arm64", "41_D40"},
		{"41_d49_r03", "arm64", "41_D49_R03"},
		{"arm64:41_D0C_R31", "arm64", "41_D0C_R31"},
		{"x86:06_2A", "x86", "06_2A"},
		{"other:", "other", ""},
		{"nobody", NULL, NULL},
		{"circle", NULL, NULL},
		{"06_", NULL, NULL},
		{"06_A", NULL, NULL},
		{"06_ADADA", NULL, NULL},
		{"06_AD_R0", NULL, NULL},
		{"06_AD_R000", NULL, NULL},
		{"0x_AD", NULL, NULL},
		{"06_2?", NULL, NULL},
		{"_", NULL, NULL},
		{"", NULL, NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct machine m = {.table = &table, .cpu = {"here", "", CPU_OTHER}};
		struct err err = ERR_INIT;
		int ret = machine_set_foreign(&m, row[i].name, &err);

		tap_int(ret, row[i].arch ? 0 : -EINVAL, "the name '%s'", row[i].name);
		tap_str(m.cpu.arch, row[i].arch ? row[i].arch : "here", "its architecture");
		tap_str(m.cpu.model, row[i].model ? row[i].model : "", "its model");
		tap_ok(m.elsewhere == !ret, "whether it is another CPU");
	}
}

static void test_sentence(void)
{
	struct machine m = {.table = &table};
	struct err err = ERR_INIT;

	machine_set_foreign(&m, "nobody", &err);
	tap_str(err.text,
		"there is no CPU 'nobody': give a model, as 06_AD or 41_D40, or one of the names "
		"plain, twice, mixed, big, small, all, circle, arm, maker",
		"the sentence has all names");
}

/* Appends the event of this name on each kind of cores: "PMU TYPE:CONFIG". */
static void add_event(struct strbuf *out, const struct machine *m, const char *name)
{
	for (int core = 0; core < machine_kinds(m); core++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret = event_name_resolve(&e, m, core, name, &err);

		strbuf_addf(out, "%s%s ", core ? ", " : "", machine_pmu(m, core));
		if (ret) {
			strbuf_addstr(out, err.text);
			continue;
		}
		machine_add_type(out, m, &e);
		strbuf_addf(out, ":%#llx", (unsigned long long)machine_config(m, &e));
		if (e.scale)
			strbuf_addf(out, " x %g", e.scale);
	}
}

#define ASKED(name)                                                                                \
	" the event '" name "' is not in the tables of tiptop; the sysfs of another CPU cannot "   \
	"be read, and libpfm4 needs the name of its PMU: skl::INST_RETIRED"

static void test_events(void)
{
	static const struct {
		const char *cpu, *event, *want;
	} row[] = {
		{"mixed", "misses",
		 "cpu_core 0x4:0x10d1, cpu_atom cpu_atom:0x80d1, cpu_lowpower cpu_lowpower:0x80d1"},
		{"mixed", "r1c2",
		 "cpu_core 0x4:0x1c2, cpu_atom cpu_atom:0x1c2, cpu_lowpower cpu_lowpower:0x1c2"},
		{"mixed", "instructions",
		 "cpu_core 0x0:0x400000001, cpu_atom 0x0:0x1, cpu_lowpower 0x0:0x1"},
		{"06_10", "misses", " 0x4:0x10d1"},
		{"mixed", "slots-x",
		 "cpu_core 0x4:0x8100, cpu_atom cpu_atom:0x3c x 5, cpu_lowpower cpu_lowpower:0x3c "
		 "x -1"},
		{"06_10", "instructions", " 0x0:0x1"},
		{"06_21", "misses", ASKED("cpu/topdown/")},
		{"06_21", "SOME_EVENT:ANY", ASKED("SOME_EVENT:ANY")},
		{"06_21", "sched:sched_switch", ASKED("sched:sched_switch")},
		{"06_50", "misses", " the event 'misses' is not known for this CPU"},
		{"06_10", "page-faults", " 0x1:0x2"},
		{"mixed", "cpu_atom/config=0x2c2/k",
		 "cpu_core event 'cpu_atom/config=0x2c2/k': the event is not one of the PMU "
		 "'cpu_core', cpu_atom cpu_atom:0x2c2, cpu_lowpower event "
		 "'cpu_atom/config=0x2c2/k': the event is not one of the PMU 'cpu_lowpower'"},
		{"06_10", "cpu_atom/config=0x2c2/", ASKED("cpu_atom/config=0x2c2/")},
		{"06_10", "cpu_atom/", ASKED("cpu_atom/")},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct machine m = {.table = &table};
		struct strbuf out;

		strbuf_init(&out);
		machine_set_foreign(&m, row[i].cpu, NULL);
		add_event(&out, &m, row[i].event);
		tap_str(out.text, row[i].want, "%s on %s", row[i].event, row[i].cpu);
		strbuf_done(&out);
	}
}

static void test_list(void)
{
	struct machine m = {.table = &table};
	struct event_list list;
	struct perf_sys sys;
	size_t untried = 0, others = 0;

	machine_set_foreign(&m, "mixed", NULL);
	perf_foreign_init(&sys);
	event_list_make(&list, &m, &sys, NULL);
	for (size_t i = 0; i < list.n; i++) {
		untried += list.row[i].opens == OPENS_UNTRIED;
		others +=
			strncmp(list.row[i].pmu, "cpu_", 4) && strcmp(list.row[i].pmu, "software");
	}
	tap_ok(list.n > 20, "it has a list of events");
	tap_int(untried, list.n, "none of which is tried");
	tap_int(others, 0, "nor one of a PMU that is here");
	tap_int(list.tracepoints, -ENODATA, "without tracepoints");
	event_list_done(&list);
}

static void add_model(void *context, const char *model)
{
	strbuf_addf(context, " %s", model);
}

static void test_models(void)
{
	struct strbuf out;

	strbuf_init(&out);
	machine_each_model(&table, add_model, &out);
	tap_str(out.text, " 06_10 06_20 06_30 41_D4F 41_D49_R03 41_D49_R10",
		"each model once, the first one of a pattern, not that of a maker");
	strbuf_done(&out);
}

int main(void)
{
	/* libpfm4 would report this CPU as that of the machine, which must have no effect. */
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	test_names();
	test_sentence();
	test_events();
	test_list();
	test_models();
	return tap_done();
}
