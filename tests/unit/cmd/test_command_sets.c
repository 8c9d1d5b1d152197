/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of counters (-c) on PMUs that cannot exclude modes. */
#include <errno.h>
#include <string.h>

#include "cmd/command.h"
#include "fake_sysfs.h"
#include "scripted_pmu.h"
#include "tap.h"

static struct machine machine;

/* Returns whether the first event of the set excludes the kernel. */
static bool excludes_kernel(const struct counter_sets *sets)
{
	struct perf_event_attr attr;

	event_attr(&sets->set[0], 0, true, false, &attr);
	return attr.exclude_kernel;
}

static void test_sets(const char *name, const struct pmu_script *script, bool said, bool excluded)
{
	struct counter_sets sets;
	struct err err = ERR_INIT;
	struct pmu pmu;
	int ret;

	pmu_init(&pmu);
	pmu.script = *script;
	pmu.sys.modes_may_be_ignored = script->ignore_modes;
	ret = counter_sets_make(&sets, "instructions,cycles\ncycles", NULL, false, &machine,
				&pmu.sys, &err);
	tap_int(ret, 0, "%s: the sets are made", name);
	if (ret)
		return;
	tap_ok(excludes_kernel(&sets) == excluded, "%s: how it is opened", name);
	tap_ok(counter_sets_explain_modes(&sets, &err) == said, "%s: whether it is said", name);
	if (said)
		tap_ok(strstr(err.text, "'instructions' is counted in all modes"),
		       "%s: of which event", name);
	counter_sets_done(&sets);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "%s: nothing is left open", name);
}

int main(void)
{
	static const struct fake_file file[] = {{"devices/cpu/type", "4\n"}};
	struct fake_sysfs sysfs;

	fake_sysfs_make(&sysfs, file, sizeof file / sizeof *file);
	machine_init(&machine, &sysfs.host);
	test_sets("modes", &(struct pmu_script){.max_hardware = 4}, false, true);
	test_sets("refused modes", &(struct pmu_script){.max_hardware = 4, .refuse_modes = EINVAL},
		  true, false);
	test_sets("ignored modes", &(struct pmu_script){.max_hardware = 4, .ignore_modes = true},
		  true, true);
	fake_sysfs_remove(&sysfs);
	return tap_done();
}
