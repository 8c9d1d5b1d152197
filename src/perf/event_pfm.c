/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event_pfm.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int encode(struct event *e, const char *name)
{
	struct perf_event_attr attr = {.size = sizeof attr};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof arg};
	int ret = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);

	if (ret != PFM_SUCCESS)
		return ret;
	e->type = attr.type;
	e->config = attr.config;
	e->config1 = attr.config1;
	e->config2 = attr.config2;
	/* Without a modifier, it leaves out the hypervisor only. */
	if (attr.exclude_user || attr.exclude_kernel) {
		e->no_user = attr.exclude_user;
		e->no_kernel = attr.exclude_kernel;
		e->no_hv = attr.exclude_hv;
	}
	return PFM_SUCCESS;
}

/* A bare name is that of the first PMU that has it: the other kinds of cores are asked by theirs. */
static int encode_for(struct event *e, const struct core_pmu *core, const char *name)
{
	int ret = encode(e, name), i;

	if (strstr(name, "::") || (ret == PFM_SUCCESS && e->type == core->type))
		return ret;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = {.size = sizeof info};
		char *full;
		int found;

		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS || !info.is_present || info.type != PFM_PMU_TYPE_CORE)
			continue;
		full = xasprintf("%s::%s", info.name, name);
		found = encode(e, full);
		free(full);
		if (found == PFM_SUCCESS && e->type == core->type)
			return PFM_SUCCESS;
	}
	/* Known for other cores only, which the caller sees by the type. */
	return ret == PFM_SUCCESS ? encode(e, name) : ret;
}

int event_pfm_resolve(struct event *e, const struct core_pmu *core, const char *name, struct err *err)
{
	int ret = pfm_initialize();

	if (ret == PFM_SUCCESS)
		ret = core ? encode_for(e, core, name) : encode(e, name);
	if (ret == PFM_ERR_NOTFOUND)
		return err_set(err, ENOENT, "libpfm4 knows no event '%s' for this CPU", name);
	if (ret != PFM_SUCCESS)
		return err_set(err, EOPNOTSUPP, "event '%s': %s", name, pfm_strerror(ret));
	return 0;
}
