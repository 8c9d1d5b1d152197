/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mapping - the memory mappings of the process, from /proc/self/maps.
 *
 * Functions are called under the guard.
 */
#ifndef INJECT_PRELOAD_MAPPING_H
#define INJECT_PRELOAD_MAPPING_H

#include <stdbool.h>

#include "inject/preload/table.h"

/* Calls visit() with each line, such as "7f00-7f10 r-xp 00001000 00:1b 42 /lib/x", until it returns
 * true. Returns false if the mappings cannot be read. */
bool mapping_walk(bool (*visit)(void *context, const char *line), void *context);
/* Sets the memory of a new lock if it is mapped with MAP_SHARED. Private
 * ranges in which a lock was found are remembered, so that the mappings are seldom read: a lock in
 * a shared mapping that later replaces such a range is taken for a private one. So are locks that
 * are found after too many mappings have been read. */
void mapping_set_memory(struct locks_instance *instance);
/* Forgets what is remembered, in the child of a fork. */
void mapping_forget(void);

#endif
