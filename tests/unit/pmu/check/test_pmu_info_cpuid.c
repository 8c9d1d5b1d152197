/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text for leaf 0xA of CPUID, from registers as in Intel's manual. */
#include "base/strbuf.h"
#include "pmu/check/pmu_info.h"
#include "tap.h"

static void add(void *context, const char *bits, uint32_t value, const char *text)
{
	strbuf_addf(context, "%s %#x %s\n", bits, value, text);
}

static const struct {
	const char *name;
	struct arch_cpuid leaf;
	const char *want;
} table[] = {
	{"Skylake",
	 {0x07300404, 0, 0, 0x603},
	 "EAX 7:0 0x4 version 4 of architectural monitoring\n"
	 "EAX 15:8 0x4 4 general counters for each logical CPU\n"
	 "EAX 23:16 0x30 they have 48 bits\n"
	 "EAX 31:24 0x7 EBX lists 7 architectural events\n"
	 "EBX 0 none of these events is missing\n"
	 "EDX 4:0 0x3 3 fixed counters, from the first one on\n"
	 "EDX 12:5 0x30 they have 48 bits\n"
	 "EDX 15 0 the bit ANY counts for the other thread of the core, too\n"},
	{"version 5 without an event, and one newer; a bit behind the last event says nothing",
	 {0x0a280805, 0x480 + 0x8, 0x17, 0x8523},
	 "EAX 7:0 0x5 version 5 of architectural monitoring\n"
	 "EAX 15:8 0x8 8 general counters for each logical CPU\n"
	 "EAX 23:16 0x28 they have 40 bits\n"
	 "EAX 31:24 0xa EBX lists 10 architectural events\n"
	 "EBX 3 0x1 cache references: this event is missing\n"
	 "EBX 7 0x1 slots: this event is missing\n"
	 "ECX 0x17 a bit for each fixed counter that is there\n"
	 "EDX 4:0 0x3 3 fixed counters, from the first one on\n"
	 "EDX 12:5 0x29 they have 41 bits\n"
	 "EDX 15 0x1 the bit ANY (count for the other thread of the core, too) has no effect\n"},
	{"an event that is newer than these names",
	 {0x0a280201, 0x200, 0, 0x603},
	 "EAX 7:0 0x1 version 1 of architectural monitoring\n"
	 "EAX 15:8 0x2 2 general counters for each logical CPU\n"
	 "EAX 23:16 0x28 they have 40 bits\n"
	 "EAX 31:24 0xa EBX lists 10 architectural events\n"
	 "EBX 9 0x1 one newer than tiptop: this event is missing\n"},
	{"a virtual CPU of version 2",
	 {0x07300402, 0x18, 0, 0x603},
	 "EAX 7:0 0x2 version 2 of architectural monitoring\n"
	 "EAX 15:8 0x4 4 general counters for each logical CPU\n"
	 "EAX 23:16 0x30 they have 48 bits\n"
	 "EAX 31:24 0x7 EBX lists 7 architectural events\n"
	 "EBX 3 0x1 cache references: this event is missing\n"
	 "EBX 4 0x1 cache misses: this event is missing\n"
	 "EDX 4:0 0x3 3 fixed counters, from the first one on\n"
	 "EDX 12:5 0x30 they have 48 bits\n"},
	{"no architectural monitoring", {0x07300400, 0, 0, 0x603}, ""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct strbuf out;

		strbuf_init(&out);
		cpuid_bits_each(&table[i].leaf, add, &out);
		tap_str(out.text, table[i].want, "%s", table[i].name);
		strbuf_done(&out);
	}
	return tap_done();
}
