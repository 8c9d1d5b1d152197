/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meaning - describes what an event counts on this CPU. The generic names mean different things on
 * different vendors' CPUs: "cache-misses" are misses of the last level on Intel, of L2 on AMD Zen,
 * of the L1 data cache on Arm.
 */
#ifndef PMU_EVENT_MEANING_H
#define PMU_EVENT_MEANING_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

/* Appends one sentence without a full stop: from a table of tiptop for generic and software events,
 * by vendor and model; else libpfm4's description of the event that e->what names; else the
 * description in the machine's event table, with the vendor's name. Returns false, with nothing
 * appended, if the event is in none of these. */
bool meaning_add(struct strbuf *out, const struct event *e, const struct machine *m);

#endif
