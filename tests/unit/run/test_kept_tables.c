/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kept tables: each is restored byte for byte, and those that are alike take little memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/kept_tables.h"
#include "tap.h"

#define PAGE  4096
#define PAGES 64

/* A table of up to PAGES pages. */
struct table {
	size_t size;
	bool filled[PAGES]; /* the page is not in a hole */
	uint64_t word[PAGES][PAGE / 8];
};

static int make_file(const struct table *t)
{
	const int fd = memfd_create("table", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)t->size))
		abort();
	for (size_t i = 0; i < PAGES; i++) {
		const size_t at = i * PAGE, left = t->size > at ? t->size - at : 0,
			     size = left < PAGE ? left : PAGE;

		if (t->filled[i] && size &&
		    pwrite(fd, t->word[i], size, (off_t)at) != (ssize_t)size)
			abort();
	}
	return fd;
}

static int add(struct kept_tables *k, const struct table *t, const char *name, uint64_t start)
{
	const int fd = make_file(t), ret = kept_tables_add(k, name, start, fd);

	close(fd);
	return ret;
}

/* Returns whether table i is restored as it was. */
static bool is_restored(struct kept_tables *k, size_t i, const struct table *t)
{
	static uint64_t word[PAGES * PAGE / 8], wanted[PAGES * PAGE / 8];
	struct err err = ERR_INIT;
	const int fd = kept_tables_restore(k, i, &err);
	struct stat file;

	memset(wanted, 0, sizeof wanted);
	for (size_t p = 0; p < PAGES; p++)
		if (t->filled[p])
			memcpy((char *)wanted + p * PAGE, t->word[p], PAGE);
	return fd >= 0 && !fstat(fd, &file) && (size_t)file.st_size == t->size &&
	       pread(fd, word, t->size, 0) == (ssize_t)t->size && !memcmp(word, wanted, t->size);
}

static void fill(struct table *t, size_t page, uint64_t word)
{
	t->filled[page] = true;
	for (size_t i = 0; i < PAGE / 8; i++)
		t->word[page][i] = word;
}

/* Forked processes: some words differ. */
static void test_alike(void)
{
	struct kept_tables *k = kept_tables_new();
	static struct table t;
	size_t n_bad = 0, first;

	t = (struct table){.size = sizeof t.word};
	for (size_t i = 0; i < PAGES; i += 2)
		fill(&t, i, i + 1);
	tap_int(add(k, &t, "table.1.000", 5), 0, "a table is kept");
	first = kept_tables_size(k);
	for (uint64_t i = 1; i < 100; i++) {
		t.word[0][0] = t.word[0][2] = t.word[2][511] = t.word[62][0] = i;
		n_bad += add(k, &t, "table.2.001", i) != 0;
	}
	tap_int(n_bad, 0, "so are others");
	tap_int(kept_tables_n(k), 100, "all of them");
	tap_ok(kept_tables_size(k) - first < 99 * 100, "a table takes what differs from the first");
	for (uint64_t i = 1; i < 100; i++) {
		t.word[0][0] = t.word[0][2] = t.word[2][511] = t.word[62][0] = i;
		n_bad += !is_restored(k, i, &t);
	}
	tap_int(n_bad, 0, "each is restored");
	tap_str(kept_tables_name(k, 99), "table.2.001", "it has a name");
	tap_int(kept_tables_start(k, 99), 99, "and the start of its process");
	kept_tables_drop_last(k);
	tap_int(kept_tables_n(k), 99, "the last one is dropped");
	kept_tables_free(k);
}

static struct table random_table(void)
{
	static struct table t;

	t = (struct table){.size = PAGE * (1 + (size_t)rand() % PAGES) - (size_t)rand() % 500 * 8};
	for (size_t i = 0; i < PAGES; i++) {
		if (rand() % 3)
			continue;
		t.filled[i] = true;
		for (size_t w = 0, few = (size_t)rand() % 3; w < PAGE / 8; w++)
			t.word[i][w] = few > 1 || rand() % 9 ? 0 : (uint64_t)rand() % 3;
	}
	return t;
}

static void test_random(void)
{
	static struct table t[50];
	struct kept_tables *k = kept_tables_new();
	size_t n_bad = 0;

	srand(1);
	for (size_t i = 0; i < 50; i++) {
		t[i] = random_table();
		n_bad += add(k, &t[i], "t", 0) != 0;
	}
	for (size_t i = 50; i-- > 0;)
		n_bad += !is_restored(k, i, &t[i]);
	tap_int(n_bad, 0, "tables of any size, with holes anywhere");
	kept_tables_free(k);
}

/* The first table is not compared with if it is large; one that is larger still is not kept. */
static void test_large(void)
{
	struct kept_tables *k = kept_tables_new();
	const size_t size = (size_t)8 << 20;
	char *text = xmalloc(2 * size + PAGE), *restored = xmalloc(size);
	struct err err = ERR_INIT;
	static struct table t;
	int fd = memfd_create("table", MFD_CLOEXEC), back;

	memset(text, 'x', 2 * size + PAGE);
	if (pwrite(fd, text, size, 0) != (ssize_t)size)
		abort();
	tap_int(kept_tables_add(k, "large", 0, fd), 0, "8 MiB");
	t = (struct table){.size = PAGE};
	fill(&t, 0, 1);
	tap_int(add(k, &t, "small", 0), 0, "and a small one");
	tap_ok(kept_tables_size(k) < size + size / 100 + 3 * PAGE, "the small one stays small");
	back = kept_tables_restore(k, 0, &err);
	tap_ok(pread(back, restored, size, 0) == (ssize_t)size && !memcmp(text, restored, size),
	       "both are restored");
	tap_ok(is_restored(k, 1, &t), "in any order");
	if (pwrite(fd, text, 2 * size + PAGE, 0) != (ssize_t)(2 * size + PAGE))
		abort();
	tap_int(kept_tables_add(k, "larger", 0, fd), -EFBIG, "one above 16 MiB is not kept");
	tap_int(kept_tables_n(k), 2, "it is left out");
	close(fd);
	free(text);
	free(restored);
	kept_tables_free(k);
}

/* The kernel would end this program for a file above its limit. */
static void test_limit(void)
{
	const struct rlimit low = {PAGE, PAGE};
	struct kept_tables *k = kept_tables_new();
	static struct table t;
	int fd;

	t = (struct table){.size = 2 * PAGE};
	fill(&t, 0, 1);
	fd = make_file(&t);
	setrlimit(RLIMIT_FSIZE, &low);
	tap_int(kept_tables_add(k, "t", 0, fd), -EFBIG, "a limit of files is not exceeded");
	close(fd);
	kept_tables_free(k);
}

int main(void)
{
	test_alike();
	test_random();
	test_large();
	test_limit();
	return tap_done();
}
