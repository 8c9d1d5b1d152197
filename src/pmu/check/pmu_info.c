/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/pmu_info.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"

const char *pmu_kind_name(enum pmu_kind kind)
{
	static const char *const name[N_PMU_KINDS] = {"core", "software", "uncore", "other"};

	return name[kind];
}

/* Reads the first line of a file in a folder; false: there is none. If the line does not fit, cuts
 * it at a comma and appends "...": half of a number would be another number. */
static bool read_line(const char *folder, const char *file, char *buf, size_t size)
{
	char *path = xasprintf("%s/%s", folder, file);
	ssize_t n = file_read(AT_FDCWD, path, buf, size);
	bool there = n > 0;

	free(path);
	if ((size_t)n == size - 1 && !strchr(buf, '\n')) {
		char *comma = memrchr(buf, ',', size - sizeof ",...");

		memcpy(comma ? comma + 1 : buf + size - sizeof "...", "...", sizeof "...");
	}
	buf[strcspn(buf, "\n")] = '\0';
	return there;
}

static long read_number(const char *folder, const char *file)
{
	char text[32], *end;
	long number;

	if (!read_line(folder, file, text, sizeof text))
		return -1;
	number = strtol(text, &end, 10);
	return end == text || *end ? -1 : number;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void read_caps(struct pmu_info *pmu, const char *folder)
{
	char *caps = xasprintf("%s/caps", folder), value[64];
	struct dirent **entry = NULL;
	int n = scandir(caps, &entry, is_visible, alphasort);
	size_t len = 0;

	for (int i = 0; i < n; i++) {
		if (read_line(caps, entry[i]->d_name, value, sizeof value) &&
		    len < sizeof pmu->caps)
			len += (size_t)snprintf(pmu->caps + len, sizeof pmu->caps - len, "%s%s=%s",
						len ? " " : "", entry[i]->d_name, value);
		free(entry[i]);
	}
	free(entry);
	free(caps);
}

static int core_of(const struct pmu_info *pmu, const struct machine *m)
{
	for (int i = 0; i < m->n_cores; i++)
		if (!strcmp(m->core[i].name, pmu->name))
			return i;
	return EVENT_NO_CORE;
}

static enum pmu_kind kind_of(const struct pmu_info *pmu, bool has_mask)
{
	static const char *const software[] = {"software", "tracepoint", "breakpoint", "kprobe",
					       "uprobe"};

	if (pmu->core != EVENT_NO_CORE)
		return PMU_CORE;
	for (size_t i = 0; i < sizeof software / sizeof *software; i++)
		if (!strcmp(software[i], pmu->name))
			return PMU_SOFTWARE;
	return has_mask ? PMU_UNCORE : PMU_OTHER;
}

static void read_pmu(struct pmu_info *pmu, const struct machine *m, const char *name)
{
	char *folder = xasprintf("%s/%s", m->host->devices, name);
	bool has_mask;

	memset(pmu, 0, sizeof *pmu);
	snprintf(pmu->name, sizeof pmu->name, "%.63s", name);
	pmu->type = read_number(folder, "type");
	pmu->mux_ms = read_number(folder, "perf_event_mux_interval_ms");
	has_mask = read_line(folder, "cpumask", pmu->cpus, sizeof pmu->cpus);
	if (!has_mask)
		read_line(folder, "cpus", pmu->cpus, sizeof pmu->cpus);
	read_caps(pmu, folder);
	pmu->core = (int8_t)core_of(pmu, m);
	pmu->kind = (uint8_t)kind_of(pmu, has_mask);
	free(folder);
}

static int compare(const void *left, const void *right)
{
	const struct pmu_info *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind - b->kind;
	return a->core != b->core ? a->core - b->core : strverscmp(a->name, b->name);
}

void pmu_info_read(struct pmu_info_list *out, const struct machine *m)
{
	struct dirent **entry = NULL;
	int n = scandir(m->host->devices, &entry, is_visible, NULL);

	out->n = n > 0 ? (size_t)n : 0;
	out->v = xcalloc(out->n ? out->n : 1, sizeof *out->v);
	for (size_t i = 0; i < out->n; i++) {
		read_pmu(&out->v[i], m, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	array_sort(out->v, out->n, sizeof *out->v, compare);
}

void pmu_info_done(struct pmu_info_list *list)
{
	free(list->v);
	*list = (struct pmu_info_list){NULL, 0};
}

const char *pmu_event_name(int i)
{
	static const char *const name[PMU_N_EVENTS] = {
		"cycles",       "instructions", "reference cycles", "cache references",
		"cache misses", "branches",     "branch misses",    "slots"};

	return name[i];
}

static void decode_architectural(struct pmu_counters *c, const struct arch_cpuid *a)
{
	int n_known = (int)(a->eax >> 24);

	c->scheme = SCHEME_ARCHITECTURAL;
	c->version = (int)(a->eax & 0xff);
	c->n_general = (int)(a->eax >> 8 & 0xff);
	c->general_bits = (int)(a->eax >> 16 & 0xff);
	/* A set bit in EBX means that the event is missing. */
	for (int i = 0; i < PMU_N_EVENTS && i < n_known; i++)
		c->events |= (~a->ebx >> i & 1) << i;
	if (c->version < 2)
		return;
	for (uint32_t i = 0; i < 32; i++)
		c->n_fixed += (a->ecx >> i & 1) || i < (a->edx & 0x1f);
	if (c->n_fixed)
		c->fixed_bits = (int)(a->edx >> 5 & 0xff);
}

static bool is_amd(const struct arch_cpuid *leaf_0)
{
	/* "Auth" of AuthenticAMD; "Hygo" of HygonGenuine. */
	return leaf_0->ebx == 0x68747541 || leaf_0->ebx == 0x6f677948;
}

static void decode_amd(struct pmu_counters *c, const struct pmu_cpuid *raw)
{
	c->general_bits = 48;
	if (raw->leaf_80000022.eax & 1) {
		c->scheme = SCHEME_AMD_V2;
		c->n_general = (int)(raw->leaf_80000022.ebx & 0xf);
	} else if (raw->leaf_80000001.ecx >> 23 & 1) {
		c->scheme = SCHEME_AMD_EXTENDED;
		c->n_general = 6;
	} else {
		c->scheme = SCHEME_AMD_LEGACY;
		c->n_general = 4;
	}
}

void pmu_counters_decode(struct pmu_counters *c, const struct pmu_cpuid *raw)
{
	memset(c, 0, sizeof *c);
	c->hypervisor = raw->leaf_1.ecx >> 31;
	if (raw->leaf_a.eax & 0xff)
		decode_architectural(c, &raw->leaf_a);
	else if (is_amd(&raw->leaf_0))
		decode_amd(c, raw);
}

static bool read_here(struct pmu_cpuid *raw)
{
	return arch_read_cpuid(0, &raw->leaf_0) && arch_read_cpuid(1, &raw->leaf_1) &&
	       arch_read_cpuid(0xa, &raw->leaf_a) &&
	       arch_read_cpuid(0x80000001, &raw->leaf_80000001) &&
	       arch_read_cpuid(0x80000022, &raw->leaf_80000022);
}

bool pmu_cpuid_read(struct pmu_cpuid *raw, const char *cpus)
{
	cpu_set_t before, one;
	unsigned long cpu;
	char *end;
	bool done;

	memset(raw, 0, sizeof *raw);
	cpu = strtoul(cpus, &end, 10);
	if (end == cpus)
		return read_here(raw);
	if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before))
		return false;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof one, &one))
		return false;
	done = read_here(raw);
	sched_setaffinity(0, sizeof before, &before);
	return done;
}

bool pmu_counters_read(struct pmu_counters *c, const char *cpus)
{
	struct pmu_cpuid raw;

	memset(c, 0, sizeof *c);
	if (!pmu_cpuid_read(&raw, cpus))
		return false;
	pmu_counters_decode(c, &raw);
	return true;
}

/* ---- cpuid_bits ---- */

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
