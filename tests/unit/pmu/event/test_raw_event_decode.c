/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event codes, decoded by the register layouts in the manuals of Intel, AMD and Arm.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/raw_event.h"
#include "tap.h"

static const struct cpu_name cpus[] = {
	{"intel", "06_10;06_30@cpu_core;06_30@cpu_atom", "a test", NULL},
	{"amd", "19_10", "a test", NULL},
	{"arm", "41_D40", "a test", NULL},
};
static const struct event_choice choices[] = {
	{.model = "06_10;06_30@cpu_core", .event = "r8d1", .name = "L1_MISS", .source = "a test"},
	{.model = "19_10", .event = "r1000001a0", .name = "NO_OPS", .source = "a test"},
	{.model = "41_D40", .event = "r4005", .name = "STALL_MEM", .source = "a test"},
};
static const struct event_def events[] = {{"own", "units", "what it counts", choices, 3, NULL}};
static const struct event_table table = {cpus, 3, events, 1, NULL};

/* Appends the first words of a text only. */
static void add(void *context, const char *field, const char *value, const char *text)
{
	strbuf_addf(context, "%s=%s", field, value);
	if (!strcmp(field, "wrong") || !strcmp(field, "elsewhere") || !strcmp(field, "name"))
		strbuf_addf(context, " (%.24s)", text);
	strbuf_addch(context, ' ');
}

#define NO_NAME(config) "wrong=" config " (no event of this CPU is ) "

static const struct {
	const char *cpu, *code;
	int ret;
	const char *want; /* or the error message */
} row[] = {
	{"06_10", "0x43412e", 0,
	 "event=0x2e umask=0x41 USR=0x1 OS=0x1 edge=0x0 PC=0x0 INT=0x0 ANY=0x0 EN=0x1 inv=0x0 "
	 "cmask=0x0 IN_TX=0x0 IN_TXCP=0x0 config=0x412e name=cache-misses (misses of the "
	 "last-level) "},
	{"06_10", "r412e", 0,
	 "event=0x2e umask=0x41 edge=0x0 ANY=0x0 inv=0x0 cmask=0x0 IN_TX=0x0 IN_TXCP=0x0 "
	 "config=0x412e name=cache-misses (misses of the last-level) "},
	{"06_10", "cpu/event=0xd1,umask=8/", 0,
	 "event=0xd1 umask=0x8 edge=0x0 ANY=0x0 inv=0x0 cmask=0x0 IN_TX=0x0 IN_TXCP=0x0 "
	 "config=0x8d1 name=own (what it counts [units; L) "},
	{"06_30", "r8d1", 0,
	 "event=0xd1 umask=0x8 edge=0x0 ANY=0x0 inv=0x0 cmask=0x0 IN_TX=0x0 IN_TXCP=0x0 "
	 "config=0x8d1 name=own (cpu_core: what it counts) "},
	{"06_10", "0xc5be04c5", 0,
	 "event=0xc5 umask=0x4 USR=0x0 OS=0x1 edge=0x1 PC=0x1 INT=0x1 ANY=0x1 EN=0x0 inv=0x1 "
	 "cmask=0xc5 IN_TX=0x0 IN_TXCP=0x0 config=0xc5a404c5 wrong=0x200000 (with ANY, the count "
	 "incl) " NO_NAME("0xc5a404c5")},
	{"06_10", "r130c00000001", 0,
	 "event=0x1 umask=0x0 edge=0x0 ANY=0x0 inv=0x0 cmask=0x0 IN_TX=0x0 IN_TXCP=0x0 "
	 "config=0x130c00000001 wrong=0x130c00000000 (these bits are reserved:) " NO_NAME(
		 "0x130c00000001")},
	{"06_10", "r430001", 0,
	 "event=0x1 umask=0x0 USR=0x1 OS=0x1 edge=0x0 ANY=0x0 EN=0x1 inv=0x0 cmask=0x0 IN_TX=0x0 "
	 "IN_TXCP=0x0 config=0x1 wrong=0x430000 (these bits are not part ) " NO_NAME("0x1")},
	{"19_10", "cpu/event=0x1a0,umask=0x1/", 0,
	 "event=0xa0 umask=0x1 edge=0x0 inv=0x0 cmask=0x0 event=0x1 config=0x1000001a0 name=own "
	 "(what it counts [units; N) "},
	{"19_10", "0x301006208d1", 0,
	 "event=0xd1 umask=0x8 USR=0x0 OS=0x1 edge=0x0 INT=0x0 EN=0x1 inv=0x0 cmask=0x0 event=0x1 "
	 "guest=0x1 host=0x1 config=0x1002008d1 wrong=0x200000 (these bits are reserved:) " NO_NAME(
		 "0x1002008d1")},
	{"19_10", "r8d1", 0,
	 "event=0xd1 umask=0x8 edge=0x0 inv=0x0 cmask=0x0 event=0x0 config=0x8d1 " NO_NAME(
		 "0x8d1") "elsewhere=L1_MISS (its name on 06_10;06_30@) "},
	{"41_D40", "armv8/event=0x4005/", 0,
	 "event=0x4005 config=0x4005 name=own (what it counts [units; S) "},
	{"41_D40", "r14005", 0,
	 "event=0x4005 config=0x14005 wrong=0x10000 (these bits are reserved:) " NO_NAME(
		 "0x14005")},
	{"06_10", "cpu/event=0x2e,foo=1/", -EINVAL, "this CPU has no term 'foo'"},
	{"06_10", "cpu/event=0x2e,USR=1/", -EINVAL, "this CPU has no term 'USR'"},
	{"06_10", "cpu/event=0x2e2/", -EINVAL, "the value of 'event' has too many bits"},
	{"19_10", "cpu/event=0x1000/", -EINVAL, "the value of 'event' has too many bits"},
	{"06_10", "cpu/event=x/", -EINVAL, "'x' is not a number"},
	{"06_10", "cpu/event=/", -EINVAL, "'' is not a number"},
	{"06_10", "r10000000000000000", -EINVAL,
	 "the number 'r10000000000000000' does not fit in 64 bits"},
};

static void test_decode(void)
{
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct machine m = {.table = &table};
		struct err err = ERR_INIT;
		struct strbuf out;
		int ret;

		strbuf_init(&out);
		machine_set_foreign(&m, row[i].cpu, NULL);
		ret = event_decode(&m, row[i].code, add, &out, &err);
		tap_int(ret, row[i].ret, "%s on %s", row[i].code, row[i].cpu);
		tap_str(ret ? err.text : out.text, row[i].want, "its answer");
		strbuf_done(&out);
	}
}

static void test_is_code(void)
{
	static const struct {
		const char *text;
		bool want;
	} text[] = {
		{"r1c2", true},         {"0x43412e", true},
		{"cpu/event=1/", true}, {"cpu/event=1,umask=2/", true},
		{"retired", false},     {"r", false},
		{"0x", false},          {"0xg", false},
		{"cpu/event/", false},  {"cpu/", false},
		{"cpu/event=1", false}, {"/event=1/", false},
		{"branch", false},      {"", false},
		{"12", false},          {"x=1", false},
	};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		tap_int(event_is_code(text[i].text), text[i].want, "'%s'", text[i].text);
}

int main(void)
{
	setenv("LIBPFM_FORCE_PMU", "perf", 1);
	test_decode();
	test_is_code();
	return tap_done();
}
