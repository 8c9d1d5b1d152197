/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/kept_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

/* Contents are compared in pages of this size, on all machines. */
#define PAGE_SIZE  4096
#define PAGE_WORDS (PAGE_SIZE / sizeof(uint64_t))
/* The most bytes of a table that is kept, and of the first one, with which later ones are compared.
 * No command creates processes with larger tables by the thousands. */
#define BYTES_MAX ((size_t)16 << 20)
#define FIRST_MAX ((size_t)4 << 20)
/* The greatest length of its file, with holes. */
#define LENGTH_MAX ((uint64_t)1 << 30)

/* The pages of a file that are not in holes. */
struct pages {
	uint64_t *number; /* [n] in ascending order */
	uint64_t *word;   /* [n * PAGE_WORDS] */
	size_t n, cap_number, cap_word;
};

/* The differences of a table from the first one, by page in ascending order. Each page begins with
 * a head: its number and, in the lower half, the number of its runs of different words; 0: all
 * words of the page are 0. Each run begins with a head, too: the index of its first word in the
 * page and, in the lower half, its number of words, which follow. Pages without a difference are
 * left out. */
struct kept {
	char *name;
	uint64_t start, size; /* size: of the file, in bytes */
	uint64_t *word;       /* [n_words] */
	size_t n_words;
};

struct kept_tables {
	struct kept *v;
	size_t n, cap;
	struct pages first, now; /* of the first table, and of the one that is being added */
	uint64_t *word;          /* [n_words] the differences of the one that is being added */
	size_t n_words, cap_words;
	size_t size; /* bytes of all differences */
	int fd;      /* of the file in memory; -1: not created yet */
};

static const uint64_t zeros[PAGE_WORDS];

static void pages_done(struct pages *p)
{
	free(p->number);
	free(p->word);
}

struct kept_tables *kept_tables_new(void)
{
	struct kept_tables *k = xcalloc(1, sizeof *k);

	k->fd = -1;
	return k;
}

void kept_tables_free(struct kept_tables *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++) {
		free(k->v[i].name);
		free(k->v[i].word);
	}
	free(k->v);
	pages_done(&k->first);
	pages_done(&k->now);
	free(k->word);
	if (k->fd >= 0)
		close(k->fd);
	free(k);
}

size_t kept_tables_n(const struct kept_tables *k)
{
	return k->n;
}

const char *kept_tables_name(const struct kept_tables *k, size_t i)
{
	return k->v[i].name;
}

uint64_t kept_tables_start(const struct kept_tables *k, size_t i)
{
	return k->v[i].start;
}

size_t kept_tables_size(const struct kept_tables *k)
{
	return k->size + k->first.n * (PAGE_SIZE + sizeof *k->first.number);
}

/* --- reading --- */

static int read_whole(int fd, char *to, size_t size, off_t at)
{
	for (ssize_t n = 0; size; size -= (size_t)n, to += n, at += n) {
		n = pread(fd, to, size, at);
		if (n <= 0)
			return n ? -errno : -ENODATA;
	}
	return 0;
}

/* Adds the pages of a part of the file without holes; only the end of the file may lie within a
 * page. */
static int add_part(struct pages *p, int fd, off_t at, off_t end)
{
	const size_t size = (size_t)(end - at), n = (size + PAGE_SIZE - 1) / PAGE_SIZE;
	uint64_t *word;

	p->number = xgrow(p->number, &p->cap_number, p->n + n, sizeof *p->number);
	p->word = xgrow(p->word, &p->cap_word, (p->n + n) * PAGE_WORDS, sizeof *p->word);
	word = p->word + p->n * PAGE_WORDS;
	memset(word + (n - 1) * PAGE_WORDS, 0, PAGE_SIZE);
	for (size_t i = 0; i < n; i++)
		p->number[p->n++] = (uint64_t)at / PAGE_SIZE + i;
	return read_whole(fd, (char *)word, size, at);
}

static int read_pages(struct pages *p, int fd)
{
	off_t at = 0, end;
	int ret = 0;

	p->n = 0;
	while (!ret && (at = lseek(fd, at, SEEK_DATA)) >= 0) {
		end = lseek(fd, at, SEEK_HOLE);
		ret = at % PAGE_SIZE ? -EINVAL : end < 0 ? -errno : add_part(p, fd, at, end);
		at = end;
	}
	/* ENXIO: there are no further data. */
	return ret || errno == ENXIO ? ret : -errno;
}

/* --- differences --- */

static uint64_t make_head(uint64_t number, uint64_t n)
{
	return number << 32 | n;
}

static void put(struct kept_tables *k, uint64_t word)
{
	k->word = xgrow(k->word, &k->cap_words, k->n_words + 1, sizeof *k->word);
	k->word[k->n_words++] = word;
}

/* Adds a run of the words that differ from word i on, which does. Returns the index behind it. */
static size_t put_run(struct kept_tables *k, const uint64_t *word, const uint64_t *first, size_t i)
{
	const size_t begin = i, head = k->n_words;

	put(k, 0);
	for (; i < PAGE_WORDS && word[i] != first[i]; i++)
		put(k, word[i]);
	k->word[head] = make_head(begin, i - begin);
	return i;
}

/* Adds the differences of a page. */
static void put_page(struct kept_tables *k, uint64_t number, const uint64_t *word,
		     const uint64_t *first)
{
	const size_t head = k->n_words;
	uint64_t n_runs = 0;

	if (!memcmp(word, first, PAGE_SIZE))
		return;
	put(k, make_head(number, 0));
	if (!memcmp(word, zeros, PAGE_SIZE))
		return;
	for (size_t i = 0; i < PAGE_WORDS; n_runs++) {
		while (i < PAGE_WORDS && word[i] == first[i])
			i++;
		if (i == PAGE_WORDS)
			break;
		i = put_run(k, word, first, i);
	}
	k->word[head] = make_head(number, n_runs);
}

/* Returns page `number` of pages that are visited in ascending order, and then advances *i; all
 * zeros if it is in a hole. */
static const uint64_t *take_page(const struct pages *p, size_t *i, uint64_t number)
{
	return *i < p->n && p->number[*i] == number ? &p->word[(*i)++ * PAGE_WORDS] : zeros;
}

/* Returns the number of page i; UINT64_MAX: there are no further pages. */
static uint64_t number_of(const struct pages *p, size_t i)
{
	return i < p->n ? p->number[i] : UINT64_MAX;
}

static void compare(struct kept_tables *k)
{
	k->n_words = 0;
	for (size_t i = 0, j = 0; i < k->now.n || j < k->first.n;) {
		const uint64_t a = number_of(&k->now, i), b = number_of(&k->first, j),
			       number = a < b ? a : b;
		const uint64_t *word = take_page(&k->now, &i, number);

		put_page(k, number, word, take_page(&k->first, &j, number));
	}
}

/* Creates the file in memory. */
static int make_file(struct kept_tables *k)
{
	if (k->fd < 0)
		k->fd = memfd_create("tiptop-tables", MFD_CLOEXEC);
	return k->fd < 0 ? -errno : 0;
}

/* Returns 0 if a table of this size can be kept and restored. */
static int check_size(const struct stat *file)
{
	const uint64_t size = (uint64_t)file->st_size;
	struct rlimit limit;

	if ((uint64_t)file->st_blocks * 512 > BYTES_MAX || size > LENGTH_MAX)
		return -EFBIG;
	/* The kernel would end tiptop for a file above its limit (SIGXFSZ). */
	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < size + PAGE_SIZE ? -EFBIG : 0;
}

int kept_tables_add(struct kept_tables *k, const char *name, uint64_t start, int fd)
{
	struct kept *to;
	struct stat file;
	int ret = fstat(fd, &file) ? -errno : check_size(&file);

	ret = ret ? ret : make_file(k);
	ret = ret ? ret : read_pages(&k->now, fd);
	if (ret)
		return ret;
	if (!k->first.n && k->now.n * PAGE_SIZE <= FIRST_MAX) {
		const struct pages unused = k->first;

		k->first = k->now;
		k->now = unused;
		k->n_words = 0;
	} else {
		compare(k);
	}
	k->v = xgrow(k->v, &k->cap, k->n + 1, sizeof *k->v);
	to = &k->v[k->n++];
	*to = (struct kept){.name = xstrdup(name),
			    .start = start,
			    .size = (uint64_t)file.st_size,
			    .word = xreallocarray(NULL, k->n_words + 1, sizeof *to->word),
			    .n_words = k->n_words};
	if (k->n_words)
		memcpy(to->word, k->word, k->n_words * sizeof *to->word);
	k->size += k->n_words * sizeof *to->word;
	return 0;
}

void kept_tables_drop_last(struct kept_tables *k)
{
	const struct kept *last = &k->v[--k->n];

	k->size -= last->n_words * sizeof *last->word;
	free(last->name);
	free(last->word);
}

/* --- restoring --- */

/* Applies the differences of a page, whose head is *from. Returns the word behind them. */
static const uint64_t *apply(const uint64_t *from, uint64_t word[PAGE_WORDS])
{
	uint64_t n_runs = (uint32_t)*from++;

	if (!n_runs)
		memset(word, 0, PAGE_SIZE);
	for (; n_runs; n_runs--) {
		const size_t begin = *from >> 32, n = (uint32_t)*from;

		memcpy(word + begin, from + 1, n * sizeof *word);
		from += 1 + n;
	}
	return from;
}

static int write_page(int fd, uint64_t number, const uint64_t *word)
{
	const ssize_t n = pwrite(fd, word, PAGE_SIZE, (off_t)(number * PAGE_SIZE));

	return n == PAGE_SIZE ? 0 : n < 0 ? -errno : -ENOSPC;
}

static int write_pages(const struct kept_tables *k, const struct kept *from)
{
	const uint64_t *at = from->word, *end = at + from->n_words;
	int ret = 0;

	for (size_t i = 0; !ret && (at < end || i < k->first.n);) {
		const uint64_t a = at < end ? *at >> 32 : UINT64_MAX, b = number_of(&k->first, i),
			       number = a < b ? a : b;
		uint64_t word[PAGE_WORDS];

		memcpy(word, take_page(&k->first, &i, number), sizeof word);
		if (a == number)
			at = apply(at, word);
		if (memcmp(word, zeros, sizeof word) != 0)
			ret = write_page(k->fd, number, word);
	}
	return ret;
}

int kept_tables_restore(struct kept_tables *k, size_t i, struct err *err)
{
	const struct kept *from = &k->v[i];
	int ret = ftruncate(k->fd, 0) ? -errno : write_pages(k, from);

	if (!ret && ftruncate(k->fd, (off_t)from->size))
		ret = -errno;
	return ret ? err_set(err, -ret, "cannot restore the table '%s': %s", from->name,
			     strerror(-ret))
		   : k->fd;
}
