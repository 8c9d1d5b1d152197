/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fold_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/rows.h"

/* ---- retired groups ---- */

void retired_groups_init(struct retired_groups *g)
{
	*g = (struct retired_groups){.filter = FILTER_ALL, .max = RETIRED_GROUPS_MAX};
}

static void free_group(struct retired_group *group)
{
	free((char *)group->id.text);
	free((char *)group->id.program);
	sample_events_unref(group->events);
	free(group->total);
	free(group->since);
	free(group->fact);
	free(group->fact_since);
	free(group);
}

/* Drops all sums. */
static void clear(struct retired_groups *g)
{
	for (int k = 0; k < N_GROUP_KEYS; k++) {
		for (size_t i = 0; i < g->key[k].n; i++)
			free_group(g->key[k].v[i]);
		free(g->key[k].v);
		g->key[k] = (struct retired_key){.n = 0};
	}
	free((char *)g->filter.text);
	g->filter = (struct filter)FILTER_ALL;
	free(g->test);
	g->test = NULL;
	g->mono_ns = 0;
}

void retired_groups_done(struct retired_groups *g)
{
	clear(g);
	retired_groups_init(g);
}

static struct value *copy_values(const struct value *from, size_t n)
{
	struct value *copy = xcalloc(n, sizeof *copy);

	if (n)
		memcpy(copy, from, n * sizeof *copy);
	return copy;
}

/* Copies an id with its texts. */
static struct group_id copy_id(struct group_id id)
{
	return (struct group_id){id.number, xstrdup(id.text), xstrdup_or_null(id.program)};
}

static struct retired_group *copy_group(const struct retired_group *from)
{
	struct retired_group *group = xmalloc(sizeof *group);
	const size_t n = (size_t)sample_events_n(from->events);

	*group = *from;
	group->id = copy_id(from->id);
	group->events = sample_events_ref(from->events);
	group->total = copy_values(from->total, n);
	group->since = copy_values(from->since, n);
	group->fact = copy_values(from->fact, N_NUMBER_FACTS);
	group->fact_since = copy_values(from->fact_since, N_NUMBER_FACTS);
	return group;
}

void retired_groups_copy(struct retired_groups *g, const struct retired_groups *from)
{
	*g = *from;
	g->filter.text = xstrdup_or_null(from->filter.text);
	g->test = xstrdup_or_null(from->test);
	for (int k = 0; k < N_GROUP_KEYS; k++) {
		struct retired_key *key = &g->key[k];

		key->cap = key->n;
		key->v = xcalloc(key->n, sizeof(struct retired_group *));
		for (size_t i = 0; i < key->n; i++)
			key->v[i] = copy_group(from->key[k].v[i]);
	}
}

/* Returns the index of the first group that does not sort before this id. */
static size_t find_place(const struct retired_key *key, struct group_id id)
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

static struct retired_group *group_at(const struct retired_key *key, size_t place,
				      struct group_id id)
{
	return place < key->n && !group_id_compare(key->v[place]->id, id) ? key->v[place] : NULL;
}

const struct retired_group *retired_groups_find(const struct retired_groups *g, enum group_key key,
						struct group_id id)
{
	return group_at(&g->key[key], find_place(&g->key[key], id), id);
}

static struct retired_group *get_group(struct retired_key *key, struct group_id id)
{
	size_t place = find_place(key, id);
	struct retired_group *group = group_at(key, place, id);

	if (group)
		return group;
	group = xcalloc(1, sizeof *group);
	group->id = copy_id(id);
	group->fact = xcalloc(N_NUMBER_FACTS, sizeof *group->fact);
	group->fact_since = xcalloc(N_NUMBER_FACTS, sizeof *group->fact_since);
	key->v = xgrow(key->v, &key->cap, key->n + 1, sizeof(struct retired_group *));
	memmove(&key->v[place + 1], &key->v[place],
		(key->n++ - place) * sizeof(struct retired_group *));
	key->v[place] = group;
	return group;
}

static void move_values(struct value **value, const struct sample_events *from,
			const struct sample_events *to)
{
	const size_t n = (size_t)sample_events_n(to);
	struct value *moved = xcalloc(n, sizeof *moved);
	struct arena arena = ARENA_INIT;

	if (n)
		memcpy(moved, event_values_move(*value, from, to, &arena), n * sizeof *moved);
	free(*value);
	*value = moved;
	arena_done(&arena);
}

/* Extends the sums to the join of their events and the events of a row. */
static void widen(struct retired_group *group, const struct sample_events *events)
{
	struct sample_events *joined = sample_events_join(group->events, events);

	if (joined != group->events) {
		move_values(&group->total, group->events, joined);
		move_values(&group->since, group->events, joined);
	}
	sample_events_unref(group->events);
	group->events = joined;
}

static void add(struct value *sum, bool any, struct value part, double sign)
{
	/* Exact counts are added with all their digits; a negated count loses the digits in
	 * value.rest. */
	if (sign < 0) {
		part.number = -part.number;
		part.rest = 0;
	}
	*sum = any ? value_accumulate(*sum, part) : part;
}

/* Returns the total before this interval; if that is unknown, the total after it. */
static struct value total_before(struct value total, struct value increment)
{
	return value_known(total) && value_known(increment)
		       ? value_combine(total.number - increment.number, total, increment)
		       : total;
}

/* Makes a stale fact partial: the task may have done more after its last reading. */
static struct value last_fact(struct value v)
{
	return v.quality == QUALITY_STALE ? value_accumulate(v, value_none(QUALITY_NOT_READ)) : v;
}

/* The sums of a group, and the values of a row to add to them. */
struct sums {
	struct value *sum, *fact;
	bool any;
	const struct value *of_row;
	struct value (*fact_of)(const struct delta_row *row, int fact);
};

/* Adds the values of a row: if it has ended, those at its end, else those at the start of this
 * interval. sign -1: subtracts them. */
static void add_sums(const struct retired_group *group, const struct sums *s,
		     const struct delta_row *row, bool ended, double sign)
{
	const struct value *increment = row->increment, *of_row = s->of_row;
	struct arena arena = ARENA_INIT;

	if (group->events != row->events) {
		of_row = event_values_move(of_row, row->events, group->events, &arena);
		increment = event_values_move(increment, row->events, group->events, &arena);
	}
	for (int i = 0; i < sample_events_n(group->events); i++)
		add(&s->sum[i], s->any, ended ? of_row[i] : total_before(of_row[i], increment[i]),
		    sign);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		struct value now = s->fact_of(row, f);

		if (fact_table[f].kind == FACT_COUNTER)
			add(&s->fact[f], s->any,
			    ended ? last_fact(now) : total_before(now, delta_fact(row, f)), sign);
	}
	arena_done(&arena);
}

static void add_row(struct retired_group *group, uint64_t mono_ns, const struct delta_row *row,
		    bool ended, double sign)
{
	struct sums all, since;

	widen(group, row->events);
	group->mono_ns = mono_ns;
	all = (struct sums){group->total, group->fact, group->any, row->total, delta_fact_now};
	add_sums(group, &all, row, ended, sign);
	group->any = true;
	if (!row->since)
		return;
	since = (struct sums){group->since, group->fact_since, group->any_since, row->since,
			      delta_fact_since};
	add_sums(group, &since, row, ended, sign);
	group->any_since = true;
}

void retired_groups_mark(struct retired_groups *g)
{
	for (int k = 0; k < N_GROUP_KEYS; k++)
		for (size_t i = 0; i < g->key[k].n; i++)
			g->key[k].v[i]->any_since = false;
}

/* Updates the sums of a key with a row that passed the row filter. */
static void update_key(struct retired_groups *g, enum group_key k, const struct delta_row *row)
{
	struct retired_key *key = &g->key[k];
	bool is_in = filter_match(&g->filter, row->task, g->use_cmdline);
	bool was_in = row->old && filter_match(&g->filter, row->old, g->use_cmdline);
	const struct group_key_row *by = &group_key_table[k];
	struct group_id now = by->of(row->task), was;

	/* If a fact of the key was not read, the group is unknown, and the member is taken to have
	 * stayed. */
	if (was_in && fact_within(by->facts, fact_and(row->old->known, row->task->known))) {
		was = by->of(row->old);
		if (!is_in || group_id_compare(now, was))
			add_row(get_group(key, was), g->mono_ns, row, false, 1);
		if (is_in && group_id_compare(now, was))
			add_row(get_group(key, now), g->mono_ns, row, false, -1);
	}
	if (is_in && row->task->dead && fact_within(by->facts, row->task->room))
		add_row(get_group(key, now), g->mono_ns, row, true, 1);
}

static void mark_living(const struct retired_key *key, enum group_key k, const struct delta *d)
{
	for (size_t i = 0; i < key->n; i++)
		key->v[i]->living = false;
	for (struct rows_item item = {.n = 0}; rows_next(d, &item);) {
		struct group_id id = group_key_table[k].of(item.task);
		struct retired_group *group = group_at(key, find_place(key, id), id);

		if (group && !item.task->dead)
			group->living = true;
	}
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns the median of mono_ns over the groups without a living member; 0: there are none. */
static uint64_t find_middle(const struct retired_key *key)
{
	uint64_t *time = xcalloc(key->n, sizeof *time), middle;
	size_t n = 0;

	for (size_t i = 0; i < key->n; i++)
		if (!key->v[i]->living)
			time[n++] = key->v[i]->mono_ns;
	array_sort(time, n, sizeof *time, compare_times);
	middle = n ? time[(n - 1) / 2] : 0;
	free(time);
	return middle;
}

/* Drops the older half of those groups of a key that have no living member. */
static void forget(struct retired_groups *g, enum group_key k, const struct delta *d)
{
	struct retired_key *key = &g->key[k];
	uint64_t middle;
	size_t n = 0;

	mark_living(key, k, d);
	middle = find_middle(key);
	for (size_t i = 0; i < key->n; i++)
		if (key->v[i]->living || key->v[i]->mono_ns > middle)
			key->v[n++] = key->v[i];
		else
			free_group(key->v[i]);
	g->n_forgotten += key->n - n;
	key->n = n;
}

static bool same_text(const char *x, const char *y)
{
	return x && y ? !strcmp(x, y) : x == y;
}

static bool goes_on(const struct retired_groups *g, const struct delta *d,
		    const struct filter *filter, bool use_cmdline, const char *test)
{
	return g->generation == d->sample->generation && g->filter.pid == filter->pid &&
	       g->filter.uid == filter->uid && same_text(g->filter.text, filter->text) &&
	       (g->use_cmdline == use_cmdline || (!filter->text && !test)) &&
	       same_text(g->test, test);
}

static void update_row(struct retired_groups *g, const struct delta_row *row,
		       const struct row_test *test)
{
	if (test && test->ask(test->context, row->task, row) != TRI_TRUE)
		return;
	for (int k = GROUP_PROCESS + 1; k < N_GROUP_KEYS; k++)
		if ((!g->only || g->only == (enum group_key)k) &&
		    group_key_is_for((enum group_key)k, row->task->kind))
			update_key(g, (enum group_key)k, row);
}

void retired_groups_update(struct retired_groups *g, const struct delta *d,
			   const struct filter *filter, bool use_cmdline,
			   const struct row_test *test)
{
	const char *text = test ? test->text : NULL;

	if (!goes_on(g, d, filter, use_cmdline, text)) {
		clear(g);
		g->filter = *filter;
		g->filter.text = xstrdup_or_null(filter->text);
		g->use_cmdline = use_cmdline;
		g->test = xstrdup_or_null(text);
		g->generation = d->sample->generation;
	}
	/* Tasks that had ended at the first sample were never shown. */
	if (g->mono_ns == d->sample->mono_ns || !d->interval_ns)
		return;
	g->mono_ns = d->sample->mono_ns;
	for (size_t i = 0; i < d->n; i++)
		update_row(g, &d->row[i], test);
	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (g->key[k].n > g->max)
			forget(g, (enum group_key)k, d);
}

/* ---- folding ---- */

/* A member that passed the filters. */
struct member {
	struct group_id id;
	struct rows_item item;
};

struct fold {
	struct delta *out;
	const struct delta *in;
	const struct grouping *by;
	const struct retired_groups *retired;
	struct folding folding;
	struct arena scratch; /* memory for one member; emptied after each */
};

static void add_left(struct fold_sum *s, const struct retired_group *retired)
{
	fold_sum_add_retired(s, &(struct fold_retired){retired->events, retired->total,
						       retired->any_since ? retired->since : NULL,
						       retired->fact, retired->fact_since});
}

static void begin(struct fold *f, struct fold_sum *s, struct group_id id)
{
	fold_sum_begin(s, &f->folding, &f->out->row[f->out->n++], group_key_table[f->by->key].kind,
		       (struct fold_id){id.number, id.text});
}

void fold_groups_end(struct fold_sum *s, struct group_id id, const struct retired_group *retired)
{
	if (retired)
		add_left(s, retired);
	fold_sum_end(s);
	if (id.program)
		s->task->process = id.program;
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = group_id_compare(x->id, y->id);

	if (order)
		return order;
	return x->item.first < y->item.first ? -1 : x->item.first > y->item.first;
}

static bool is_member(struct fold *f, const struct rows_item *item)
{
	const struct row_test *test = f->by->test;
	const struct delta_row *row = item->row;
	enum tri answer;

	if (!test)
		return true;
	if (!row && !test->of_task)
		row = rows_idle(f->in, item, &f->scratch);
	answer = test->ask(test->context, item->task, row);
	arena_reset(&f->scratch);
	f->out->n_hidden += answer == TRI_FALSE;
	f->out->n_unknown += answer == TRI_UNKNOWN;
	return answer == TRI_TRUE;
}

/* Returns the members that pass the filters, sorted by group, in the arena. */
static struct member *list_members(struct fold *f, size_t *n)
{
	struct member *list = arena_alloc(&f->out->arena, f->in->sample->n * sizeof *list);

	*n = 0;
	for (struct rows_item item = {.n = 0}; rows_next(f->in, &item);) {
		f->out->n_all++;
		if (!filter_match(f->by->filter, item.task, f->by->use_cmdline))
			continue;
		if (!is_member(f, &item))
			continue;
		f->out->n_alive += !item.task->dead;
		list[(*n)++] = (struct member){group_key_table[f->by->key].of(item.task), item};
	}
	f->out->n_passed = *n;
	array_sort(list, *n, sizeof *list, compare_members);
	return list;
}

/* Makes the row of the group of the first member. n: all members from it to the end of the list.
 * Returns how many of them are in this group. */
static size_t fold_group(struct fold *f, const struct member *first, size_t n)
{
	const struct retired_group *retired =
		retired_groups_find(f->retired, f->by->key, first->id);
	const struct filter *watch = f->by->watch;
	struct fold_sum s;
	size_t i;

	begin(f, &s, first->id);
	for (i = 0; i < n && !group_id_compare(first[i].id, first->id); i++) {
		const struct rows_item *item = &first[i].item;

		fold_sum_add(&s, item->row ? item->row : rows_idle(f->in, item, &f->scratch));
		s.row->watched |= watch && filter_match(watch, item->task, f->by->use_cmdline);
		arena_reset(&f->scratch);
	}
	fold_groups_end(&s, first->id, retired);
	return i;
}

static struct group_id id_of(const struct task *group)
{
	return (struct group_id){.number = group->id, .text = group->name};
}

/* Adds rows for groups that have only retired members. Both the rows so far and the retired groups
 * are sorted by id: they are walked side by side. */
static void add_empty(struct fold *f)
{
	const struct retired_key *key = &f->retired->key[f->by->key];
	const size_t n = f->out->n;
	size_t next = 0;

	for (size_t i = 0; i < key->n; i++) {
		const struct retired_group *retired = key->v[i];
		struct fold_sum s;

		while (next < n && group_id_compare(id_of(f->out->row[next].task), retired->id) < 0)
			next++;
		if (next < n && !group_id_compare(id_of(f->out->row[next].task), retired->id))
			continue;
		begin(f, &s, retired->id);
		fold_groups_end(&s, retired->id, retired);
	}
}

void fold_groups(struct delta *out, const struct delta *in, const struct grouping *by,
		 const struct retired_groups *retired)
{
	struct fold f = {
		.out = out,
		.in = in,
		.by = by,
		.retired = retired,
		.folding = {.arena = &out->arena,
			    .joins = fold_joins(in),
			    .interval_ns = in->interval_ns,
			    .facts = fact_any(by->only) ? by->only : fact_all,
			    .marked = delta_marked(in)},
	};
	struct member *member;
	size_t n;

	arena_reset(&out->arena);
	*out = (struct delta){
		.kind = group_key_table[by->key].kind,
		.sample = in->sample,
		.interval_ns = in->interval_ns,
		.processes = true,
		.groups = true,
		.threads = in,
		.arena = out->arena,
	};
	member = list_members(&f, &n);
	out->row = arena_alloc(&out->arena, (n + retired->key[by->key].n) * sizeof *out->row);
	for (size_t i = 0; i < n;)
		i += fold_group(&f, &member[i], n - i);
	if (by->sticky)
		add_empty(&f);
	folding_done(&f.folding);
	arena_done(&f.scratch);
}
