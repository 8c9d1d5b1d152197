/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events in the syntax of perf, ocperf and CPU vendors: each is the same event, or is refused with
 * the reason.
 */
#include "pmu/event/perf_name.h"

#include <errno.h>
#include <stdlib.h>

#include "pmu/event/name.h"
#include "tap.h"

/* Names that perf 6.1 accepts, and the equivalent for tiptop. */
/* clang-format off */
static const struct {
	const char *text, *name, *label, *ignored;
} row[] = {
	{"cycles", "cycles", NULL, ""},
	{"cycles:u", "cycles:u", NULL, ""},
	{"cycles:ukhGH", "cycles:ukhGH", NULL, ""},
	{"cycles:p", "cycles", NULL, "p"},
	{"cycles:uppp", "cycles:u", NULL, "ppp"},
	{"cycles:ppk", "cycles:k", NULL, "pp"},
	{"cycles:P", "cycles", NULL, "P"},
	{"cycles:SuD", "cycles:u", NULL, "S, D"},
	{"cycles:We", "cycles", NULL, "We"},
	{"cycles:I", "cycles:I", NULL, ""},
	{"cycles/name=foo/", "cycles", "foo", ""},
	{"cycles/name=foo/u", "cycles:u", "foo", ""},
	{"cycles/period=5/uP", "cycles:u", NULL, "period=5, P"},
	{"cpu/event=0x3c,umask=0,name=foo,period=100003/", "cpu/event=0x3c,umask=0/", "foo", "period=100003"},
	{"cpu/event=0x3c,umask=0,name=foo,period=100003/pp", "cpu/event=0x3c,umask=0/", "foo", "period=100003, pp"},
	{"cpu/name=foo,event=0x3c/uk", "cpu/event=0x3c/uk", "foo", ""},
	{"cpu/event=0x3c,name=INST_RETIRED.ANY,freq=99/", "cpu/event=0x3c/", "INST_RETIRED.ANY", "freq=99"},
	{"cpu/event=0x3c,name=a:b,metric-id=c/:u", "cpu/event=0x3c/:u", "a:b", "metric-id=c"},
	{"cpu/event=0x3c,name=a,name=b/", "cpu/event=0x3c/", "b", ""},
	{"cpu/event=0x3c,cmask=1,inv/", "cpu/event=0x3c,cmask=1,inv/", NULL, ""},
	{"cpu/event=0x3c,,umask=1/", "cpu/event=0x3c,,umask=1/", NULL, ""},
	{"cpu/mem-loads,ldlat=3/P", "cpu/mem-loads,ldlat=3/", NULL, "P"},
	{"cpu/event=1", "cpu/event=1", NULL, ""},
	{"cpu//", "cpu//", NULL, ""},
	{"INST_RETIRED.ANY", "INST_RETIRED.ANY", NULL, ""},
	{"INST_RETIRED.ANY:pp", "INST_RETIRED.ANY", NULL, "pp"},
	{"inst_retired.any:upp", "inst_retired.any:u", NULL, "pp"},
	{"L2_LD:S", "L2_LD:S", NULL, ""},  /* a umask of libpfm4 */
	{"L2_LD:SELF:e", "L2_LD:SELF:e", NULL, ""}, /* with the modifier for edges */
	{"sched:sched_switch", "sched:sched_switch", NULL, ""},
	{"r1c2:pu", "r1c2:u", NULL, "p"},
	{"", "", NULL, ""},
};
/* clang-format on */

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_spelling s;

		tap_int(event_spelling_read(&s, row[i].text, NULL), 0, "'%s' is read", row[i].text);
		tap_str(s.name, row[i].name, "its name");
		tap_str(s.label ? s.label : "-", row[i].label ? row[i].label : "-", "its label");
		tap_str(s.ignored.text ? s.ignored.text : "", row[i].ignored, "what is ignored");
		event_spelling_done(&s);
	}
}

static void test_refused(void)
{
	static const char *const refused[][2] = {
		{"cpu/event=1,percore/", "the term 'percore' is not supported: it adds up"},
		{"cycles:I",
		 "the modifier 'I' of the event 'cycles:I' is not supported: it leaves"},
		{"cycles:bu",
		 "the modifier 'b' of the event 'cycles:bu' is not supported: it makes"},
		{"cycles:R", "the modifier 'R' of the event 'cycles:R' is not supported: it asks"},
		{"cycles:uq", "'uq' is not a modifier of the event 'cycles:uq'"},
	};
	const struct event_host bare = {.devices = "/dev/null",
					.tracing = {"/dev/null", "/dev/null"}};
	const struct machine m = {.cpu = {.arch = "x86"}, .host = &bare};

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;

		tap_int(event_name_resolve(&e, &m, 0, refused[i][0], &err), -EINVAL,
			"'%s' is refused", refused[i][0]);
		tap_ok(!strncmp(err.text, refused[i][1], strlen(refused[i][1])), "because %s",
		       err.text);
	}
}

/* For a CPU other than this machine's: neither sysfs nor libpfm4 is used. */
static void test_makers(void)
{
	static const struct {
		const char *name, *same;
	} intel[] = {
		{"INST_RETIRED.ANY", "instructions"},
		{"inst_retired.any", "instructions"},
		{"INST_RETIRED:ANY", "instructions"},
		{"inst_retired.any:u", "instructions:u"},
		{"INST_RETIRED.ANY:ukpp", "instructions:uk"},
		{"INST_RETIRED.ANY/name=foo/k", "instructions:k"},
		{"INST_RETIRED.ANY:D", "instructions"},
		{"INST_RETIRED.ANY:G", "instructions:G"},
		{"cpu_clk_unhalted.thread", "cycles"},
		{"CPU_CLK_UNHALTED:REF_TSC:k", "ref-cycles:k"},
		{"MEM_LOAD_RETIRED.L3_MISS", "r20d1"},
		{"mem_load_retired.l3_miss:uS", "r20d1:u"},
		{"MEM_LOAD_RETIRED:L3_MISS:pp", "r20d1"},
	};
	const struct event_host bare = {.devices = "/dev/null",
					.tracing = {"/dev/null", "/dev/null"}};
	struct machine m = {.host = &bare, .table = &event_table_built_in, .elsewhere = true};

	tap_ok(cpu_parse(&m.cpu, "x86:06_5E") && m.cpu.vendor == CPU_INTEL, "a Skylake");
	for (size_t i = 0; i < sizeof intel / sizeof *intel; i++) {
		struct event e = {.name = NULL}, same = {.name = NULL};
		struct err err = ERR_INIT;
		const int ret = event_name_resolve(&e, &m, 0, intel[i].name, &err);

		if (!tap_ok(!ret && !err.code &&
				    !event_name_resolve(&same, &m, 0, intel[i].same, NULL) &&
				    e.type == same.type && e.config == same.config &&
				    e.no_user == same.no_user && e.no_kernel == same.no_kernel &&
				    e.own_modes == same.own_modes && e.no_host == same.no_host,
			    "%s is %s", intel[i].name, intel[i].same))
			printf("# %d, %s\n", ret, err.text);
	}
}

static void test_extend(void)
{
	static const char *const extended[][3] = {
		{"cycles", "u", "cycles:u"},
		{"cycles:k", "u", "cycles:ku"},
		{"cycles:k", "kp", "cycles:kp"},
		{"cpu/event=1/", "u", "cpu/event=1/u"},
		{"cpu/event=1/k", "pp", "cpu/event=1/kpp"},
		{"cpu/event=1/:k", "u", "cpu/event=1/:ku"},
		{"INST_RETIRED:ANY", "u", "INST_RETIRED:ANY:u"},
		{"sched:sched_switch", "k", "sched:sched_switch:k"},
	};

	for (size_t i = 0; i < sizeof extended / sizeof *extended; i++) {
		char *name = event_spelling_extend(extended[i][0], extended[i][1]);

		tap_str(name, extended[i][2], "%s with %s", extended[i][0], extended[i][1]);
		free(name);
	}
}

int main(void)
{
	test_texts();
	test_refused();
	test_makers();
	test_extend();
	return tap_done();
}
