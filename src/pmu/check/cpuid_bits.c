/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/cpuid_bits.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "pmu/check/pmu_info.h"

struct bit_visitor {
	cpuid_bits_visit visit;
	void *context;
};

__attribute__((format(printf, 4, 5))) static void
report_bits(const struct bit_visitor *t, const char *bits, uint32_t value, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	t->visit(t->context, bits, value, text);
	free(text);
}

static void report_counters(const struct bit_visitor *t, uint32_t eax)
{
	report_bits(t, "EAX 7:0", eax & 0xff, "version %u of architectural monitoring", eax & 0xff);
	report_bits(t, "EAX 15:8", eax >> 8 & 0xff, "%u general counters for each logical CPU",
		    eax >> 8 & 0xff);
	report_bits(t, "EAX 23:16", eax >> 16 & 0xff, "they have %u bits", eax >> 16 & 0xff);
	report_bits(t, "EAX 31:24", eax >> 24, "EBX lists %u architectural events", eax >> 24);
}

/* A set bit means that the event is missing; bits beyond the last event mean nothing. */
static void report_events(const struct bit_visitor *t, uint32_t n, uint32_t ebx)
{
	bool all = true;

	for (uint32_t i = 0; i < n && i < 32; i++) {
		char bits[16];

		if (!(ebx >> i & 1))
			continue;
		all = false;
		snprintf(bits, sizeof bits, "EBX %u", i);
		report_bits(t, bits, 1, "%s: this event is missing",
			    i < PMU_N_EVENTS ? pmu_event_name((int)i) : "one newer than tiptop");
	}
	if (all)
		report_bits(t, "EBX", ebx, "none of these events is missing");
}

static void report_fixed(const struct bit_visitor *t, const struct arch_cpuid *a)
{
	uint32_t version = a->eax & 0xff;

	if (version >= 5)
		report_bits(t, "ECX", a->ecx, "a bit for each fixed counter that is there");
	report_bits(t, "EDX 4:0", a->edx & 0x1f, "%u fixed counters, from the first one on",
		    a->edx & 0x1f);
	report_bits(t, "EDX 12:5", a->edx >> 5 & 0xff, "they have %u bits", a->edx >> 5 & 0xff);
	if (version >= 3)
		report_bits(t, "EDX 15", a->edx >> 15 & 1, "%s",
			    a->edx >> 15 & 1
				    ? "the bit ANY (count for the other thread of the core, too) "
				      "has no effect"
				    : "the bit ANY counts for the other thread of the core, too");
}

void cpuid_bits_each(const struct arch_cpuid *a, cpuid_bits_visit visit, void *context)
{
	const struct bit_visitor t = {visit, context};

	if (!(a->eax & 0xff))
		return;
	report_counters(&t, a->eax);
	report_events(&t, a->eax >> 24, a->ebx);
	if ((a->eax & 0xff) >= 2)
		report_fixed(&t, a);
}
