/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/pfm_load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* The result of pfm_initialize() if libpfm4 cannot be loaded; libpfm4 itself has no error with this
 * number. */
#define NOT_THERE (-100)

static struct {
	pthread_once_t once;
	pfm_err_t (*initialize)(void);
	const char *(*error)(int code);
	pfm_err_t (*encode)(const char *name, int modes, pfm_os_t os, void *arguments);
	pfm_err_t (*pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *info);
	pfm_err_t (*event_info)(int event, pfm_os_t os, pfm_event_info_t *info);
	pfm_err_t (*attr_info)(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *info);
	int (*event_next)(int event);
} loaded = {.once = PTHREAD_ONCE_INIT};

static void load(void)
{
	void *library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
	const struct {
		const char *name;
		void *function;
	} table[] = {
		{"pfm_strerror", &loaded.error},
		{"pfm_get_os_event_encoding", &loaded.encode},
		{"pfm_get_pmu_info", &loaded.pmu_info},
		{"pfm_get_event_info", &loaded.event_info},
		{"pfm_get_event_attr_info", &loaded.attr_info},
		{"pfm_get_event_next", &loaded.event_next},
		{"pfm_initialize", &loaded.initialize},
	};

	/* pfm_initialize is the last, so that loaded.initialize is set only if all other functions
	 * were found. */
	for (size_t i = 0; library && i < sizeof table / sizeof *table; i++)
		if (!(*(void **)table[i].function = dlsym(library, table[i].name)))
			return;
}

pfm_err_t pfm_initialize(void)
{
	pthread_once(&loaded.once, load);
	return loaded.initialize ? loaded.initialize() : NOT_THERE;
}

const char *pfm_strerror(int code)
{
	return loaded.initialize
		       ? loaded.error(code)
		       : "a vendor's name needs libpfm4 (libpfm.so.4), which is not there";
}

pfm_err_t pfm_get_os_event_encoding(const char *name, int modes, pfm_os_t os, void *arguments)
{
	return loaded.encode(name, modes, os, arguments);
}

pfm_err_t pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	return loaded.pmu_info(pmu, info);
}

pfm_err_t pfm_get_event_info(int event, pfm_os_t os, pfm_event_info_t *info)
{
	return loaded.event_info(event, os, info);
}

pfm_err_t pfm_get_event_attr_info(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *info)
{
	return loaded.attr_info(event, attr, os, info);
}

int pfm_get_event_next(int event)
{
	return loaded.event_next(event);
}
