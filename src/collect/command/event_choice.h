/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_choice - which events are counted of a whole command: those of its rows, as far as the PMU
 * has counters for both, and what the kernel itself counts on each machine.
 */
#ifndef COLLECT_COMMAND_EVENT_CHOICE_H
#define COLLECT_COMMAND_EVENT_CHOICE_H

#include "pmu/perf/event.h"

/* Leaves out hardware events of the set that are not on the PMU together with those of the rows, or
 * by themselves where it is alone (no rows), which is tried; and adds the kernel's own. note: what
 * is left out, and why (code 0: nothing). */
void choice_make(struct event_set *set, struct perf_sys *sys, bool alone, struct err *note);
/* Whether it is this event of the kernel, as it is. config: perf_sw_ids. */
bool choice_is_software(const struct event *e, uint64_t config);

#endif
