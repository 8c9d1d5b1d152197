/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of sysfs: PMUs whose names differ in the number at their end. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "pmu/event/sysfs_part.h"

/* The number behind the name and a '_'; -1: it is not one of them. */
static long number_behind(const char *name, const char *of)
{
	const size_t n = strlen(of);
	const char *digits = name + n + 1;

	if (strncmp(name, of, n) || name[n] != '_' || !*digits ||
	    digits[strspn(digits, "0123456789")])
		return -1;
	return strtol(digits, NULL, 10);
}

char *sysfs_find_numbered(const struct event_host *host, const char *name)
{
	long lowest = LONG_MAX;
	struct folder pmus;
	const char *entry;

	folder_open(&pmus, "%s", host->devices);
	while ((entry = folder_next(&pmus))) {
		const long number = number_behind(entry, name);

		if (number >= 0 && number < lowest)
			lowest = number;
	}
	return lowest < LONG_MAX ? xasprintf("%s_%ld", name, lowest) : NULL;
}

bool event_sysfs_is_of(const char *pmu, const char *one, bool several)
{
	const char *number = several ? strrchr(one, '_') : NULL;
	char *name = number ? xstrndup(one, (size_t)(number - one)) : NULL;
	const bool is = name ? number_behind(pmu, name) >= 0 : !strcmp(pmu, one);

	free(name);
	return is;
}
