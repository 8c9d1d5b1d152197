/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table - symbols of a file, sorted by their addresses.
 *
 *   symbol_table_add(&t, ...); ...; symbol_table_sort(&t); symbol_table_find(&t, address)
 *
 * Names are borrowed. Addresses are those that the file was linked for.
 */
#ifndef PROFILE_LOCKS_SYMBOL_TABLE_H
#define PROFILE_LOCKS_SYMBOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t value, size; /* size 0: up to the next one, as hand-written code has none */
	const char *name;
};

struct symbol_table {
	struct symbol *symbol; /* [n] */
	uint64_t *reach;       /* [n]: where the longest of those up to here ends */
	size_t n, cap;
};

void symbol_table_done(struct symbol_table *t);
/* Adds a symbol, if it is one of a function or a variable: info and section are st_info and
 * st_shndx of its ELF symbol. */
void symbol_table_add(struct symbol_table *t, const struct symbol *symbol, unsigned info,
		      unsigned section);
/* Sorts all that were added. */
void symbol_table_sort(struct symbol_table *t);
/* Returns the symbol that has the address, the one that begins last; NULL: none. Of those that
 * begin at one address, it is one with a size, and the last one by name. */
const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);

#endif
