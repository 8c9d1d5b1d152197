/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/event_nature.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pmu/event/name.h"
#include "pmu/event/names.h"

#define DIGITS "0123456789"

/* Those of pmu/event/name.h that the kernel counts itself, and their unit. */
static const struct software {
	const char *name, *unit;
} software_table[] = {
	{"task-clock", "ns"},       {"cpu-clock", "ns"},
	{"page-faults", NULL},      {"faults", NULL},
	{"minor-faults", NULL},     {"major-faults", NULL},
	{"context-switches", NULL}, {"cs", NULL},
	{"cpu-migrations", NULL},   {"migrations", NULL},
	{"alignment-faults", NULL}, {"emulation-faults", NULL},
	{"cgroup-switches", NULL},
};

static const struct software *find_software(const char *name)
{
	for (size_t i = 0; i < sizeof software_table / sizeof *software_table; i++)
		if (!strcasecmp(software_table[i].name, name))
			return &software_table[i];
	return NULL;
}

const char *event_nature_unit(const char *name)
{
	const struct software *software = find_software(name);

	return software ? software->unit : NULL;
}

/* Cuts the modifiers off "cycles:u:k@hold" or "cpu/.../uk". Returns them. */
static unsigned int cut_modifiers(char *name)
{
	enum event_phase phase;
	size_t len = event_name_phase(name, &phase), n;
	unsigned int modes = 0;
	char before;

	name[len] = '\0';
	modes |= (unsigned)phase << EVENT_PHASE_BIT;
	do {
		for (n = 0; n < len && strchr(EVENT_MODIFIERS, name[len - n - 1]); n++)
			;
		before = n && n < len ? name[len - n - 1] : '\0';
		if (before != ':' && before != '/')
			break;
		for (const char *c = name + len - n; *c; c++)
			modes |= 1u << (strchr(EVENT_MODIFIERS, *c) - EVENT_MODIFIERS);
		len -= n + (before == ':');
		name[len] = '\0';
	} while (before == ':');
	return modes;
}

/* Whether the PMU is one of the cores, by the names that these have on x86, Power, s390 and Arm. */
static bool is_core_pmu(const char *path)
{
	return !strncmp(path, "cpu", 3) || !strncmp(path, "armv", 4) || !strncmp(path, "apple_", 6);
}

/* Whether the name is that of a tracepoint, "sched:sched_switch". libpfm4 writes "PMU::EVENT", and
 * events in capitals. */
static bool is_tracepoint(const char *base)
{
	const char *colon = base + strspn(base, "abcdefghijklmnopqrstuvwxyz_" DIGITS);

	return *colon == ':' && colon[1] && !strchr(colon + 1, ':');
}

static enum event_kind kind_of(const char *base)
{
	if (strchr(base, '/'))
		return is_core_pmu(base) ? EVENT_KIND_CORE : EVENT_KIND_OTHER;
	if (is_tracepoint(base))
		return EVENT_KIND_OTHER;
	/* The value of a register may say itself in which modes to count: bits 16 and 17. */
	if (!strncmp(base, "0x", 2) && (strtoull(base, NULL, 16) >> 16 & 3) % 3)
		return EVENT_KIND_OTHER;
	if (!strncasecmp(base, "perf::", 6)) /* libpfm4's name for the PMU of the generic events */
		base += 6;
	if (find_software(base) || !strncasecmp(base, "PERF_COUNT_SW_", 14))
		return EVENT_KIND_OTHER;
	if (!strcasecmp(base, "instructions"))
		return EVENT_KIND_INSTRUCTIONS;
	if (!strcasecmp(base, "cycles") || !strcasecmp(base, "cpu-cycles"))
		return EVENT_KIND_CYCLES;
	return EVENT_KIND_CORE;
}

struct event_nature event_nature_of(const char *name)
{
	struct event_nature nature = {EVENT_KIND_OTHER, 0}, other;
	const char *list = name;
	char *next;

	for (size_t n = 0; (next = event_name_next(&list)); n++) {
		other.modes = cut_modifiers(next);
		other.kind = kind_of(next);
		free(next);
		if (n && (other.kind != nature.kind || other.modes != nature.modes))
			other.kind = EVENT_KIND_OTHER;
		nature = other;
	}
	return nature;
}
