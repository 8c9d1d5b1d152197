/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpfm4's descriptions of events, for another CPU.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pfm_tables.h"
#include "pmu/event/pfm.h"
#include "tap.h"

/* For the kernel's generic events, libpfm4 has names only. Runs in a child, as libpfm4 reads
 * LIBPFM_FORCE_PMU only once. */
static void test_kernel(void)
{
	int status = 1;

	fflush(stdout);
	if (!fork()) {
		struct event e = {.name = NULL};
		struct strbuf text;
		bool good;

		setenv("LIBPFM_FORCE_PMU", "perf", 1);
		strbuf_init(&text);
		good = !event_pfm_resolve(&e, NULL, "PERF_COUNT_HW_CPU_CYCLES", NULL) &&
		       !event_pfm_describe(&text, "PERF_COUNT_HW_CPU_CYCLES") && !text.len;
		strbuf_done(&text);
		_exit(!good);
	}
	wait(&status);
	tap_int(status, 0, "a name is no description");
}

int main(void)
{
	static const struct {
		const char *name, *text; /* "": unknown */
	} row[] = {
		{"FP_ASSIST:ANY",
		 "X87 floating-point assists: Cycles with any input/output SEE or FP assists"},
		{"FP_ASSIST",
		 "X87 floating-point assists: Cycles with any input/output SEE or FP assists"},
		{"fp_assist.any:u",
		 "X87 floating-point assists: Cycles with any input/output SEE or FP assists"},
		{"skl::INSTRUCTION_RETIRED:c=1", "Number of instructions at retirement"},
		{"OFFCORE_RESPONSE_0",
		 "Offcore response event (must provide at least one request type and either "
		 "any_response or any combination of supplier + snoop): Request: combination of "
		 "all request umasks; Response: count any response type"},
		{"ASSISTS:FP", ""},
		{"icl::ASSISTS:FP", ""},
		{"FP_ASSIST:ANY:nonsense", ""},
		{"cycles", ""},
		{"", ""},
	};

	const char *lacking = pfm_tables_lacking();

	if (lacking)
		tap_skip("a name is no description", lacking);
	else
		test_kernel();
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct strbuf text;

		if (lacking && row[i].text[0]) {
			tap_skip(row[i].name, lacking);
			continue;
		}
		strbuf_init(&text);
		tap_ok(event_pfm_describe(&text, row[i].name) == !!row[i].text[0], "'%s'",
		       row[i].name);
		tap_str(text.text, row[i].text, "and its description");
		strbuf_done(&text);
	}
	return tap_done();
}
