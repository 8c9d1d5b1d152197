/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/cpu.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "perf/arch.h"

void cpu_identify(struct cpu_id *id)
{
	uint32_t family, model;

	memset(id, 0, sizeof *id);
	snprintf(id->arch, sizeof id->arch, "%s", ARCH_NAME);
	if (arch_read_model(&family, &model))
		snprintf(id->model, sizeof id->model, "%02X_%02X", family, model);
}

bool cpu_parse(struct cpu_id *id, const char *text)
{
	size_t arch = strcspn(text, ":");

	if (!arch || !text[arch] || arch >= sizeof id->arch || strlen(text + arch + 1) >= sizeof id->model)
		return false;
	memset(id, 0, sizeof *id);
	memcpy(id->arch, text, arch);
	memcpy(id->model, text + arch + 1, strlen(text + arch + 1));
	return true;
}

static bool model_in_list(const char *model, const char *list)
{
	const char *separators = "; \t\n";
	size_t len = strlen(model), n;

	for (list += strspn(list, separators); *list; list += n, list += strspn(list, separators)) {
		n = strcspn(list, separators);
		if (len && n == len && !strncasecmp(list, model, n))
			return true;
	}
	return false;
}

bool cpu_matches(const struct cpu_id *id, const char *arch, const char *models)
{
	if (arch && strcasecmp(arch, id->arch))
		return false;
	return !models || model_in_list(id->model, models);
}
