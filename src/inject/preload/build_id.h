/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * build_id - which build of a program or library a file or a piece of memory is, by the note that
 * the linker wrote into it.
 *
 * Two files with one build id are the same code at the same addresses, whatever they are called and
 * wherever they lie. Nothing in the file is trusted.
 */
#ifndef INJECT_PRELOAD_BUILD_ID_H
#define INJECT_PRELOAD_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#define BUILD_ID_MAX 28

struct build_id {
	uint32_t size;              /* 0: it has none, or it could not be read */
	uint8_t byte[BUILD_ID_MAX]; /* of a longer one, its begin */
};

/* From a file, or, where it is mapped and fd is /proc/self/mem, from memory from `begin` on. */
void build_id_read_file(struct build_id *id, int fd);
void build_id_read_memory(struct build_id *id, int fd, uint64_t begin);
bool build_id_is_same(const struct build_id *a, const struct build_id *b);

#endif
