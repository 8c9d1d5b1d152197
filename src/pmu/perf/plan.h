/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan - which events of a set are opened as one group.
 *
 * A ratio is only true if both of its counters were on the PMU at the same time, so the counters of
 * one column go into one group. The fewest groups are wanted, since each takes its turn on the PMU:
 * all in one, where the kernel takes that; else column by column, each into the first group that
 * has its counters or has room for them, and into a new one where none has. A counter may so be in
 * several groups: each column finds one that has all of its counters. A column that no group can
 * hold has its counters one by one where there is room, each scaled for itself.
 *
 * Whether a group fits is tried, see trial.h. On a hybrid machine a group is one for each kind of
 * cores, with the same counters, and has to fit on all.
 *
 * Events that no core PMU counts (software, tracepoints) are a group of their own, which never has
 * to wait for a turn.
 */
#ifndef PMU_PERF_PLAN_H
#define PMU_PERF_PLAN_H

#include "pmu/perf/trial.h"

/* Makes set->plan. Events that can be had (QUALITY_EXACT) become members of groups. All others
 * become members of no group, which are never opened. */
void plan_make(struct event_set *set, struct trial *trial);

/* Makes a new plan, and takes it where it has fewer groups, or where the old one was unsure.
 * anyway: takes it, too, where it is merely another one. Returns whether the plan was taken: groups
 * that are open are then those of the old one. */
bool plan_renew(struct event_set *set, struct trial *trial, bool anyway);

#endif
