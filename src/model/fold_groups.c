/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fold_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "model/fold_sum.h"
#include "model/rows.h"

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
