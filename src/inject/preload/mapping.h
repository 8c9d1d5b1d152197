/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mapping - the memory mappings of the process, from /proc/self/maps.
 *
 * Functions are called under the guard.
 */
#ifndef INJECT_PRELOAD_MAPPING_H
#define INJECT_PRELOAD_MAPPING_H

#include <stdbool.h>

/* Calls take() with each line, such as "7f00-7f10 r-xp 00001000 00:1b 42 /lib/x", until it returns
 * true. Returns false if the mappings cannot be read. */
bool mapping_walk(bool (*take)(void *context, const char *line), void *context);

#endif
