/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_load - loads libpfm4 on first use: its tables take 1 MiB of memory and 1 ms of each start,
 * and most screens need no vendor's name. Programs that use libtiptop must not depend on it at all.
 *
 * The functions of libpfm4 that pmu/event/pfm.c calls are defined here: the first call of
 * pfm_initialize() loads libpfm4, and the others forward to it. If it cannot be loaded,
 * pfm_initialize() returns an error, for which pfm_strerror() has a sentence; no other function may
 * be called then.
 */
#ifndef PMU_EVENT_PFM_LOAD_H
#define PMU_EVENT_PFM_LOAD_H

#include <perfmon/pfmlib_perf_event.h>

#endif
