/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * label - finds the region of a label that is made at run time (tt_region_of()), by a hash of its
 * text. Each label has one region.
 *
 * A lookup takes no lock: the table is an array of pointers, which is replaced by a larger one when
 * half of its places are used. The old array is never freed, as threads may still search it. A
 * small cache, indexed by the address of the label, is tried first; the texts are compared, as the
 * program may have another label at that address by now.
 *
 * Memory comes from mmap(2) only, under the guard (regions.h). Labels are copied and never freed.
 */
#ifndef INJECT_LIB_LABEL_H
#define INJECT_LIB_LABEL_H

#include <stdint.h>

/* Hashes a text (FNV-1a). */
static inline uint32_t tt_label_hash(const char *label)
{
	uint32_t hash = 2166136261;

	for (; *label; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619;
	return hash;
}

#endif
