/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting when a PMU or an event cannot exclude modes.
 */
#include <errno.h>
#include <stdlib.h>

#include "attach_rig.h"
#include "pmu/check/probe.h"

/* A PMU that can leave no mode out: all is counted, which is said once; where that is not allowed,
 * both causes that there may be are. */
static void test_all_modes(int error)
{
	struct err note = ERR_INIT;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	pmu.script.refuse_modes = error;
	configure(&a, 2, false, &note);
	tap_int(a.n_usable, 2, "errno %d: both events are counted", error);
	tap_ok(strstr(note.text, "'event' is counted in all modes") &&
		       strstr(note.text, "Sscofpmf"),
	       "in all modes, as is said, and what would help");
	note = (struct err)ERR_INIT;
	pmu.script.paranoid = true;
	configure(&a, 2, false, &note);
	tap_int(a.set.event[0].quality, QUALITY_UNSUPPORTED, "where that is not allowed, none is");
	tap_ok(strstr(note.text, "may be unable to leave the kernel out") &&
		       strstr(note.text, "run tiptop as root"),
	       "for a reason that nobody guessed");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* An event that knows no modes, and a user who may not count the kernel. */
static void test_no_modes(void)
{
	const int level = probe_paranoid();
	struct err note = ERR_INIT;
	struct event_set set;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	make_set(&set, 1);
	set.event[0].what = strdup("msr/tsc/");
	set.event[0].all_modes = true;
	pmu.script.paranoid = true;
	attach_configure(&a, &set, false, &note);
	tap_int(a.set.event[0].quality, QUALITY_DENIED, "it is not allowed");
	if (level == 2)
		tap_str(note.text,
			"'msr/tsc/' cannot be counted in user mode alone, and the kernel may not "
			"be counted since kernel.perf_event_paranoid is 2: 'sysctl "
			"kernel.perf_event_paranoid=1' allows it, or run tiptop as root or with "
			"the capability CAP_PERFMON",
			"why");
	else
		tap_skip("why", "kernel.perf_event_paranoid is not 2");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

int main(void)
{
	test_all_modes(EINVAL);
	test_all_modes(EOPNOTSUPP);
	test_no_modes();
	return tap_done();
}
