/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of doctor: the processor, its PMUs, and who else holds a counter. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cmd/doctor_part.h"
#include "pmu/check/cpuid_bits.h"
#include "pmu/check/pmu_info.h"
#include "pmu/event/pfm.h"

/* Appends what stands behind "NAME<tab>: " in /proc/cpuinfo, for the first CPU; false where there
 * is no such line. */
static bool read_cpuinfo(const char *name, struct strbuf *out)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL, *colon;
	size_t cap = 0, len = strlen(name);
	bool found = false;

	while (file && !found && getline(&line, &cap, file) > 0) {
		colon = strchr(line, ':');
		if (strncmp(line, name, len) || !colon ||
		    line + len + strspn(line + len, "\t ") != colon)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		strbuf_addstr(out, colon + 1 + strspn(colon + 1, " "));
		found = true;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* Appends " 4.13.0", the version in the name of the library's file, since the library itself does
 * not tell it. Nothing where it is linked in. */
static void add_pfm_version(struct strbuf *out)
{
	static const char name[] = "/libpfm.so.";
	FILE *file = fopen("/proc/self/maps", "re");
	char *line = NULL, *found = NULL;
	size_t cap = 0;

	while (file && !found && getline(&line, &cap, file) > 0)
		found = strstr(line, name);
	if (found)
		strbuf_addf(out, " %.*s", (int)strspn(found + strlen(name), "0123456789."),
			    found + strlen(name));
	free(line);
	if (file)
		fclose(file);
}

static void check_libpfm4(struct doctor *d)
{
	const char *forced = getenv("LIBPFM_FORCE_PMU");
	struct err why = ERR_INIT;
	struct strbuf version, tables;
	struct finding f;
	int n;

	if (event_pfm_begin(&why)) {
		f = finding_make(FINDING_WARN, "%s: events by sysfs names, or as raw numbers",
				 why.text);
		finding_set_remedy(&f, "install libpfm4");
		doctor_put(d, "libpfm4", &f);
		return;
	}
	strbuf_init(&version);
	strbuf_init(&tables);
	add_pfm_version(&version);
	n = event_pfm_add_tables(&tables);
	if (forced)
		f = finding_make(FINDING_FACT, "libpfm4%s has %s, as $LIBPFM_FORCE_PMU says",
				 version.text, n ? tables.text : "no table");
	else if (!n || (n == 1 && !strncmp(tables.text, "ix86arch", strlen("ix86arch"))))
		f = finding_make(FINDING_WARN,
				 "libpfm4%s has no table for this CPU%s: events by sysfs names, or "
				 "as raw numbers",
				 version.text, n ? " but that of the architectural events" : "");
	else
		f = finding_make(FINDING_OK, "libpfm4%s has %s", version.text, tables.text);
	if (f.mark == FINDING_WARN)
		finding_set_remedy(&f, "install a newer libpfm4, if there is one that has a table");
	doctor_put(d, "libpfm4", &f);
	strbuf_done(&version);
	strbuf_done(&tables);
}

void doctor_check_cpu(struct doctor *d)
{
	static const char *const vendor[] = {"of another vendor", "Intel", "AMD", "Arm"};
	const struct cpu_id *cpu = &d->patient->machine->cpu;
	struct cpu_id real;
	struct strbuf brand;

	strbuf_init(&brand);
	doctor_section(d, "Processor");
	doctor_put_fact(d, "name", "%s",
			read_cpuinfo("model name", &brand) ? brand.text : "not known");
	cpu_identify(&real);
	if (!real.model[0])
		doctor_put_fact(d, "model", "arch=\"%s\", model not known", real.arch);
	else
		doctor_put_fact(d, "model", "arch=\"%s\" model=\"%s\", %s", real.arch, real.model,
				vendor[real.vendor]);
	if (strcmp(real.arch, cpu->arch) || strcmp(real.model, cpu->model))
		doctor_put_fact(d, "as if", "arch=\"%s\" model=\"%s\", %s: $TIPTOP_CPU says so",
				cpu->arch, cpu->model, vendor[cpu->vendor]);
	check_libpfm4(d);
	strbuf_done(&brand);
}

static void add_counters(struct strbuf *out, const struct pmu_counters *c)
{
	strbuf_addf(out, "%d counters of %d bits", c->n_general, c->general_bits);
	if (c->n_fixed)
		strbuf_addf(out, ", %d fixed ones of %d bits", c->n_fixed, c->fixed_bits);
}

static void add_events(struct strbuf *out, const struct pmu_counters *c)
{
	const char *between = "";

	if (c->events == (1u << PMU_N_EVENTS) - 1) {
		strbuf_addstr(out, "; all architectural events");
		return;
	}
	strbuf_addstr(out, "; architectural events: ");
	for (int missing = 0; missing < 2; missing++) {
		for (int i = 0; i < PMU_N_EVENTS; i++)
			if ((c->events >> i & 1) == !missing) {
				strbuf_addf(out, "%s%s", between, pmu_event_name(i));
				between = ", ";
			}
		between = missing ? "" : "; missing: ";
	}
}

static void put_bits(void *context, const char *bits, uint32_t value, const char *text)
{
	doctor_put_fact(context, bits, "0x%x: %s", value, text);
}

/* Writes what CPUID says of a CPU in the list: in a line, then leaf 0xA field by field. */
static void put_cpuid(struct doctor *d, const char *cpus)
{
	struct pmu_counters c;
	struct pmu_cpuid raw;
	struct strbuf text;

	if (!pmu_cpuid_read(&raw, cpus))
		return;
	pmu_counters_decode(&c, &raw);
	d->virtual_cpu = c.hypervisor;
	strbuf_init(&text);
	if (c.hypervisor)
		strbuf_addstr(&text, "a virtual CPU; ");
	switch (c.scheme) {
	case SCHEME_ARCHITECTURAL:
		strbuf_addf(&text, "leaf 0xA has version %d, ", c.version);
		add_counters(&text, &c);
		add_events(&text, &c);
		break;
	case SCHEME_AMD_V2:
		strbuf_addstr(&text, "PerfMonV2 (leaf 0x80000022), ");
		add_counters(&text, &c);
		break;
	case SCHEME_AMD_EXTENDED:
		strbuf_addstr(&text, "PerfCtrExtCore (leaf 0x80000001), ");
		add_counters(&text, &c);
		break;
	case SCHEME_AMD_LEGACY:
		strbuf_addf(&text, "neither PerfMonV2 nor PerfCtrExtCore: at most %d counters",
			    c.n_general);
		break;
	case SCHEME_NONE:
		strbuf_addstr(&text, "no leaf tells of counters");
		break;
	}
	doctor_put_fact(d, "CPUID", "%s%s%s", text.text, cpus[0] ? "; CPUs " : "", cpus);
	cpuid_bits_each(&raw.leaf_a, put_bits, d);
	strbuf_done(&text);
}

/* The length of a name without the number of an instance: "uncore_cha" of
 * "uncore_cha_12"; 0: it has none. */
static size_t base_length(const char *name)
{
	size_t len = strlen(name), base = len;

	while (base && strchr("0123456789", name[base - 1]))
		base--;
	return base < len && base > 1 && name[base - 1] == '_' ? base : 0;
}

/* Counts the PMUs from v on that are instances of the same kind. */
static size_t count_instances(const struct pmu_info *v, size_t n)
{
	size_t base = base_length(v->name), k = 1;

	while (base && k < n && v[k].kind == v->kind && base_length(v[k].name) == base &&
	       !strncmp(v->name, v[k].name, base))
		k++;
	return k;
}

static void put_pmu(struct doctor *d, const struct pmu_info *pmu, size_t n)
{
	struct pmu_counters c;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%s, type %ld", pmu_kind_name(pmu->kind), pmu->type);
	if (n > 1)
		strbuf_addf(&text, " to %ld: %zu of them, to %s", pmu[n - 1].type, n,
			    pmu[n - 1].name);
	if (pmu->kind == PMU_CORE) {
		strbuf_addstr(&text, "; ");
		if (pmu_counters_read(&c, pmu->cpus) && c.scheme != SCHEME_NONE)
			add_counters(&text, &c);
		else
			strbuf_addstr(
				&text,
				"number of counters not known (the kernel's log may tell it)");
		if (pmu->cpus[0])
			strbuf_addf(&text, "; CPUs %s", pmu->cpus);
		if (pmu->mux_ms >= 0)
			strbuf_addf(&text, "; groups take turns of %ld ms", pmu->mux_ms);
		if (pmu->caps[0])
			strbuf_addf(&text, "; %s", pmu->caps);
	}
	doctor_put_fact(d, pmu->name, "%s", text.text);
	strbuf_done(&text);
}

/* Tells whether the watchdog of the kernel is on, which counts cycles on each CPU. */
static void check_watchdog(struct doctor *d)
{
	char text[16];
	struct finding f = finding_make(FINDING_OK, "off");

	if (file_read(AT_FDCWD, "/proc/sys/kernel/nmi_watchdog", text, sizeof text) <= 0)
		f = finding_make(FINDING_OK, "this kernel has none");
	else if (text[0] != '0' && !d->patient->machine->n_cores)
		f = finding_make(FINDING_OK, "on; there is no PMU that it could use");
	else if (text[0] != '0')
		f = finding_make(FINDING_WARN, "on: it holds one counter of each CPU");
	if (f.mark == FINDING_WARN)
		finding_set_remedy(&f, "%ssysctl kernel.nmi_watchdog=0", rights_sudo(&d->rights));
	doctor_put(d, "NMI watchdog", &f);
}

void doctor_check_pmus(struct doctor *d)
{
	const struct machine *m = d->patient->machine;
	struct pmu_info_list pmus;
	bool uncore = false;

	doctor_section(d, "PMUs");
	pmu_info_read(&pmus, m);
	for (size_t i = 0, n; i < pmus.n; i += n) {
		n = count_instances(&pmus.v[i], pmus.n - i);
		put_pmu(d, &pmus.v[i], n);
		uncore = uncore || pmus.v[i].kind == PMU_UNCORE;
	}
	if (uncore)
		doctor_put_fact(d, "uncore", "counts for a package or a cache, never for one task");
	if (!m->n_cores)
		doctor_put_fact(d, "core", "none: the kernel has no PMU that counts what tasks do");
	for (size_t i = 0; i < pmus.n && pmus.v[i].kind == PMU_CORE; i++)
		put_cpuid(d, pmus.v[i].cpus);
	if (!m->n_cores)
		put_cpuid(d, "");
	check_watchdog(d);
	pmu_info_done(&pmus);
}
