/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups of a report. */
#include <stdlib.h>

#include "locks_copy_rig.h"
#include "profile/locks/group.h"
#include "tap.h"

static struct locks_copy copy;
static struct locks_report report;
static struct locks_groups groups;

/* Reads the table of locks_rig, with a hold of 5000 ticks by the first row of the last lock. */
static void read_table(bool events)
{
	locks_copy_rig_read(&copy, events);
	for (size_t i = 0; i < copy.n_rows; i++)
		if (copy.row[i].instance == RIG_LOCKS && copy.row[i].caller == 0x1001) {
			locks_quantity_add(&copy.row[i].phase[LOCKS_HOLD], 5000);
			break;
		}
}

/* Sums the report by the key, and describes each group: its name, locks, acquisitions, acquisitions
 * that had to wait, changes of owners, kind, and whether it has one caller. */
static const char *sum(enum locks_group_key key)
{
	static struct strbuf text;
	struct resolver *names = resolver_new(copy.module, copy.header.n_modules);

	locks_report_make(&report, &copy, 0);
	locks_groups_make(&groups, key, &copy, &report, names);
	if (!text.text)
		strbuf_init(&text);
	strbuf_reset(&text);
	for (size_t i = 0; i < groups.n; i++) {
		const struct locks_line *l = &groups.line[i];
		const struct locks_group *g = &l->group;

		strbuf_addf(&text, "%s %d %d %d %d %s %s\n", g->name ? g->name : "-",
			    (int)g->n_locks, (int)locks_n(&l->sum, LOCKS_ACQUIRE),
			    (int)l->sum.contended, g->knows_owner ? (int)g->owner_changes : -1,
			    g->kind ? g->kind : "-", g->several_callers ? "several" : "one");
	}
	resolver_free(names);
	return text.text;
}

static void done(void)
{
	locks_groups_done(&groups);
	locks_report_done(&report);
	locks_copy_done(&copy);
}

static void check(enum locks_group_key key, const char *want, const char *what)
{
	read_table(false);
	tap_str(sum(key), want, "%s", what);
	done();
}

static void test_keys(void)
{
	check(LOCKS_BY_VARIABLE, "[?program+0x10] 4 96 12 6 mutex several\n",
	      "locks without a name that one place acquired first");
	check(LOCKS_BY_PLACE, "?program+0x0 4 54 12 -1 mutex one\n0x1000 4 42 0 -1 mutex one\n",
	      "places have no owners");
	check(LOCKS_BY_LOCK,
	      "[?program+0x10] 1 33 3 3 mutex several\n[?program+0x10] 1 27 3 2 mutex several\n"
	      "[?program+0x10] 1 21 3 1 mutex several\n[?program+0x10] 1 15 3 0 mutex several\n",
	      "locks, over all callers");
	check(LOCKS_BY_KIND, "mutex 4 96 12 6 mutex several\n", "kinds");
	check(LOCKS_BY_PROCESS, "locks 4 96 12 6 mutex several\n", "the process");
}

static void test_sums(void)
{
	uint64_t n = 0;
	const struct locks_quantity *hold;

	read_table(true);
	sum(LOCKS_BY_VARIABLE);
	hold = &groups.line[0].sum.phase[LOCKS_HOLD];
	tap_int((long)hold->n, 97, "the number of holds");
	tap_int((long)locks_sum(hold), 96 * 1000 + 5000, "their sum");
	tap_int((long)hold->max, 5000, "the maximum is that of one of them");
	for (int b = 0; b < LOCKS_BUCKETS; b++)
		n += hold->bucket[b];
	tap_int((long)n, 97, "histograms are added");
	tap_int((long)locks_variance(hold), 4000 * 4000 / 97, "the deviation is that of all");
	tap_int((long)groups.line[0].sum.waited, 24, "the times of the waits");
	tap_int((long)groups.line[0].counts[LOCKS_RELEASE].n, 96, "events are added");
	tap_int((long)locks_sum(&groups.line[0].counts[LOCKS_RELEASE]), 96 * 3 * RIG_COUNT,
		"and their counts");
	done();
}

static void test_holders(void)
{
	struct locks_wait *w;

	read_table(false);
	/* With the waits for another lock of the group, its third holder has the longest time. */
	w = &copy.wait[3];
	w->ticks = 2;
	w = &copy.wait[1];
	*w = copy.wait[3];
	w->instance = 1;
	sum(LOCKS_BY_VARIABLE);
	tap_int((long)groups.line[0].holder, 0x1003, "the holder is that of the whole group");
	tap_int((long)groups.line[0].holder_ticks, 4, "with the time of all waits for it");
	done();
	read_table(false);
	sum(LOCKS_BY_PLACE);
	tap_int((long)groups.line[0].holder, 0x1002, "the place that waited has a holder");
	tap_int((long)groups.line[1].holder, 0, "that which did not has none");
	done();
}

/* Makes a lock a condition variable that threads use as a lock: each wakes as often as it waits. */
static void use_as_lock(uint32_t instance)
{
	copy.instance[instance - 1].kind = LOCKS_COND;
	for (size_t i = 0; i < copy.n_rows; i++) {
		struct locks_row *row = &copy.row[i];

		if (row->instance != instance)
			continue;
		row->futex.woken = locks_n(row, LOCKS_ACQUIRE);
		if (!row->slot)
			row->futex.handed = row->futex.use[LOCKS_BALANCED] = row->futex.woken;
	}
}

static void test_kinds(void)
{
	read_table(false);
	copy.instance[0].kind = LOCKS_COND;
	copy.instance[1].kind = LOCKS_SEMAPHORE;
	copy.instance[2].kind = LOCKS_RWLOCK;
	for (size_t i = 0; i < copy.n_rows; i++)
		copy.row[i].shared = copy.row[i].caller == 0x1001;
	tap_str(sum(LOCKS_BY_PROCESS), "locks 2 60 6 5 - several\nidle waits 2 36 6 -1 - several\n",
		"idle waits are no part of locks");
	done();
	read_table(false);
	use_as_lock(1);
	copy.instance[1].kind = LOCKS_SEMAPHORE;
	tap_str(sum(LOCKS_BY_PROCESS),
		"locks 2 60 6 5 mutex several\nwaits 1 15 3 -1 cond several\n"
		"idle waits 1 21 3 -1 semaphore several\n",
		"nor are waits for what is used as a lock part of idle waits");
	done();
	read_table(false);
	copy.instance[2].kind = LOCKS_RWLOCK;
	for (size_t i = 0; i < copy.n_rows; i++)
		copy.row[i].shared = copy.row[i].caller == 0x1001;
	tap_str(sum(LOCKS_BY_LOCK),
		"[?program+0x10] 1 33 3 3 mutex several\n[?program+0x10] 1 27 3 2 rwlock several\n"
		"[?program+0x10] 1 21 3 1 mutex several\n[?program+0x10] 1 15 3 0 mutex several\n",
		"a lock of readers and writers is one");
	done();
}

/* The use of one of the objects is less certain than that of the others. */
static void test_certainty(void)
{
	struct resolver *names;

	for (size_t i = 0; i < 2; i++) {
		read_table(false);
		names = resolver_new(copy.module, copy.header.n_modules);
		locks_report_make(&report, &copy, 0);
		for (size_t k = 0; k < report.n; k++)
			report.line[k].certainty = k == i * (report.n - 1) ? WAIT_MAYBE : WAIT_SURE;
		locks_groups_make(&groups, LOCKS_BY_PROCESS, &copy, &report, names);
		tap_int(groups.line[0].certainty, WAIT_MAYBE,
			"a group is no more certain than its line %s", i ? "n" : "1");
		resolver_free(names);
		done();
	}
}

static void test_arrays(void)
{
	check(LOCKS_BY_ARRAY,
	      "- 0 18 3 -1 - one\n- 0 15 3 -1 - one\n- 0 15 0 -1 - one\n- 0 12 3 -1 - one\n"
	      "- 0 12 0 -1 - one\n- 0 9 3 -1 - one\n- 0 9 0 -1 - one\n- 0 6 0 -1 - one\n",
	      "few locks keep their lines");
	read_table(false);
	copy.instance[0].several = 1;
	copy.instance[0].generation = 6;
	tap_str(sum(LOCKS_BY_ARRAY),
		"[?program+0x10] 9 54 12 -1 mutex one\n[?program+0x10] 9 42 0 -1 mutex one\n",
		"many are one line for each caller");
	done();
}

static void test_names(void)
{
	enum locks_group_key key = LOCKS_BY_NONE;
	struct err err = ERR_INIT;

	tap_int(locks_group_find(&key, "place", &err), 0, "a name of a key");
	tap_int(key, LOCKS_BY_PLACE, "is that key");
	tap_ok(locks_group_find(&key, "lok", &err) < 0, "another is refused");
	tap_str(err.text,
		"--group: there is no group 'lok' (did you mean 'lock'?): variable, place, lock, "
		"kind, "
		"process or thread",
		"with the names");
	tap_ok(!locks_group_key_name(LOCKS_BY_ARRAY) && !locks_group_key_name(LOCKS_BY_NONE),
	       "what is done without being asked has no name");
}

int main(void)
{
	test_keys();
	test_sums();
	test_holders();
	test_kinds();
	test_certainty();
	test_arrays();
	test_names();
	return tap_done();
}
