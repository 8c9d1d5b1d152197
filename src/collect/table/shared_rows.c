/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/shared_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* The facts that are summed. */
static const int summed[] = {FACT_ACQUISITIONS, FACT_HOLDS,      FACT_RELEASES,  FACT_ACQUIRE_NS,
			     FACT_HOLD_NS,      FACT_RELEASE_NS, FACT_TRYING_NS, FACT_CONTENDED};
#define N_SUMMED (sizeof summed / sizeof *summed)

/* The number of the table in the ids of these rows, which no process reaches. */
#define TABLE 1023

/* The most counts of a reading: one for each event and phase. */
#define COUNTS (LOCKS_EVENTS * LOCKS_PHASES)

struct sums {
	uint64_t fact[N_SUMMED], unknown; /* unknown: bit i: summed[i] */
	struct count count[COUNTS];
	uint64_t unread;
};

/* Processes that have used a lock, each once. */
struct users {
	int *pid; /* [n] */
	size_t n, cap;
};

/* A lock, as long as it has rows. */
struct lock {
	uint64_t key;
	size_t n_rows;
	struct users users;
};

struct row {
	struct shared_place place;
	uint64_t number;
	struct lock *lock;
	struct users users;          /* the first is the process of the row */
	struct sums ended;           /* of processes that have ended */
	const struct task **reading; /* [n] of the present sample; owned */
	size_t n, cap;
	struct task *last; /* NULL: none */
};

struct shared_rows {
	struct row **row; /* [n] */
	size_t n, cap;
	struct hash by_place; /* 1 + the index of a row, by key_of() */
	struct hash locks;    /* struct lock, by lock_key() */
	uint64_t n_numbers;
};

struct shared_rows *shared_rows_new(void)
{
	return xcalloc(1, sizeof(struct shared_rows));
}

static void drop_readings(struct row *r)
{
	for (size_t i = 0; i < r->n; i++)
		task_unref(r->reading[i]);
	r->n = 0;
}

static void add_user(struct users *u, int pid)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->pid[i] == pid)
			return;
	u->pid = xgrow(u->pid, &u->cap, u->n + 1, sizeof *u->pid);
	u->pid[u->n++] = pid;
}

/* Returns the key of a lock. Two locks with the same key would only have a common number of
 * processes. */
static uint64_t lock_key(const struct shared_place *p)
{
	const uint64_t all[] = {p->kind, p->memory.device, p->memory.inode, p->memory.offset};

	return hash_text((const char *)all, sizeof all);
}

static struct lock *get_lock(struct shared_rows *s, const struct shared_place *place)
{
	const uint64_t key = lock_key(place);
	struct lock *l = hash_get(&s->locks, key);

	if (!l) {
		l = xcalloc(1, sizeof *l);
		l->key = key;
		hash_put(&s->locks, key, l);
	}
	l->n_rows++;
	return l;
}

static void free_row(struct shared_rows *s, struct row *r)
{
	if (!--r->lock->n_rows) {
		hash_remove(&s->locks, r->lock->key);
		free(r->lock->users.pid);
		free(r->lock);
	}
	drop_readings(r);
	task_unref(r->last);
	free(r->reading);
	free(r->users.pid);
	free(r);
}

void shared_rows_reset(struct shared_rows *s)
{
	for (size_t i = 0; i < s->n; i++)
		free_row(s, s->row[i]);
	s->n = 0;
	hash_done(&s->by_place);
	s->by_place = (struct hash)HASH_INIT;
}

void shared_rows_free(struct shared_rows *s)
{
	shared_rows_reset(s);
	hash_done(&s->locks);
	free(s->row);
	free(s);
}

/* --- rows by place --- */

static bool is_same(const struct shared_place *a, const struct shared_place *b)
{
	return a->kind == b->kind && a->memory.device == b->memory.device &&
	       a->memory.inode == b->memory.inode && a->memory.offset == b->memory.offset &&
	       a->file == b->file && a->offset == b->offset;
}

/* Returns the hash key of a row: rows with the same hash have consecutive keys. */
static uint64_t key_of(const struct shared_rows *s, const struct shared_place *p)
{
	const uint64_t all[] = {p->kind,          p->memory.device, p->memory.inode,
				p->memory.offset, p->file,          p->offset};
	uint64_t key = hash_text((const char *)all, sizeof all);
	uintptr_t number;

	while ((number = (uintptr_t)hash_get(&s->by_place, key)) &&
	       !is_same(&s->row[number - 1]->place, p))
		key++;
	return key;
}

static void put_row(struct shared_rows *s, size_t i)
{
	hash_put(&s->by_place, key_of(s, &s->row[i]->place), (void *)(uintptr_t)(i + 1));
}

static struct row *get_row(struct shared_rows *s, const struct shared_place *place)
{
	const uintptr_t number = (uintptr_t)hash_get(&s->by_place, key_of(s, place));
	struct row *r;

	if (number)
		return s->row[number - 1];
	r = xcalloc(1, sizeof *r);
	r->place = *place;
	r->number = s->n_numbers++;
	r->lock = get_lock(s, place);
	s->row = xgrow(s->row, &s->cap, s->n + 1, sizeof *s->row);
	s->row[s->n] = r;
	put_row(s, s->n++);
	return r;
}

void shared_rows_add(struct shared_rows *s, const struct shared_place *place, int pid,
		     const struct task *reading)
{
	struct row *r = get_row(s, place);

	add_user(&r->users, pid);
	add_user(&r->lock->users, pid);
	r->reading = xgrow(r->reading, &r->cap, r->n + 1, sizeof *r->reading);
	r->reading[r->n++] = task_ref(reading);
}

/* --- sums --- */

/* n_counts: that of the row. */
static void add_counts(struct sums *to, const struct task *t, int n_counts)
{
	if (t->n_counts != n_counts) {
		to->unread = UINT64_MAX;
		return;
	}
	to->unread |= t->unread;
	for (int i = 0; t->count && i < n_counts && i < COUNTS; i++) {
		to->count[i].value += t->count[i].value;
		to->count[i].enabled_ns += t->count[i].enabled_ns;
		to->count[i].running_ns += t->count[i].running_ns;
	}
}

static void add(struct sums *to, const struct task *t, int n_counts)
{
	for (size_t i = 0; i < N_SUMMED; i++)
		if (fact_in(t->known, summed[i]))
			to->fact[i] += task_fact(t, summed[i]);
		else
			to->unknown |= 1ull << i;
	add_counts(to, t, n_counts);
}

/* Sums the readings; those of ended processes stay in r->ended. Sets *dead if all have ended. */
static struct sums sum_up(struct row *r, bool *dead)
{
	const int n_counts = r->reading[0]->n_counts;
	struct sums all;

	*dead = true;
	for (size_t i = 0; i < r->n; i++)
		if (r->reading[i]->dead)
			add(&r->ended, r->reading[i], n_counts);
	all = r->ended;
	for (size_t i = 0; i < r->n; i++)
		if (!r->reading[i]->dead) {
			*dead = false;
			add(&all, r->reading[i], n_counts);
		}
	return all;
}

/* --- readings --- */

/* Returns a copy of the first reading with the texts of the row. */
static struct task *copy_first(const struct row *r)
{
	const struct task *first = r->reading[0];
	struct task_texts texts = task_texts(first);
	char *name = NULL, *processes = NULL;
	struct task *t;

	if (r->lock->users.n > 1) {
		name = xasprintf("%s inode %" PRIu64 "+0x%" PRIx64, first->name,
				 r->place.memory.inode, r->place.memory.offset);
		texts.name = name;
	}
	if (r->users.n > 1) {
		processes = xasprintf("%zu processes", r->users.n);
		texts.process = processes;
		texts.cmdline = NULL;
	}
	t = task_copy(first, fact_less(first->room, FACT_SET(FACT_OWNER_CHANGES)), first->n_counts,
		      &texts);
	free(name);
	free(processes);
	return t;
}

static void set_sums(struct task *t, const struct sums *sums)
{
	for (size_t i = 0; i < N_SUMMED; i++)
		if (sums->unknown >> i & 1)
			t->known = fact_less(t->known, FACT_SET(summed[i]));
		else
			task_set_fact(t, summed[i], sums->fact[i]);
	for (int i = 0; t->count && i < t->n_counts && i < COUNTS; i++)
		t->count[i] = sums->count[i];
	t->unread = sums->unread;
}

static bool has_same_texts(const struct task *a, const struct task *b)
{
	const char *x = task_text(a, FACT_CALLER), *y = task_text(b, FACT_CALLER);

	return !strcmp(a->name, b->name) && !strcmp(a->process, b->process) && x && y &&
	       !strcmp(x, y);
}

/* Returns whether a reading says the same as the last one of the row. */
static bool is_idle(const struct task *last, const struct task *t)
{
	if (!last || t->dead || last->unread != t->unread || !has_same_texts(last, t))
		return false;
	for (size_t i = 0; i < N_SUMMED; i++) {
		const bool known = fact_in(t->known, summed[i]);

		if (known != fact_in(last->known, summed[i]) ||
		    (known && task_fact(t, summed[i]) != task_fact(last, summed[i])))
			return false;
	}
	return true;
}

static void take(struct row *r, struct sample *out)
{
	bool dead;
	const struct sums sums = sum_up(r, &dead);
	struct task *t = copy_first(r);

	set_sums(t, &sums);
	t->dead = dead;
	t->id = t->owner = kind_table_id(r->users.pid[0], TABLE, r->number);
	/* Growth by a further process is growth of the row: only a new row is new as a whole. */
	if (r->last && t->counting == COUNT_WHOLE)
		t->counting = t->n_counts ? COUNT_OK : COUNT_NONE;
	if (is_idle(r->last, t)) {
		task_unref(t);
	} else {
		task_unref(r->last);
		r->last = t;
	}
	sample_add(out, task_ref(r->last));
}

void shared_rows_take(struct shared_rows *s, struct sample *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct row *r = s->row[i];

		if (r->n)
			take(r, out);
		if (!r->n || r->last->dead) {
			free_row(s, r);
			continue;
		}
		drop_readings(r);
		s->row[n++] = r;
	}
	if (n == s->n)
		return;
	s->n = n;
	hash_done(&s->by_place);
	s->by_place = (struct hash)HASH_INIT;
	for (size_t i = 0; i < n; i++)
		put_row(s, i);
}
