/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting when a PMU or an event cannot exclude modes (user, kernel).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attach_rig.h"
#include "base/mem.h"
#include "pmu/check/refusal.h"
#include "pmu/check/rights.h"
#include "pmu/event/describe.h"

/* A PMU that cannot exclude any mode. With permission, all modes are counted, and the note says so;
 * without, nothing is counted, and the note names both possible causes. */
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
	tap_ok(strstr(note.text, "cannot exclude the kernel") &&
		       strstr(note.text, refusal_remedy()),
	       "for an unknown reason");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* A PMU that ignores modes: all events are counted, and the note says that all modes are. */
static void test_ignored_modes(void)
{
	struct err note = ERR_INIT;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	pmu.sys.modes_may_be_ignored = pmu.script.ignore_modes = pmu.script.paranoid = true;
	configure(&a, 2, false, &note);
	tap_int(a.n_usable, 2, "both events are counted");
	tap_ok(strstr(note.text, "'event' is counted in all modes") &&
		       strstr(note.text, "Smcntrpmf"),
	       "in all modes, as is said");
	tap_ok(event_to_sample(&a.set, 0).modes_too, "and shown with each count");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* An event that cannot exclude modes, and a user without permission to count the kernel. */
static void test_no_modes(void)
{
	char *want = xasprintf("'msr/tsc/' cannot be counted in user mode alone, and the kernel "
			       "may not be counted since kernel.perf_event_paranoid is 2: 'sysctl "
			       "kernel.perf_event_paranoid=1' allows it, or %s",
			       refusal_remedy());
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
		tap_str(note.text, want, "why");
	else
		tap_skip("why", "kernel.perf_event_paranoid is not 2");
	free(want);
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

#define UNTRIED                                                                                    \
	"the PMU refuses 'event' in user mode (%s): either it cannot exclude the kernel, or the "  \
	"event does not fit this CPU; to find out which, tiptop needs permission to count in the " \
	"kernel: %s"

/* The PMU refuses one event of two in all modes. With permission for the kernel, the note gives the
 * cause (root); without, it is less specific (user), since fewer modes could be tried. */
static void test_refused(int error, const char *root, const char *user)
{
	for (int paranoid = 0; paranoid < 2; paranoid++) {
		const char *want = paranoid ? user : root;
		struct err note = ERR_INIT;
		struct attach a;
		struct pmu pmu;

		pmu_init(&pmu);
		attach_init(&a, &pmu.sys);
		pmu.script =
			(struct pmu_script){.missing = 2, .refusal = error, .paranoid = paranoid};
		configure(&a, 2, false, &note);
		tap_int(a.n_usable, 1, "%s%s: the other event is counted", strerrorname_np(error),
			paranoid ? ", by a user" : "");
		tap_int(a.set.event[1].quality,
			error == EACCES ? QUALITY_DENIED : QUALITY_UNSUPPORTED, "this one is not");
		if (want)
			tap_str(note.text, want, "why");
		else
			tap_skip("why", "kernel.perf_event_paranoid is above 2");
		attach_done(&a);
		tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
	}
}

static void test_sentences(void)
{
	static const char absent[] = "this machine has no hardware counter for 'event' (ENOENT)",
			  unlike[] = "the PMU refuses the event 'event': its config does not fit "
				     "this CPU";
	const int level = probe_paranoid();
	char *untried[] = {xasprintf(UNTRIED, "EINVAL", refusal_remedy()),
			   xasprintf(UNTRIED, "EOPNOTSUPP", refusal_remedy())};
	char *text = xasprintf("the kernel refuses to count 'event' (Permission denied; "
			       "kernel.perf_event_paranoid is %d): %s",
			       level, refusal_remedy());

	test_refused(ENOENT, absent, absent);
	test_refused(EINVAL, unlike, untried[0]);
	test_refused(EOPNOTSUPP, "this machine has no hardware counter for 'event' (EOPNOTSUPP)",
		     untried[1]);
	/* At levels above 2, the note depends on the permissions of the user who runs the test. */
	test_refused(EACCES, level > 2 ? NULL : text, level > 2 ? NULL : text);
	free(untried[0]);
	free(untried[1]);
	free(text);
}

/* On a machine without hardware counters, all hardware events have one common note. */
static void test_no_hardware(void)
{
	static const struct {
		uint32_t type;
		const char *text;
	} row[] = {{PERF_TYPE_RAW,
		    "this machine has no hardware counters: only what the kernel counts "
		    "is shown"},
		   {30, "this machine has no hardware counter for 'event' (ENOENT)"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err note = ERR_INIT;
		struct event_set set;
		struct attach a;
		struct pmu pmu;

		pmu_init(&pmu);
		attach_init(&a, &pmu.sys);
		a.no_hardware = true;
		make_set(&set, 1);
		set.event[0].what = strdup("event");
		set.event[0].type = row[i].type;
		pmu.script = (struct pmu_script){.missing = 1, .refusal = ENOENT};
		attach_configure(&a, &set, false, &note);
		tap_str(note.text, row[i].text, "an event of type %u", row[i].type);
		attach_done(&a);
	}
}

int main(void)
{
	test_all_modes(EINVAL);
	test_all_modes(EOPNOTSUPP);
	test_ignored_modes();
	test_no_modes();
	test_sentences();
	test_no_hardware();
	return tap_done();
}
