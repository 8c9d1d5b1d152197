/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that may be used in the config of an event. */
#include <errno.h>

#include "pmu/event/raw_event.h"
#include "pmu/perf/event.h"
#include "tap.h"

static uint64_t constant(const char *type, const char *name)
{
	const struct event_type *t = event_type_find(type, NULL);
	uint64_t value = UINT64_MAX;

	return t && !t->constant(name, strlen(name), &value) ? value : UINT64_MAX;
}

static void test_types(void)
{
	struct err err = ERR_INIT;

	tap_int(event_type_find(NULL, NULL)->type, PERF_TYPE_HARDWARE, "no type is HARDWARE");
	tap_int(event_type_find("SOFTWARE", NULL)->type, PERF_TYPE_SOFTWARE, "SOFTWARE");
	tap_int(event_type_find("HW_CACHE", NULL)->type, PERF_TYPE_HW_CACHE, "HW_CACHE");
	tap_int(event_type_find("RAW", NULL)->type, PERF_TYPE_RAW, "RAW");
	tap_ok(!event_type_find("hardware", &err) && err.code == EINVAL &&
		       strstr(err.text, "HW_CACHE"),
	       "another: a sentence that lists them");
	tap_int(constant(NULL, "CPU_CYCLES"), PERF_COUNT_HW_CPU_CYCLES, "a name of HARDWARE");
	tap_int(constant(NULL, "REF_CPU_CYCLES"), PERF_COUNT_HW_REF_CPU_CYCLES,
		"the last name of HARDWARE");
	tap_int(constant("SOFTWARE", "PAGE_FAULTS_MAJ"), PERF_COUNT_SW_PAGE_FAULTS_MAJ,
		"a name of SOFTWARE");
	tap_int(constant("HW_CACHE", "RESULT_MISS"), PERF_COUNT_HW_CACHE_RESULT_MISS,
		"a name of HW_CACHE");
	tap_ok(constant("RAW", "CPU_CYCLES") == UINT64_MAX, "RAW has no names");
	tap_ok(constant("SOFTWARE", "CPU_CYCLES") == UINT64_MAX, "a name of another type");
	tap_ok(constant(NULL, "CPU_CYCLE") == UINT64_MAX &&
		       constant(NULL, "CPU_CYCLESS") == UINT64_MAX,
	       "a part, or more");
}

int main(void)
{
	test_types();
	return tap_done();
}
