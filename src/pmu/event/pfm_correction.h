/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_correction - the table of events for which libpfm4 has a wrong code, with the right code from
 * the CPU vendor's documents.
 *
 * A row also has the wrong code and replaces only this code, so that it has no effect once libpfm4
 * is corrected. The version of libpfm4 cannot be tested instead, as pfm_get_version() returns 4.0
 * in all releases. The rows are for release 4.13, and for earlier releases with the same tables.
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

/* Returns whether the config is the wrong code of any row, regardless of the event: a quick test
 * before pfm_correction_find(). */
bool pfm_correction_concerns(uint64_t config);

/* Returns the row for an event that libpfm4 encodes with this config; NULL: there is no such row.
 * full: the name as libpfm4 expanded it ("skl::UOPS_RETIRED:ALL:e=0:..."); name: as the user wrote
 * it. */
const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config);

#endif
