/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/symbol_table.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"

void symbol_table_done(struct symbol_table *t)
{
	free(t->symbol);
	free(t->reach);
	*t = (struct symbol_table){.n = 0};
}

void symbol_table_add(struct symbol_table *t, const struct symbol *symbol, unsigned info,
		      unsigned section)
{
	const unsigned type = info & 0xf;

	if ((type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC) ||
	    section == SHN_UNDEF || !symbol->name || !*symbol->name)
		return;
	t->symbol = xgrow(t->symbol, &t->cap, t->n + 1, sizeof *t->symbol);
	t->symbol[t->n] = *symbol;
	t->symbol[t->n++].is_function = type != STT_OBJECT;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (!x->size != !y->size)
		return x->size ? 1 : -1;
	return strcmp(x->name, y->name);
}

static uint64_t end_of(const struct symbol *s)
{
	return s->size < UINT64_MAX - s->value ? s->value + s->size : UINT64_MAX;
}

void symbol_table_sort(struct symbol_table *t)
{
	uint64_t reach = 0;

	array_sort(t->symbol, t->n, sizeof *t->symbol, compare_symbols);
	t->reach = xreallocarray(t->reach, t->n + 1, sizeof *t->reach);
	for (size_t i = 0; i < t->n; i++) {
		reach = end_of(&t->symbol[i]) > reach ? end_of(&t->symbol[i]) : reach;
		t->reach[i] = reach;
	}
}

/* Returns how many symbols begin at or before an address. */
static size_t count_before(const struct symbol_table *t, uint64_t address)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (t->symbol[middle].value <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address)
{
	size_t i = count_before(t, address);

	if (i && !t->symbol[i - 1].size)
		return &t->symbol[i - 1];
	for (; i && t->reach[i - 1] > address; i--)
		if (end_of(&t->symbol[i - 1]) > address)
			return &t->symbol[i - 1];
	return NULL;
}

const struct symbol *symbol_table_find_before(const struct symbol_table *t, uint64_t address)
{
	size_t i = count_before(t, address);

	while (i && !t->symbol[i - 1].is_function)
		i--;
	return i ? &t->symbol[i - 1] : NULL;
}
