/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * label - regions whose labels are made at run time, tt_region_of(): one for each label, found by
 * its hash.
 *
 * A look takes no lock: the table is an array of pointers, which is replaced by a larger one when
 * half of it is taken. The earlier one stays as it is, for those that still look there. What is
 * found once is looked for at the place that the address of the label gives first, and compared:
 * a program may have another label there by now.
 *
 * No memory is asked for but by mmap(2), under the guard (regions.h). Labels are copied and stay.
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
