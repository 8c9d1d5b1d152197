/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/capability.h"

#include <stdlib.h>

int capability_kernel_version(const char *release)
{
	char *end;
	long major = strtol(release, &end, 10), minor;

	if (*end != '.')
		return 0;
	minor = strtol(end + 1, NULL, 10);
	if (major <= 0 || major >= 1000 || minor < 0 || minor >= 1000)
		return 0;
	return (int)(1000 * major + minor);
}

const char *capability_to_give(int version)
{
	if (version == 5008)
		return "cap_perfmon,cap_sys_ptrace";
	return version && version < 5008 ? "cap_sys_ptrace" : "cap_perfmon";
}
