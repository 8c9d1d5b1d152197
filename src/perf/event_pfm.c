/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event_pfm.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

int event_pfm_resolve(struct event *e, const char *name, struct err *err)
{
	struct perf_event_attr attr = {.size = sizeof attr};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof arg};
	int ret = pfm_initialize();

	if (ret == PFM_SUCCESS)
		ret = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (ret == PFM_ERR_NOTFOUND)
		return err_set(err, ENOENT, "libpfm4 knows no event '%s' for this CPU", name);
	if (ret != PFM_SUCCESS)
		return err_set(err, EOPNOTSUPP, "event '%s': %s", name, pfm_strerror(ret));
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
	return 0;
}
