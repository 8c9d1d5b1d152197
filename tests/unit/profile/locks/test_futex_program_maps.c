/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a process maps, by the records of its mappings: their bounds and layers. */
#include "profile/locks/futex_program.h"

#include "tap.h"

static void map(struct map_records *m, uint64_t begin, uint64_t size, uint64_t offset,
		uint64_t inode, const char *path)
{
	const struct syscall_record r = {
		.what = SYSCALLS_MAP,
		.map = {.begin = begin,
			.size = size,
			.offset = offset,
			.inode = inode,
			.path = (char *)path},
	};

	map_records_add(m, &r);
}

/* Checks the bounds of the file at an address; begin 0: none. */
static void check(const struct map_records *m, uint64_t address, uint64_t begin, uint64_t end,
		  const char *what)
{
	const struct locks_module *found = map_records_find(m, address);

	tap_ok(begin ? found && found->begin == begin && found->end == end : !found, "%s", what);
}

/* The mappings of a static program, and of a library by the dynamic loader. */
static void test_parts(void)
{
	struct map_records m;

	map_records_init(&m);
	map(&m, 0x400000, 0x1000, 0, 7, "/bin/static");
	map(&m, 0x401000, 0x8000, 0x1000, 7, "/bin/static");
	map(&m, 0x40a000, 0x2000, 0x9000, 7, "/bin/static");
	map(&m, 0x40c000, 0x1000, 0, 0, "//anon");
	check(&m, 0x402000, 0x400000, 0x40d000, "parts of a file, and its zeros");
	check(&m, 0x40d000, 0, 0, "not what is behind them");
	map(&m, 0x500000, 0x1000, 0, 0, "[heap]");
	check(&m, 0x500000, 0, 0, "nor other memory");
	map(&m, 0x7f0000, 0x9000, 0, 8, "/lib/one");
	map(&m, 0x7f2000, 0x3000, 0x2000, 8, "/lib/one");
	map(&m, 0x7f8000, 0x1000, 0, 0, "//anon");
	check(&m, 0x7f8000, 0x7f0000, 0x7f9000, "parts within the first one");
	map(&m, 0x7f9000, 0x4000, 0, 9, "/lib/two");
	check(&m, 0x7f9000, 0x7f9000, 0x7fd000, "another file");
	map(&m, 0x800000, 0x4000, 0x1000, 10, "/lib/late");
	check(&m, 0x801000, 0x7ff000, 0x804000, "a file begins with its first byte");
	map(&m, 0x900000, 0x9000, 0, 8, "/lib/one");
	check(&m, 0x900000, 0x900000, 0x909000, "a file that is mapped once more");
	check(&m, 0x7f1000, 0x7f0000, 0x7f9000, "the first mapping is still there");
	map(&m, 0x7ffff000, UINT64_MAX, 0, 8, "/lib/wraps");
	check(&m, 0x7ffff000, 0, 0, "what cannot be");
	map_records_done(&m);
}

/* A place keeps its name when another file comes there. */
static void test_layers(void)
{
	struct map_records m, child;
	uint64_t first, second;

	map_records_init(&m);
	map_records_init(&child);
	map(&m, 0x7f0000, 0x9000, 0, 8, "/lib/one");
	first = map_records_place(&m, 0x7f1000);
	tap_int((int)locks_place_layer(first), 0, "the first layer");
	map(&m, 0x7f0000, 0x4000, 0, 9, "/lib/two");
	second = map_records_place(&m, 0x7f1000);
	tap_int((int)locks_place_layer(second), 1, "another file is in the next one");
	check(&m, 0x7f5000, 0, 0, "the first one is gone");
	tap_int((int)locks_place_layer(map_records_place(&m, 0x7f5000)), 1,
		"memory without a file is in none of its layers");
	tap_int((int)m.n, 2, "a file with noted places is kept");
	map(&m, 0x7f0000, 0x4000, 0, 10, "/lib/three");
	map(&m, 0x7f0000, 0x4000, 0, 11, "/lib/four");
	tap_int((int)m.n, 3, "one without is not");
	tap_int((int)locks_place_layer(map_records_place(&m, 0x7f1000)), 2, "nor has a layer");
	map_records_copy(&child, &m);
	map(&child, 0x7f0000, 0x4000, 0, 12, "/lib/five");
	check(&m, 0x7f1000, 0x7f0000, 0x7f4000, "a child's files are its own");
	tap_str(map_records_find(&child, 0x7f1000)->path, "/lib/five", "its own one");
	map_records_done(&child);
	map_records_done(&m);
}

static void test_many(void)
{
	struct map_records m;

	map_records_init(&m);
	for (uint64_t i = 0; i < MAP_RECORDS_MAX + 5; i++)
		map(&m, 0x100000 + i * 0x1000, 0x1000, 0, i + 1, "/data");
	tap_int((int)m.n, MAP_RECORDS_MAX, "too many files");
	tap_int((int)m.n_left_out, 5, "those left out are counted");
	map_records_done(&m);
}

static void map_shared(struct map_records *m, uint64_t begin, uint64_t size, uint64_t offset)
{
	const struct syscall_record r = {
		.what = SYSCALLS_MAP,
		.map = {.begin = begin,
			.size = size,
			.offset = offset,
			.inode = 5,
			.device = 2,
			.is_shared = true,
			.path = (char *)"/dev/zero (deleted)"},
	};

	map_records_add(m, &r);
}

/* Checks the offset in the shared file; UINT64_MAX: the memory is private. */
static void check_memory(const struct map_records *m, uint64_t address, uint64_t offset,
			 const char *what)
{
	const struct locks_memory memory = map_records_memory(m, address);

	tap_ok(offset == UINT64_MAX
		       ? !memory.inode
		       : memory.inode == 5 && memory.device == 2 && memory.offset == offset,
	       "%s", what);
}

static void test_shared(void)
{
	struct map_records m;

	map_records_init(&m);
	map_shared(&m, 0x800000, 0x2000, 0x1000);
	check_memory(&m, 0x801010, 0x2010, "a place in shared memory");
	check_memory(&m, 0x7ff000, UINT64_MAX, "a part of the file that is not mapped");
	map_shared(&m, 0x803000, 0x1000, 0x9000);
	check_memory(&m, 0x803010, 0x9010, "another part of the file");
	check_memory(&m, 0x801010, 0x2010, "is not behind the first one");
	map_shared(&m, 0x1000, 0x1000, 0x100000);
	check_memory(&m, 0x1008, 0x100008, "a part below its offset");
	map(&m, 0xa00000, 0x1000, 0, 7, "/bin/static");
	check_memory(&m, 0xa00008, UINT64_MAX, "a private file");
	map(&m, 0x800000, 0x2000, 0, 0, "//anon");
	check_memory(&m, 0x801010, UINT64_MAX, "private memory has replaced it");
	map_records_done(&m);
}

int main(void)
{
	test_parts();
	test_shared();
	test_layers();
	test_many();
	return tap_done();
}
