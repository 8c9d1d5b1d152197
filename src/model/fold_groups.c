/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fold_groups.h"

#include <stdlib.h>
#include <string.h>

#include "model/rows.h"

/* A member that has passed the filter. */
struct member {
	struct group_id id;
	struct rows_item item;
};

struct fold {
	struct delta *out;
	const struct delta *in;
	const struct grouping *by;
	const struct gone *gone;
	struct event_joins *joins;
	struct arena scratch; /* for one member at a time */
};

/* The sums of one group: what a finished row has is const. */
struct sums {
	struct delta_row *row;
	struct task *task;
	const struct sample_events *events; /* that increment, total and rate are of */
	struct value *increment, *total, *rate;
	struct delta_sums *facts;
	bool any, any_total; /* something has been added */
	fact_mask had;       /* states, of these */
};

static void add(struct value *sum, bool any, struct value part)
{
	*sum = any ? value_accumulate(*sum, part) : part;
}

static void begin(struct fold *f, struct sums *s, struct group_id id)
{
	struct arena *arena = &f->out->arena;

	memset(s, 0, sizeof *s);
	s->row = &f->out->row[f->out->n++];
	s->task = arena_calloc(arena, 1, sizeof *s->task);
	s->task->kind = group_key_table[f->by->key].kind;
	s->task->id = s->task->owner = id.number;
	s->task->name = s->task->process = id.text;
	s->task->room = fact_read_texts();
	s->task->fact = arena_calloc(arena, N_READ_TEXTS, sizeof *s->task->fact);
	s->task->user = NULL;
	s->task->state = '?';
	s->task->dead = true;
	s->task->counting = COUNT_OK;
	s->facts = arena_alloc(arena, sizeof *s->facts);
	for (int k = 0; k < N_NUMBER_FACTS; k++)
		s->facts->fact[k] = s->facts->fact_now[k] = s->facts->fact_rate[k] =
			fact_table[k].kind == FACT_COUNTER ? value_exact(0)
							   : value_none(QUALITY_NOT_READ);
	s->facts->cpu_share = value_exact(0);
	s->facts->facts = FACT_BIT(N_NUMBER_FACTS) - 1;
	*s->row = (struct delta_row){
		.task = s->task,
		.n_members = 0,
		.counts_ns = f->in->interval_ns,
		.facts_ns = f->in->interval_ns,
		.cpu_ns = value_exact(0),
		.fast_ns = value_exact(0),
		.core_ns = value_exact(0),
		.sums = s->facts,
	};
}

/* Makes room for these events, too. */
static void widen(struct fold *f, struct sums *s, const struct sample_events *events)
{
	const struct sample_events *old = s->events;
	struct arena *arena = &f->out->arena;

	s->events = event_joins_get(f->joins, old, events);
	if (s->events == old)
		return;
	s->increment = event_values_move(s->increment, old, s->events, arena);
	s->total = event_values_move(s->total, old, s->events, arena);
	s->rate = event_values_move(s->rate, old, s->events, arena);
}

/* Values of the events `from` as those of the group. */
static const struct value *as_of_group(struct fold *f, const struct sums *s,
				       const struct value *value, const struct sample_events *from)
{
	return from == s->events ? value : event_values_move(value, from, s->events, &f->scratch);
}

static const struct value *rates_of(struct fold *f, const struct delta_row *row)
{
	const int n = sample_events_n(row->events);
	struct value *rate = arena_calloc(&f->scratch, (size_t)n, sizeof *rate);

	for (int i = 0; i < n; i++)
		rate[i] = delta_count_rate(row, i);
	return rate;
}

static void add_values(struct sums *s, struct value *sum, bool any, const struct value *part)
{
	for (int i = 0; i < sample_events_n(s->events); i++)
		add(&sum[i], any, part[i]);
}

static void add_counts(struct fold *f, struct sums *s, const struct delta_row *member)
{
	const struct sample_events *events = member->events;

	widen(f, s, events);
	add_values(s, s->increment, s->any, as_of_group(f, s, member->increment, events));
	add_values(s, s->rate, s->any, as_of_group(f, s, rates_of(f, member), events));
	/* What has ended has left its total to the group already. */
	if (!member->task->dead)
		add_values(s, s->total, s->any_total, as_of_group(f, s, member->total, events));
}

/* A state of the group: the sum, or what all agree on. */
static void add_state(struct sums *s, const struct delta_row *member, enum fact f)
{
	struct value now = delta_fact_now(member, f), *state = &s->facts->fact_now[f];
	bool any = s->had & FACT_BIT(f);

	/* Threads share what is their process'. */
	if (fact_table[f].adds && !task_is_leader(member->task))
		return;
	if (fact_table[f].adds || !any)
		add(state, any, now);
	else if (value_known(*state) && value_known(now) && now.number != state->number)
		*state = value_none(QUALITY_DIFFER);
	else
		*state = value_combine(state->number, *state, now);
	s->had |= FACT_BIT(f);
	s->facts->fact[f] = *state;
}

static void add_fact(struct sums *s, const struct delta_row *member, enum fact f)
{
	if (fact_table[f].kind == FACT_COUNTER) {
		add(&s->facts->fact[f], s->any, delta_fact(member, f));
		add(&s->facts->fact_rate[f], s->any, delta_fact_rate(member, f));
		if (!member->task->dead)
			add(&s->facts->fact_now[f], s->any_total, delta_fact_now(member, f));
	} else if (!member->task->dead) {
		add_state(s, member, f);
	}
}

/* What all members have; "": they differ. Where one of them does not tell, nobody knows. */
static const char *agreed(const struct sums *s, enum fact f, const struct task *member)
{
	const char *all = task_text(s->task, f), *one = task_text(member, f);

	if (!s->any_total || !one)
		return one;
	return all && strcmp(all, one) != 0 ? "" : all;
}

/* What those had that have ended says nothing of the others. */
static void add_texts_alive(struct sums *s, const struct task *member)
{
	const char *state = agreed(s, FACT_STATE, member);

	s->task->state = '?';
	if (state)
		s->task->state = *state;
	for (int i = 0; i < N_READ_TEXTS; i++) {
		enum fact f = (enum fact)(FACT_FIRST_READ_TEXT + i);
		const char *text = agreed(s, f, member);

		s->task->known &= ~FACT_BIT(f);
		if (text)
			task_set_fact(s->task, f, (uintptr_t)text);
	}
}

static void add_texts(struct sums *s, const struct task *member)
{
	if (!member->dead)
		add_texts_alive(s, member);
	if (!s->task->user)
		s->task->user = member->user;
	else if (strcmp(s->task->user, member->user) != 0)
		s->task->user = GROUP_SEVERAL;
}

static void add_member(struct fold *f, struct sums *s, const struct delta_row *member)
{
	const struct task *t = member->task;

	add_counts(f, s, member);
	for (int k = 0; k < N_NUMBER_FACTS; k++)
		add_fact(s, member, (enum fact)k);
	add(&s->row->cpu_ns, s->any, member->cpu_ns);
	add(&s->row->fast_ns, s->any, member->fast_ns);
	add(&s->row->core_ns, s->any, member->core_ns);
	add(&s->facts->cpu_share, s->any, delta_cpu_share(member));
	s->row->cpu_counted |= member->cpu_counted;
	s->row->unequal |= member->unequal;
	s->row->watched |= f->by->watch && filter_match(f->by->watch, t, f->by->use_cmdline);
	s->row->n_members += !t->dead;
	s->task->dead &= t->dead;
	add_texts(s, t);
	s->any = true;
	s->any_total |= !t->dead;
}

static void add_gone(struct fold *f, struct sums *s, const struct gone_group *gone)
{
	widen(f, s, gone->events);
	add_values(s, s->total, s->any_total, as_of_group(f, s, gone->total, gone->events));
	for (int i = 0; !s->any && i < sample_events_n(s->events); i++)
		s->increment[i] = s->rate[i] = value_exact(0);
	for (int k = 0; k < N_NUMBER_FACTS; k++)
		if (fact_table[k].kind == FACT_COUNTER)
			add(&s->facts->fact_now[k], s->any_total, gone->fact[k]);
	s->any_total = true;
}

static void finish(struct sums *s)
{
	s->row->events = s->events;
	s->row->increment = s->increment;
	s->row->total = s->row->sum = s->total;
	s->facts->count_rate = s->rate;
}

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = group_id_compare(x->id, y->id);

	if (order)
		return order;
	return x->item.first < y->item.first ? -1 : x->item.first > y->item.first;
}

/* Those that pass the filter, each group together; they lie in the arena. */
static struct member *list_members(struct fold *f, size_t *n)
{
	struct member *list = arena_alloc(&f->out->arena, f->in->sample->n * sizeof *list);

	*n = 0;
	for (struct rows_item item = {.n = 0}; rows_next(f->in, &item);) {
		f->out->n_all++;
		if (!filter_match(f->by->filter, item.task, f->by->use_cmdline))
			continue;
		f->out->n_alive += !item.task->dead;
		list[(*n)++] = (struct member){group_key_table[f->by->key].of(item.task), item};
	}
	f->out->n_passed = *n;
	qsort(list, *n, sizeof *list, compare_members);
	return list;
}

/* The group that begins with this member; returns how many members it has. */
static size_t fold_group(struct fold *f, const struct member *first, size_t n)
{
	const struct gone_group *gone = gone_find(f->gone, f->by->key, first->id);
	struct sums s;
	size_t i;

	begin(f, &s, first->id);
	for (i = 0; i < n && !group_id_compare(first[i].id, first->id); i++) {
		const struct rows_item *item = &first[i].item;

		add_member(f, &s, item->row ? item->row : rows_idle(f->in, item, &f->scratch));
		arena_reset(&f->scratch);
	}
	if (gone)
		add_gone(f, &s, gone);
	finish(&s);
	return i;
}

static struct group_id id_of(const struct task *group)
{
	return (struct group_id){group->id, group->name};
}

/* Groups that have no member any more, and what they had. Those with members are in the order of
 * their ids. */
static void add_empty(struct fold *f)
{
	const struct gone_key *key = &f->gone->key[f->by->key];
	const size_t n = f->out->n;
	size_t next = 0;

	for (size_t i = 0; i < key->n; i++) {
		const struct gone_group *gone = key->v[i];
		struct sums s;

		while (next < n && group_id_compare(id_of(f->out->row[next].task), gone->id) < 0)
			next++;
		if (next < n && !group_id_compare(id_of(f->out->row[next].task), gone->id))
			continue;
		begin(f, &s, gone->id);
		s.task->user = "";
		add_gone(f, &s, gone);
		finish(&s);
	}
}

void fold_groups(struct delta *out, const struct delta *in, const struct grouping *by,
		 const struct gone *gone)
{
	struct fold f = {
		.out = out,
		.in = in,
		.by = by,
		.gone = gone,
		.joins = in->processes ? in->threads->joins : in->joins,
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
	out->row = arena_alloc(&out->arena, (n + gone->key[by->key].n) * sizeof *out->row);
	for (size_t i = 0; i < n;)
		i += fold_group(&f, &member[i], n - i);
	if (by->sticky)
		add_empty(&f);
	arena_done(&f.scratch);
}
