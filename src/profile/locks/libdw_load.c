/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of libdw: loads the library on first use. */
#include "profile/locks/libdw.h"

#include <dlfcn.h>
#include <stddef.h>

bool libdw_find(struct libdw *dw)
{
	void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
	const struct {
		const char *name;
		void *function;
	} table[] = {
#define ROW(name) {#name, (void *)&dw->name},
		LIBDW_FUNCTIONS(ROW)
#undef ROW
	};

	for (size_t i = 0; library && i < sizeof table / sizeof *table; i++)
		if (!(*(void **)table[i].function = dlsym(library, table[i].name)))
			return false;
	return library != NULL;
}

void libdw_find_client(void)
{
	dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
}
