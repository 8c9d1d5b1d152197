/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/symbol_table.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
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
	struct symbol *added;

	if ((type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC) ||
	    section == SHN_UNDEF || !symbol->name || !*symbol->name)
		return;
	t->symbol = xgrow(t->symbol, &t->cap, t->n + 1, sizeof *t->symbol);
	added = &t->symbol[t->n++];
	*added = *symbol;
	added->is_function = type != STT_OBJECT;
	/* Bit 0 of the address of a function says that its code is Thumb code. */
	if (t->machine == EM_ARM && added->is_function)
		added->value &= ~(uint64_t)1;
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

/* ---- perf_map ---- */

/* Limits; the files of the largest known programs have some 10 MiB. */
#define BYTES_MAX   (64 << 20)
#define SYMBOLS_MAX (1 << 20)

#define NS_PER_S 1000000000ull

void perf_map_done(struct perf_map *m)
{
	free(m->symbol);
	free(m->text);
	*m = (struct perf_map){.n = 0};
}

/* Returns whether a file was written after the process had started. Compares whole seconds, with
 * one second to spare: times of files are rounded down, to a tick of the kernel. */
static bool is_newer(const struct stat *file, const struct perf_map_process *process)
{
	const uint64_t now = clock_ns(CLOCK_REALTIME), up = clock_ns(CLOCK_BOOTTIME);
	const uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
	const uint64_t start = process->start_ticks / ticks;

	return process->start_ticks && start <= up / NS_PER_S &&
	       (uint64_t)file->st_mtim.tv_sec + 1 >= (now - up) / NS_PER_S + start;
}

/* Returns whether other users may write the file. The group of a user that has the user's number is
 * that user's own: there, files may have the group's rights by default. */
static bool others_may_write(const struct stat *file)
{
	return file->st_mode & S_IWOTH ||
	       (file->st_mode & S_IWGRP && file->st_gid != (gid_t)file->st_uid);
}

static bool may_be_read(int fd, const struct perf_map_process *process, struct stat *file)
{
	return !fstat(fd, file) && S_ISREG(file->st_mode) && file->st_uid == geteuid() &&
	       file->st_nlink == 1 && !others_may_write(file) && file->st_size > 0 &&
	       file->st_size <= BYTES_MAX && is_newer(file, process);
}

/* Parses a line, which it terminates. Returns false if it is damaged. */
static bool parse_line(struct symbol *symbol, char *line)
{
	char *end, *name;

	symbol->value = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	symbol->size = strtoull(end, &name, 16);
	if (name == end || *name != ' ' || !symbol->size || !name[1])
		return false;
	symbol->name = name + 1;
	symbol->is_function = true;
	return true;
}

static void parse(struct perf_map *m)
{
	char *line = m->text, *end;

	/* The last line may be incomplete, as the process writes it. */
	for (; (end = strchr(line, '\n')) && m->n < SYMBOLS_MAX; line = end + 1) {
		struct symbol symbol;

		*end = '\0';
		if (!parse_line(&symbol, line))
			continue;
		m->symbol = xgrow(m->symbol, &m->cap, m->n + 1, sizeof *m->symbol);
		m->symbol[m->n++] = symbol;
	}
}

/* Reads the file if its size is not that of the last reading. Returns whether it has read it. */
static bool update(struct perf_map *m, const struct perf_map_process *process)
{
	struct stat file;
	char path[40];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)process->pid);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && may_be_read(fd, process, &file) && file.st_size != m->size) {
		perf_map_done(m);
		m->size = file.st_size;
		m->text = xmalloc((size_t)file.st_size + 1);
		n = read(fd, m->text, (size_t)file.st_size);
		m->text[n > 0 ? n : 0] = '\0';
		parse(m);
	}
	if (fd >= 0)
		close(fd);
	return n >= 0;
}

static const struct symbol *find(const struct perf_map *m, uint64_t address)
{
	for (size_t i = m->n; i; i--)
		if (address - m->symbol[i - 1].value < m->symbol[i - 1].size)
			return &m->symbol[i - 1];
	return NULL;
}

const struct symbol *perf_map_find(struct perf_map *m, const struct perf_map_process *process,
				   uint64_t address)
{
	const struct symbol *found = process->pid > 0 ? find(m, address) : NULL;

	return found || process->pid <= 0 || !update(m, process) ? found : find(m, address);
}
