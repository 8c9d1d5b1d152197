/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_code - an event by its code: with terms that change it, or of one kind of cores.
 */
#ifndef SCREEN_IMPORT_EVENT_CODE_H
#define SCREEN_IMPORT_EVENT_CODE_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* Appends the code of an event that event_name_resolve() knows on these cores: "r10001b1", and
 * where there are several kinds of cores "cpu_core/config=0x10001b1/". terms: "cmask=1,inv", what
 * is put into the code; NULL: nothing. -ENOENT where there is no such code. */
int import_event_code(struct strbuf *out, const struct machine *m, int core, const char *name,
		      const char *terms, struct err *err);

#endif
