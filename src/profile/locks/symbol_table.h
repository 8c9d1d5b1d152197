/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table - the symbols of a file, sorted by address.
 *
 *   symbol_table_add(&t, ...); ...; symbol_table_sort(&t); symbol_table_find(&t, address)
 *
 * Names are borrowed. Addresses are link-time addresses.
 */
#ifndef PROFILE_LOCKS_SYMBOL_TABLE_H
#define PROFILE_LOCKS_SYMBOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t value, size; /* size 0, as of hand-written code: up to the next symbol */
	const char *name;
};

struct symbol_table {
	struct symbol *symbol; /* [n] */
	uint64_t *reach;       /* [n]: the greatest end of the symbols up to here */
	size_t n, cap;
};

void symbol_table_done(struct symbol_table *t);
/* Adds a symbol if it is that of a function or a variable. info, section: st_info and st_shndx of
 * the ELF symbol. */
void symbol_table_add(struct symbol_table *t, const struct symbol *symbol, unsigned info,
		      unsigned section);
/* Sorts the symbols; to be called before symbol_table_find(). */
void symbol_table_sort(struct symbol_table *t);
/* Returns the symbol that contains an address, of several the one that begins last; NULL: none. Of
 * symbols with the same begin, those with a size come first, then the last one by name. */
const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address);

#endif
