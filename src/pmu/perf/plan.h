/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan - decides which events of a set are opened as one group.
 *
 * A ratio is only true if both of its counters were on the PMU at the same time, so the counters of
 * one column go into one group. The plan has as few groups as possible, since they share the PMU by
 * multiplexing: a single group if the kernel accepts that; else the columns are placed one by one,
 * each into the first group that has its counters or has room for them, or into a new one. So a
 * counter may be in several groups: for each column there is one that has all of its counters. If
 * no group can hold a column, its counters are placed separately, and each is scaled on its own.
 *
 * Whether a group fits is found out by trial, see trial.h. On a hybrid machine there is a group for
 * each kind of cores, with the same counters, and it has to fit on all kinds.
 *
 * Events that no core PMU counts (software, tracepoints) form a group of their own, which is never
 * multiplexed.
 */
#ifndef PMU_PERF_PLAN_H
#define PMU_PERF_PLAN_H

#include "pmu/perf/trial.h"

/* Makes set->plan. Events that can be opened (QUALITY_EXACT) become members of groups; all others
 * become members without a group, which are never opened. */
void plan_make(struct event_set *set, struct trial *trial);

/* Makes a new plan, and adopts it if it has fewer groups, or if the old one was unsure. anyway:
 * adopts it whenever it differs from the old one. Returns whether a different plan was adopted:
 * groups that are open then belong to the old plan. */
bool plan_renew(struct event_set *set, struct trial *trial, bool anyway);

#endif
