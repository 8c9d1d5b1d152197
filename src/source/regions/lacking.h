/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lacking - what the numbers of a process that is looked at lack: calls without their end, labels
 * and threads without room, events that are not counted. The sentences are those of its own report
 * (lib/lacks.h); each kind is told once, when it is met first.
 */
#ifndef SOURCE_REGIONS_LACKING_H
#define SOURCE_REGIONS_LACKING_H

#include "base/strbuf.h"
#include "source/regions/copy.h"

/* Calls `tell` with a sentence for each kind that is not in `told` yet, and adds it there. The
 * sentence begins with the process, and has no full stop. */
void lacking_tell(struct strbuf *told, const struct table_copy *c,
		  void (*tell)(void *context, const char *sentence), void *context);

#endif
