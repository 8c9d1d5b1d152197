/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts that move from one row to another: they change totals only, and each once. */
#include "delta_rig.h"
#include "model/rows.h"

#define REST  1
#define CHILD 2

static struct task *add_moved(struct sample *s, int id, uint64_t start_ns, uint64_t count,
			      int64_t moved)
{
	struct task *t = add_counted(s, id, start_ns, (struct count){count, 9, 9});

	if (!moved)
		return t;
	task_make_moved(t);
	t->moved[0] = moved;
	return t;
}

/* The child is seen from sample 1 on; 300 of its earlier counts are in the rest. It ends in sample
 * 2, where they move. */
static void make_scene(struct steps *s, uint64_t start_ns)
{
	begin(s, 4, 1);
	add_moved(&s->sample[0], REST, 5, 100, 0);
	add_moved(&s->sample[1], REST, 5, 450, 0);
	add_moved(&s->sample[1], CHILD, start_ns, 20, 0);
	add_moved(&s->sample[2], REST, 5, 460, -300);
	add_moved(&s->sample[2], CHILD, start_ns, 50, 300)->dead = true;
	add_moved(&s->sample[3], REST, 5, 461, -300);
}

static void test_totals(void)
{
	struct steps s;

	make_scene(&s, FIRST + 1);
	compute(&s);
	check(row_of(&s, 1, REST)->total[0], QUALITY_EXACT, 450, "before it moves");
	check(row_of(&s, 2, CHILD)->total[0], QUALITY_EXACT, 350, "all that the child has done");
	check(row_of(&s, 2, CHILD)->increment[0], QUALITY_EXACT, 30, "and in the interval");
	check(row_of(&s, 2, REST)->total[0], QUALITY_EXACT, 160, "the other row gives it");
	check(row_of(&s, 2, REST)->increment[0], QUALITY_EXACT, 10, "and undoes nothing");
	check(row_of(&s, 3, REST)->total[0], QUALITY_EXACT, 161, "once");
	done(&s);
}

/* In a new generation, a total begins as the counts read plus the moved ones. */
static void test_fresh(void)
{
	struct delta_row idle;
	struct steps s;

	make_scene(&s, FIRST + 1);
	s.sample[2].generation = s.sample[3].generation = 2;
	compute(&s);
	check(row_of(&s, 2, REST)->total[0], QUALITY_EXACT, 160, "another generation");
	check(row_of(&s, 2, REST)->increment[0], QUALITY_FRESH, 0, "of which no more is known");
	check(row_of(&s, 3, REST)->total[0], QUALITY_EXACT, 161, "goes on");
	delta_task_row(&idle, &s.delta[3], NULL, 0, &s.delta[3].arena);
	check(idle.total[0], QUALITY_EXACT, 161, "what did nothing stays");
	done(&s);
}

/* Totals with readings that failed, or that are scaled. */
static void test_quality(void)
{
	struct steps s;

	make_scene(&s, FIRST + 1);
	s.sample[3].task[0]->unread = 1;
	s.sample[2].task[1]->unread = 1;
	compute(&s);
	check(row_of(&s, 2, CHILD)->total[0], QUALITY_PARTIAL, 350,
	      "a last reading that failed leaves a part");
	check(row_of(&s, 3, REST)->total[0], QUALITY_NOT_READ, 0, "unknown is unknown");
	done(&s);
	make_scene(&s, FIRST + 1);
	s.sample[1].task[0]->count[0] = (struct count){450, 19, 19};
	s.sample[2].task[0]->count[0] = (struct count){460, 29, 24};
	compute(&s);
	check(row_of(&s, 2, REST)->total[0], QUALITY_SCALED, 170, "one that took turns");
	done(&s);
}

/* at: the sample at which the mark is set. The child began before sample 1. */
static void check_mark(int at, double child, double rest)
{
	struct steps s;

	make_scene(&s, FIRST + SECOND / 2);
	for (int k = 0; k < s.n; k++) {
		delta_compute(&s.delta[k], k ? &s.delta[k - 1] : NULL, k ? &s.sample[k - 1] : NULL,
			      &s.sample[k]);
		if (k == at)
			delta_mark(&s.delta[k]);
	}
	check(delta_count_since(row_of(&s, 2, CHILD), 0), QUALITY_EXACT, child,
	      "the child since the mark");
	check(delta_count_since(row_of(&s, 2, REST), 0), QUALITY_EXACT, rest,
	      "the rest since the mark");
	check(delta_count_since(row_of(&s, 3, REST), 0), QUALITY_EXACT, rest + 1, "and later");
	check(row_of(&s, 2, REST)->total[0], QUALITY_EXACT, 160, "the total is what it was");
	done(&s);
}

/* A process includes the counts that were moved to its leader. */
static void test_process(void)
{
	struct delta processes;
	struct steps s;

	make_scene(&s, FIRST + 1);
	add_counted(&s.sample[1], 3, FIRST + 1, (struct count){7, 1, 1})->owner = CHILD;
	add_counted(&s.sample[2], 3, FIRST + 1, (struct count){8, 2, 2})->owner = CHILD;
	compute(&s);
	delta_init(&processes);
	fold_processes(&processes, &s.delta[2]);
	for (size_t i = 0; i < processes.n; i++)
		if (processes.row[i].task->id == CHILD)
			check(processes.row[i].total[0], QUALITY_EXACT, 358,
			      "of all of its threads");
	delta_done(&processes);
	done(&s);
}

int main(void)
{
	test_totals();
	test_fresh();
	test_quality();
	check_mark(0, 350, 60);
	check_mark(1, 30, 10);
	test_process();
	return tap_done();
}
