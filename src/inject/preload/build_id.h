/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * build_id - reads the build id of a program or library, which the linker wrote into a note, from
 * its file or from memory.
 *
 * Two files with the same build id have the same code at the same addresses, whatever their names
 * and paths. The contents of the file are not trusted.
 */
#ifndef INJECT_PRELOAD_BUILD_ID_H
#define INJECT_PRELOAD_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#define BUILD_ID_MAX 28

struct build_id {
	uint32_t size;              /* 0: none, or it could not be read */
	uint8_t byte[BUILD_ID_MAX]; /* truncated if longer */
};

/* Read the build id from a file; or from the file's mapping, which starts at `begin`, by fd of
 * /proc/self/mem. */
void build_id_read_file(struct build_id *id, int fd);
void build_id_read_memory(struct build_id *id, int fd, uint64_t begin);
bool build_id_is_same(const struct build_id *a, const struct build_id *b);

#endif
