/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a CPU that the kernel accounts at their end, in the recording of a simulated run queue.
 * Tasks run, wait and sleep in turn, with readings like the kernel's. The waits read back must be
 * in the intervals in which they were, with the same sum.
 */
#include "model/delta.h"
#include "model/fact_list.h"
#include "record_rig.h"

#define SEED_TASKS 12
#define ROUNDS     200
#define STEP_NS    1000000000ll

/* A simulated task. */
struct simulated {
	uint64_t ran_ns, waited_ns, booked_ns; /* totals; booked: as the kernel has accounted it */
	uint64_t left_ns;                      /* of the current state */
	int does;                              /* 0 runs, 1 waits, 2 sleeps */
	bool changed;                          /* it ran since its last reading */
};

/* The true wait of each task in each interval, in ns. */
static uint64_t truth[ROUNDS][SEED_TASKS];
static struct sample *booked[ROUNDS];

/* Begins the next state. A wait is always followed by running. */
static void turn(struct simulated *t)
{
	if (t->does == 1)
		t->booked_ns = t->waited_ns;
	t->does = t->does == 1 ? 0 : (int)chance(2) + 1;
	t->left_ns = (1 + chance(1000)) * (t->does == 1 && !chance(4) ? 12000000ull : 700000ull);
}

/* Simulates ns of time. Returns how long the task waited in it. */
static uint64_t simulate(struct simulated *t, uint64_t ns)
{
	const uint64_t before = t->waited_ns;

	while (ns) {
		const uint64_t part = t->left_ns < ns ? t->left_ns : ns;

		t->ran_ns += t->does == 0 ? part : 0;
		t->waited_ns += t->does == 1 ? part : 0;
		t->changed |= t->does == 0 && part;
		t->left_ns -= part;
		ns -= part;
		if (!t->left_ns)
			turn(t);
	}
	return t->waited_ns - before;
}

static struct task *make_reading(uint64_t id, struct simulated *t, const struct sample *s)
{
	const struct task_texts texts = {.user = "me", .name = "alpha"};
	struct task *reading = task_new(
		&kind_task, FACT_SET(FACT_WAIT_NS, FACT_CPU_NS, FACT_NUM_THREADS), 0, &texts);

	reading->id = reading->owner = id;
	reading->state = "RRS"[t->does];
	reading->facts_read = s->number;
	task_set_fact(reading, FACT_WAIT_NS, t->booked_ns);
	task_set_fact(reading, FACT_CPU_NS, t->ran_ns);
	task_set_fact(reading, FACT_NUM_THREADS, 1);
	t->changed = false;
	return reading;
}

/* share: a task that did not run shares its reading with the last sample, as in a live sample. */
static void write_run(bool share)
{
	struct simulated task[SEED_TASKS] = {{.left_ns = 1}};
	struct record_writer *w;

	unlink(path);
	tap_int(record_writer_new(&w, path, &about, NULL), 0, "a writer");
	for (uint32_t n = 0; n < ROUNDS; n++) {
		struct sample *s = booked[n] = sample_new();

		s->number = n + 1;
		s->mono_ns = (n + 1) * (uint64_t)STEP_NS;
		s->wall_ns = s->boot_ns = s->mono_ns;
		s->generation = 1;
		s->host.n_cpus = 2;
		for (uint64_t i = 0; i < SEED_TASKS; i++) {
			truth[n][i] = simulate(&task[i], STEP_NS);
			if (n && share && !task[i].changed)
				sample_add(s, task_ref(booked[n - 1]->task[i]));
			else
				sample_add(s, make_reading(100 + i, &task[i], s));
		}
		record_writer_sample(w, s, NULL);
	}
	record_writer_close(w, NULL);
}

static const struct delta_row *row_of(const struct delta *d, uint64_t id)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->row[i].task->id == id)
			return &d->row[i];
	return NULL;
}

/* Sums of the waits that a recording has. */
struct sums {
	/* In ns: waits in intervals, waits before these intervals, and the differences between the
	 * waits in intervals and the true ones. */
	double shown, earlier, off;
	int over; /* intervals with a longer wait than fits into them */
};

static void add_interval(struct sums *sums, const struct delta *d, size_t n)
{
	for (uint64_t i = 0; i < SEED_TASKS; i++) {
		const struct delta_row *row = row_of(d, 100 + i);
		const double shown = row ? delta_fact(row, FACT_WAIT_NS).number : 0;
		const double off = shown - (double)truth[n][i];

		sums->shown += shown;
		sums->earlier += row ? delta_waited_earlier(row).number : 0;
		sums->off += off > 0 ? off : -off;
		sums->over += row && delta_fact(row, FACT_WAIT_NS).quality == QUALITY_UNEQUAL;
	}
}

/* Reads all samples from number `from` on. */
static struct sums read_from(struct record_reader *r, size_t from)
{
	struct sample *now, *old = NULL;
	struct delta d[2];
	struct sums sums = {.over = 0};
	size_t n = from;

	delta_init(&d[0]);
	delta_init(&d[1]);
	for (; n < ROUNDS; n++, old = now) {
		now = sample_new();
		if (record_reader_next(r, now, NULL))
			break;
		delta_compute(&d[n & 1], old ? &d[!(n & 1)] : NULL, old, now);
		if (old)
			add_interval(&sums, &d[n & 1], n);
		sample_unref(old);
	}
	tap_int((long long)n, ROUNDS, "all samples were read");
	delta_done(&d[0]);
	delta_done(&d[1]);
	sample_unref(old);
	return sums;
}

/* Returns the wait that was accounted from a sample on, of all tasks, in ns. */
static double sum_booked(size_t from)
{
	double sum = 0;

	for (size_t i = 0; i < SEED_TASKS; i++)
		sum += (double)(task_fact(booked[ROUNDS - 1]->task[i], FACT_WAIT_NS) -
				task_fact(booked[from]->task[i], FACT_WAIT_NS));
	return sum;
}

static void check_run(bool share, const char *name)
{
	struct record_reader *r;
	struct sums sums;

	write_run(share);
	r = open_it();
	sums = read_from(r, 0);
	tap_ok(sums.shown + sums.earlier == sum_booked(0), "%s: the sum is what was booked", name);
	tap_ok(sums.earlier < SEED_TASKS * 12e9, "%s: earlier is what began before: %g s", name,
	       sums.earlier / 1e9);
	tap_ok(sums.over <= SEED_TASKS, "%s: %d intervals with too much", name, sums.over);
	/* Tolerance: a wait may be shown in a later interval if the task also sleeps, and a wait
	 * that ends after the last sample is unknown. */
	tap_ok(sums.off < sums.shown / 10, "%s: %g of %g s in another interval", name,
	       sums.off / 1e9, sums.shown / 1e9);
	for (size_t from = 1; from < ROUNDS; from += 37) {
		record_reader_seek(r, (int64_t)from * STEP_NS, NULL);
		sums = read_from(r, from);
		tap_ok(sums.shown + sums.earlier <= sum_booked(from), "%s: from %zu on: no more",
		       name, from);
		tap_int(sums.over, 0, "%s: from %zu on: no interval has too much", name, from);
	}
	tap_ok(!record_reader_fault(r), "%s: nothing is wrong", name);
	record_reader_free(r);
	for (size_t i = 0; i < ROUNDS; i++)
		sample_unref(booked[i]);
}

int main(void)
{
	rig_begin("late");
	check_run(false, "each is read");
	check_run(true, "who waits is not read");
	rig_end();
	return tap_done();
}
