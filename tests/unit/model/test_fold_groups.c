/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding tasks to groups, by hand: sums, members that are counted, and the counts of ended
 * members.
 */
#include <stdio.h>
#include <string.h>

#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "model/fold_sum.h"
#include "model/rows.h"

static const struct filter all = FILTER_ALL;

/* A process in a sample. */
struct member {
	int pid;
	uint32_t uid;
	const char *user, *program;
	enum count_state counting;
	uint64_t cycles, instructions; /* totals since the counters were opened */
	uint64_t cpu_ns, rss_kb, nice;
	bool dead;
	char state;
};

static struct task *put(struct sample *s, const struct member *m)
{
	struct count cycles = {m->cycles, 1000, 1000};
	struct task *t = m->counting == COUNT_OK ? add_counted(s, m->pid, 1, cycles)
						 : add(s, m->pid, 1, m->counting);

	if (m->counting == COUNT_OK)
		t->count[1].value = m->instructions;
	t->uid = m->uid;
	t->user = m->user;
	t->name = t->process = m->program;
	t->dead = m->dead;
	if (m->state)
		t->state = m->state;
	set_fact(t, FACT_CPU_NS, m->cpu_ns);
	set_fact(t, FACT_RSS_KB, m->rss_kb);
	set_fact(t, FACT_NICE, m->nice);
	return t;
}

static void put_all(struct sample *s, const struct member *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(s, &m[i]);
	sample_sort(s);
}

#define PUT(sample, ...)                                                                           \
	do {                                                                                       \
		const struct member list[] = {__VA_ARGS__};                                        \
		put_all(sample, list, sizeof list / sizeof *list);                                 \
	} while (0)

#define JOE  .uid = 7, .user = "joe"
#define ROOT .uid = 0, .user = "root"

/* Samples, and for each its deltas: folded to processes and to groups. */
struct folded {
	struct steps steps;
	struct delta processes, groups;
	struct retired_groups retired;
	struct grouping by;
};

static void begin_fold(struct folded *f, int n, enum group_key key)
{
	begin(&f->steps, n, 2);
	delta_init(&f->processes);
	delta_init(&f->groups);
	retired_groups_init(&f->retired);
	f->by = (struct grouping){.key = key, .filter = &all};
}

static void fold_at(struct folded *f, int k)
{
	fold_processes(&f->processes, &f->steps.delta[k]);
	retired_groups_update(&f->retired, &f->processes, f->by.filter, f->by.use_cmdline,
			      f->by.test);
	fold_groups(&f->groups, &f->processes, &f->by, &f->retired);
}

static void done_fold(struct folded *f)
{
	retired_groups_done(&f->retired);
	delta_done(&f->groups);
	delta_done(&f->processes);
	done(&f->steps);
}

static const struct delta_row *find(const struct folded *f, const char *name)
{
	static const struct delta_row none = {.n_members = -1};

	for (size_t i = 0; i < f->groups.n; i++)
		if (!strcmp(f->groups.row[i].task->name, name))
			return &f->groups.row[i];
	tap_ok(false, "there is a group %s", name);
	return &none;
}

static void put_three(struct folded *f)
{
	/* clang-format off */
	PUT(&f->steps.sample[0],
	    {10, JOE, .program = "a", .counting = COUNT_OK, .rss_kb = 5, .nice = 1},
	    {11, ROOT, .program = "a", .counting = COUNT_OK},
	    {12, JOE, .program = "b", .counting = COUNT_OK, .nice = 2});
	PUT(&f->steps.sample[1],
	    {10, JOE, .program = "a", COUNT_OK, 300, 600, SECOND / 2, .rss_kb = 30, .nice = 1},
	    {11, ROOT, .program = "a", COUNT_OK, 50, 25, SECOND / 4, .rss_kb = 7, .nice = 3},
	    {12, JOE, .program = "b", COUNT_OK, 100, 100, SECOND / 4, .rss_kb = 12, .nice = 2});
	/* clang-format on */
	compute(&f->steps);
}

/* Only the wanted facts are summed up. */
static void test_few_facts(void)
{
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 2, GROUP_USER);
	f.by.only = FACT_SET(FACT_RSS_KB);
	put_three(&f);
	fold_at(&f, 1);
	row = find(&f, "joe");
	check(delta_fact_now(row, FACT_RSS_KB), QUALITY_EXACT, 42, "a wanted fact");
	tap_ok(!value_known(delta_fact(row, FACT_CPU_NS)), "another one is not known");
	check(delta_cpu_share(row), QUALITY_EXACT, 0.75, "the use of CPUs is");
	done_fold(&f);
}

static void test_sums(void)
{
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 2, GROUP_USER);
	put_three(&f);
	fold_at(&f, 1);
	tap_int(f.groups.n, 2, "two users");
	row = find(&f, "joe");
	tap_ok(row->task->kind == group_key_table[GROUP_USER].kind && row->task->id == 7,
	       "one has the uid 7");
	tap_int(row->n_members, 2, "and two processes");
	check(row->increment[0], QUALITY_EXACT, 400, "cycles are a sum");
	check(row->increment[1], QUALITY_EXACT, 700, "instructions, too");
	check(value_divide(row->increment[1], row->increment[0]), QUALITY_EXACT, 1.75,
	      "so the ratio is not the mean of 2 and 1");
	check(delta_count_rate(row, 0), QUALITY_EXACT, 400, "rates are sums");
	check(delta_cpu_share(row), QUALITY_EXACT, 0.75, "and the use of CPUs");
	check(delta_fact(row, FACT_CPU_NS), QUALITY_EXACT, 0.75 * (double)SECOND,
	      "and what facts grew by");
	check(delta_fact_now(row, FACT_RSS_KB), QUALITY_EXACT, 42, "memory adds");
	check(delta_fact_now(row, FACT_NICE), QUALITY_DIFFER, 0,
	      "nice values do not, and these differ");
	check(delta_fact_now(find(&f, "root"), FACT_NICE), QUALITY_EXACT, 3,
	      "one alone is that of the group");
	tap_str(row->task->user, "joe", "the user of all members");
	tap_str(task_text(row->task, FACT_PROGRAM), "", "which have no program in common");
	tap_str(task_text(find(&f, "root")->task, FACT_PROGRAM), "a", "one alone has its own");

	f.by.key = GROUP_PROGRAM;
	fold_at(&f, 1);
	row = find(&f, "a");
	check(row->increment[0], QUALITY_EXACT, 350, "by program, others are together");
	tap_str(task_text(row->task, FACT_PROGRAM), "a", "of one program");
	tap_str(row->task->user, FOLD_SEVERAL, "whose users differ");
	done_fold(&f);
}

/* A group has a text if all its living members have the same; '?' is an unknown text. */
static void test_texts(void)
{
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 2, GROUP_USER);
	for (int k = 0; k < 2; k++)
		PUT(&f.steps.sample[k],
		    {10, JOE, .program = "a", .counting = COUNT_OK, .state = 'S'},
		    {11, JOE, .program = "a", .counting = COUNT_OK, .state = 'S'},
		    {12, JOE, .program = "b", .counting = COUNT_OK, .state = 'R', .dead = true},
		    {13, ROOT, .program = "a", .counting = COUNT_OK, .state = 'S'},
		    {14, ROOT, .program = "a", .counting = COUNT_OK, .state = 'R'},
		    {15, ROOT, .program = "a", .counting = COUNT_OK, .state = 'S'},
		    {16, .uid = 8, .user = "ann", .program = "a", .state = 'S'},
		    {17, .uid = 8, .user = "ann", .program = "b", .state = '?'},
		    {18, .uid = 8, .user = "ann", .program = "b", .state = 'S'},
		    {19, .uid = 9, .user = "eve", .program = "a", .state = 'S', .dead = true});
	compute(&f.steps);
	fold_at(&f, 1);
	row = find(&f, "joe");
	tap_str(task_text(row->task, FACT_STATE), "S", "all that are alive sleep");
	row = find(&f, "root");
	tap_str(task_text(row->task, FACT_STATE), "", "states that differ are none");
	tap_ok(!task_text(row->task, FACT_CGROUP), "what was not read of members is not known");
	row = find(&f, "ann");
	tap_ok(!task_text(row->task, FACT_STATE), "nor the state where one is not known");
	tap_str(task_text(find(&f, "eve")->task, FACT_STATE), "X", "where all have ended, that");
	done_fold(&f);
}

static void test_members_without_counters(void)
{
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 2, GROUP_USER);
	for (int k = 0; k < 2; k++)
		PUT(&f.steps.sample[k],
		    {.pid = 10,
		     JOE,
		     .program = "a",
		     .counting = COUNT_OK,
		     .cycles = 100 + (uint64_t)k * 5},
		    {.pid = 11, JOE, .program = "a", .counting = COUNT_DENIED},
		    {.pid = 12, ROOT, .program = "a", .counting = COUNT_DENIED},
		    {.pid = 13, ROOT, .program = "a", .counting = COUNT_NOFILE});
	compute(&f.steps);
	fold_at(&f, 1);
	row = find(&f, "joe");
	check(row->increment[0], QUALITY_PARTIAL, 5,
	      "one member that cannot be counted makes a lower bound");
	check(row->total[0], QUALITY_PARTIAL, 105, "and the total");
	check(find(&f, "root")->increment[0], QUALITY_DENIED, 0,
	      "where none can be, the worst reason");
	done_fold(&f);
}

/* joe's second process ends: sample 1 has its last counts, sample 2 does not have it. */
static void put_ending(struct folded *f)
{
	for (int k = 0; k < 4; k++) {
		uint64_t now = 100 * (uint64_t)(k + 1);

		/* clang-format off */
		if (k < 2)
			PUT(&f->steps.sample[k],
			    {.pid = 10, JOE, .program = "a", COUNT_OK, now, 0, .cpu_ns = now, .rss_kb = 8},
			    {.pid = 11, JOE, .program = "b", COUNT_OK, 10 * now, 0, .cpu_ns = 10 * now,
			     .rss_kb = 50, .dead = k == 1});
		else
			PUT(&f->steps.sample[k],
			    {.pid = 10, JOE, .program = "a", COUNT_OK, now, 0, .cpu_ns = now, .rss_kb = 8});
		/* clang-format on */
	}
	compute(&f->steps);
}

static void test_ended(void)
{
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 4, GROUP_USER);
	put_ending(&f);
	fold_at(&f, 1);
	row = find(&f, "joe");
	tap_int(row->n_members, 1, "one has ended");
	check(row->increment[0], QUALITY_EXACT, 1100, "what it did in its last interval is in it");
	check(row->total[0], QUALITY_EXACT, 200 + 2000, "and its total");
	check(delta_fact_now(row, FACT_CPU_NS), QUALITY_EXACT, 2200, "and its time");
	check(delta_fact_now(row, FACT_RSS_KB), QUALITY_EXACT, 8, "but not its memory");
	fold_at(&f, 2);
	fold_at(&f, 2);
	row = find(&f, "joe");
	check(row->increment[0], QUALITY_EXACT, 100,
	      "afterwards, only the other one does something");
	check(row->total[0], QUALITY_EXACT, 300 + 2000,
	      "the total does not fall, however often it is shown");
	check(delta_fact_now(row, FACT_CPU_NS), QUALITY_EXACT, 2300, "nor does the time");
	fold_at(&f, 3);
	check(find(&f, "joe")->total[0], QUALITY_EXACT, 2400, "and it goes on");
	f.by.key = GROUP_PROGRAM;
	f.by.sticky = true;
	fold_at(&f, 3);
	tap_int(f.groups.n, 2, "another key has had the same member");
	row = find(&f, "b");
	tap_ok(row->task->dead && !row->n_members, "whose group is empty");
	check(row->total[0], QUALITY_EXACT, 2000, "with what it had");
	f.by.sticky = false;
	fold_at(&f, 3);
	tap_int(f.groups.n, 1, "which only a sticky view shows");
	done_fold(&f);
}

static void test_filter(void)
{
	const struct filter only_a = {.text = "a", .uid = -1}, watch_b = {.text = "b", .uid = -1};
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 4, GROUP_USER);
	put_ending(&f);
	fold_at(&f, 1);
	f.by.filter = &only_a;
	fold_at(&f, 1);
	row = find(&f, "joe");
	check(row->increment[0], QUALITY_EXACT, 100, "who is left out adds nothing");
	check(row->total[0], QUALITY_EXACT, 200, "nor what it had counted");
	tap_int(f.groups.n_all, 2, "it is counted with all");
	tap_int(f.groups.n_passed, 1, "but not with those that are shown");
	fold_at(&f, 2);
	check(find(&f, "joe")->total[0], QUALITY_EXACT, 300, "nor later");
	f.by.filter = &all;
	fold_at(&f, 2);
	check(find(&f, "joe")->total[0], QUALITY_EXACT, 300,
	      "with another filter, what has ended is forgotten");
	f.by.watch = &watch_b;
	tap_ok(!find(&f, "joe")->watched, "nothing is watched");
	fold_at(&f, 1);
	tap_ok(find(&f, "joe")->watched, "a watched member marks its group");
	done_fold(&f);
}

/* The test of a filter: true if the row has at least *least counts, unknown without a number. */
static enum tri ask_much(void *least, const struct task *t, const struct delta_row *row)
{
	(void)t;
	if (!row->events || !value_known(row->increment[0]))
		return TRI_UNKNOWN;
	return row->increment[0].number >= *(double *)least ? TRI_TRUE : TRI_FALSE;
}

/* A filter is tested in each interval for living members; for ended members, in their last
 * interval. */
static void test_asked(void)
{
	double least = 500;
	const struct row_test much = {ask_much, &least, false, "much"};
	struct folded f;

	begin_fold(&f, 4, GROUP_USER);
	put_ending(&f);
	f.by.test = &much;
	fold_at(&f, 1);
	check(find(&f, "joe")->increment[0], QUALITY_EXACT, 1000, "only who passes is in it");
	tap_int(f.groups.n_hidden * 10 + f.groups.n_unknown, 10, "the other one is hidden");
	least = 0;
	fold_at(&f, 2);
	check(find(&f, "joe")->total[0], QUALITY_EXACT, 2300, "now both, though one has ended");
	least = 500;
	fold_at(&f, 3);
	tap_int(f.groups.n, 0, "a group without a member is none");
	done_fold(&f);
}

/* Program a becomes b by execve(2). */
static void test_moved(void)
{
	struct folded f;

	begin_fold(&f, 3, GROUP_PROGRAM);
	for (int k = 0; k < 3; k++)
		PUT(&f.steps.sample[k],
		    {.pid = 10,
		     JOE,
		     .program = k ? "b" : "a",
		     COUNT_OK,
		     100 + 40 * (uint64_t)k,
		     0,
		     .cpu_ns = 100 + 40 * (uint64_t)k},
		    {.pid = 11, JOE, .program = "a", COUNT_OK, 7, 0, .cpu_ns = 7});
	compute(&f.steps);
	fold_at(&f, 1);
	check(find(&f, "a")->total[0], QUALITY_EXACT, 107, "what it had counted as a stays there");
	check(find(&f, "b")->total[0], QUALITY_EXACT, 40, "b has what it did as b");
	check(delta_fact_now(find(&f, "b"), FACT_CPU_NS), QUALITY_EXACT, 40, "so with its time");
	fold_at(&f, 2);
	check(find(&f, "a")->total[0], QUALITY_EXACT, 107, "nothing falls");
	check(find(&f, "b")->total[0], QUALITY_EXACT, 80, "and b goes on");
	done_fold(&f);
}

/* A task that has not run is a member, too. */
static void test_idle(void)
{
	struct folded f;
	const struct delta_row *row;

	begin_fold(&f, 2, GROUP_USER);
	PUT(&f.steps.sample[0], {.pid = 10, JOE, .program = "a", COUNT_OK, 1000, 0, .rss_kb = 5},
	    {.pid = 11, ROOT, .program = "a", COUNT_OK, 500, 0});
	sample_add(&f.steps.sample[1], task_ref(f.steps.sample[0].task[0]));
	sample_add(&f.steps.sample[1], task_ref(f.steps.sample[0].task[1]));
	PUT(&f.steps.sample[1], {.pid = 12, JOE, .program = "a", COUNT_OK, 30, 0, .rss_kb = 5});
	compute(&f.steps);
	fold_at(&f, 1);
	row = find(&f, "joe");
	tap_int(row->n_members, 2, "one idle, one new");
	check(row->total[0], QUALITY_EXACT, 1030, "both have counted");
	check(row->increment[0], QUALITY_PARTIAL, 0, "of the new one it is not known since when");
	check(find(&f, "root")->increment[0], QUALITY_EXACT, 0,
	      "a group that did nothing has a row");
	done_fold(&f);
}

/* Threads as members: facts of the process are not added for each thread. */
static void test_threads(void)
{
	struct folded f;
	const struct delta_row *row;

	begin_fold(&f, 2, GROUP_USER);
	for (int k = 0; k < 2; k++) {
		uint64_t now = (uint64_t)k + 1;

		PUT(&f.steps.sample[k],
		    {.pid = 10, JOE, .program = "a", COUNT_OK, 3 * now, 0, .rss_kb = 9},
		    {.pid = 11, JOE, .program = "a", COUNT_OK, 4 * now, 0, .rss_kb = 9});
		f.steps.sample[k].threads = true;
		f.steps.sample[k].task[1]->owner = 10;
		task_set_fact(f.steps.sample[k].task[0], FACT_CHILD_NS, 50 * now);
		fact_remove(&f.steps.sample[k].task[1]->known, FACT_CHILD_NS);
	}
	compute(&f.steps);
	retired_groups_update(&f.retired, &f.steps.delta[1], &all, false, NULL);
	fold_groups(&f.groups, &f.steps.delta[1], &f.by, &f.retired);
	row = find(&f, "joe");
	tap_int(row->n_members, 2, "two threads");
	check(delta_fact(row, FACT_CHILD_NS), QUALITY_EXACT, 50,
	      "the first one has the time of children");
	check(row->increment[0], QUALITY_EXACT, 7, "that count for themselves");
	check(delta_fact_now(row, FACT_RSS_KB), QUALITY_EXACT, 9, "in the same memory");
	done_fold(&f);
}

/* Members with different sets of events: the group has all events, each partial if some member does
 * not count it. */
static void test_events(void)
{
	const struct sample_event other = {.pmu = "cpu", .kind = EVENT_RAW, .config = 77};
	struct sample_events *events = sample_events_new(&other, 1);
	const struct delta_row *row;
	struct folded f;

	begin_fold(&f, 3, GROUP_USER);
	for (int k = 0; k < 3; k++) {
		uint64_t now = 10 * (uint64_t)k;
		struct task *t;

		PUT(&f.steps.sample[k], {10, JOE, .program = "a", COUNT_OK, now, now});
		if (k < 2) {
			t = put(&f.steps.sample[k],
				&(struct member){11, JOE, .program = "a", COUNT_OK, 3 * now, 0});
			t->dead = k == 1;
			task_set_events(t, events);
		}
	}
	compute(&f.steps);
	fold_at(&f, 1);
	row = find(&f, "joe");
	tap_int(sample_events_n(row->events), 3, "two events and another");
	check(row->increment[0], QUALITY_PARTIAL, 10, "one member has counted the first");
	check(row->increment[2], QUALITY_PARTIAL, 30, "the other one the last");
	fold_at(&f, 2);
	row = find(&f, "joe");
	tap_int(sample_events_n(row->events), 3, "what has ended leaves its events, too");
	check(row->total[0], QUALITY_PARTIAL, 20, "the total of the first");
	check(row->total[2], QUALITY_PARTIAL, 30, "that of the last");
	done_fold(&f);
	sample_events_unref(events);
}

/* If too many groups have ended members only, they are forgotten; groups with living members are
 * not. */
static void test_limit(void)
{
	static char name[RETIRED_GROUPS_MAX][16];
	struct folded f;

	begin_fold(&f, 2, GROUP_PROGRAM);
	for (int k = 0; k < 2; k++) {
		PUT(&f.steps.sample[k],
		    {.pid = 1, JOE, .program = "a", COUNT_OK, 5 + (uint64_t)k, 0},
		    {.pid = 2, JOE, .program = "a", COUNT_OK, 60, 0, .dead = k == 1});
		for (int i = 0; i < RETIRED_GROUPS_MAX; i++) {
			snprintf(name[i], sizeof name[i], "p%d", i);
			put(&f.steps.sample[k],
			    &(struct member){
				    .pid = 10 + i, JOE, name[i], COUNT_OK, 1, 0, .dead = k == 1});
		}
	}
	compute(&f.steps);
	fold_at(&f, 1);
	tap_int(f.retired.key[GROUP_PROGRAM].n, 1, "one group of all is kept");
	check(find(&f, "a")->total[0], QUALITY_EXACT, 66, "the one that has a member");
	done_fold(&f);
}

int main(void)
{
	test_sums();
	test_few_facts();
	test_texts();
	test_members_without_counters();
	test_ended();
	test_filter();
	test_asked();
	test_moved();
	test_idle();
	test_threads();
	test_events();
	test_limit();
	return tap_done();
}
