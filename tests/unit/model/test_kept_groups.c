/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kept groups, in a random life of some processes: after each refresh, their rows are those that
 * fold_groups() makes of all tasks. And most rows are kept.
 */
#include "model/kept_groups.h"

#include <math.h>
#include <string.h>

#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/rows.h"

#define PROCESSES 14
#define REFRESHES 400
#define FACTS     FACT_SET(FACT_CPU_NS, FACT_RSS_KB, FACT_NICE, FACT_VCSW)

static const struct filter all = FILTER_ALL;
static const char *const program[] = {"cc", "ld", "sh", "vi"};
static const char *const user[] = {"joe", "ann"};

struct life {
	uint64_t random;
	int number;                      /* of the refresh */
	bool threads;                    /* rows are threads */
	struct task *task[PROCESSES][2]; /* the newest readings of two threads; NULL: none */
	struct sample sample[2];
	struct delta delta[2], processes[2], folded;
	struct retired_groups retired;
	struct kept_groups kept;
	size_t n_rows, n_changed, n_empty;
};

static unsigned choose(struct life *l, unsigned n)
{
	l->random ^= l->random << 13;
	l->random ^= l->random >> 7;
	l->random ^= l->random << 17;
	return (unsigned)(l->random >> 20) % n;
}

/* Makes the next reading of a thread; old: NULL: it has started. */
static struct task *read_task(struct life *l, const struct task *old, int id, int owner,
			      int refresh)
{
	const unsigned p = !old || !choose(l, 8) ? choose(l, 4) : 4;
	const char *name = p < 4 ? program[p] : old->name;
	struct task *t = task_new(&kind_task, FACTS, 1,
				  &(struct task_texts){.name = name, .user = user[id % 3 > 0]});
	const uint64_t ran = choose(l, 1000);

	t->id = (uint64_t)id;
	t->owner = (uint64_t)owner;
	t->uid = id % 3 > 0;
	t->start_ns = old ? old->start_ns : FIRST + (uint64_t)refresh * SECOND;
	t->counting = COUNT_OK;
	t->facts_read = (uint32_t)refresh + 1;
	task_set_events(t, rig_events);
	/* At times the counters shared the PMU: the increment is scaled, and no integer. */
	t->count[0] = old ? old->count[0] : (struct count){0, 0, 0};
	t->count[0].value += ran;
	t->count[0].enabled_ns += 3000;
	t->count[0].running_ns += choose(l, 4) ? 3000 : 1700;
	task_set_fact(t, FACT_CPU_NS, (old ? task_fact(old, FACT_CPU_NS) : 0) + ran);
	task_set_fact(t, FACT_VCSW, (old ? task_fact(old, FACT_VCSW) : 0) + 1);
	task_set_fact(t, FACT_RSS_KB, choose(l, 5000));
	task_set_fact(t, FACT_NICE, choose(l, 2));
	return t;
}

/* A process sleeps, runs, starts, or ends with all of its threads. */
static void live(struct life *l, int p, int refresh)
{
	const bool ends = !choose(l, 12), starts = !choose(l, 6);
	const int pid = 100 + 10 * p;

	for (int k = 0; k < 2; k++) {
		struct task **t = &l->task[p][k];
		const bool dead = *t && (*t)->dead;

		if (dead) {
			task_unref(*t);
			*t = NULL;
		} else if (!*t && starts && (!k || !choose(l, 2))) {
			*t = read_task(l, NULL, pid + k, pid, refresh);
		} else if (*t && (ends || !choose(l, 5))) {
			struct task *old = *t;

			*t = read_task(l, old, pid + k, pid, refresh);
			(*t)->dead = ends;
			task_unref(old);
		}
	}
}

/* Scaled totals may be added in another order. */
static bool is_same_value(struct value x, struct value y)
{
	const double most = x.quality == QUALITY_SCALED ? 1e-15 * fabs(x.number) : 0;

	return x.quality == y.quality && x.share == y.share && x.rest == y.rest &&
	       (fabs(x.number - y.number) <= most || !value_known(x));
}

static bool is_same_row(const struct delta_row *x, const struct delta_row *y)
{
	bool same = x->n_members == y->n_members && x->events == y->events &&
		    x->task->dead == y->task->dead && !strcmp(x->task->name, y->task->name) &&
		    !strcmp(x->task->user, y->task->user) && is_same_value(x->cpu_ns, y->cpu_ns) &&
		    is_same_value(delta_cpu_share(x), delta_cpu_share(y));

	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		const int fact = f;

		if (!fact_in(FACTS, f))
			continue;
		same &= is_same_value(delta_fact_now(x, fact), delta_fact_now(y, fact)) &&
			is_same_value(delta_fact(x, fact), delta_fact(y, fact)) &&
			is_same_value(delta_fact_rate(x, fact), delta_fact_rate(y, fact));
	}
	for (int i = 0; i < sample_events_n(x->events); i++)
		same &= is_same_value(x->increment[i], y->increment[i]) &&
			is_same_value(x->total[i], y->total[i]) &&
			is_same_value(delta_count_rate(x, i), delta_count_rate(y, i));
	return same;
}

/* Returns the number of groups that differ. */
static size_t compare(struct life *l)
{
	size_t n_bad = l->kept.n != l->folded.n;

	for (size_t i = 0; i < l->kept.n; i++) {
		const struct kept_group *group = l->kept.v[i];
		bool found = false;

		for (size_t k = 0; k < l->folded.n; k++) {
			const struct delta_row *row = &l->folded.row[k];

			found |= row->task->id == group->id.number &&
				 !strcmp(row->task->name, group->id.text) &&
				 is_same_row(&group->row, row);
		}
		n_bad += !found;
		l->n_rows++;
		l->n_changed += group->changed;
		l->n_empty += group->row.n_members == 0;
	}
	return n_bad;
}

static size_t refresh(struct life *l, int number, const struct grouping *by)
{
	const int now = number % 2, before = 1 - now;
	struct sample *s = &l->sample[now];
	const struct delta *rows;

	sample_done(s);
	make(s, (uint64_t)number);
	s->number = (uint32_t)number + 1;
	s->threads = l->threads;
	for (int p = 0; p < PROCESSES; p++) {
		if (number % 10 < 7)
			live(l, p, number);
		for (int k = 0; k < 2; k++)
			if (l->task[p][k])
				sample_add(s, (struct task *)task_ref(l->task[p][k]));
	}
	sample_sort(s);
	delta_compute(&l->delta[now], number ? &l->delta[before] : NULL,
		      number ? &l->sample[before] : NULL, s);
	fold_processes(&l->processes[now], &l->delta[now]);
	rows = l->threads ? &l->delta[now] : &l->processes[now];
	/* Some refreshes are left out. */
	if (!number || number % 23 == 5)
		return 0;
	l->number = number;
	retired_groups_update(&l->retired, rows, by->filter, false, by->test);
	fold_groups(&l->folded, rows, by, &l->retired);
	kept_groups_update(&l->kept, rows, by, &l->retired, FACTS);
	return compare(l);
}

static void begin_life(struct life *l)
{
	*l = (struct life){.random = 88172645463325252u};
	rig_events_make(1);
	for (int k = 0; k < 2; k++) {
		sample_init(&l->sample[k]);
		delta_init(&l->delta[k]);
		delta_init(&l->processes[k]);
	}
	delta_init(&l->folded);
	retired_groups_init(&l->retired);
	l->retired.max = 6;
	kept_groups_init(&l->kept);
}

static void end_life(struct life *l)
{
	kept_groups_done(&l->kept);
	retired_groups_done(&l->retired);
	delta_done(&l->folded);
	for (int k = 0; k < 2; k++) {
		delta_done(&l->processes[k]);
		delta_done(&l->delta[k]);
		sample_done(&l->sample[k]);
	}
	for (int p = 0; p < PROCESSES; p++)
		for (int k = 0; k < 2; k++)
			if (l->task[p][k])
				task_unref(l->task[p][k]);
	rig_events_free();
}

/* A condition that becomes true and false of a task that sleeps, as that on its age does. */
static enum tri ask_turn(void *context, const struct task *task, const struct delta_row *row)
{
	const struct life *l = context;

	(void)row;
	return (task->owner / 10 + (unsigned)l->number / 3) % 4 > 1 ? TRI_TRUE : TRI_FALSE;
}

static void test_life(enum group_key key, const struct filter *filter, bool threads, bool turns)
{
	struct life l;
	const struct row_test test = {.ask = ask_turn, .context = &l, .text = "turn"};
	const struct grouping by = {
		.key = key, .filter = filter, .test = turns ? &test : NULL, .sticky = true};
	size_t n_bad = 0;

	begin_life(&l);
	l.threads = threads;
	for (int number = 0; number < REFRESHES; number++)
		n_bad += refresh(
			&l, number,
			number % 97 < 90
				? &by
				: &(struct grouping){.key = key, .filter = &all, .sticky = true});
	tap_int((long)n_bad, 0, "%s by %s, %zu rows are those of fold_groups()",
		threads ? "threads" : "processes", group_key_table[key].name, l.n_rows);
	tap_ok(l.n_changed && l.n_changed < l.n_rows, "%zu of them were folded", l.n_changed);
	tap_ok(l.n_empty > 0, "%zu of them had no member", l.n_empty);
	end_life(&l);
}

int main(void)
{
	const struct filter some = {.uid = 1};

	test_life(GROUP_PROGRAM, &all, false, false);
	test_life(GROUP_PROGRAM_USER, &all, false, false);
	test_life(GROUP_PROGRAM_USER, &all, true, false);
	test_life(GROUP_USER, &all, false, false);
	test_life(GROUP_PROGRAM_USER, &some, true, false);
	test_life(GROUP_PROGRAM, &all, false, true);
	return tap_done();
}
