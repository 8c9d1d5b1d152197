/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of debug: replaces it in a build without libdw. */
#include <stddef.h>

#include "profile/locks/debug.h"

void debug_load(void)
{
}

struct debug *debug_open(const char *path, int fd)
{
	(void)path, (void)fd;
	return NULL;
}

void debug_close(struct debug *d)
{
	(void)d;
}

void debug_add_symbols(struct debug *d, struct symbol_table *table)
{
	(void)d, (void)table;
}

bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address)
{
	(void)d, (void)out, (void)address;
	return false;
}
