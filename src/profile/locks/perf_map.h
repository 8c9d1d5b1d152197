/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map - finds the names of code that a process has generated at run time, in the file
 * /tmp/perf-PID.map.
 *
 * Java, Node.js, Python and other runtimes write this file for perf(1) if an option requests it. A
 * line has an address, a size, both hexadecimal, and a name. Code can be replaced: the last line
 * with an address is valid.
 *
 * Everyone can make such a file, and process ids are reused. So it is read only if it is a regular
 * file of the effective user that no other user may write, and was written after the process had
 * started. Its contents are not trusted.
 */
#ifndef PROFILE_LOCKS_PERF_MAP_H
#define PROFILE_LOCKS_PERF_MAP_H

#include <stdint.h>
#include <sys/types.h>

#include "profile/locks/symbol_table.h"

/* A process that generates code. */
struct perf_map_process {
	pid_t pid;            /* in its own PID namespace; 0: unknown */
	uint64_t start_ticks; /* the start of the process: field 22 of /proc/PID/stat; 0: unknown */
};

struct perf_map {
	struct symbol *symbol; /* [n], in the order of the file */
	size_t n, cap;
	char *text; /* the names */
	off_t size; /* the size of the file when it was read; 0: not read */
};

void perf_map_done(struct perf_map *m);
/* Returns the last entry that contains the address; NULL: none. If there is none, the file is read
 * first, unless its size is that of the last reading. The entry is valid until the next call. */
const struct symbol *perf_map_find(struct perf_map *m, const struct perf_map_process *process,
				   uint64_t address);

#endif
