/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Portable descriptions of events and machines (struct sample_event), on made-up machines with one
 * kind of cores and with two.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "fake_sysfs.h"
#include "pmu/event/describe.h"
#include "pmu/event/name.h"
#include "scripted_pmu.h"
#include "tap.h"

static const struct fake_file plain_files[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7,32-35\n"},
	{"devices/cpu/format/umask", "config:8-15\n"},
	{"devices/cpu/format/ldlat", "config1:0-15\n"},
	{"devices/cpu/format/offcore_rsp", "config1:0-63\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/format/event", "config:0-63\n"},
	{"devices/msr/events/tsc", "event=0x00\n"},
	{"devices/power/type", "12\n"},
	{"devices/power/format/event", "config:0-7\n"},
	{"devices/power/events/energy-pkg", "event=0x02\n"},
	{"devices/power/events/energy-pkg.scale", "2.3e-10\n"},
	{"devices/power/events/energy-pkg.unit", "Joules\n"},
	{"devices/uncore_imc_1/type", "13\n"},
	{"devices/uncore_imc_1/cpumask", "0\n"},
	{"devices/uncore_imc_1/format/event", "config:0-7\n"},
	{"tracing/events/sched/sched_switch/id", "321\n"},
	{"boot_id", "6f0d3a4e\n"},
	{"hostname", "node-7\n"},
};

static const struct fake_file hybrid_files[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-3\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "4-7\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
};

/* A machine and a set of one event. */
struct reported {
	struct fake_sysfs files;
	char *boot_id, *name;
	struct machine machine;
	struct event_set set;
};

static void begin(struct reported *t, const struct fake_file *file, size_t n)
{
	fake_sysfs_make(&t->files, file, n);
	t->boot_id = xasprintf("%s/boot_id", t->files.root);
	t->files.host.boot_id = t->boot_id;
	t->name = xasprintf("%s/hostname", t->files.root);
	t->files.host.name = t->name;
	machine_init(&t->machine, &t->files.host);
	cpu_parse(&t->machine.cpu, "x86:06_97");
	event_set_init(&t->set);
}

static void end(struct reported *t)
{
	event_set_done(&t->set);
	fake_sysfs_remove(&t->files);
	free(t->boot_id);
	free(t->name);
}

static struct event *add(struct reported *t, const char *name, int core)
{
	struct event *e = event_set_add(&t->set, "alias");

	if (event_name_resolve(e, &t->machine, core, name, NULL))
		tap_ok(false, "%s is known", name);
	e->what = xstrdup(name);
	return e;
}

/* Returns an event as text: "KIND PMU RESOLVED config modes". */
static const char *text_of(struct reported *t, int i)
{
	static char text[256];
	struct sample_event e;

	event_set_describe(&t->set, &t->machine);
	e = event_to_sample(&t->set, i);
	snprintf(text, sizeof text, "%s %s %s %#llx %u", event_kind_name((enum event_kind)e.kind),
		 e.pmu, e.resolved, (unsigned long long)e.config, e.modes);
	return text;
}

static void test_events(void)
{
	static const struct {
		const char *name, *want;
	} table[] = {
		{"cycles", "hardware cpu cycles 0 17"},
		{"instructions:k", "hardware cpu instructions 0x1 18"},
		{"cycles:G", "hardware cpu cycles 0 9"},
		{"L1-dcache-load-misses", "cache cpu L1-dcache-load-misses 0x10000 17"},
		{"page-faults", "software software page-faults 0x2 17"},
		{"cpu/event=0xca,umask=0x1e/", "raw cpu cpu/event=0xca,umask=0x1e/ 0x1eca 17"},
		{"cpu/event=0x1ca/", "raw cpu cpu/event=0x1ca/ 0x1000000ca 17"},
		{"cpu/event=0xcd,ldlat=3/", "raw cpu cpu/event=0xcd,ldlat=0x3/ 0xcd 17"},
		{"cpu/event=1,config=0x5000000/", "raw cpu cpu/config=0x5000000/ 0x5000000 17"},
		{"r1c2", "raw cpu cpu/event=0xc2,umask=0x1/ 0x1c2 17"},
		{"msr/tsc/", "pmu msr msr/config=0x0/ 0 31"},
		{"power/energy-pkg/", "pmu power power/event=0x2/ 0x2 31"},
		{"uncore_imc_1/event=4/", "pmu uncore_imc_1 uncore_imc_1/event=0x4/ 0x4 31"},
		{"uncore_imc/event=4/", "pmu uncore_imc uncore_imc/event=0x4/ 0x4 31"},
		{"sched:sched_switch", "tracepoint tracepoint sched:sched_switch 0x141 31"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct reported t;

		begin(&t, plain_files, sizeof plain_files / sizeof *plain_files);
		add(&t, table[i].name, 0);
		tap_str(text_of(&t, 0), table[i].want, "%s", table[i].name);
		tap_str(event_to_sample(&t.set, 0).given, table[i].name, "%s: as it was given",
			table[i].name);
		end(&t);
	}
}

static void test_words(void)
{
	struct sample_event e;
	struct reported t;

	begin(&t, plain_files, sizeof plain_files / sizeof *plain_files);
	add(&t, "r1c2", 0);
	add(&t, "power/energy-pkg/", 0);
	event_set_add(&t.set, "lost")->quality = QUALITY_UNSUPPORTED;
	event_set_describe(&t.set, &t.machine);
	tap_str(event_to_sample(&t.set, 0).format,
		"event=config:0-7,32-35 ldlat=config1:0-15 offcore_rsp=config1:0-63 "
		"umask=config:8-15",
		"the fields of its PMU");
	e = event_to_sample(&t.set, 1);
	tap_ok(e.scale > 2.2e-10 && e.scale < 2.4e-10 && !strcmp(e.unit, "Joules"),
	       "what one count stands for");
	e = event_to_sample(&t.set, 2);
	tap_ok(e.kind == EVENT_NONE && !strcmp(e.given, "lost") && !strcmp(e.pmu, "cpu"),
	       "one that was not found has the name that the screen gave it");
	t.set.kernel = true;
	tap_int(event_to_sample(&t.set, 0).modes, MODE_USER | MODE_KERNEL | MODE_HV | MODE_HOST,
		"with the kernel, its modes are others");
	end(&t);
}

/* A PMU that cannot exclude guests: the event is marked, but equal to the requested one. */
static void test_guests(void)
{
	struct sample_event before, after;
	struct pmu pmu;
	struct reported t;

	begin(&t, plain_files, sizeof plain_files / sizeof *plain_files);
	pmu_init(&pmu);
	pmu.script.refuse_exclude_guest = 22;
	add(&t, "cycles", 0);
	event_set_describe(&t.set, &t.machine);
	before = event_to_sample(&t.set, 0);
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &t.set, 0));
	after = event_to_sample(&t.set, 0);
	tap_ok(!before.guests_too && after.guests_too, "guests that are counted are told");
	tap_ok(sample_event_equal(&before, &after), "and make no other event of it");
	end(&t);
}

/* A PMU that cannot exclude any mode: the event is marked, but equal to the requested one. */
static void test_all_modes(void)
{
	struct sample_event before, after;
	struct pmu pmu;
	struct reported t;

	begin(&t, plain_files, sizeof plain_files / sizeof *plain_files);
	pmu_init(&pmu);
	pmu.script.refuse_modes = 22;
	add(&t, "cycles", 0);
	event_set_describe(&t.set, &t.machine);
	before = event_to_sample(&t.set, 0);
	pmu.sys.close(&pmu.sys, event_probe(&pmu.sys, &t.set, 0));
	after = event_to_sample(&t.set, 0);
	tap_ok(!before.modes_too && after.modes_too, "that all modes are counted is told");
	tap_ok(sample_event_equal(&before, &after), "and makes no other event of it");
	end(&t);
}

static void test_hybrid(void)
{
	struct sample_event fast, slow;
	struct sample_machine *m;
	struct reported t;

	begin(&t, hybrid_files, sizeof hybrid_files / sizeof *hybrid_files);
	add(&t, "cycles", 0);
	add(&t, "cycles", 1);
	tap_str(text_of(&t, 0), "hardware cpu_core cycles 0 17",
		"a generic event has no type number in it");
	tap_str(text_of(&t, 1), "hardware cpu_atom cycles 0 17", "on neither kind of cores");
	fast = event_to_sample(&t.set, 0);
	slow = event_to_sample(&t.set, 1);
	tap_ok(fast.core == 0 && slow.core == 1, "each is of its kind");
	tap_ok(!sample_event_equal(&fast, &slow), "and they are two");
	m = machine_describe(&t.machine, false);
	tap_int(m->n_cpus, 8, "of each CPU it is known");
	tap_int(sample_machine_kind(m, 3), 0, "that it is a fast one");
	tap_int(sample_machine_kind(m, 4), 1, "or a slow one");
	sample_machine_unref(m);
	end(&t);
}

static void test_machine(void)
{
	struct machine recalled;
	struct sample_machine *m;
	struct reported t;

	begin(&t, plain_files, sizeof plain_files / sizeof *plain_files);
	m = machine_describe(&t.machine, false);
	tap_str(m->arch, "x86", "the architecture");
	tap_str(m->model, "06_97", "the model");
	tap_str(m->boot_id, "6f0d3a4e", "which boot of the kernel");
	tap_str(m->host, "node-7", "what it is called");
	tap_int(m->n_cores, 1, "one kind of cores");
	tap_int(m->n_cpus, 0, "so that no CPU needs one");
	tap_str(m->core[0], "cpu", "with its PMU");
	tap_ok(!strcmp(m->pmu[0], "cpu") && !strcmp(m->pmu[1], "msr") &&
		       !strcmp(m->pmu[2], "power") && !strcmp(m->pmu[3], "uncore_imc_1"),
	       "and those beside it");
	tap_ok(!m->pmu[4] && m->ticks_per_s > 0, "no more; and its ticks");
	machine_restore(&recalled, m);
	tap_ok(!strcmp(recalled.cpu.model, "06_97") && recalled.cpu.vendor == CPU_INTEL,
	       "recalled, it is the same CPU");
	tap_str(machine_pmu(&recalled, 0), "cpu", "with its kinds of cores");
	sample_machine_unref(m);
	end(&t);
}

/* The kernel lists PMUs, but no core PMU, as in many virtual machines. */
static void test_undescribed(void)
{
	static const char *const nothing[] = {NULL}, *const pmus[] = {"msr", "software", NULL},
				 *const core[] = {"cpu"};
	static const struct {
		const char *name;
		struct sample_machine reported;
		bool known;
	} row[] = {
		{"with a PMU of the cores", {.n_cores = 1, .core = core, .pmu = pmus}, true},
		{"with none", {.core = nothing, .pmu = pmus}, false},
		{"where no PMUs were recorded", {.core = nothing, .pmu = nothing}, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sample_machine reported = row[i].reported;
		struct event e = {.name = NULL};
		struct machine m;

		reported.arch = "x86";
		reported.model = "06_8F";
		machine_restore(&m, &reported);
		tap_int(!event_name_resolve(&e, &m, 0, "retiring-slots", NULL), row[i].known,
			"%s: an event that the kernel has to describe", row[i].name);
		tap_ok(!event_name_resolve(&e, &m, 0, "l1d-misses", NULL), "%s: one with a code",
		       row[i].name);
	}
}

int main(void)
{
	test_events();
	test_words();
	test_guests();
	test_all_modes();
	test_hybrid();
	test_machine();
	test_undescribed();
	return tap_done();
}
