/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Names are of somebody else's file, and templates can be as deep as they are long. */
#define NAME_MAX_LENGTH 8192

static char *(*demangle)(const char *name, char *buffer, size_t *size, int *status);

static bool load(void)
{
	static bool tried;
	void *library = tried ? NULL : dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

	if (library)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
	tried = true;
	return demangle != NULL;
}

void demangle_add(struct strbuf *out, const char *name)
{
	const bool mangled = !strncmp(name, "_Z", 2) && strlen(name) < NAME_MAX_LENGTH;
	int status = 0;
	char *source = mangled && load() ? demangle(name, NULL, NULL, &status) : NULL;

	text_add(out, source && !status ? source : name);
	free(source);
}
