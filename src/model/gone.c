/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/gone.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/rows.h"

void gone_init(struct gone *g)
{
	*g = (struct gone){.filter = FILTER_ALL};
}

static void free_group(struct gone_group *group)
{
	free((char *)group->id.text);
	sample_events_unref(group->events);
	free(group->total);
	free(group);
}

void gone_done(struct gone *g)
{
	for (int k = 0; k < N_GROUP_KEYS; k++) {
		for (size_t i = 0; i < g->key[k].n; i++)
			free_group(g->key[k].v[i]);
		free(g->key[k].v);
	}
	free((char *)g->filter.text);
	free(g->test);
	gone_init(g);
}

/* The place of the first group that is not before this one. */
static size_t find_place(const struct gone_key *key, struct group_id id)
{
	size_t low = 0, high = key->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (group_id_compare(key->v[middle]->id, id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct gone_group *group_at(const struct gone_key *key, size_t place, struct group_id id)
{
	return place < key->n && !group_id_compare(key->v[place]->id, id) ? key->v[place] : NULL;
}

const struct gone_group *gone_find(const struct gone *g, enum group_key key, struct group_id id)
{
	return group_at(&g->key[key], find_place(&g->key[key], id), id);
}

static struct gone_group *get_group(struct gone_key *key, struct group_id id)
{
	size_t place = find_place(key, id);
	struct gone_group *group = group_at(key, place, id);

	if (group)
		return group;
	group = xcalloc(1, sizeof *group);
	group->id = (struct group_id){id.number, xstrdup(id.text)};
	key->v = xgrow(key->v, &key->cap, key->n + 1, sizeof(struct gone_group *));
	memmove(&key->v[place + 1], &key->v[place],
		(key->n++ - place) * sizeof(struct gone_group *));
	key->v[place] = group;
	return group;
}

/* Makes room for these events, too. */
static void widen(struct gone_group *group, const struct sample_events *events)
{
	struct sample_events *joined = sample_events_join(group->events, events);
	const size_t n = (size_t)sample_events_n(joined);
	struct arena arena = ARENA_INIT;
	struct value *total;

	if (joined != group->events) {
		total = xcalloc(n, sizeof *total);
		if (n)
			memcpy(total,
			       event_values_move(group->total, group->events, joined, &arena),
			       n * sizeof *total);
		free(group->total);
		group->total = total;
		arena_done(&arena);
	}
	sample_events_unref(group->events);
	group->events = joined;
}

static void add(const struct gone_group *group, struct value *sum, struct value part, double sign)
{
	/* An exact count is added with all its digits. */
	if (sign < 0) {
		part.number = -part.number;
		part.rest = 0;
	}
	*sum = group->any ? value_accumulate(*sum, part) : part;
}

/* What it was before this interval; where that is not known, what it is. */
static struct value before(struct value total, struct value increment)
{
	return value_known(total) && value_known(increment)
		       ? value_combine(total.number - increment.number, total, increment)
		       : total;
}

/* What has ended may have done more since it was read last. */
static struct value last_fact(struct value v)
{
	return v.quality == QUALITY_STALE ? value_accumulate(v, value_none(QUALITY_NOT_READ)) : v;
}

/* Adds what the row has counted: to its end, or before this interval; or takes it away. */
static void add_row(struct gone_group *group, const struct delta_row *row, bool ended, double sign)
{
	const struct value *total = row->total, *increment = row->increment;
	struct arena arena = ARENA_INIT;

	widen(group, row->events);
	if (group->events != row->events) {
		total = event_values_move(total, row->events, group->events, &arena);
		increment = event_values_move(increment, row->events, group->events, &arena);
	}
	for (int i = 0; i < sample_events_n(group->events); i++)
		add(group, &group->total[i], ended ? total[i] : before(total[i], increment[i]),
		    sign);
	for (int k = 0; k < N_NUMBER_FACTS; k++) {
		enum fact f = (enum fact)k;
		struct value now = delta_fact_now(row, f);

		if (fact_table[k].kind == FACT_COUNTER)
			add(group, &group->fact[k],
			    ended ? last_fact(now) : before(now, delta_fact(row, f)), sign);
	}
	group->any = true;
	arena_done(&arena);
}

/* Of a row that passes what is asked of it. */
static void update_key(struct gone *g, enum group_key k, const struct delta_row *row)
{
	struct gone_key *key = &g->key[k];
	bool is_in = filter_match(&g->filter, row->task, g->use_cmdline);
	bool was_in = row->old && filter_match(&g->filter, row->old, g->use_cmdline);
	const struct group_key_row *by = &group_key_table[k];
	struct group_id now = by->of(row->task), was;

	/* What was not read tells of no other group. */
	if (was_in && !(by->facts & ~(row->old->known & row->task->known))) {
		was = by->of(row->old);
		if (!is_in || group_id_compare(now, was))
			add_row(get_group(key, was), row, false, 1);
		if (is_in && group_id_compare(now, was))
			add_row(get_group(key, now), row, false, -1);
	}
	if (is_in && row->task->dead && !(by->facts & ~row->task->room))
		add_row(get_group(key, now), row, true, 1);
}

/* Forgets the groups of a key that have no member. */
static void forget(struct gone *g, enum group_key k, const struct delta *d)
{
	struct gone_key *key = &g->key[k];
	size_t n = 0;

	for (size_t i = 0; i < key->n; i++)
		key->v[i]->living = false;
	for (struct rows_item item = {.n = 0}; rows_next(d, &item);) {
		struct group_id id = group_key_table[k].of(item.task);
		struct gone_group *group = group_at(key, find_place(key, id), id);

		if (group && !item.task->dead)
			group->living = true;
	}
	for (size_t i = 0; i < key->n; i++)
		if (key->v[i]->living)
			key->v[n++] = key->v[i];
		else
			free_group(key->v[i]);
	key->n = n;
}

static bool same_text(const char *x, const char *y)
{
	return x && y ? !strcmp(x, y) : x == y;
}

static bool goes_on(const struct gone *g, const struct delta *d, const struct filter *filter,
		    bool use_cmdline, const char *test)
{
	return g->generation == d->sample->generation && g->filter.pid == filter->pid &&
	       g->filter.uid == filter->uid && same_text(g->filter.text, filter->text) &&
	       (g->use_cmdline == use_cmdline || (!filter->text && !test)) &&
	       same_text(g->test, test);
}

static void update_row(struct gone *g, const struct delta_row *row, const struct row_test *test)
{
	if (test && test->ask(test->context, row->task, row) != TRI_TRUE)
		return;
	for (int k = GROUP_PROCESS + 1; k < N_GROUP_KEYS; k++)
		update_key(g, (enum group_key)k, row);
}

void gone_update(struct gone *g, const struct delta *d, const struct filter *filter,
		 bool use_cmdline, const struct row_test *test)
{
	const char *text = test ? test->text : NULL;

	if (!goes_on(g, d, filter, use_cmdline, text)) {
		gone_done(g);
		g->filter = *filter;
		g->filter.text = xstrdup_or_null(filter->text);
		g->use_cmdline = use_cmdline;
		g->test = xstrdup_or_null(text);
		g->generation = d->sample->generation;
	}
	/* What was there at the first sample and has ended was never shown. */
	if (g->mono_ns == d->sample->mono_ns || !d->interval_ns)
		return;
	g->mono_ns = d->sample->mono_ns;
	for (size_t i = 0; i < d->n; i++)
		update_row(g, &d->row[i], test);
	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (g->key[k].n > GONE_MAX)
			forget(g, (enum group_key)k, d);
}
