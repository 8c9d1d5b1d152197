/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_load - libpfm4, loaded when it is asked for the first time: its tables take 1 MiB of memory
 * and 1 ms of each start, and what most screens count needs no vendor's name. Programs that use
 * libtiptop must not need it at all.
 *
 * The functions of libpfm4 that pmu/event/pfm.c calls are defined here: the first call of
 * pfm_initialize() loads libpfm4, and the others pass on to it. Where it cannot be loaded,
 * pfm_initialize() returns an error, whose sentence pfm_strerror() has; no other one may be called
 * then.
 */
#ifndef PMU_EVENT_PFM_LOAD_H
#define PMU_EVENT_PFM_LOAD_H

#include <perfmon/pfmlib_perf_event.h>

#endif
