/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/configuration.h"

#include <string.h>

const struct kind *configuration_kind(const struct configuration *config)
{
	return config->rows ? kinds_find(config->rows) : &kind_task;
}

bool configuration_is_for_all(const struct configuration *config)
{
	return config->options.task == TASK_ENCODINGS && config->options.for_cpu &&
	       !strcmp(config->options.for_cpu, "all");
}

bool configuration_keeps_past(const struct configuration *config)
{
	return !config->options.batch || config->options.record;
}
