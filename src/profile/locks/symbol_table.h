/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table - the symbols of a file, sorted by address; and those of code that a process has
 * generated at run time (perf_map_...).
 *
 *   symbol_table_add(&t, ...); ...; symbol_table_sort(&t); symbol_table_find(&t, address)
 *
 * Names are borrowed. Addresses are link-time addresses.
 */
#ifndef PROFILE_LOCKS_SYMBOL_TABLE_H
#define PROFILE_LOCKS_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct symbol {
	/* Size 0, as for hand-written assembly: it extends to the next symbol. */
	uint64_t value, size;
	const char *name;
	bool is_function; /* symbol_table_add() sets it */
};

struct symbol_table {
	struct symbol *symbol; /* [n] */
	uint64_t *reach;       /* [n]: reach[i] is the greatest end of symbol[0] to symbol[i] */
	size_t n, cap;
	unsigned machine; /* e_machine of the file, set by the caller before symbol_table_add() */
};

void symbol_table_done(struct symbol_table *t);
/* Adds a symbol if it is that of a function or a variable. info, section: st_info and st_shndx of
 * the ELF symbol. */
void symbol_table_add(struct symbol_table *t, const struct symbol *symbol, unsigned info,
		      unsigned section);
/* Sorts the symbols; to be called before symbol_table_find(). */
void symbol_table_sort(struct symbol_table *t);
/* Returns the symbol that contains an address; NULL: none. If there are several, it is the one that
 * begins last; of several with the same begin, one with a size, and then the last by name. */
const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);
/* Returns the last function that begins at or before an address, whether it contains the address or
 * not; NULL: none. */
const struct symbol *symbol_table_find_before(const struct symbol_table *t, uint64_t address);

/* ---- generated code ----
 *
 * Finds the names of code that a process has generated at run time, in the file
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
