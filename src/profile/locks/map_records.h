/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map_records - the files that a process has mapped, from the kernel's records of its mappings, so
 * that places in them get names after its end. Pure.
 *
 * A file is one module from its first byte on: its later parts, and the zero-initialized data
 * behind it, extend it. The kernel does not report that a file was unmapped; it is gone when
 * another file is mapped at its addresses, which then has another layer (inject/preload/table.h).
 */
#ifndef PROFILE_LOCKS_MAP_RECORDS_H
#define PROFILE_LOCKS_MAP_RECORDS_H

#include "inject/preload/table.h"
#include "pmu/perf/syscalls.h"

/* The most files of a process that are known at a time. */
#define MAP_RECORDS_MAX 4096

struct map_records {
	struct map_record {
		struct locks_module module;
		bool noted; /* a place in it was requested */
	} * map;            /* [n] */
	size_t n, cap;
	uint32_t n_left_out; /* files without room */
};

void map_records_init(struct map_records *m);
void map_records_done(struct map_records *m);
/* Copies the files of a process to one that it creates. */
void map_records_copy(struct map_records *to, const struct map_records *from);
/* Adds a record of the kind SYSCALLS_MAP. */
void map_records_add(struct map_records *m, const struct syscall_record *record);
/* Returns the file that is mapped at an address; NULL: none. */
const struct locks_module *map_records_find(const struct map_records *m, uint64_t address);
/* Returns the address with its layer, and notes the file there. */
uint64_t map_records_place(struct map_records *m, uint64_t address);

#endif
