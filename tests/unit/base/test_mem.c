/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bottom layer: errors, memory, strings, numbers, the map, values.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "base/value.h"
#include "tap.h"

static void test_err(void)
{
	struct err err = ERR_INIT;
	char longer[2 * ERR_TEXT_MAX];

	tap_int(err_set(&err, ENOENT, "no %s %d", "file", 7), -ENOENT, "err_set returns -code");
	tap_str(err.text, "no file 7", "and writes the sentence");
	tap_int(err_prefix(&err, "line %d", 3), -ENOENT, "err_prefix returns -code");
	tap_str(err.text, "line 3: no file 7", "and puts the place before it");
	tap_int(err_set(NULL, EIO, "x"), -EIO, "without a struct err there is still a code");
	err_set(&err, EINVAL, "bad option '%s'", "\x1b[31m\nx\u202e");
	tap_str(err.text, "bad option '?[31m?x?'",
		"what is brought into it does not command the terminal");
	err_prefix(&err, "file '%s'", "\x9b");
	tap_str(err.text, "file '?': bad option '?[31m?x?'", "neither does the place");
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	err_set(&err, EIO, "%s", longer);
	tap_int(strlen(err.text), ERR_TEXT_MAX - 1, "what is too long is cut");
	err_prefix(&err, "%s", longer);
	tap_int(strlen(err.text), ERR_TEXT_MAX - 1, "a place that is too long, too");
}

static void test_arena(void)
{
	struct arena a = ARENA_INIT;
	size_t held, bad = 0;

	for (int round = 0; round < 5; round++) {
		char *part[300];

		for (size_t i = 0; i < 300; i++) {
			size_t size = (i * 7919) % 2500 + (i % 100 == 99 ? 3000000 : 0);

			part[i] = arena_alloc(&a, size);
			bad += (uintptr_t)part[i] % _Alignof(max_align_t) != 0;
			memset(part[i], (int)i, size);
		}
		/* No part overlaps another one. */
		for (size_t i = 0; i < 300; i++) {
			size_t size = (i * 7919) % 2500 + (i % 100 == 99 ? 3000000 : 0);

			bad += size && (part[i][0] != (char)i || part[i][size - 1] != (char)i);
		}
		held = arena_size(&a);
		arena_reset(&a);
		tap_int(arena_size(&a), held, "round %d: a reset keeps the memory", round);
		if (round)
			tap_ok(held < 16000000, "and it is used again");
	}
	tap_int(bad, 0, "parts are aligned and apart");
	arena_alloc(&a, 1000);
	arena_reset(&a);
	tap_int(arena_size(&a), 0, "a large one that was hardly used is given back");
	memset(arena_alloc(&a, 1000), 0xff, 1000);
	arena_reset(&a);
	bad = 0;
	for (unsigned char *p = arena_calloc(&a, 10, 100), *last = p + 1000; p < last; p++)
		bad += *p != 0;
	tap_int(bad, 0, "arena_calloc clears what was used before");
	tap_str(arena_strdup(&a, "text"), "text", "arena_strdup");
	tap_ok(arena_calloc(&a, 0, 8), "nothing is something");
	arena_done(&a);
	tap_int(arena_size(&a), 0, "arena_done gives all back");
	tap_str(arena_strdup(&a, "again"), "again", "and it can be used again");
	arena_done(&a);
}

static void test_mem(void)
{
	size_t cap = 0;
	int *v = NULL;
	char *s;

	for (size_t n = 1; n < 1000; n++) {
		v = xgrow(v, &cap, n, sizeof *v);
		v[n - 1] = (int)n;
	}
	tap_ok(cap >= 999 && cap < 2048 && v[0] == 1 && v[998] == 999,
	       "an array grows, and keeps what it has");
	free(v);
	s = xstrndup("abcdef", 3);
	tap_str(s, "abc", "xstrndup cuts");
	free(s);
	s = xstrndup("ab", 30);
	tap_str(s, "ab", "and ends at the end");
	free(s);
	s = xasprintf("%d-%s", 5, "x");
	tap_str(s, "5-x", "xasprintf");
	free(s);
	free(xmalloc(0));
	free(xcalloc(0, 0));
	free(xreallocarray(NULL, 0, 8));
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int compare_ints_with(const void *a, const void *b, void *sign)
{
	return *(int *)sign * compare_ints(a, b);
}

/* Sorting and searching empty arrays: no NULL may be passed to qsort(3) or bsearch(3), which the
 * sanitizers would report. */
static void test_array(void)
{
	int v[] = {3, 1, 2}, sign = -1;

	array_sort(NULL, 0, sizeof *v, compare_ints);
	array_sort_with(NULL, 0, sizeof *v, compare_ints_with, &sign);
	tap_ok(!array_find(v, NULL, 0, sizeof *v, compare_ints), "array: nothing is in none");
	array_sort(v, 3, sizeof *v, compare_ints);
	tap_ok(v[0] == 1 && v[1] == 2 && v[2] == 3, "array: sorted");
	tap_ok(array_find(&(int){2}, v, 3, sizeof *v, compare_ints) == &v[1], "array: found");
	array_sort_with(v, 3, sizeof *v, compare_ints_with, &sign);
	tap_ok(v[0] == 3 && v[2] == 1, "array: sorted downwards");
}

/* Texts of each length: the remaining space is sometimes just enough, sometimes one too small. */
static void test_strbuf_formatted(void)
{
	char want[256];
	struct strbuf sb;
	int bad = 0;

	for (int n = 0; n < 100; n++) {
		strbuf_init(&sb);
		memset(want, 'x', (size_t)n);
		want[n] = '\0';
		strbuf_addf(&sb, "%s", want);
		bad += strcmp(sb.text, want) != 0 || sb.len != strlen(want);
		strbuf_addf(&sb, "%d.%s", 7, want);
		memcpy(want + n, "7.", 2);
		memset(want + n + 2, 'x', (size_t)n);
		want[2 * n + 2] = '\0';
		bad += strcmp(sb.text, want) != 0 || sb.len != strlen(want) || sb.cap <= sb.len;
		strbuf_done(&sb);
	}
	tap_int(bad, 0, "formatted texts of 0 to 200 characters are whole");
}

static void test_strbuf(void)
{
	struct strbuf sb;
	char *big;

	strbuf_init(&sb);
	tap_str(sb.text, "", "a new string is empty");
	strbuf_addstr(&sb, "one");
	strbuf_addch(&sb, ' ');
	strbuf_addf(&sb, "%s%d", "two", 3);
	strbuf_pad(&sb, '.', 3);
	strbuf_pad(&sb, '.', 0);
	strbuf_pad(&sb, '.', -5);
	strbuf_add(&sb, "four and more", 4);
	tap_str(sb.text, "one two3...four", "what is added is there");
	tap_int(sb.len, strlen(sb.text), "len is its length");
	strbuf_reset(&sb);
	tap_str(sb.text, "", "a reset empties it");
	big = xmalloc(100001);
	memset(big, 'y', 100000);
	big[100000] = '\0';
	for (int i = 0; i < 3; i++)
		strbuf_addf(&sb, "%s|", big);
	tap_ok(sb.len == 300003 && sb.len < sb.cap && sb.text[300002] == '|' && !sb.text[300003],
	       "a long one");
	free(big);
	strbuf_done(&sb);
}

static void test_num(void)
{
	static const char *const bad_double[] = {"",    " 1", "1 ", "1x", "0x1",   "inf", "nan",
						 "1,5", ".",  "-",  "e5", "1e999", "--1"};
	static const char *const bad_int[] = {
		"", "1.0", "0x1", " 1", "1 ", "-", "5-3", "99999999999999999999", "11", "-6"};
	static const char *const bad_u64[] = {"",
					      "-1",
					      "+1",
					      "0x",
					      "0xg",
					      "1x",
					      " 1",
					      "18446744073709551616",
					      "0x10000000000000000"};
	struct err err;
	uint64_t u = 7;
	double d = 7;
	long n = 7;

	tap_int(num_parse_double("1.5e1", "the delay", 0.01, 100, &d, &err), 0, "a number");
	tap_num(d, 15, "is read");
	for (size_t i = 0; i < sizeof bad_double / sizeof *bad_double; i++)
		tap_ok(num_parse_double(bad_double[i], "the delay", 0, 1e9, &d, &err) < 0 &&
			       d == 15,
		       "'%s' is not a number", bad_double[i]);
	tap_int(num_parse_double("0.001", "the delay", 0.01, 100, &d, &err), -ERANGE, "too small");
	tap_str(err.text, "the delay must be from 0.01 to 100, not '0.001'", "which is said");
	tap_int(num_parse_double("1e999", "the delay", 0.01, 100, &d, &err), -ERANGE,
		"larger than any double");
	tap_str(err.text, "the delay must be from 0.01 to 100, not '1e999'", "the range is said");
	tap_int(num_parse_double("1e999", "x", -HUGE_VAL, HUGE_VAL, &d, &err), -ERANGE,
		"infinite, although the range is");
	tap_int(num_parse_int("-5", "x", -5, 10, &n, &err), 0, "a whole number");
	tap_int(n, -5, "is read");
	for (size_t i = 0; i < sizeof bad_int / sizeof *bad_int; i++)
		tap_ok(num_parse_int(bad_int[i], "x", -5, 10, &n, &err) < 0 && n == -5,
		       "'%s' is none that is allowed", bad_int[i]);
	tap_int(num_parse_u64("0xfF", "x", &u, &err), 0, "hexadecimal");
	tap_int(u, 255, "is read");
	tap_int(num_parse_u64("18446744073709551615", "x", &u, &err), 0, "the largest");
	tap_ok(u == UINT64_MAX, "is read");
	tap_int(num_parse_u64("010", "x", &u, &err), 0, "a leading 0");
	tap_int(u, 10, "is decimal");
	for (size_t i = 0; i < sizeof bad_u64 / sizeof *bad_u64; i++)
		tap_ok(num_parse_u64(bad_u64[i], "x", &u, &err) < 0 && err.text[0],
		       "'%s' does not fit", bad_u64[i]);
	tap_int(num_parse_int("x", "x", 0, 1, &n, NULL), -EINVAL, "the sentence may be ignored");
}

#define KEYS 500

/* Random puts and removes with colliding keys, compared with a plain array. */
static void test_hash(void)
{
	static void *want[KEYS];
	struct hash h = HASH_INIT;
	unsigned seed = 42;
	size_t n = 0, seen = 0, pos = 0, bad = 0;
	static int values[KEYS];
	void *p;

	tap_ok(!hash_get(&h, 0) && !hash_remove(&h, 0) && !hash_next(&h, &pos), "an empty map");
	for (int i = 0; i < 200000; i++) {
		uint64_t k, key;

		seed = seed * 1103515245 + 12345;
		k = (seed >> 8) % KEYS;
		key = k % 3 ? k : k << 32;
		/* The map grows, shrinks, and grows again. */
		if ((seed >> 4) % 16 < (i / 20000 % 2 ? 4u : 12u)) {
			hash_put(&h, key, &values[k]);
			n += !want[k];
			want[k] = &values[k];
		} else {
			bad += hash_remove(&h, key) != want[k];
			n -= want[k] != NULL;
			want[k] = NULL;
		}
		bad += h.n != n || hash_get(&h, key) != want[k];
	}
	for (uint64_t k = 0; k < KEYS; k++)
		bad += hash_get(&h, k % 3 ? k : k << 32) != want[k];
	for (pos = 0; (p = hash_next(&h, &pos));)
		seen += want[(int *)p - values] == p;
	tap_int(bad, 0, "200000 puts and removes");
	tap_int(seen, n, "a walk sees each once");
	hash_put(&h, 7, &values[1]);
	hash_put(&h, 7, &values[2]);
	tap_ok(hash_get(&h, 7) == &values[2], "a second put replaces");
	hash_done(&h);
	tap_ok(!hash_get(&h, 7), "done is empty");
}

static void check(struct value v, enum quality quality, double number, double share,
		  const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: quality", what);
	tap_num(v.number, number, "%s: number", what);
	tap_num(v.share, share, "%s: share", what);
}

/* Counts keep all digits up to 2^64 when they are added. Numbers computed from them have the
 * precision of a double. */
static void test_counts(void)
{
	static const uint64_t row[] = {
		0, 1, (1ull << 53) - 1, (1ull << 53) + 1, 12345678901234567891ull, UINT64_MAX};
	uint64_t count = 7;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct value v = value_count(row[i]);

		tap_ok(value_is_count(v, &count) && count == row[i], "%llu keeps its digits",
		       (unsigned long long)row[i]);
		tap_ok(fabs(v.number - (double)row[i]) <= (double)row[i] / 0x1p52,
		       "and is a number");
	}
	tap_ok(value_is_count(value_accumulate(value_count(1ull << 60), value_count(1)), &count) &&
		       count == (1ull << 60) + 1,
	       "a sum has all bits");
	tap_ok(value_is_count(value_accumulate(value_count(1ull << 53), value_count(1)), &count) &&
		       count == (1ull << 53) + 1,
	       "where two doubles would lose one, too");
	tap_ok(value_accumulate(value_count(UINT64_MAX), value_count(UINT64_MAX)).number > 3e19,
	       "beyond 2^64 it goes on");
	tap_ok(!value_is_count(value_exact(0.5), &count) &&
		       !value_is_count(value_exact(-1), &count) &&
		       !value_is_count(value_none(QUALITY_FRESH), &count) &&
		       !value_is_count(value_stale(3), &count),
	       "not every number is a count");
	tap_int(value_combine(1, value_count(UINT64_MAX), value_exact(1)).rest, 0,
		"what is computed has no rest");
}

static void test_value(void)
{
	const struct value two = value_exact(2), zero = value_exact(0),
			   half = {6, 0.5, QUALITY_SCALED, 0},
			   quarter = {8, 0.25, QUALITY_SCALED, 0},
			   denied = value_none(QUALITY_DENIED), fresh = value_none(QUALITY_FRESH);

	check(value_combine(8, two, half), QUALITY_SCALED, 8, 0.5, "exact and scaled");
	check(value_combine(8, quarter, half), QUALITY_SCALED, 8, 0.25, "the smaller share");
	check(value_combine(8, two, denied), QUALITY_DENIED, (double)NAN, 1, "unknown spreads");
	check(value_combine(8, fresh, denied), QUALITY_DENIED, (double)NAN, 1, "the worse reason");
	check(value_divide(half, two), QUALITY_SCALED, 3, 0.5, "a division");
	check(value_divide(two, zero), QUALITY_DIVZERO, (double)NAN, 1, "by zero");
	check(value_divide(zero, zero), QUALITY_DIVZERO, (double)NAN, 1, "zero by zero");
	check(value_divide(fresh, zero), QUALITY_FRESH, (double)NAN, 1,
	      "unknown by zero keeps its reason");
	check(value_divide(two, denied), QUALITY_DENIED, (double)NAN, 1, "by unknown");
	check(value_accumulate(two, half), QUALITY_SCALED, 8, 0.5, "a sum");
	check(value_accumulate(two, denied), QUALITY_PARTIAL, 2, 1, "a part that is unknown");
	check(value_accumulate(fresh, half), QUALITY_PARTIAL, 6, 0.5, "only one part known");
	check(value_accumulate(value_accumulate(two, denied), two), QUALITY_PARTIAL, 4, 1,
	      "partial stays partial");
	check(value_accumulate(fresh, denied), QUALITY_DENIED, (double)NAN, 1, "no part known");
	tap_str(quality_text(QUALITY_NOT_READ, false), quality_table[QUALITY_NOT_READ].text,
		"why a fact is not there");
	tap_str(quality_text(QUALITY_NOT_READ, true), "not read before the task ended",
		"of a task that has ended");
	for (int q = 0; q < N_QUALITIES; q++) {
		tap_ok(quality_table[q].name && quality_table[q].mark && quality_table[q].text,
		       "quality %d is declared", q);
		tap_int(value_known((struct value){1, 1, (uint8_t)q, 0}), q < QUALITY_FIRST_NONE,
			"and known or not");
	}
}

static void test_file(void)
{
	char buf[8] = "before";

	tap_int(file_read(AT_FDCWD, "/nonexistent/file", buf, sizeof buf), -ENOENT,
		"a file that is not there");
	tap_str(buf, "", "leaves an empty text");
	tap_int(file_read(AT_FDCWD, "/proc/self/stat", buf, sizeof buf), 7, "a longer file is cut");
	tap_int(strlen(buf), 7, "and terminated");
	tap_ok(file_read(AT_FDCWD, "/", buf, sizeof buf) < 0 && !buf[0], "a folder is not a file");
}

static void test_file_at(void)
{
	FILE *file = tmpfile();
	struct err err = ERR_INIT;
	char two[2] = "";
	int fd = file ? fileno(file) : -1;

	tap_ok(file && write(fd, "abc", 3) == 3, "a file of three bytes");
	tap_ok(!file_read_at(fd, two, 2, 1, &err) && !memcmp(two, "bc", 2), "from a place on");
	tap_int(file_read_at(fd, two, 2, 2, &err), -ENODATA, "where not all of it is there");
	tap_str(err.text, "is cut off", "it says so");
	if (file)
		fclose(file);
	err = (struct err)ERR_INIT;
	tap_int(file_read_at(-1, two, 2, 0, &err), -EBADF, "a file that cannot be read");
	tap_ok(!strncmp(err.text, "cannot be read: ", 16), "is not one that is cut off");
}

/* Files whose sizes are around multiples of the block in which they are read. */
static void test_whole_file(void)
{
	static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 20001};
	int fd = memfd_create("file", MFD_CLOEXEC), bad = 0;
	char *path = xasprintf("/proc/self/fd/%d", fd), *text = xcalloc(1, 20002);
	struct strbuf sb;

	for (size_t i = 0; i < 20001; i++)
		text[i] = (char)('a' + i % 23);
	strbuf_init(&sb);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		bad += ftruncate(fd, 0) || pwrite(fd, text, sizes[i], 0) != (ssize_t)sizes[i];
		tap_int(file_read_all(AT_FDCWD, path, 1 << 20, &sb), (int64_t)sizes[i],
			"all %zu bytes", sizes[i]);
		bad += sb.len != sizes[i] || memcmp(sb.text, text, sizes[i]) || sb.text[sb.len];
	}
	tap_int(bad, 0, "and they are the right ones");
	tap_int(file_read_all(AT_FDCWD, path, 5000, &sb), 8192,
		"a bound is kept, but for the rest of a page");
	tap_int(file_read_all(AT_FDCWD, "/", 5000, &sb), -EISDIR, "a folder is not a file");
	tap_int(sb.len, 0, "and leaves an empty text");
	strbuf_addstr(&sb, "before");
	tap_int(file_read_all(AT_FDCWD, "/nonexistent/file", 5000, &sb), -ENOENT,
		"a file that is not there");
	tap_str(sb.text, "", "leaves an empty text");
	strbuf_done(&sb);
	close(fd);
	free(path);
	free(text);
}

static void test_first_line(void)
{
	const char *path = "first-line";
	struct strbuf sb;
	FILE *out;

	strbuf_init(&sb);
	out = fopen(path, "we");
	fprintf(out, "a line\n%100000s\n", "another");
	fclose(out);
	tap_int(file_read_first_line(AT_FDCWD, path, 1 << 20, &sb), 6, "a first line");
	tap_str(sb.text, "a line", "without its end");
	out = fopen(path, "we");
	fprintf(out, "%100000s", "a line");
	fclose(out);
	tap_int(file_read_first_line(AT_FDCWD, path, 1 << 20, &sb), 100000, "without an end");
	tap_int(file_read_first_line(AT_FDCWD, path, 5000, &sb), 8192, "a long one is cut");
	remove(path);
	tap_int(file_read_first_line(AT_FDCWD, path, 5000, &sb), -ENOENT, "no file");
	strbuf_done(&sb);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Returns whether num_add_fixed() writes the same as printf(3). */
static bool is_as_printf(double number, int width, int decimals)
{
	struct strbuf fixed;
	char *text = xasprintf("%*.*f", width, decimals, number);
	bool same;

	strbuf_init(&fixed);
	same = num_add_fixed(&fixed, number, width, decimals) && !strcmp(fixed.text, text);
	strbuf_done(&fixed);
	free(text);
	return same;
}

static void test_num_fixed(void)
{
	static const double some[] = {0,     0.05,   0.5,  1.5,    2.5,    0.25,
				      0.125, 0.0005, 99.5, 5e-324, 1e-300, 4503599627370495.5};
	static const double refused[] = {-0.0, -1, 4503599627370496.0, 1e300, INFINITY, NAN};
	uint64_t state = 88172645463325252u, digits;
	int n_bad[NUM_FIXED_DECIMALS_MAX + 1] = {0};
	struct strbuf out;

	for (int d = 0; d <= NUM_FIXED_DECIMALS_MAX; d++) {
		for (size_t i = 0; i < sizeof some / sizeof *some; i++)
			tap_ok(is_as_printf(some[i], 7, d), "%g with %d decimals", some[i], d);
		for (int i = 0; i < 10000; i++) {
			digits = next_random(&state);
			n_bad[d] += !is_as_printf((double)(digits >> digits % 60) / 65536, 0, d);
			/* Ties of rounding, with 0 and with 3 decimals. */
			n_bad[d] += !is_as_printf((2 * i + 1) / 2.0, 0, d);
			n_bad[d] += !is_as_printf((2 * i + 1) / 16.0, 3, d);
		}
		tap_int(n_bad[d], 0, "random numbers and halves with %d decimals", d);
	}
	strbuf_init(&out);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		tap_ok(!num_add_fixed(&out, refused[i], 0, 1) && !out.len, "%g is left to printf",
		       refused[i]);
	strbuf_done(&out);
}

/* Returns whether num_add() writes the fewest of 15 to 17 digits that read back as the number. */
static bool is_shortest(double number)
{
	struct strbuf out;
	char text[32];
	bool same;

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_init(&out);
	num_add(&out, number);
	same = !strcmp(out.text, text);
	if (!same)
		printf("# %s is written as %s\n", text, out.text);
	strbuf_done(&out);
	return same;
}

static void test_num_shortest(void)
{
	static const double some[] = {
		0,     1,      0.1,   0.3,      1.0 / 3,           5e-324,           -2.5,
		1e14,  1e15,   1e17,  1e300,    99999999999999.98, 0.0001,           9.9999e-5,
		0.001, 0.0078, 1e-10, 123456.7, 4503599627370496,  9007199254740994, -1e-4};
	uint64_t state = 88172645463325252u;
	int n_bad = 0;

	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		tap_ok(is_shortest(some[i]), "%g is written with the digits that it needs",
		       some[i]);
	for (int i = 0; i < 20000; i++) {
		const uint64_t digits = next_random(&state);
		const double power = ldexp(1, (int)(digits % 62) - 14);

		n_bad += !is_shortest(ldexp((double)(digits >> 11), -(int)(digits % 68)));
		n_bad += !is_shortest((double)(digits % 1000000000000) * 1e-9);
		/* Doubles beside powers of 2, below which they are nearer to each other. */
		n_bad += !is_shortest(power) + !is_shortest(nextafter(power, 0)) +
			 !is_shortest(-nextafter(power, INFINITY));
	}
	tap_int(n_bad, 0, "random numbers, and powers of 2 with their neighbours");
}

int main(void)
{
	test_err();
	test_arena();
	test_mem();
	test_array();
	test_strbuf();
	test_strbuf_formatted();
	test_num();
	test_num_fixed();
	test_num_shortest();
	test_hash();
	test_counts();
	test_value();
	test_file();
	test_file_at();
	test_whole_file();
	test_first_line();
	return tap_done();
}
