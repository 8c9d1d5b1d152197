/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/history_part.h"

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

/* The numbers of a row, in the order of a record. */
static void list_values(const struct shape *shape, const struct delta_row *row, struct value *out)
{
	*out++ = row->cpu_ns;
	if (shape->cores) {
		*out++ = row->fast_ns;
		*out++ = row->core_ns;
	}
	for (int i = 0; i < sample_events_n(shape->events); i++)
		*out++ = row->increment[i];
	for (fact_mask left = shape->facts; left; left &= left - 1) {
		const enum fact f = (enum fact)__builtin_ctzll(left);

		*out++ = fact_table[f].kind == FACT_GAUGE ? delta_fact_now(row, f)
							  : delta_fact(row, f);
	}
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

/* That it was seen anew, where it had been seen before. */
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

		/* Of one that was born in the interval, facts are known. */
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
