/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/cpu.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pmu/perf/arch.h"

/* Families of x86: Intel has 6, 0x12 and 0x13; AMD has 0x10, 0x14 to 0x17, 0x19 and 0x1a. AMD also
 * used 0x12, and both vendors used 0xf, for old CPUs for which tiptop has no events. Intel SDM,
 * volume 4, table 2-1; Linux arch/x86/include/asm/intel-family.h; AMD64 APM, volume 3, CPUID
 * Fn0000_0001. */
static const struct {
	char family[3];
	enum cpu_vendor vendor;
} x86_families[] = {
	{"06", CPU_INTEL}, {"12", CPU_INTEL}, {"13", CPU_INTEL}, {"10", CPU_AMD}, {"14", CPU_AMD},
	{"15", CPU_AMD},   {"16", CPU_AMD},   {"17", CPU_AMD},   {"19", CPU_AMD}, {"1A", CPU_AMD},
};

static enum cpu_vendor vendor_of(const char *arch, const char *model)
{
	if (!strcmp(arch, "arm64"))
		return CPU_ARM;
	for (size_t i = 0; !strcmp(arch, "x86") && i < sizeof x86_families / sizeof *x86_families;
	     i++)
		if (!strncasecmp(model, x86_families[i].family, 2))
			return x86_families[i].vendor;
	return CPU_OTHER;
}

enum cpu_vendor cpu_vendor_named(const char *name)
{
	if (!strcmp(name, "GenuineIntel"))
		return CPU_INTEL;
	return !strcmp(name, "AuthenticAMD") ? CPU_AMD : CPU_OTHER;
}

/* Returns the vendor from leaf 0 of CPUID; if the architecture has no CPUID, the vendor by the
 * model. */
static enum cpu_vendor read_vendor(const struct cpu_id *id)
{
	struct arch_cpuid leaf;
	char name[13] = "";

	if (!arch_read_cpuid(0, &leaf))
		return vendor_of(id->arch, id->model);
	memcpy(name, &leaf.ebx, 4);
	memcpy(name + 4, &leaf.edx, 4);
	memcpy(name + 8, &leaf.ecx, 4);
	return cpu_vendor_named(name);
}

void cpu_identify(struct cpu_id *id)
{
	int revision = arch_read_revision();
	uint32_t family, model;

	memset(id, 0, sizeof *id);
	snprintf(id->arch, sizeof id->arch, "%s", ARCH_NAME);
	if (arch_read_model(&family, &model))
		snprintf(id->model, sizeof id->model,
			 revision < 0 ? "%02X_%02X" : "%02X_%02X_R%02X", family & 0xff,
			 model & 0xfff, (unsigned)revision & 0xff);
	id->vendor = (uint8_t)read_vendor(id);
}

bool cpu_parse(struct cpu_id *id, const char *text)
{
	size_t arch = strcspn(text, ":");

	if (!arch || !text[arch] || arch >= sizeof id->arch ||
	    strlen(text + arch + 1) >= sizeof id->model)
		return false;
	memset(id, 0, sizeof *id);
	memcpy(id->arch, text, arch);
	memcpy(id->model, text + arch + 1, strlen(text + arch + 1));
	id->vendor = (uint8_t)vendor_of(id->arch, id->model);
	return true;
}

/* Returns how many characters of the CPU's model are compared with a pattern of this length:
 * without the revision if the pattern has none. */
static size_t model_length(const char *model, size_t pattern_len)
{
	size_t len = strlen(model);

	return pattern_len < len && !strncmp(model + pattern_len, "_R", 2) ? pattern_len : len;
}

/* Returns whether a pattern matches all models of a family: "06_??". */
static bool is_family(const char *pattern, size_t len)
{
	return len == 5 && !memcmp(pattern + 2, "_??", 3);
}

bool cpu_fits(const struct cpu_id *id, const char *pattern, size_t len)
{
	if (!id->model[0] || len != model_length(id->model, len))
		return false;
	if (is_family(pattern, len) && vendor_of(id->arch, pattern) != id->vendor)
		return false;
	for (size_t i = 0; i < len; i++)
		if (pattern[i] != '?' && strncasecmp(pattern + i, id->model + i, 1))
			return false;
	return true;
}
