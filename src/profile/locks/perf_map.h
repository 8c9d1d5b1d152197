/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map - names code that a process has generated at run time, by the file /tmp/perf-PID.map.
 *
 * Java, Node.js, Python and other runtimes write this file for perf(1) if an option requests it. A
 * line has an address, a size, both hexadecimal, and a name. Code can be replaced: the last line
 * with an address is valid.
 *
 * Everyone can make such a file, and process ids are used again. So it is read only if it is a
 * regular file of the present user, that others cannot write, and was written after the process had
 * started. Its contents are not trusted.
 */
#ifndef PROFILE_LOCKS_PERF_MAP_H
#define PROFILE_LOCKS_PERF_MAP_H

#include <stdint.h>
#include <sys/types.h>

#include "profile/locks/symbol_table.h"

/* A process whose code is generated. */
struct perf_map_process {
	pid_t pid;            /* in its own PID namespace; 0: unknown */
	uint64_t start_ticks; /* field 22 of /proc/PID/stat */
};

struct perf_map {
	struct symbol *symbol; /* [n], in the order of the file */
	size_t n, cap;
	char *text; /* the names */
	off_t size; /* of the file when it was read; 0: it was not */
};

void perf_map_done(struct perf_map *m);
/* Returns the last entry with an address, and reads the file if it is new or has grown. NULL: none.
 */
const struct symbol *perf_map_find(struct perf_map *m, const struct perf_map_process *process,
				   uint64_t address);

#endif
