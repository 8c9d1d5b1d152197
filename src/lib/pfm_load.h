/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_load - libpfm4 for a library that must not need it.
 *
 * The functions of libpfm4 that event/pfm.c calls are defined here: the first call of
 * pfm_initialize() loads libpfm4, and the others pass on to it. Where it cannot be loaded,
 * pfm_initialize() returns an error, whose sentence pfm_strerror() has; no other one may be called
 * then.
 */
#ifndef LIB_PFM_LOAD_H
#define LIB_PFM_LOAD_H

#include <perfmon/pfmlib_perf_event.h>

#endif
