/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of history: where records lie: chunks, of the tracks of rows. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/history_part.h"

/* In words. The first chunk of a row is small: most rows hardly ever run. */
#define CHUNK_FIRST 64
#define CHUNK_MAX   1024

/* ---- shapes ---- */

static void drop_shape(struct history *h, struct shape *shape)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_shapes; i++)
		if (h->shape[i] != shape)
			h->shape[n++] = h->shape[i];
	h->n_shapes = n;
	h->size -= sizeof *shape;
	sample_events_unref(shape->events);
	free(shape);
}

static fact_mask facts_of(const struct delta_row *row)
{
	return (row->task->known | (row->sums ? row->sums->facts : 0)) & HISTORY_FACTS;
}

struct shape *history_find_shape(struct history *h, const struct delta_row *row)
{
	const fact_mask facts = facts_of(row);
	const bool cores = value_known(row->core_ns);
	struct shape *shape;

	for (size_t i = h->n_shapes; i-- > 0;) {
		shape = h->shape[i];
		if (shape->events == row->events && shape->facts == facts && shape->cores == cores)
			return shape;
	}
	shape = xcalloc(1, sizeof *shape);
	shape->events = sample_events_ref(row->events);
	shape->facts = facts;
	shape->cores = cores;
	shape->n_values = 1 + (cores ? 2 : 0) + sample_events_n(row->events) + fact_count(facts);
	shape->words = 4 + (size_t)shape->n_values + ((size_t)shape->n_values + 1) / 2;
	h->shape = xgrow(h->shape, &h->cap_shapes, h->n_shapes + 1, sizeof(struct shape *));
	h->shape[h->n_shapes++] = shape;
	h->size += sizeof *shape;
	return shape;
}

/* ---- tracks ---- */

static uint64_t key_of(const struct kind *kind, uint64_t id, bool threads)
{
	return (id << 1 | threads) ^ (uint64_t)(uintptr_t)kind << 20;
}

struct history_track *history_find_track(const struct history *h, const struct task *t,
					 bool threads)
{
	struct history_track *track = hash_get(&h->track, key_of(t->kind, t->id, threads));

	while (track && (track->kind != t->kind || track->id != t->id ||
			 track->start_ns != t->start_ns || track->threads != threads))
		track = track->same;
	return track;
}

struct history_track *history_add_track(struct history *h, const struct task *t, bool threads)
{
	const uint64_t key = key_of(t->kind, t->id, threads);
	struct history_track *track = xcalloc(1, sizeof *track);

	*track = (struct history_track){.same = hash_get(&h->track, key),
					.kind = t->kind,
					.id = t->id,
					.start_ns = t->start_ns,
					.threads = threads};
	hash_put(&h->track, key, track);
	h->size += sizeof *track;
	return track;
}

static void drop_track(struct history *h, struct history_track *track)
{
	const uint64_t key = key_of(track->kind, track->id, track->threads);
	struct history_track *at = hash_get(&h->track, key);

	if (at == track && !track->same) {
		hash_remove(&h->track, key);
	} else if (at == track) {
		hash_put(&h->track, key, track->same);
	} else {
		while (at->same != track)
			at = at->same;
		at->same = track->same;
	}
	h->size -= sizeof *track + track->task_size;
	task_unref(track->task);
	free(track);
}

void history_keep_task(struct history *h, struct history_track *track, const struct task *t)
{
	const struct task *old = track->task;

	h->size -= track->task_size;
	track->task = task_ref(t);
	track->task_size = task_size(t);
	h->size += track->task_size;
	task_unref(old);
}

void history_each(const struct history *h,
		  void (*visit)(void *context, const struct history_track *track), void *context)
{
	const struct history_track *track;

	for (size_t pos = 0; (track = hash_next(&h->track, &pos));)
		for (; track; track = track->same)
			visit(context, track);
}

/* ---- chunks ---- */

static size_t chunk_bytes(size_t words)
{
	return sizeof(struct chunk) + words * sizeof(uint32_t);
}

static struct chunk *add_chunk(struct history *h, struct history_track *track, struct shape *shape)
{
	size_t size = track->last ? 2 * track->last->size : CHUNK_FIRST;
	struct chunk *c;

	size = size > CHUNK_MAX ? CHUNK_MAX : size;
	size = size < shape->words ? shape->words : size;
	c = xmalloc(chunk_bytes(size));
	*c = (struct chunk){.older = h->newest, .track = track, .shape = shape, .size = size};
	if (h->newest)
		h->newest->newer = c;
	else
		h->oldest = c;
	h->newest = c;
	if (track->last)
		track->last->next = c;
	else
		track->first = c;
	track->last = c;
	shape->n_used++;
	h->size += chunk_bytes(size);
	return c;
}

void history_drop_oldest(struct history *h)
{
	struct chunk *c = h->oldest;
	struct history_track *track = c->track;

	h->oldest = c->newer;
	if (c->newer)
		c->newer->older = NULL;
	else
		h->newest = NULL;
	track->first = c->next;
	track->cut = history_chunk_end(c);
	if (!track->first) {
		h->lost = track->cut > h->lost ? track->cut : h->lost;
		drop_track(h, track);
	}
	if (!--c->shape->n_used)
		drop_shape(h, c->shape);
	h->size -= chunk_bytes(c->size);
	free(c);
}

uint32_t *history_add_record(struct history *h, struct history_track *track, struct shape *shape,
			     size_t words)
{
	struct chunk *c = track->last;
	uint32_t *record;

	if (!c || c->shape != shape || c->size - c->used < words)
		c = add_chunk(h, track, shape);
	record = &c->word[c->used];
	c->used += words;
	return record;
}
