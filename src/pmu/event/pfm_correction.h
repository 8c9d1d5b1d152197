/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_correction - events for which libpfm4 has a wrong code, by the documents of the CPU's vendor.
 *
 * Each row has the wrong code, too, and applies to that alone: another code is left as it is, so
 * that a row does no harm once libpfm4 is right. The version of libpfm4 is no help, as
 * pfm_get_version() is 4.0 in all releases. The rows are for 4.13 and those before it that have the
 * same tables.
 */
#ifndef PMU_EVENT_PFM_CORRECTION_H
#define PMU_EVENT_PFM_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pfm_correction {
	const char *pmus;          /* libpfm4's names, separated by blanks */
	const char *event, *umask; /* in libpfm4's spelling */
	uint16_t wrong, right;     /* umask << 8 | event */
	uint32_t config1;          /* config1 that the event needs; 0: none */
	const char *source;        /* the vendor's document */
};

extern const struct pfm_correction pfm_correction_table[];
extern const size_t pfm_correction_n;

/* Returns whether the config is the wrong code of some row, for whatever event. */
bool pfm_correction_concerns(uint64_t config);

/* Returns the row for an event that libpfm4 encodes with this config; NULL: none. full: the name as
 * libpfm4 expanded it ("skl::UOPS_RETIRED:ALL:e=0:..."); name: as the user wrote it. */
const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config);

#endif
