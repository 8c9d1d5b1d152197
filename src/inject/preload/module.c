/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/module.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inject/preload/locks.h"
#include "inject/preload/mapping.h"

/* A walk over the mapped modules of the process. visit: returns true to end the walk. */
struct walk {
	bool (*visit)(struct locks_module *m, uintptr_t address);
	uintptr_t address;
	struct locks_module m;
	bool enough;
};

/* Returns whether a mapping extends a module: a further part of the same file, or unnamed memory
 * right after it, which is its zero-initialized data (.bss). Unnamed memory that is executable, or
 * only reserved, is not part of the file: a just-in-time compiler, for example, has mapped it.
 * rights: such as "r-xp". */
static bool extends(const struct locks_module *m, uint64_t begin, uint64_t inode,
		    const char *rights, const char *path)
{
	if (inode)
		return m->inode == inode && !strncmp(m->path, path, sizeof m->path - 1);
	return m->inode && !*path && m->end == begin && rights[0] == 'r' && rights[2] != 'x';
}

static bool has(const struct locks_module *m, uintptr_t address)
{
	return address >= m->begin && address < m->end;
}

/* Reads through /proc/self/mem: unmapped memory or a truncated file is an error of pread(2), not a
 * signal. */
static void read_build_id(struct locks_module *m)
{
	const int fd = m->inode ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	build_id_read_memory(&m->id, fd, m->begin);
	close(fd);
}

static bool is_same(const struct locks_module *a, const struct locks_module *b)
{
	return a->begin == b->begin && a->inode == b->inode &&
	       !strncmp(a->path, b->path, sizeof a->path);
}

/* --- noted modules --- */

/* Returns the noted module that is mapped at an address; NULL: none. */
static const struct locks_module *find(uintptr_t address)
{
	for (uint32_t i = 0; i < locks.header->n_modules; i++)
		if (!locks.module[i].gone && has(&locks.module[i], address))
			return &locks.module[i];
	return NULL;
}

/* Returns the first layer (table.h) that no noted module has used at these addresses. */
static uint32_t next_layer(uint64_t begin, uint64_t end)
{
	uint32_t layer = 0;

	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		const struct locks_module *m = &locks.module[i];

		if (m->begin < end && begin < m->end && m->layer >= layer)
			layer = m->layer + 1;
	}
	return layer;
}

/* Reuses the record of a file that is mapped again at its old address. Returns false if there is no
 * such record. */
static bool reuse_record(const struct locks_module *m)
{
	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		struct locks_module *old = &locks.module[i];

		if (!is_same(old, m) || memcmp(&old->id, &m->id, sizeof m->id) != 0)
			continue;
		old->gone = 0;
		return true;
	}
	return false;
}

static void add_module(struct locks_module *m)
{
	struct locks_header *h = locks.header;

	read_build_id(m);
	if (reuse_record(m))
		return;
	m->layer = next_layer(m->begin, m->end);
	if (h->n_modules >= LOCKS_MODULES || m->layer >= LOCKS_LAYERS) {
		h->n_nameless++;
		return;
	}
	locks.module[h->n_modules] = *m;
	atomic_thread_fence(memory_order_release);
	h->n_modules++;
}

/* --- mappings --- */

/* Parses a line. Returns true to end the walk. */
static bool take_line(void *context, const char *line)
{
	struct walk *w = context;
	unsigned long begin, end;
	uint64_t inode;
	char rights[5];
	int path = 0;

	if (sscanf(line, "%lx-%lx %4s %*x %*s %" SCNu64 " %n", &begin, &end, rights, &inode,
		   &path) != 4 ||
	    !path)
		return false;
	if (w->m.end && extends(&w->m, begin, inode, rights, line + path)) {
		w->m.end = end;
		return false;
	}
	w->enough = w->m.end && w->visit(&w->m, w->address);
	if (w->enough)
		return true;
	w->m = (struct locks_module){.begin = begin, .end = end, .inode = inode};
	snprintf(w->m.path, sizeof w->m.path, "%s", line + path);
	return false;
}

/* Walks over the mapped modules. Returns false if the mappings cannot be read. */
static bool walk(bool (*visit)(struct locks_module *m, uintptr_t address), uintptr_t address)
{
	struct walk w = {.visit = visit, .address = address};
	const bool is_read = mapping_walk(take_line, &w);

	if (!w.enough && w.m.end)
		visit(&w.m, address);
	return is_read;
}

static bool note_one(struct locks_module *m, uintptr_t address)
{
	if (!has(m, address))
		return false;
	add_module(m);
	return true;
}

uint64_t module_place(uintptr_t address)
{
	const struct locks_module *m = find(address);

	return locks_place(address, m ? m->layer : next_layer(address, address + 1));
}

uint64_t module_note(uintptr_t address)
{
	if (!find(address))
		walk(note_one, address);
	return module_place(address);
}

/* --- unloaded modules --- */

/* Whether each noted module is mapped. Used under the guard. */
static bool is_mapped[LOCKS_MODULES];

static bool note_file(struct locks_module *m, uintptr_t unused)
{
	(void)unused;
	if (m->inode && !find(m->begin))
		add_module(m);
	return false;
}

static bool note_waiting(struct locks_module *m, uintptr_t unused)
{
	return module_calls_futex(m->path) && note_file(m, unused);
}

void module_note_futex(void)
{
	walk(note_waiting, 0);
}

void module_note_all(void)
{
	walk(note_file, 0);
}

static bool see(struct locks_module *m, uintptr_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i < locks.header->n_modules; i++)
		is_mapped[i] |= is_same(&locks.module[i], m);
	return false;
}

void module_find_unmapped(void (*tell)(const struct locks_module *m))
{
	memset(is_mapped, 0, sizeof is_mapped);
	if (!walk(see, 0))
		return;
	for (uint32_t i = 0; i < locks.header->n_modules; i++) {
		struct locks_module *m = &locks.module[i];

		if (is_mapped[i] || m->gone || !m->inode)
			continue;
		m->gone = 1;
		tell(m);
	}
}
