/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_lacks - what the numbers of a process that is looked at lack: calls without their end,
 * labels and threads without room, events that are not counted. The sentences are those of its own
 * report (inject/lib/lacks.h), each with the number of now.
 */
#ifndef COLLECT_TABLE_REGION_LACKS_H
#define COLLECT_TABLE_REGION_LACKS_H

#include "collect/table/region_copy.h"

/* Calls `tell` with a sentence for each kind, and a key that the kind has as long as the table is
 * read. The sentence begins with the process, and has no full stop. */
void lacking_tell(const struct table_copy *c,
		  void (*tell)(void *context, const char *key, const char *sentence),
		  void *context);

#endif
