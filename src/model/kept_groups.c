/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kept_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/rows.h"

/* ---- resting ----
 *
 * The sum of those members of a group that are idle: members are added, and removed when they run
 * again, at a cost that does not depend on the number of the others.
 *
 * All increments of such a member are 0. Its totals and states must be whole numbers: then sums do
 * not depend on the order, and removing a member gives exactly the sum without it. A member that
 * has other numbers, such as a total that was scaled, is refused, and has to be added to each sum.
 */

/* The numbers that a member has added to the sums of its group. */
struct resting_share {
	struct fact_set known;
	double number[]; /* of the facts, then the totals of events */
};

/* The sum of a fact, or of the totals of an event. */
struct resting_sum {
	double sum;
	/* Of states that are not summed up: one of them, and how many members have it. */
	double same;
	uint32_t n_known, n_same;
};

/* Sums of whole numbers are exact up to this one. */
#define WHOLE_MAX 0x1p52

static void resting_init(struct resting *r, struct fact_set facts)
{
	*r = (struct resting){.facts = facts};
}

static void clear_resting(struct resting *r)
{
	free(r->user);
	free(r->sum);
	sample_events_unref(r->events);
	resting_init(r, r->facts);
}

static void resting_done(struct resting *r)
{
	clear_resting(r);
}

static bool is_whole(struct value v)
{
	return value_known(v) && !v.rest && v.number >= 0 && v.number < WHOLE_MAX &&
	       v.number == (double)(uint64_t)v.number;
}

/* Returns whether a value is that of all members. */
static bool is_same_value(struct value x, struct value y)
{
	return x.quality == y.quality && (x.number == y.number || !value_known(x));
}

/* Returns whether the member can be added to the sum: it is a process or the leader of one, did
 * nothing, its counters were all read, and it agrees with the others in what is not summed up.
 * Threads other than leaders would not add the facts of their process. */
static bool fits(const struct resting *r, const struct delta_row *m)
{
	const struct task *t = m->task;

	if (!task_is_leader(t) || t->dead || t->lost || m->past || m->unequal || m->cpu_counted ||
	    t->kind->counts_members || !value_is_zero(m->cpu_ns) ||
	    !value_is_zero(delta_cpu_share(m)))
		return false;
	for (int i = 0; i < sample_events_n(m->events); i++)
		if (!value_is_zero(m->increment[i]) || !value_is_zero(delta_count_rate(m, i)) ||
		    m->total[i].quality != QUALITY_EXACT || !is_whole(m->total[i]))
			return false;
	return !r->n ||
	       (m->events == r->events && !strcmp(t->user, r->user) &&
		is_same_value(m->fast_ns, r->fast_ns) && is_same_value(m->core_ns, r->core_ns));
}

/* Sets *number to the state of a fact, and adds the fact to *known, if it is known. Returns false
 * if it is refused. */
static bool take_fact(const struct delta_row *m, int f, double *number, struct fact_set *known)
{
	const bool grows = fact_table[f].kind == FACT_COUNTER;
	const struct value now = delta_fact_now(m, f);

	*number = 0;
	if (now.quality == QUALITY_NOT_READ)
		return !grows || (delta_fact(m, f).quality == QUALITY_NOT_READ &&
				  delta_fact_rate(m, f).quality == QUALITY_NOT_READ);
	if (now.quality != QUALITY_EXACT && (grows || now.quality != QUALITY_STALE))
		return false;
	if (!is_whole(now) ||
	    (grows && (!value_is_zero(delta_fact(m, f)) || !value_is_zero(delta_fact_rate(m, f)))))
		return false;
	*number = now.number;
	fact_add(known, f);
	return true;
}

static struct resting_share *take_share(const struct resting *r, const struct delta_row *m)
{
	const size_t n = (size_t)fact_count(r->facts),
		     n_events = (size_t)sample_events_n(m->events);
	struct resting_share *share = xmalloc(sizeof *share + (n + n_events) * sizeof(double));
	struct fact_set left = r->facts;
	size_t i = 0;

	share->known = FACT_NONE;
	for (int f; (f = fact_take(&left)) >= 0; i++)
		if (!take_fact(m, f, &share->number[i], &share->known)) {
			free(share);
			return NULL;
		}
	for (size_t e = 0; e < n_events; e++)
		share->number[n + e] = m->total[e].number;
	return share;
}

/* Sets what all members have in common. */
static void begin(struct resting *r, const struct delta_row *first)
{
	const size_t n = (size_t)(fact_count(r->facts) + sample_events_n(first->events));

	clear_resting(r);
	r->user = xstrdup(first->task->user);
	r->events = sample_events_ref(first->events);
	r->fast_ns = first->fast_ns;
	r->core_ns = first->core_ns;
	r->sum = xcalloc(n, sizeof *r->sum);
}

static void add_number(struct resting_sum *s, double number)
{
	if (!s->n_known)
		s->same = number;
	s->sum += number;
	s->n_known++;
	s->n_same += number == s->same;
}

static void remove_number(struct resting_sum *s, double number)
{
	s->sum -= number;
	s->n_known--;
	s->n_same -= number == s->same;
}

/* Adds an idle member. Returns what it added, to be given to resting_remove(); NULL: it is
 * refused. */
static struct resting_share *resting_add(struct resting *r, const struct delta_row *member)
{
	struct resting_share *share = fits(r, member) ? take_share(r, member) : NULL;
	struct fact_set left = r->facts;
	size_t i = 0;

	if (!share)
		return NULL;
	if (!r->n)
		begin(r, member);
	r->n++;
	for (int f; (f = fact_take(&left)) >= 0; i++)
		if (fact_in(share->known, f))
			add_number(&r->sum[i], share->number[i]);
	for (int e = 0; e < sample_events_n(r->events); e++, i++)
		add_number(&r->sum[i], share->number[i]);
	return share;
}

/* Removes what a member added, and frees it. */
static void resting_remove(struct resting *r, struct resting_share *share)
{
	struct fact_set left = r->facts;
	size_t i = 0;

	r->n--;
	for (int f; (f = fact_take(&left)) >= 0; i++) {
		const struct fact_row *fact = &fact_table[f];

		if (!fact_in(share->known, f))
			continue;
		remove_number(&r->sum[i], share->number[i]);
		r->stale |= fact->kind == FACT_GAUGE && !fact->adds && r->sum[i].n_known &&
			    !r->sum[i].n_same;
	}
	for (int e = 0; e < sample_events_n(r->events); e++, i++)
		remove_number(&r->sum[i], share->number[i]);
	free(share);
}

/* Returns the sum of a fact over n members. */
static struct value fact_of(const struct resting_sum *sum, int f, size_t n)
{
	struct value v = value_exact(sum->sum);

	if (!sum->n_known)
		return value_none(QUALITY_NOT_READ);
	if (fact_table[f].drifts)
		v.quality = QUALITY_STALE;
	if (fact_table[f].kind == FACT_COUNTER || fact_table[f].adds) {
		if (sum->n_known < n)
			v.quality = QUALITY_PARTIAL;
		return v;
	}
	v.number = sum->same;
	if (sum->n_known < n)
		return value_none(QUALITY_NOT_READ);
	return sum->n_same < n ? value_none(QUALITY_DIFFER) : v;
}

/* Sets the facts of the row. Those that only grow have not grown. */
static void set_facts(const struct resting *r, struct delta_sums *out)
{
	struct fact_set left = r->facts;
	size_t i = 0;

	for (int f; (f = fact_take(&left)) >= 0; i++) {
		const struct value now = fact_of(&r->sum[i], f, r->n);

		out->fact[f] = (struct fact_sum){.interval = now, .now = now, .rate = now};
		if (fact_table[f].kind == FACT_COUNTER && value_known(now))
			out->fact[f].interval.number = out->fact[f].rate.number = 0;
	}
}

/* Adds all members to a sum. */
static void resting_fold(const struct resting *r, struct fold_sum *s)
{
	const int n = sample_events_n(r->events);
	struct arena *arena = s->f->arena;
	struct value *zero, *total;
	struct delta_sums *sums;
	struct task *task;

	if (!r->n)
		return;
	zero = arena_alloc(arena, (size_t)n * sizeof *zero);
	total = arena_alloc(arena, (size_t)n * sizeof *total);
	sums = arena_alloc(arena, sizeof *sums);
	task = arena_alloc(arena, sizeof *task);
	for (int i = 0; i < n; i++) {
		zero[i] = value_exact(0);
		total[i] = value_exact(r->sum[fact_count(r->facts) + i].sum);
	}
	*task = (struct task){.kind = s->task->kind, .user = r->user};
	sums->facts = r->facts;
	sums->fact = arena_alloc(arena, N_NUMBER_FACTS * sizeof *sums->fact);
	sums->cpu_share = value_exact(0);
	sums->count_rate = zero;
	set_facts(r, sums);
	fold_sum_add(s, &(struct delta_row){.task = task,
					    .n_members = (int)r->n,
					    .counts_ns = s->f->interval_ns,
					    .facts_ns = s->f->interval_ns,
					    .cpu_ns = value_exact(0),
					    .fast_ns = r->fast_ns,
					    .core_ns = r->core_ns,
					    .events = r->events,
					    .increment = zero,
					    .total = total,
					    .sum = total,
					    .sums = sums});
}

/* ---- kept groups ---- */

/* One update. */
struct update {
	struct kept_groups *k;
	const struct delta *in;
	const struct grouping *by;
	const struct retired_groups *retired;
	bool by_task;         /* the filters depend on the task alone */
	size_t next;          /* the first task of the previous sample that was not reached yet */
	struct arena scratch; /* memory for one member; emptied after each */
};

void kept_groups_init(struct kept_groups *k)
{
	*k = (struct kept_groups){.filter = FILTER_ALL};
}

static void free_group(struct kept_group *group)
{
	free((char *)group->id.text);
	free((char *)group->id.program);
	sample_events_unref(group->events);
	resting_done(&group->resting);
	free(group->data);
	free(group->own);
	free(group);
}

/* Drops all groups, but keeps their memory. */
static void clear_kept(struct kept_groups *k)
{
	for (size_t i = 0; i < k->n; i++)
		free_group(k->v[i]);
	for (size_t i = 0; i < k->n_tasks; i++) {
		task_unref(k->task[i].task);
		free(k->task[i].share);
	}
	hash_done(&k->by_id);
	k->by_id = (struct hash)HASH_INIT;
	free((char *)k->filter.text);
	free(k->test);
	k->filter = (struct filter)FILTER_ALL;
	k->test = NULL;
	k->n = k->n_tasks = k->n_retired = 0;
}

void kept_groups_done(struct kept_groups *k)
{
	clear_kept(k);
	free(k->v);
	free(k->task);
	free(k->previous);
	arena_done(&k->arena);
	kept_groups_init(k);
}

static bool is_same_text(const char *x, const char *y)
{
	return x && y ? !strcmp(x, y) : x == y;
}

static bool goes_on(const struct update *u, struct fact_set facts)
{
	const struct kept_groups *k = u->k;
	const struct filter *filter = u->by->filter;

	return k->generation == u->in->sample->generation && k->key == u->by->key &&
	       fact_equal(k->facts, facts) && k->processes == u->in->processes &&
	       k->use_cmdline == u->by->use_cmdline && k->filter.pid == filter->pid &&
	       k->filter.uid == filter->uid && is_same_text(k->filter.text, filter->text) &&
	       is_same_text(k->test, u->by->test ? u->by->test->text : NULL);
}

static void start_over(const struct update *u, struct fact_set facts)
{
	struct kept_groups *k = u->k;

	clear_kept(k);
	k->generation = u->in->sample->generation;
	k->key = u->by->key;
	k->facts = facts;
	k->processes = u->in->processes;
	k->use_cmdline = u->by->use_cmdline;
	k->filter = *u->by->filter;
	k->filter.text = xstrdup_or_null(u->by->filter->text);
	k->test = xstrdup_or_null(u->by->test ? u->by->test->text : NULL);
	k->n_forgotten = u->retired->n_forgotten;
}

/* ---- groups by id ---- */

static uint64_t key_of(struct group_id id)
{
	return hash_text(id.text, strlen(id.text)) ^ id.number * 0x9e3779b97f4a7c15u;
}

/* Returns the group with this id; creates it on first use. */
static struct kept_group *get_group(struct kept_groups *k, struct group_id id)
{
	const uint64_t key = key_of(id);
	struct kept_group *const first = hash_get(&k->by_id, key), *group;

	for (group = first; group; group = group->next)
		if (!group_id_compare(group->id, id))
			return group;
	group = xcalloc(1, sizeof *group);
	group->id = (struct group_id){id.number, xstrdup(id.text), xstrdup_or_null(id.program)};
	resting_init(&group->resting, k->facts);
	group->changed = true;
	group->next = first;
	hash_put(&k->by_id, key, group);
	k->v = xgrow(k->v, &k->cap, k->n + 1, sizeof(struct kept_group *));
	k->v[k->n++] = group;
	return group;
}

static void unlink_group(struct kept_groups *k, struct kept_group *group)
{
	const uint64_t key = key_of(group->id);
	struct kept_group *before = hash_get(&k->by_id, key);

	if (before != group) {
		while (before->next != group)
			before = before->next;
		before->next = group->next;
	} else if (group->next) {
		hash_put(&k->by_id, key, group->next);
	} else {
		hash_remove(&k->by_id, key);
	}
}

/* Drops groups that have neither members nor retired ones. */
static void drop_empty(struct kept_groups *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++) {
		struct kept_group *group = k->v[i];

		if (group->n_members || group->has_retired) {
			k->v[n++] = group;
			continue;
		}
		unlink_group(k, group);
		free_group(group);
	}
	k->n = n;
}

/* ---- tasks ----
 * Finds the group of each task, and the groups that have to be folded again. */

/* A process has left its group. */
static void leave(const struct kept_task *t)
{
	if (!t->n || !t->group)
		return;
	if (t->share)
		resting_remove(&t->group->resting, t->share);
	t->group->n_members--;
	t->group->changed = true;
}

/* Passes over tasks of the previous sample up to this owner; returns the first of its tasks, NULL:
 * none. */
static struct kept_task *find_previous(struct update *u, struct owner owner)
{
	struct kept_groups *k = u->k;

	for (; u->next < k->n_previous; u->next++) {
		struct kept_task *t = &k->previous[u->next];
		const int order = owner_compare(task_owner(t->task), owner);

		if (order >= 0)
			return order ? NULL : t;
		leave(t);
		task_unref(t->task);
	}
	return NULL;
}

/* Returns whether the process has the same readings as before. */
static bool is_same(const struct update *u, const struct kept_task *before,
		    const struct rows_item *item)
{
	if (before->n != item->n)
		return false;
	for (size_t i = 0; i < item->n; i++)
		if (before[i].task != u->in->sample->task[item->first + i])
			return false;
	return true;
}

static bool is_member(struct update *u, const struct rows_item *item)
{
	const struct row_test *test = u->by->test;
	const struct delta_row *row = item->row;
	bool passes;

	if (!filter_match(u->by->filter, item->task, u->by->use_cmdline))
		return false;
	if (!test)
		return true;
	if (!row && !test->of_task)
		row = rows_idle(u->in, item, &u->scratch);
	passes = test->ask(test->context, item->task, row) == TRI_TRUE;
	arena_reset(&u->scratch);
	return passes;
}

/* Takes over the readings of a process. */
static void take_readings(struct update *u, const struct rows_item *item,
			  const struct kept_task *before, bool same)
{
	struct kept_task *t = &u->k->task[u->k->n_tasks];

	for (size_t i = 0; i < item->n; i++)
		t[i] = (struct kept_task){
			.task = same ? before[i].task
				     : task_ref(u->in->sample->task[item->first + i])};
	u->k->n_tasks += item->n;
	if (!before)
		return;
	for (size_t i = 0; !same && i < before->n; i++)
		task_unref(before[i].task);
	u->next += before->n;
}

static struct kept_group *find_group(struct update *u, const struct rows_item *item,
				     const struct kept_task *before, bool same)
{
	if (same && u->by_task)
		return before->group;
	return is_member(u, item) ? get_group(u->k, group_key_table[u->k->key].of(item->task))
				  : NULL;
}

static void take_process(struct update *u, const struct rows_item *item)
{
	struct kept_task *t = &u->k->task[u->k->n_tasks];
	const struct kept_task *before =
		find_previous(u, task_owner(u->in->sample->task[item->first]));
	const bool same = before && is_same(u, before, item);
	struct kept_group *const group = find_group(u, item, before, same),
				 *const left = before ? before->group : NULL;

	take_readings(u, item, before, same);
	t->n = item->n;
	t->row = item->row;
	t->group = group;
	t->quiet = same && !item->row;
	if (left && before->share && t->quiet && left == group)
		t->share = before->share;
	else if (left && before->share)
		resting_remove(&left->resting, before->share);
	if (left) {
		left->n_members--;
		left->changed |= left != group;
	}
	if (group) {
		group->n_members++;
		group->changed |= left != group || !before->quiet || !t->quiet;
	}
}

static void take_tasks(struct update *u)
{
	struct kept_groups *k = u->k;
	struct kept_task *const task = k->previous;
	const size_t cap = k->cap_previous;
	struct rows_item item = {.n = 0};

	k->previous = k->task;
	k->cap_previous = k->cap_tasks;
	k->n_previous = k->n_tasks;
	k->cap_tasks = cap;
	k->task = xgrow(task, &k->cap_tasks, u->in->sample->n, sizeof *k->task);
	k->n_tasks = 0;
	for (size_t i = 0; i < k->n; i++)
		k->v[i]->changed = false;
	while (rows_next(u->in, &item))
		take_process(u, &item);
	for (; u->next < k->n_previous; u->next++) {
		leave(&k->previous[u->next]);
		task_unref(k->previous[u->next].task);
	}
}

/* ---- retired members ---- */

static void set_retired(struct kept_groups *k, struct kept_group *group, bool has)
{
	if (group->has_retired == has)
		return;
	group->has_retired = has;
	group->changed = true;
	k->n_retired = has ? k->n_retired + 1 : k->n_retired - 1;
}

/* Finds which groups have retired members. Only groups that have changed can get some, and only
 * groups that were forgotten lose them; but refreshes may have been left out. */
static void find_retired(struct update *u)
{
	const struct retired_key *key = &u->retired->key[u->k->key];
	struct kept_groups *k = u->k;
	const bool forgotten = k->n_forgotten != u->retired->n_forgotten;

	for (size_t i = 0; i < k->n; i++)
		if (k->v[i]->changed || forgotten)
			set_retired(k, k->v[i],
				    retired_groups_find(u->retired, k->key, k->v[i]->id) != NULL);
	for (size_t i = 0; k->n_retired != key->n && i < key->n; i++)
		set_retired(k, get_group(k, key->v[i]->id), true);
	k->n_forgotten = u->retired->n_forgotten;
}

/* ---- rows ---- */

/* Copies n values to *at, and advances it. */
static const struct value *put_values(struct value **at, const struct value *from, int n)
{
	struct value *to = *at;

	if (n)
		memcpy(to, from, (size_t)n * sizeof *to);
	*at += n;
	return to;
}

/* The data of a row but its values, which follow. */
struct row_data {
	struct task task;
	struct delta_sums sums;
	struct fact_sum sum[N_NUMBER_FACTS];
	uint64_t fact[N_READ_TEXTS];
};

/* Moves the data of the row from the arena to memory of the group. */
static void keep_row(struct kept_group *group)
{
	struct delta_row *row = &group->row;
	const int n = sample_events_n(row->events);
	struct row_data *data;
	struct value *at;

	free(group->data);
	group->data = data = xmalloc(sizeof *data + 3 * (size_t)n * sizeof *at);
	at = (struct value *)(data + 1);
	data->task = *row->task;
	memcpy(data->fact, row->task->fact, sizeof data->fact);
	data->task.fact = data->fact;
	data->sums = *row->sums;
	memcpy(data->sum, row->sums->fact, sizeof data->sum);
	data->sums.fact = data->sum;
	data->sums.count_rate = put_values(&at, row->sums->count_rate, n);
	row->increment = put_values(&at, row->increment, n);
	row->total = row->sum = put_values(&at, row->total, n);
	row->task = &data->task;
	row->sums = &data->sums;
	sample_events_unref(group->events);
	group->events = sample_events_ref(row->events);
}

static void begin_group(const struct update *u, struct folding *f, struct kept_group *group)
{
	group->resting_emptied = group->resting.stale;
	if (group->resting_emptied)
		resting_done(&group->resting);
	group->sum = arena_alloc(f->arena, sizeof *group->sum);
	fold_sum_begin(group->sum, f, &group->row, group_key_table[u->k->key].kind,
		       (struct fold_id){group->id.number, group->id.text});
}

static void end_group(const struct update *u, struct kept_group *group)
{
	const struct retired_group *retired =
		group->has_retired ? retired_groups_find(u->retired, u->k->key, group->id) : NULL;

	resting_fold(&group->resting, group->sum);
	fold_groups_end(group->sum, group->id, retired);
	keep_row(group);
	group->sum = NULL;
}

/* Adds a process to its group, unless it is a part of the kept sum. */
static void add_member(struct update *u, struct kept_task *t, size_t first)
{
	const struct rows_item item = {.task = t->task, .first = first, .n = t->n};
	const struct delta_row *row = t->row;

	if (t->group->resting_emptied) {
		free(t->share);
		t->share = NULL;
	}
	if (t->share)
		return;
	if (!row)
		row = rows_idle(u->in, &item, &u->scratch);
	if (t->quiet)
		t->share = resting_add(&t->group->resting, row);
	if (!t->share)
		fold_sum_add(t->group->sum, row);
	arena_reset(&u->scratch);
}

static void fold(struct update *u)
{
	struct kept_groups *k = u->k;
	struct folding folding = {.arena = &k->arena,
				  .joins = fold_joins(u->in),
				  .interval_ns = u->in->interval_ns,
				  .facts = k->facts};

	for (size_t i = 0; i < k->n; i++)
		if (k->v[i]->changed)
			begin_group(u, &folding, k->v[i]);
	for (size_t i = 0; i < k->n_tasks; i += k->task[i].n)
		if (k->task[i].group && k->task[i].group->changed)
			add_member(u, &k->task[i], i);
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i]->changed)
			end_group(u, k->v[i]);
	folding_done(&folding);
	arena_reset(&k->arena);
}

void kept_groups_update(struct kept_groups *k, const struct delta *in, const struct grouping *by,
			const struct retired_groups *retired, struct fact_set facts)
{
	struct update u = {.k = k,
			   .in = in,
			   .by = by,
			   .retired = retired,
			   .by_task = !by->filter->family && (!by->test || by->test->of_task)};

	if (!goes_on(&u, facts))
		start_over(&u, facts);
	take_tasks(&u);
	find_retired(&u);
	drop_empty(k);
	fold(&u);
	arena_done(&u.scratch);
}
