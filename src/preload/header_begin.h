/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * header_begin - the first fields of the tables of locks and of library calls, or all that is there
 * where a table could not be made.
 */
#ifndef PRELOAD_HEADER_BEGIN_H
#define PRELOAD_HEADER_BEGIN_H

#include <stdint.h>

/* There is no table: header_size is the errno that says why. An empty file is one that the program
 * may not make larger (RLIMIT_FSIZE). */
#define HEADER_FAILED "tiptopE1"

/* magic[0] is 0 until the rest is there. */
struct header_begin {
	char magic[8];
	uint32_t header_size, row_size;
};

#endif
