/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/run_sum.h"

#include "model/fact_list.h"

void run_sum_init(struct run_sum *s)
{
	sample_init(&s->begin);
	sample_init(&s->end);
}

void run_sum_done(struct run_sum *s)
{
	sample_done(&s->end);
	sample_done(&s->begin);
}

static void copy_sample(struct sample *to, const struct sample *from, struct task *t)
{
	sample_reset(to);
	to->mono_ns = from->mono_ns;
	to->boot_ns = from->boot_ns;
	to->wall_ns = from->wall_ns;
	to->generation = from->generation;
	to->number = from->number;
	to->threads = from->threads;
	to->one_set = from->one_set;
	to->host = from->host;
	to->kind = from->kind;
	sample_set_machine(to, from->machine);
	sample_add(to, t);
}

static void add_counts(struct task *t, const struct task *sum, const struct task *from)
{
	t->unread |= sum->unread | from->unread;
	/* The counters of one of the runs could not be opened. */
	if (sum->n_counts != t->n_counts || from->n_counts != t->n_counts)
		t->unread = UINT64_MAX;
	for (int i = 0; i < t->n_counts && t->unread != UINT64_MAX; i++) {
		t->count[i].value += sum->count[i].value - from->count[i].value;
		t->count[i].enabled_ns += sum->count[i].enabled_ns - from->count[i].enabled_ns;
		t->count[i].running_ns += sum->count[i].running_ns - from->count[i].running_ns;
	}
}

static void add_facts(struct task *t, const struct task *sum, const struct task *from)
{
	t->known = fact_and(t->known, fact_and(sum->known, from->known));
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_in(t->known, f))
			*task_fact_place(t, f) += task_fact(sum, f) - task_fact(from, f);
}

/* Returns a reading with `sum` plus the increments between the readings `from` and `to`. */
static struct task *add_up(const struct task *sum, const struct task *from, const struct task *to)
{
	const struct task_texts texts = task_texts(to);
	struct task *t = task_copy(to, to->room, to->n_counts, &texts);

	/* Each run is another process: the sum has the ID of the first run. */
	t->id = sum->id;
	t->owner = sum->owner;
	add_counts(t, sum, from);
	add_facts(t, sum, from);
	return t;
}

void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to)
{
	struct task *t;
	uint64_t mono_ns, boot_ns;

	if (!s->end.n) {
		copy_sample(&s->begin, from, task_ref(from->task[0]));
		copy_sample(&s->end, to, task_ref(to->task[0]));
		return;
	}
	mono_ns = s->end.mono_ns + to->mono_ns - from->mono_ns;
	boot_ns = s->end.boot_ns + to->boot_ns - from->boot_ns;
	t = add_up(s->end.task[0], from->task[0], to->task[0]);
	copy_sample(&s->end, to, t);
	s->end.mono_ns = mono_ns;
	s->end.boot_ns = boot_ns;
}
