/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of history: records become rows of a delta again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/history_part.h"

static float float_of(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof f);
	return f;
}

/* Number i of a record. */
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

static void set_fact(struct history_walk *w, enum fact f, struct value v)
{
	const bool gauge = fact_table[f].kind == FACT_GAUGE;

	w->sums.fact[f] = v;
	w->sums.fact_now[f] = gauge ? v : value_none(QUALITY_NOT_READ);
	w->sums.fact_rate[f] = gauge ? value_none(QUALITY_NOT_READ) : rate_of(v, w->row.facts_ns);
	w->sums.fact_since[f] = value_none(QUALITY_NOT_READ);
}

static void set_cpu(struct history_walk *w, struct value cpu_ns)
{
	struct delta_row *row = &w->row;

	row->cpu_ns = cpu_ns;
	w->sums.cpu_share = rate_of(cpu_ns, row->cpu_counted ? row->counts_ns : row->facts_ns);
	w->sums.cpu_share.number /= 1e9;
}

/* All facts are those of the sums. */
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
		set_fact(w, (enum fact)f,
			 shape->facts & FACT_BIT(f) ? value_at(c, record, i++)
						    : value_none(QUALITY_NOT_READ));
}

static size_t words_of(const struct chunk *c, const uint32_t *record)
{
	if (record[1] & RECORD_FRESH)
		return 2;
	return record[1] & RECORD_PLAIN ? 4 + (size_t)c->shape->n_values : c->shape->words;
}

uint32_t history_chunk_end(const struct chunk *c)
{
	uint32_t end = 0;

	for (size_t word = 0; word < c->used; word += words_of(c, &c->word[word]))
		end = c->word[word];
	return end;
}

/* Moves from a record, at which it stands, to the one behind it. */
static struct history_at behind(struct history_at at)
{
	const struct chunk *c = at.chunk;

	at.word += words_of(c, &c->word[at.word]);
	if (at.word == c->used)
		at = (struct history_at){.chunk = c->next};
	return at;
}

static const uint32_t *record_at(struct history_at at)
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

	/* A chunk begins with a record. */
	while (c && c->next && c->next->word[0] <= from)
		c = c->next;
	*w = (struct history_walk){.next = {.chunk = c}, .value = value, .cap = cap};
	w->row = (struct delta_row){.task = task, .old = task, .facts_from = task, .n_members = 1};
	w->sums.facts = FACT_BIT(N_NUMBER_FACTS) - 1;
	for (struct history_at at = w->next; at.chunk && record_at(at)[0] <= from; at = behind(at))
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
	w->next = behind(w->next);
	return true;
}

uint32_t history_walk_peek(const struct history_walk *w, bool *fresh)
{
	const uint32_t *record = record_at(w->next);

	*fresh = record && record[1] & RECORD_FRESH;
	return record ? record[0] : 0;
}

static struct value nothing(struct value v)
{
	return value_known(v) ? value_exact(0) : v;
}

void history_walk_idle(struct history_walk *w, uint64_t interval_ns)
{
	struct delta_row *row = &w->row;
	const int n = sample_events_n(row->events);

	row->counts_ns = row->facts_ns = interval_ns;
	set_cpu(w, nothing(row->cpu_ns));
	row->fast_ns = nothing(row->fast_ns);
	row->core_ns = nothing(row->core_ns);
	for (int k = 0; k < 2 * n; k++)
		w->value[k] = nothing(w->value[k]);
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].kind == FACT_COUNTER)
			set_fact(w, (enum fact)f, nothing(w->sums.fact[f]));
}

void history_walk_done(struct history_walk *w)
{
	free(w->value);
	*w = (struct history_walk){.cap = 0};
}
