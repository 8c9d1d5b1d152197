/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The descendants of a process.
 */
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"
#include "view/tree.h"

#define UNKNOWN_PARENT (-1)

static struct task *add(struct sample *s, int pid, int parent, uint64_t start_ns)
{
	struct task *t = sample_add(
		s, task_new(&kind_task, FACT_SET(FACT_PPID), 0, &(struct task_texts){.user = ""}));

	t->id = t->owner = (uint64_t)pid;
	t->start_ns = start_ns;
	if (parent != UNKNOWN_PARENT)
		task_set_fact(t, FACT_PPID, (uint64_t)parent);
	return t;
}

/* 1 ── 10 ── 20 ── 30       40 ── 60; the parent of 40, 50, is not in the sample
 *  └── 11 ── 21             70, whose parent is unknown
 * 2 ── 12                   81, whose parent 80 is younger: 80 has a reused pid */
static void fill(struct sample *s)
{
	sample_init(s);
	add(s, 1, 0, 1);
	add(s, 2, 0, 1);
	add(s, 10, 1, 10);
	add(s, 11, 1, 10);
	add(s, 12, 2, 10);
	add(s, 20, 10, 20);
	add(s, 21, 11, 20);
	add(s, 30, 20, 30)->owner = 30;
	add(s, 31, 99, 30)->owner = 30; /* the parent of a thread is that of its process */
	add(s, 40, 50, 40);
	add(s, 60, 40, 40);
	add(s, 70, UNKNOWN_PARENT, 40);
	add(s, 80, 1, 100);
	add(s, 81, 80, 50);
	sample_sort(s);
}

static void test_who(void)
{
	static const int pid[] = {1, 2, 10, 11, 12, 20, 21, 30, 40, 60, 70, 80, 81, 99};
	/* y yes, n no, ? unknown; for each pid */
	static const struct {
		uint64_t root;
		const char *want;
	} table[] = {
		{1, "ynyynyyy???y??"},  {2, "nynnynnn???n??"},  {10, "nnynnyny???n??"},
		{20, "nnnnnyny???n??"}, {30, "nnnnnnny???n??"}, {40, "nnnnnnnnyy?n??"},
		{50, "nnnnnnnnyy?n??"}, {70, "nnnnnnnn??yn??"}, {80, "nnnnnnnn???yy?"},
		{99, "nnnnnnnn???n?y"}, {0, "yyyyyyyy???y??"},  {4711, "nnnnnnnn???n??"},
	};
	struct lineage l = LINEAGE_INIT;
	struct sample s;

	fill(&s);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char got[sizeof pid / sizeof *pid + 1] = "";

		lineage_trace(&l, &s, table[i].root);
		for (size_t k = 0; k < sizeof pid / sizeof *pid; k++)
			got[k] = "ny?"[lineage_has(&l, (uint64_t)pid[k])];
		tap_str(got, table[i].want, "who is under %d", (int)table[i].root);
	}
	lineage_done(&l);
	sample_done(&s);
}

/* A pid that was reused, and a cycle of parents. */
static void test_odd(void)
{
	struct lineage l = LINEAGE_INIT;
	struct sample s;

	sample_init(&s);
	add(&s, 5, 1, 10)->dead = true;
	add(&s, 5, 9, 20);
	add(&s, 6, 7, 10);
	add(&s, 7, 8, 10);
	add(&s, 8, 6, 10);
	add(&s, 9, 0, 1);
	sample_sort(&s);
	lineage_trace(&l, &s, 9);
	tap_int(lineage_has(&l, 5), TRI_TRUE, "the younger one has the pid");
	tap_int(lineage_has(&l, 6), TRI_FALSE, "a circle descends from none");
	tap_int(lineage_has(&l, 7), TRI_FALSE, "wherever one begins");
	lineage_trace(&l, &s, 7);
	tap_int(lineage_has(&l, 6), TRI_TRUE, "but from those in it");
	tap_int(lineage_has(&l, 8), TRI_TRUE, "all of them");
	tap_int(lineage_has(&l, 9), TRI_FALSE, "and what was said of another root is forgotten");
	sample_reset(&s);
	lineage_trace(&l, &s, 7);
	tap_int(lineage_has(&l, 6), TRI_UNKNOWN, "no process is here");
	lineage_done(&l);
	sample_done(&s);
}

int main(void)
{
	test_who();
	test_odd();
	return tap_done();
}
