/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event/cpu.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "perf/arch.h"

/* Families of x86: Intel has 6 and 0x13; AMD has 0x10, 0x14 to 0x17, 0x19 and 0x1a. Family 0xf is
 * of both, and too old for either's events here. Intel SDM, volume 4, table 2-1; AMD64 APM, volume
 * 3, CPUID Fn0000_0001. */
static enum cpu_vendor vendor_of(const struct cpu_id *id)
{
	static const char amd[][3] = {"10", "14", "15", "16", "17", "19", "1A"};

	if (!strcmp(id->arch, "arm64"))
		return CPU_ARM;
	if (strcmp(id->arch, "x86"))
		return CPU_OTHER;
	for (size_t i = 0; i < sizeof amd / sizeof *amd; i++)
		if (!strncasecmp(id->model, amd[i], 2))
			return CPU_AMD;
	return strncmp(id->model, "06", 2) && strncmp(id->model, "13", 2) ? CPU_OTHER : CPU_INTEL;
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
	id->vendor = (uint8_t)vendor_of(id);
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
	id->vendor = (uint8_t)vendor_of(id);
	return true;
}

/* How much of the CPU's model a pattern of this length is compared with: it may leave out the
 * revision. */
static size_t model_length(const char *model, size_t pattern_len)
{
	size_t len = strlen(model);

	return pattern_len < len && !strncmp(model + pattern_len, "_R", 2) ? pattern_len : len;
}

bool cpu_fits(const struct cpu_id *id, const char *pattern, size_t len)
{
	if (!id->model[0] || len != model_length(id->model, len))
		return false;
	for (size_t i = 0; i < len; i++)
		if (pattern[i] != '?' && strncasecmp(pattern + i, id->model + i, 1))
			return false;
	return true;
}
