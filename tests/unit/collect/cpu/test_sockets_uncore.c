/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs on which uncore PMUs are opened, from a made-up sysfs of two sockets. */
#include "collect/cpu/sockets.h"

#include "fake_sysfs.h"
#include "pmu/event/name.h"
#include "tap.h"

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
	{"devices/uncore_imc_1/format/event", "config:0-7\n"},
	{"devices/amd_l3/type", "15\n"},
	{"devices/amd_l3/cpumask", "0-3\n"},
	{"devices/amd_l3/format/event", "config:0-7\n"},
	{"devices/power/type", "16\n"},
	{"devices/power/cpumask", "0,2\n"},
};

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct event_set set;
	struct pmu_instances instances;
};

static void begin(struct scene *s)
{
	static const char *const names[] = {"uncore_imc/event=4/", "uncore_imc_1/event=5/",
					    "amd_l3/event=6/", "cpu/config=7/"};

	fake_sysfs_make(&s->sysfs, files, sizeof files / sizeof *files);
	machine_init(&s->machine, &s->sysfs.host);
	event_set_init(&s->set);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		tap_int(event_name_resolve(event_set_add(&s->set, names[i]), &s->machine, 0,
					   names[i], NULL),
			0, "%s is known", names[i]);
	pmu_instances_init(&s->instances, &s->machine);
	pmu_instances_find(&s->instances, &s->set);
}

static void end(struct scene *s)
{
	pmu_instances_done(&s->instances);
	event_set_done(&s->set);
	fake_sysfs_remove(&s->sysfs);
}

/* Compares the instances with want: "SOCKET:TYPE@CPU#EVENT " of each. */
static void check(const struct scene *s, const char *want, const char *what)
{
	struct strbuf text;

	strbuf_init(&text);
	for (size_t i = 0; i < s->instances.n; i++) {
		const struct pmu_instance *b = &s->instances.v[i];

		strbuf_addf(&text, "%ld:%u@%d#%d ", b->socket, b->type, b->cpu, b->event);
	}
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
}

static void change(struct scene *s, const char *path, const char *text)
{
	fake_sysfs_add(&s->sysfs, &(struct fake_file){path, text});
}

static void test_moving(void)
{
	struct scene s;

	begin(&s);
	tap_ok(pmu_instances_update(&s.instances), "the first look finds them");
	check(&s,
	      "0:13@0#0 0:14@0#0 0:14@0#1 0:15@0#2 0:15@1#2 "
	      "1:13@2#0 1:14@2#0 1:14@2#1 1:15@2#2 1:15@3#2 ",
	      "an event of several is on each, on the CPUs of its mask; one of a core on none");
	tap_ok(s.instances.n_sockets == 2 && s.instances.socket[0] == 0 &&
		       s.instances.socket[1] == 1,
	       "the sockets");
	tap_ok(!pmu_instances_update(&s.instances), "nothing has changed");
	change(&s, "devices/power/cpumask", "1,3\n");
	tap_ok(!pmu_instances_update(&s.instances), "nor has what counts");
	change(&s, "cpus/online", "1-3\n");
	change(&s, "devices/uncore_imc_0/cpumask", "1,2\n");
	change(&s, "devices/uncore_imc_1/cpumask", "1,2\n");
	change(&s, "devices/amd_l3/cpumask", "1-3\n");
	tap_ok(pmu_instances_update(&s.instances), "the first CPU has gone offline");
	check(&s,
	      "0:13@1#0 0:14@1#0 0:14@1#1 0:15@1#2 "
	      "1:13@2#0 1:14@2#0 1:14@2#1 1:15@2#2 1:15@3#2 ",
	      "the kernel has moved what it had");
	end(&s);
}

/* Sockets are found by the CPUs that are online, even if they have no uncore PMU. */
static void test_sockets(void)
{
	struct scene s;

	begin(&s);
	change(&s, "cpus/online", "2-3\n");
	change(&s, "devices/uncore_imc_0/cpumask", "\n");
	change(&s, "devices/uncore_imc_1/cpumask", "\n");
	change(&s, "devices/amd_l3/cpumask", "\n");
	pmu_instances_update(&s.instances);
	tap_ok(s.instances.n == 0 && s.instances.n_sockets == 1 && s.instances.socket[0] == 1,
	       "a socket whose PMUs name no CPU");
	change(&s, "cpus/online", "0-3\n");
	tap_ok(pmu_instances_update(&s.instances) && s.instances.n_sockets == 2,
	       "the other one comes back");
	end(&s);
}

int main(void)
{
	test_moving();
	test_sockets();
	return tap_done();
}
