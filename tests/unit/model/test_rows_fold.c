/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folding threads to processes: sums, facts of the leader, and the effect of a thread that cannot
 * be counted.
 */
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "tap.h"

/* The increments of a thread with one event that runs all the time. */
struct thread {
	int tid, pid;
	enum count_state counting;
	uint64_t value, ran_ns; /* increments in the interval */
	/* for a leader: increment of the process's CPU clock; 0: not read */
	uint64_t process_ns;
	uint64_t vcsw, minflt;
	bool fresh, unread_before;
};

/* the set of all tasks, with one event */
static struct sample_events *one_event;

static void add_task(struct sample *s, const struct thread *from, uint64_t k)
{
	struct task *t = sample_add(s, task_new(&kind_task, fact_all, 0, &(struct task_texts){0}));

	t->id = (uint64_t)from->tid;
	t->owner = (uint64_t)from->pid;
	t->start_ns = 5;
	t->name = from->tid == from->pid ? "leader" : "thread";
	t->counting = (uint8_t)from->counting;
	task_set_events(t, one_event);
	if (from->counting == COUNT_OK) {
		struct count *count = arena_calloc(&s->arena, 1, sizeof *count);

		*count = (struct count){1000 + k * from->value, 5000 + k * from->ran_ns,
					5000 + k * from->ran_ns};
		t->count = count;
		t->unread = !k && from->unread_before;
	}
	task_set_fact(t, FACT_VCSW, 10 + k * from->vcsw);
	task_set_fact(t, FACT_MINFLT, 10 + k * from->minflt);
	if (from->process_ns)
		task_set_fact(t, FACT_CPU_NS, 100000 + k * from->process_ns);
}

struct folded {
	struct sample sample[2];
	struct delta delta[2], processes;
};

static void fold(struct folded *f, const struct thread *thread, size_t n)
{
	for (uint64_t k = 0; k < 2; k++) {
		struct sample *s = &f->sample[k];

		sample_init(s);
		delta_init(&f->delta[k]);
		s->mono_ns = s->boot_ns = (100 + k) * 1000000000;
		for (size_t i = 0; i < n; i++)
			if (k || !thread[i].fresh)
				add_task(s, &thread[i], k);
		sample_sort(s);
		delta_compute(&f->delta[k], k ? &f->delta[0] : NULL, k ? &f->sample[0] : NULL, s);
	}
	delta_init(&f->processes);
	fold_processes(&f->processes, &f->delta[1]);
}

static void done(struct folded *f)
{
	delta_done(&f->processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&f->delta[k]);
		sample_done(&f->sample[k]);
	}
}

static void check(struct value v, enum quality quality, double number, const char *what)
{
	tap_str(quality_table[v.quality].name, quality_table[quality].name, "%s: its quality",
		what);
	tap_num(v.number, quality < QUALITY_FIRST_NONE ? number : (double)NAN, "%s: its number",
		what);
}

#define FOLD(f, ...)                                                                               \
	do {                                                                                       \
		const struct thread threads[] = {__VA_ARGS__};                                     \
		fold(f, threads, sizeof threads / sizeof *threads);                                \
	} while (0)

static void test_sums(void)
{
	const struct delta_row *row;
	struct folded f;

	FOLD(&f,
	     {.tid = 5,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 1,
	      .ran_ns = 10,
	      .vcsw = 1,
	      .minflt = 1},
	     {.tid = 10,
	      .pid = 10,
	      .counting = COUNT_OK,
	      .value = 7,
	      .ran_ns = 3,
	      .vcsw = 5,
	      .minflt = 9},
	     {.tid = 20,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 2,
	      .ran_ns = 20,
	      .vcsw = 2,
	      .minflt = 8},
	     {.tid = 21,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 4,
	      .ran_ns = 40,
	      .vcsw = 4,
	      .minflt = 4});
	tap_int(f.processes.n, 2, "a row for each process");
	tap_ok(f.processes.interval_ns == f.delta[1].interval_ns &&
		       f.processes.sample == &f.sample[1],
	       "of the same interval");
	row = &f.processes.row[1];
	tap_int(row->task->id, 20, "in the order of their pids, the leader speaking for each");
	tap_str(row->task->name, "leader", "by name");
	tap_int(row->n_members, 3, "three threads");
	check(row->increment[0], QUALITY_EXACT, 7, "the sum of increments");
	check(row->total[0], QUALITY_EXACT, 3007, "the sum of totals");
	check(row->cpu_ns, QUALITY_EXACT, 70, "the sum of times");
	check(delta_fact(row, FACT_VCSW), QUALITY_EXACT, 7, "a fact of threads is a sum");
	check(delta_fact_now(row, FACT_VCSW), QUALITY_EXACT, 37, "so is its present value");
	check(delta_fact(row, FACT_MINFLT), QUALITY_EXACT, 8,
	      "a fact of the process is the leader's");
	check(delta_fact_now(row, FACT_MINFLT), QUALITY_EXACT, 18, "so is its present value");
	row = &f.processes.row[0];
	tap_int(row->n_members, 1, "a process of one thread");
	check(row->increment[0], QUALITY_EXACT, 7, "is what its thread is");
	done(&f);
}

/* Threads are read at different times: the rate of the process is the sum of their rates. */
static void test_rates(void)
{
	const struct thread threads[] = {
		{.tid = 20,
		 .pid = 20,
		 .counting = COUNT_OK,
		 .value = 30,
		 .ran_ns = 300000000,
		 .vcsw = 3},
		{.tid = 21,
		 .pid = 20,
		 .counting = COUNT_OK,
		 .value = 10,
		 .ran_ns = 100000000,
		 .vcsw = 1},
	};
	const struct delta_row *row;
	struct folded f;

	fold(&f, threads, 2);
	delta_done(&f.delta[1]);
	delta_done(&f.processes);
	/* In the first sample, the second thread was read half a second later. */
	f.sample[0].time[1] = (struct task_time){500000, 500000};
	delta_compute(&f.delta[1], &f.delta[0], &f.sample[0], &f.sample[1]);
	fold_processes(&f.processes, &f.delta[1]);
	row = &f.processes.row[0];
	check(row->increment[0], QUALITY_EXACT, 40, "increments");
	check(delta_count_rate(row, 0), QUALITY_EXACT, 30 + 20, "their rate");
	check(delta_fact_rate(row, FACT_VCSW), QUALITY_EXACT, 3 + 2, "that of a fact of threads");
	check(delta_fact_rate(row, FACT_MINFLT), QUALITY_EXACT, 0, "that of a fact of the process");
	check(delta_cpu_share(row), QUALITY_EXACT, 0.3 + 0.2, "and of the time on a CPU");
	done(&f);
}

static void test_partial(void)
{
	const struct delta_row *row = NULL;
	struct folded f;

	FOLD(&f,
	     {.tid = 20,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 2,
	      .ran_ns = 20,
	      .process_ns = 90},
	     {.tid = 21, .pid = 20, .counting = COUNT_DENIED, .value = 4, .ran_ns = 40});
	row = f.processes.row;
	check(row->increment[0], QUALITY_PARTIAL, 2, "one thread denied: a lower bound");
	check(row->total[0], QUALITY_PARTIAL, 1002, "the total, too");
	check(row->cpu_ns, QUALITY_EXACT, 90, "the time is that of the process' clock");
	done(&f);

	FOLD(&f, {.tid = 20, .pid = 20, .counting = COUNT_DENIED, .process_ns = 90},
	     {.tid = 21, .pid = 20, .counting = COUNT_NOFILE});
	check(f.processes.row->increment[0], QUALITY_DENIED, 0, "none counted: the worst reason");
	check(f.processes.row->cpu_ns, QUALITY_EXACT, 90, "the time by the clock");
	done(&f);

	FOLD(&f,
	     {.tid = 20,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 2,
	      .ran_ns = 20,
	      .process_ns = 60},
	     {.tid = 21, .pid = 20, .counting = COUNT_OK, .value = 4, .ran_ns = 40, .fresh = true});
	check(f.processes.row->increment[0], QUALITY_PARTIAL, 2,
	      "a thread without a previous reading: a lower bound");
	check(f.processes.row->cpu_ns, QUALITY_EXACT, 60, "the time by the clock");
	done(&f);
}

static void test_inherited(void)
{
	struct folded f;

	FOLD(&f,
	     {.tid = 20,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 9,
	      .ran_ns = 60,
	      .process_ns = 60,
	      .vcsw = 1},
	     {.tid = 21, .pid = 20, .counting = COUNT_INHERITED, .vcsw = 2},
	     {.tid = 22, .pid = 20, .counting = COUNT_INHERITED, .vcsw = 3, .fresh = true});
	check(f.processes.row->increment[0], QUALITY_EXACT, 9,
	      "threads that another's group counts add nothing");
	tap_ok(!f.processes.row->unequal, "all intervals are equal");
	f.delta[1].row[2].unequal = true;
	fold_processes(&f.processes, &f.delta[1]);
	tap_ok(f.processes.row->unequal, "one thread with unequal intervals is enough");
	check(f.processes.row->total[0], QUALITY_EXACT, 1009, "nor to the total");
	check(f.processes.row->cpu_ns, QUALITY_EXACT, 60, "nor to the time");
	tap_int(f.processes.row->n_members, 3, "but they are threads");
	done(&f);

	FOLD(&f,
	     {.tid = 20, .pid = 20, .counting = COUNT_OK, .value = 9, .ran_ns = 60, .fresh = true},
	     {.tid = 21, .pid = 20, .counting = COUNT_INHERITED});
	check(f.processes.row->increment[0], QUALITY_FRESH, 0,
	      "they make no number of one that is not known yet");
	done(&f);

	/* After pids have wrapped around, a tid may be less than the pid. */
	FOLD(&f, {.tid = 4, .pid = 20, .counting = COUNT_INHERITED, .vcsw = 2},
	     {.tid = 20, .pid = 20, .counting = COUNT_OK, .value = 9, .ran_ns = 60, .vcsw = 1},
	     {.tid = 21, .pid = 20, .counting = COUNT_OK, .value = 3, .ran_ns = 5, .vcsw = 1});
	check(f.processes.row->increment[0], QUALITY_EXACT, 12, "in any order");
	check(f.processes.row->cpu_ns, QUALITY_EXACT, 65, "the time in any order");
	check(delta_fact(f.processes.row, FACT_VCSW), QUALITY_EXACT, 4, "and facts");
	done(&f);
}

/* The counters of the leader could not be read in the refresh before. Its CPU clock is that of the
 * whole process, so the times of other threads must not be added to it. */
static void test_time_once(void)
{
	struct folded f;

	FOLD(&f,
	     {.tid = 20,
	      .pid = 20,
	      .counting = COUNT_OK,
	      .value = 2,
	      .ran_ns = 20,
	      .process_ns = 60,
	      .unread_before = true},
	     {.tid = 21, .pid = 20, .counting = COUNT_OK, .value = 4, .ran_ns = 40});
	check(f.processes.row->cpu_ns, QUALITY_EXACT, 60, "no time is counted twice");
	check(f.processes.row->increment[0], QUALITY_EXACT, 6, "and no count");
	done(&f);
}

/* One of two threads ran: the total of the idle one is in the sum. And a process whose threads are
 * all idle. */
static void test_idle_threads(void)
{
	static const struct thread first[] = {
		{.tid = 20, .pid = 20, .counting = COUNT_OK, .vcsw = 1},
		{.tid = 21, .pid = 20, .counting = COUNT_OK},
	};
	static const struct thread ran = {
		.tid = 20, .pid = 20, .counting = COUNT_OK, .value = 4, .ran_ns = 40};
	struct rows_item item = {.n = 0};
	struct sample s[3];
	struct delta d[3], processes;
	const struct delta_row *row;

	delta_init(&processes);
	for (uint64_t k = 0; k < 3; k++) {
		sample_init(&s[k]);
		delta_init(&d[k]);
		s[k].mono_ns = s[k].boot_ns = (100 + k) * 1000000000;
		if (k == 0) {
			add_task(&s[k], &first[0], 0);
			add_task(&s[k], &first[1], 0);
		} else if (k == 1) {
			add_task(&s[k], &ran, 1);
			sample_add(&s[k], task_ref(s[0].task[1]));
		} else {
			sample_add(&s[k], task_ref(s[1].task[0]));
			sample_add(&s[k], task_ref(s[1].task[1]));
		}
		/* Its counts are in the arena of the first sample that had it. */
		delta_compute(&d[k], k ? &d[k - 1] : NULL, k ? &s[k - 1] : NULL, &s[k]);
	}
	fold_processes(&processes, &d[1]);
	tap_int(processes.n, 1, "a process of which one thread ran has a row");
	row = processes.row;
	tap_int(row->n_members, 2, "with both");
	check(row->increment[0], QUALITY_EXACT, 4, "what the one did");
	check(row->total[0], QUALITY_EXACT, 2004, "and what both ever did");
	check(row->cpu_ns, QUALITY_EXACT, 40, "its time");
	fold_processes(&processes, &d[2]);
	tap_int(processes.n, 0, "a process of which none ran has no row");
	tap_ok(rows_next(&processes, &item) && item.n == 2 && !item.row, "but is there");
	row = rows_idle(&processes, &item, &processes.arena);
	tap_int(row->n_members, 2, "with both");
	check(row->increment[0], QUALITY_EXACT, 0, "which did nothing");
	check(row->total[0], QUALITY_EXACT, 2004, "and have their totals");
	tap_ok(!rows_next(&processes, &item), "no more");
	delta_done(&processes);
	for (int k = 0; k < 3; k++)
		delta_done(&d[k]);
	for (int k = 3; k-- > 0;)
		sample_done(&s[k]);
}

static void test_empty(void)
{
	struct delta in, out;
	struct sample s;

	sample_init(&s);
	delta_init(&in);
	delta_init(&out);
	delta_compute(&in, NULL, NULL, &s);
	fold_processes(&out, &in);
	tap_int(out.n, 0, "no tasks: no rows");
	delta_done(&in);
	delta_done(&out);
	sample_done(&s);
}

int main(void)
{
	one_event = sample_events_new(&(struct sample_event){.given = "event"}, 1);
	test_sums();
	test_rates();
	test_partial();
	test_inherited();
	test_time_once();
	test_idle_threads();
	test_empty();
	sample_events_unref(one_event);
	return tap_done();
}
