/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"

enum { RECORD_FRESH = 1, RECORD_PLAIN = 2, RECORD_COUNTED = 4, RECORD_UNEQUAL = 8 };

/* Describes which numbers each record of a chunk has. */
struct shape {
	const struct sample_events *events; /* holds a reference; NULL: none */
	struct fact_set facts;
	bool cores;    /* records have fast_ns and core_ns */
	int n_values;  /* numbers per record, without the two intervals */
	size_t words;  /* length of a record with qualities */
	size_t n_used; /* number of chunks with this shape */
};

struct chunk {
	struct chunk *next;          /* the next chunk of the track */
	struct chunk *older, *newer; /* neighbours in the list of all chunks, by age */
	struct history_track *track;
	struct shape *shape;
	size_t size, used; /* in words */
	uint32_t word[];
};

struct history_track {
	struct history_track *same; /* another track with the same hash key */
	const struct kind *kind;
	uint64_t id, start_ns;
	bool threads;
	/* Its last reading, to which it holds a reference, and the size of this reading in bytes,
	 * which counts even while a sample shares the reading. */
	const struct task *task;
	size_t task_size;
	struct chunk *first, *last;
	uint32_t cut; /* see history_track_cut() */
};

struct history {
	size_t max, size;
	struct hash track; /* struct history_track, by key */
	struct chunk *oldest, *newest;
	struct shape **shape; /* the newest last */
	size_t n_shapes, cap_shapes;
	struct history_moment *moment;
	size_t n_moments, cap_moments;
	uint32_t first; /* the number of the first moment */
	uint32_t lost;  /* see history_lost() */
};

/* The facts that are kept: all numbers but ids of other tasks. */
#define HISTORY_FACTS fact_less(fact_numbers, FACT_SET(FACT_SESSION, FACT_PPID))

/* A record has 16 bits for the quality of a number: 4 for enum quality, 12 for the share. */
#define QUALITY_SHARE_MAX 4095u
_Static_assert(N_QUALITIES <= 16, "a quality has 4 bits");

/* ---- walk ----
 *
 * Reads records as rows of a delta.
 */

static float float_of(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof f);
	return f;
}

/* Returns number i of a record. */
static struct value value_at(const struct chunk *c, const uint32_t *record, size_t i)
{
	const double number = (double)float_of(record[4 + i]);
	struct value v = value_exact(number);
	uint32_t quality;

	if (record[1] & RECORD_PLAIN)
		return v;
	quality = record[4 + (size_t)c->shape->n_values + i / 2] >> (i % 2 ? 16 : 0) & 0xffff;
	v.quality = (uint8_t)(quality >> 12);
	if (v.quality >= QUALITY_FIRST_NONE)
		return value_none(v.quality);
	v.share = (float)(quality & QUALITY_SHARE_MAX) / (float)QUALITY_SHARE_MAX;
	return v;
}

static struct value rate_of(struct value v, uint64_t interval_ns)
{
	return value_divide(v, value_exact((double)interval_ns / 1e9));
}

static void set_fact(struct history_walk *w, int f, struct value v)
{
	const bool gauge = fact_table[f].kind == FACT_GAUGE;
	const struct value none = value_none(QUALITY_NOT_READ);

	w->sums.fact[f] = (struct fact_sum){
		.interval = v,
		.now = gauge ? v : none,
		.rate = gauge ? none : rate_of(v, w->row.facts_ns),
		.since = none,
	};
}

static void set_cpu(struct history_walk *w, struct value cpu_ns)
{
	struct delta_row *row = &w->row;

	row->cpu_ns = cpu_ns;
	w->sums.cpu_share = rate_of(cpu_ns, row->cpu_counted ? row->counts_ns : row->facts_ns);
	w->sums.cpu_share.number /= 1e9;
}

/* Fills the row from a record. All its facts are in sums. */
static void read_record(struct history_walk *w, const struct chunk *c, const uint32_t *record)
{
	const struct shape *shape = c->shape;
	const int n = sample_events_n(shape->events);
	struct delta_row *row = &w->row;
	size_t i = 0;

	w->value = xgrow(w->value, &w->cap, 3 * (size_t)n + 1, sizeof *w->value);
	row->counts_ns = (uint64_t)((double)float_of(record[2]) * 1e9);
	row->facts_ns = (uint64_t)((double)float_of(record[3]) * 1e9);
	row->cpu_counted = record[1] & RECORD_COUNTED;
	row->unequal = record[1] & RECORD_UNEQUAL;
	set_cpu(w, value_at(c, record, i++));
	row->fast_ns = shape->cores ? value_at(c, record, i++) : value_none(QUALITY_UNSUPPORTED);
	row->core_ns = shape->cores ? value_at(c, record, i++) : value_none(QUALITY_UNSUPPORTED);
	row->events = shape->events;
	row->increment = w->value;
	row->total = w->value + 2 * n;
	w->sums.count_rate = w->value + n;
	for (int k = 0; k < n; k++) {
		w->value[k] = value_at(c, record, i++);
		w->value[n + k] = rate_of(w->value[k], row->counts_ns);
		w->value[2 * n + k] = value_none(QUALITY_NOT_READ);
	}
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		set_fact(w, f,
			 fact_in(shape->facts, f) ? value_at(c, record, i++)
						  : value_none(QUALITY_NOT_READ));
}

static size_t words_of(const struct chunk *c, const uint32_t *record)
{
	if (record[1] & RECORD_FRESH)
		return 2;
	return record[1] & RECORD_PLAIN ? 4 + (size_t)c->shape->n_values : c->shape->words;
}

/* Returns the moment of the last record of a chunk. */
static uint32_t history_chunk_end(const struct chunk *c)
{
	uint32_t end = 0;

	for (size_t word = 0; word < c->used; word += words_of(c, &c->word[word]))
		end = c->word[word];
	return end;
}

/* Returns the position after the record at `at`. */
static struct history_position next_position(struct history_position at)
{
	const struct chunk *c = at.chunk;

	at.word += words_of(c, &c->word[at.word]);
	if (at.word == c->used)
		at = (struct history_position){.chunk = c->next};
	return at;
}

static const uint32_t *record_at(struct history_position at)
{
	const struct chunk *c = at.chunk;

	return c ? &c->word[at.word] : NULL;
}

void history_walk_begin(struct history_walk *w, const struct history_track *track, uint32_t from,
			const struct task *task)
{
	const struct chunk *c = track ? track->first : NULL;
	struct value *value = w->value;
	const size_t cap = w->cap;
	struct fact_sum *fact = w->sums.fact;

	if (!fact)
		fact = xcalloc(N_NUMBER_FACTS, sizeof *fact);
	/* word[0] is the moment of the first record of a chunk. */
	while (c && c->next && c->next->word[0] <= from)
		c = c->next;
	*w = (struct history_walk){.next = {.chunk = c}, .value = value, .cap = cap};
	w->row = (struct delta_row){.task = task, .old = task, .facts_from = task, .n_members = 1};
	w->sums.facts = fact_numbers;
	w->sums.fact = fact;
	for (struct history_position at = w->next; at.chunk && record_at(at)[0] <= from;
	     at = next_position(at))
		w->next = at;
}

bool history_walk_next(struct history_walk *w)
{
	const struct chunk *c = w->next.chunk;
	const uint32_t *record = record_at(w->next);

	if (!c)
		return false;
	w->row.sums = &w->sums;
	w->moment = record[0];
	w->fresh = record[1] & RECORD_FRESH;
	if (!w->fresh)
		read_record(w, c, record);
	w->next = next_position(w->next);
	return true;
}

uint32_t history_walk_peek(const struct history_walk *w, bool *fresh)
{
	const uint32_t *record = record_at(w->next);

	*fresh = record && record[1] & RECORD_FRESH;
	return record ? record[0] : 0;
}

static struct value zero_of(struct value v)
{
	return value_known(v) ? value_exact(0) : v;
}

void history_walk_idle(struct history_walk *w, uint64_t interval_ns)
{
	struct delta_row *row = &w->row;
	const int n = sample_events_n(row->events);

	row->counts_ns = row->facts_ns = interval_ns;
	set_cpu(w, zero_of(row->cpu_ns));
	row->fast_ns = zero_of(row->fast_ns);
	row->core_ns = zero_of(row->core_ns);
	for (int k = 0; k < 2 * n; k++)
		w->value[k] = zero_of(w->value[k]);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].kind == FACT_COUNTER)
			set_fact(w, f, zero_of(w->sums.fact[f].interval));
}

void history_walk_done(struct history_walk *w)
{
	free(w->value);
	free(w->sums.fact);
	*w = (struct history_walk){.cap = 0};
}

/* ---- store ----
 *
 * The memory of records: each row has a track, a list of chunks.
 */

/* Sizes of chunks, in words. The first chunk of a row is small: most rows rarely run. */
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

static struct fact_set facts_of(const struct delta_row *row)
{
	const struct fact_set known = row->task->known;

	return fact_and(row->sums ? fact_or(known, row->sums->facts) : known, HISTORY_FACTS);
}

/* Returns the shape for the records of this row; creates it on first use. */
static struct shape *history_find_shape(struct history *h, const struct delta_row *row)
{
	const struct fact_set facts = facts_of(row);
	const bool cores = value_known(row->core_ns);
	struct shape *shape;

	for (size_t i = h->n_shapes; i-- > 0;) {
		shape = h->shape[i];
		if (shape->events == row->events && fact_equal(shape->facts, facts) &&
		    shape->cores == cores)
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

static struct history_track *history_find_track(const struct history *h, const struct task *t,
						bool threads)
{
	struct history_track *track = hash_get(&h->track, key_of(t->kind, t->id, threads));

	while (track && (track->kind != t->kind || track->id != t->id ||
			 track->start_ns != t->start_ns || track->threads != threads))
		track = track->same;
	return track;
}

/* Adds a track, which exists as long as it has records. */
static struct history_track *history_add_track(struct history *h, const struct task *t,
					       bool threads)
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

/* Keeps this reading of the task in place of the one before. */
static void history_keep_task(struct history *h, struct history_track *track, const struct task *t)
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

/* Drops the oldest chunk, which is the first of its track. */
static void history_drop_oldest(struct history *h)
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

/* Returns space for a record of this many words at the end of the track. */
static uint32_t *history_add_record(struct history *h, struct history_track *track,
				    struct shape *shape, size_t words)
{
	struct chunk *c = track->last;
	uint32_t *record;

	if (!c || c->shape != shape || c->size - c->used < words)
		c = add_chunk(h, track, shape);
	record = &c->word[c->used];
	c->used += words;
	return record;
}

/* ---- history ---- */

#define MOMENTS_MAX 32768

struct history *history_new(size_t max)
{
	struct history *h = xcalloc(1, sizeof *h);

	h->max = max;
	h->first = 1;
	return h;
}

void history_reset(struct history *h)
{
	while (h->oldest)
		history_drop_oldest(h);
	h->first = history_last(h) + 1;
	h->n_moments = 0;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	history_reset(h);
	hash_done(&h->track);
	free(h->shape);
	free(h->moment);
	free(h);
}

size_t history_size(const struct history *h)
{
	return h->size + h->cap_moments * sizeof *h->moment +
	       h->track.cap * sizeof(struct hash_slot);
}

/* ---- records ---- */

static uint32_t word_of(double number)
{
	const float f = (float)number;
	uint32_t word;

	memcpy(&word, &f, sizeof word);
	return word;
}

/* Lists the numbers of a row in the order of a record. */
static void list_values(const struct shape *shape, const struct delta_row *row, struct value *out)
{
	struct fact_set left = shape->facts;

	*out++ = row->cpu_ns;
	if (shape->cores) {
		*out++ = row->fast_ns;
		*out++ = row->core_ns;
	}
	for (int i = 0; i < sample_events_n(shape->events); i++)
		*out++ = row->increment[i];
	for (int f; (f = fact_take(&left)) >= 0;)
		*out++ = fact_table[f].kind == FACT_GAUGE ? delta_fact_now(row, f)
							  : delta_fact(row, f);
}

static uint32_t quality_of(struct value v)
{
	const uint32_t share = (uint32_t)lrintf(v.share * (float)QUALITY_SHARE_MAX);

	return (uint32_t)v.quality << 12 | (share ? share : 1);
}

static void write_record(struct history *h, const struct delta_row *row, bool threads)
{
	struct shape *shape = history_find_shape(h, row);
	struct history_track *track = history_find_track(h, row->task, threads);
	const size_t n = (size_t)shape->n_values, words = 4 + n;
	struct value value[3 + 2 * SAMPLE_MAX_EVENTS + N_NUMBER_FACTS];
	uint32_t *record;
	bool plain = true;

	list_values(shape, row, value);
	for (size_t i = 0; i < n; i++)
		plain = plain && value[i].quality == QUALITY_EXACT;
	if (!track)
		track = history_add_track(h, row->task, threads);
	history_keep_task(h, track, row->task);
	record = history_add_record(h, track, shape, plain ? words : shape->words);
	record[0] = history_last(h);
	record[1] = (plain ? RECORD_PLAIN : 0u) | (row->cpu_counted ? RECORD_COUNTED : 0u) |
		    (row->unequal ? RECORD_UNEQUAL : 0u);
	record[2] = word_of((double)row->counts_ns / 1e9);
	record[3] = word_of((double)row->facts_ns / 1e9);
	for (size_t i = 0; i < n; i++)
		record[4 + i] = word_of(value[i].number);
	for (size_t i = 0; i < n && !plain; i += 2)
		record[words + i / 2] =
			quality_of(value[i]) | (i + 1 < n ? quality_of(value[i + 1]) << 16 : 0);
}

/* Adds a record without numbers for a fresh row, if it has earlier records: its state since the
 * last of them is unknown. */
static void write_fresh(struct history *h, const struct delta_row *row, bool threads)
{
	struct history_track *track = history_find_track(h, row->task, threads);
	uint32_t *record;

	if (!track)
		return;
	record = history_add_record(h, track, track->last->shape, 2);
	record[0] = history_last(h);
	record[1] = RECORD_FRESH;
}

static void add_moment(struct history *h, const struct delta *delta)
{
	if (h->n_moments == MOMENTS_MAX) {
		memmove(h->moment, h->moment + MOMENTS_MAX / 2,
			MOMENTS_MAX / 2 * sizeof *h->moment);
		h->n_moments -= MOMENTS_MAX / 2;
		h->first += MOMENTS_MAX / 2;
	}
	h->moment = xgrow(h->moment, &h->cap_moments, h->n_moments + 1, sizeof *h->moment);
	h->moment[h->n_moments++] = (struct history_moment){
		delta->sample->mono_ns, delta->sample->wall_ns, delta->interval_ns};
}

void history_add(struct history *h, const struct delta *delta)
{
	add_moment(h, delta);
	for (size_t i = 0; i < delta->n; i++) {
		const struct delta_row *row = &delta->row[i];

		/* The facts of a task born in the interval are known. */
		if (row->fresh && !row->born)
			write_fresh(h, row, delta->sample->threads);
		else if (sample_events_n(row->events) <= 2 * SAMPLE_MAX_EVENTS)
			write_record(h, row, delta->sample->threads);
	}
	while (h->oldest && history_size(h) > h->max)
		history_drop_oldest(h);
}

uint32_t history_track_cut(const struct history_track *track)
{
	return track->cut;
}

uint32_t history_lost(const struct history *h)
{
	return h->lost;
}

const struct task *history_track_task(const struct history_track *track)
{
	return track->task;
}

bool history_track_is_thread(const struct history_track *track)
{
	return track->threads;
}

const struct history_track *history_find(const struct history *h, const struct task *task,
					 bool threads)
{
	return history_find_track(h, task, threads);
}

uint32_t history_first(const struct history *h)
{
	return h->n_moments ? h->first : 0;
}

uint32_t history_last(const struct history *h)
{
	return h->first + (uint32_t)h->n_moments - 1;
}

const struct history_moment *history_moment(const struct history *h, uint32_t number)
{
	return &h->moment[number - h->first];
}
