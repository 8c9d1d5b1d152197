/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/map_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

/* A part of a file lies at most this far behind the parts before it. */
#define GAP_MAX ((uint64_t)16 << 20)

void map_records_init(struct map_records *m)
{
	*m = (struct map_records){.n = 0};
}

void map_records_done(struct map_records *m)
{
	free(m->map);
	map_records_init(m);
}

void map_records_copy(struct map_records *to, const struct map_records *from)
{
	to->map = xgrow(to->map, &to->cap, from->n, sizeof *to->map);
	if (from->n)
		memcpy(to->map, from->map, from->n * sizeof *to->map);
	to->n = from->n;
	to->n_left_out = from->n_left_out;
	for (size_t i = 0; i < to->n; i++)
		to->map[i].noted = false;
}

static bool overlaps(const struct locks_module *m, uint64_t begin, uint64_t end)
{
	return m->begin < end && begin < m->end;
}

static bool is_same_file(const struct locks_module *m, uint64_t inode, const char *path)
{
	return m->inode == inode && !strncmp(m->path, path, sizeof m->path - 1);
}

/* Returns the last file that is mapped, of the newest record. NULL: none. */
static struct locks_module *find_last(const struct map_records *m, uint64_t inode, const char *path)
{
	for (size_t i = m->n; i-- > 0;)
		if (!m->map[i].module.gone && is_same_file(&m->map[i].module, inode, path))
			return &m->map[i].module;
	return NULL;
}

/* Memory without a file right behind a file is its zero-initialized data. */
static void extend_data(const struct map_records *m, uint64_t begin, uint64_t end)
{
	for (size_t i = m->n; i-- > 0;)
		if (!m->map[i].module.gone && m->map[i].module.end == begin) {
			m->map[i].module.end = end;
			return;
		}
}

/* Removes the files at these addresses; those with noted places are kept as gone. Returns the layer
 * of what comes there. */
static uint32_t remove_below(struct map_records *m, uint64_t begin, uint64_t end)
{
	uint32_t layer = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct map_record *old = &m->map[i];

		if (overlaps(&old->module, begin, end)) {
			old->module.gone = 1;
			if (!old->noted)
				continue;
			if (old->module.layer >= layer)
				layer = old->module.layer + 1;
		}
		m->map[n++] = *old;
	}
	m->n = n;
	return layer;
}

void map_records_add(struct map_records *m, const struct syscall_record *record)
{
	const uint64_t begin = record->map.begin, end = begin + record->map.size;
	const char *path = record->map.path;
	struct map_record *added;
	struct locks_module *same;
	uint32_t layer;

	if (end <= begin)
		return;
	if (path[0] != '/' || !record->map.inode) {
		extend_data(m, begin, end);
		return;
	}
	same = find_last(m, record->map.inode, path);
	if (same && begin >= same->begin && begin <= same->end + GAP_MAX &&
	    (record->map.offset || begin < same->end)) {
		same->end = end > same->end ? end : same->end;
		return;
	}
	layer = remove_below(m, begin, end);
	if (m->n == MAP_RECORDS_MAX || layer >= LOCKS_LAYERS) {
		m->n_left_out++;
		return;
	}
	m->map = xgrow(m->map, &m->cap, m->n + 1, sizeof *m->map);
	added = &m->map[m->n++];
	*added = (struct map_record){.module = {.begin = begin - record->map.offset,
						.end = end,
						.inode = record->map.inode,
						.layer = layer}};
	if (record->map.offset > begin)
		added->module.begin = begin;
	snprintf(added->module.path, sizeof added->module.path, "%s", path);
	text_sanitize(added->module.path, '?');
}

static struct map_record *find(const struct map_records *m, uint64_t address)
{
	for (size_t i = m->n; i-- > 0;) {
		const struct locks_module *module = &m->map[i].module;

		if (!module->gone && address >= module->begin && address < module->end)
			return &m->map[i];
	}
	return NULL;
}

const struct locks_module *map_records_find(const struct map_records *m, uint64_t address)
{
	const struct map_record *found = find(m, address);

	return found ? &found->module : NULL;
}

uint64_t map_records_place(struct map_records *m, uint64_t address)
{
	struct map_record *found = find(m, locks_place_address(address));
	uint32_t layer = 0;

	address = locks_place_address(address);
	if (found) {
		found->noted = true;
		return locks_place(address, found->module.layer);
	}
	for (size_t i = 0; i < m->n; i++)
		if (overlaps(&m->map[i].module, address, address + 1) &&
		    m->map[i].module.layer >= layer)
			layer = m->map[i].module.layer + 1;
	return locks_place(address, layer);
}
