/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pfm_correction - events of which libpfm4 has another code than the maker of the CPU.
 *
 * Each row has the wrong code, too, and is for it alone: a libpfm4 that has another one is left as
 * it is, so that a row does no harm once libpfm4 is right. Its version tells nothing, as
 * pfm_get_version() is 4.0 in all releases. The rows are for 4.13 and those before it that have the
 * same tables.
 */
#ifndef PMU_EVENT_PFM_CORRECTION_H
#define PMU_EVENT_PFM_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pfm_correction {
	const char *pmus;          /* libpfm4's names of them, with blanks between them */
	const char *event, *umask; /* as libpfm4 spells them */
	uint16_t wrong, right;     /* umask << 8 | event */
	uint32_t config1;          /* what the event needs there; 0: nothing */
	const char *source;        /* where the maker says so */
};

extern const struct pfm_correction pfm_correction_table[];
extern const size_t pfm_correction_n;

/* Whether this is the wrong code of a row, whatever the event is. */
bool pfm_correction_concerns(uint64_t config);

/* Returns the row for an event that libpfm4 encodes so; NULL: there is none. full: as libpfm4 has
 * understood the name ("skl::UOPS_RETIRED:ALL:e=0:..."); name: as it was given. */
const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config);

#endif
