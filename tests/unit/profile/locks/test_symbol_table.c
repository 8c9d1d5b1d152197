/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol of an address, with adjacent, nested and equal symbols, and symbols without a size. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/locks/symbol_table.h"
#include "tap.h"

#define SECTION 1

static void add(struct symbol_table *t, uint64_t value, uint64_t size, const char *name)
{
	const struct symbol symbol = {value, size, name, false};

	symbol_table_add(t, &symbol, STT_FUNC, SECTION);
}

static const char *name_at(const struct symbol_table *t, uint64_t address)
{
	const struct symbol *symbol = symbol_table_find(t, address);

	return symbol ? symbol->name : "?";
}

static void check_cases(void)
{
	struct symbol_table t = {.n = 0};

	tap_str(name_at(&t, 5), "?", "an empty table");
	add(&t, 100, 10, "small");
	add(&t, 200, 100, "outer");
	add(&t, 220, 10, "inner");
	add(&t, 400, 0, "label");
	add(&t, 500, 8, "_same");
	add(&t, 500, 0, "zero");
	add(&t, 500, 8, "same");
	add(&t, UINT64_MAX - 1, 100, "last");
	symbol_table_add(&t, &(struct symbol){600, 8, "not here", false}, STT_FUNC, SHN_UNDEF);
	symbol_table_add(&t, &(struct symbol){600, 8, "file", false}, STT_FILE, SECTION);
	symbol_table_add(&t, &(struct symbol){600, 8, "", false}, STT_OBJECT, SECTION);
	symbol_table_sort(&t);
	tap_str(name_at(&t, 99), "?", "before the first one");
	tap_str(name_at(&t, 100), "small", "its first byte");
	tap_str(name_at(&t, 109), "small", "its last byte");
	tap_str(name_at(&t, 110), "?", "behind it");
	tap_str(name_at(&t, 225), "inner", "one in another one");
	tap_str(name_at(&t, 240), "outer", "behind the inner one, the other one goes on");
	tap_str(name_at(&t, 300), "?", "and ends");
	tap_str(name_at(&t, 499), "label", "what has no size goes up to the next one");
	tap_str(name_at(&t, 503), "same", "of several at one address, the last one with a size");
	tap_str(name_at(&t, 600), "?", "what is not a function or variable of this file");
	tap_str(name_at(&t, UINT64_MAX - 1), "last", "at the end of all addresses");
	symbol_table_done(&t);
}

static void check_nearest(void)
{
	struct symbol_table t = {.n = 0};

	tap_ok(symbol_table_find_before(&t, 5) == NULL, "nothing is near in an empty table");
	add(&t, 200, 10, "second");
	add(&t, 100, 10, "first");
	symbol_table_add(&t, &(struct symbol){300, 8, "variable", false}, STT_OBJECT, SECTION);
	symbol_table_sort(&t);
	tap_ok(symbol_table_find_before(&t, 99) == NULL, "before the first function");
	tap_str(symbol_table_find_before(&t, 199)->name, "first", "behind its end");
	tap_str(symbol_table_find_before(&t, 200)->name, "second", "at the begin of the next one");
	tap_str(symbol_table_find_before(&t, 1000)->name, "second", "a variable is no function");
	symbol_table_done(&t);
}

/* On 32-bit Arm, functions of Thumb code have odd addresses in the file, those of other code and
 * variables have not. */
static void check_thumb(void)
{
	struct symbol_table t = {.machine = EM_ARM}, other = {.machine = EM_X86_64};

	add(&t, 0x101, 0x10, "thumb");
	add(&t, 0x111, 0x10, "next");
	symbol_table_add(&t, &(struct symbol){0x203, 1, "variable", false}, STT_OBJECT, SECTION);
	symbol_table_sort(&t);
	tap_str(name_at(&t, 0x100), "thumb", "the first byte of a function of Thumb code");
	tap_str(name_at(&t, 0x110), "next", "and of the next one");
	tap_int((long)symbol_table_find(&t, 0x104)->value, 0x100, "its address is even");
	tap_int((long)symbol_table_find(&t, 0x203)->value, 0x203, "that of a variable is not");
	symbol_table_done(&t);
	add(&other, 0x101, 0x10, "odd");
	symbol_table_sort(&other);
	tap_str(name_at(&other, 0x100), "?", "functions of other machines may be at odd addresses");
	symbol_table_done(&other);
}

/* Returns the symbol with the largest start address that contains the address, by linear search. */
static const char *name_by_all(const struct symbol *symbol, size_t n, uint64_t address)
{
	const struct symbol *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (symbol[i].value <= address && address - symbol[i].value < symbol[i].size &&
		    (!best || symbol[i].value > best->value))
			best = &symbol[i];
	return best ? best->name : "?";
}

/* Symbols with distinct start addresses, compared with a linear search. */
static void check_all(void)
{
	static char name[300][8];
	struct symbol symbol[300];
	struct symbol_table t = {.n = 0};
	unsigned seed = 11;
	int same = 0;

	for (int i = 0; i < 300; i++) {
		snprintf(name[i], sizeof name[i], "f%d", i);
		symbol[i] = (struct symbol){(uint64_t)(i * 7 % 300) * 10,
					    1 + (uint64_t)rand_r(&seed) % 80, name[i], false};
		add(&t, symbol[i].value, symbol[i].size, name[i]);
	}
	symbol_table_sort(&t);
	for (uint64_t address = 0; address < 3200; address++)
		same += !strcmp(name_at(&t, address), name_by_all(symbol, 300, address));
	tap_int(same, 3200, "300 symbols in each other: what looking at all of them finds");
	tap_ok(symbol_table_find(&t, 3200) == NULL, "nothing behind them");
	symbol_table_done(&t);
}

int main(void)
{
	check_cases();
	check_nearest();
	check_thumb();
	check_all();
	return tap_done();
}
