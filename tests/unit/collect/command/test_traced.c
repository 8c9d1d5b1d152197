/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command whose tasks are counted separately, while they start, execute, stop, are killed and
 * exit in random orders (scripted_tasks.h). Each task that has run must exit once with all of its
 * counts, and each process once with its true status. The total must be the work of all tasks.
 * Tasks that outlive the command continue without waiting for the tracer, and the total includes
 * their counts.
 */
#include "collect/command/traced.h"
#include "orders.h"
#include "scripted_pmu.h"
#include "scripted_tasks.h"

#define ROUNDS 2000
#define STEPS  200
#define RATE   1 /* counts per unit of work, of the event with config 0 */

struct model {
	struct st_kernel kernel;
	struct pmu pmu;
	struct attach attach;
	struct traced *traced;
	uint64_t ended; /* sum of the counts of exited tasks */
};

static struct model *model_of(struct st_kernel *k)
{
	return k->context;
}

static void on_made(struct st_kernel *k, pid_t task, pid_t creator, bool process)
{
	pmu_made_add(&model_of(k)->pmu, task, creator, process);
}

static void on_worked(struct st_kernel *k, pid_t task, uint64_t n)
{
	pmu_run(&model_of(k)->pmu, task, n);
}

static void on_executed(struct st_kernel *k, pid_t task, pid_t former)
{
	if (task != former)
		pmu_rename(&model_of(k)->pmu, task, former);
	pmu_exec(&model_of(k)->pmu, task);
}

static void on_ended(struct st_kernel *k, pid_t task)
{
	pmu_exit(&model_of(k)->pmu, task);
}

static void begin(struct model *m, uint64_t seed)
{
	struct err note = ERR_INIT;
	struct event_set set;
	struct event *e;

	*m = (struct model){.ended = 0};
	st_init(&m->kernel, seed);
	m->kernel.context = m;
	m->kernel.keeps = true;
	m->kernel.hooks = (struct st_hooks){on_made, on_worked, on_executed, on_ended};
	pmu_init(&m->pmu);
	pmu_task_add(&m->pmu, ST_COMMAND);
	event_set_init(&set);
	e = event_set_add(&set, "a");
	e->type = PERF_TYPE_HARDWARE;
	attach_init(&m->attach, &m->pmu.sys);
	attach_configure(&m->attach, &set, true, &note);
}

static void take_ends(struct model *m)
{
	struct st_kernel *k = &m->kernel;
	struct traced_end end;

	while (traced_next(m->traced, &end)) {
		struct st_life *life = end.of_process ? NULL : st_life(k, end.final.task);

		if (!end.of_process)
			m->ended += end.final.count[0].value;
		if (!life || !end.process_ended)
			continue;
		st_check(k, !life->ends++, "a process ends twice");
		st_check(k, life->status == end.how, "how a process ends is wrong");
	}
}

/* Returns the work of all traced tasks. */
static uint64_t work_of_all(const struct st_kernel *k)
{
	uint64_t work = 0;

	for (int i = 0; i < k->n_lives; i++)
		work += k->life[i].traced ? k->life[i].work : 0;
	return work;
}

static void check_whole(struct model *m)
{
	struct st_kernel *k = &m->kernel;
	struct count count[EVENT_SET_MAX];
	struct err why = ERR_INIT;
	const uint64_t unread = traced_read(m->traced, count);

	st_check(k, !(unread & 1) && !traced_missing(m->traced, &why), "the whole is not known");
	st_check(k, count[0].value == RATE * work_of_all(k), "the whole is not what all have done");
}

/* Runs random steps until the command has exited; after STEPS rounds, it is asked to exit. */
static void run(struct model *m)
{
	struct st_kernel *k = &m->kernel;

	for (int i = 0; !k->wrong && !st_life(k, ST_COMMAND)->over; i++) {
		k->finishes = i > STEPS;
		st_check(k, i < 50 * STEPS, "the command waits for ever");
		st_run(k, 1 + st_draw(k, 5));
		take_ends(m);
		check_whole(m);
	}
}

static void let_go(struct model *m)
{
	struct st_kernel *k = &m->kernel;

	take_ends(m);
	traced_detach_all(m->traced);
	k->finishes = true;
	for (int i = 0; !k->wrong && i < STEPS; i++) {
		take_ends(m);
		st_run(k, 5);
	}
	st_check_let_go(k);
}

static const char *try_order(uint64_t seed)
{
	static struct model m;
	struct st_kernel *k = &m.kernel;
	enum count_state state = COUNT_NONE;
	struct err note = ERR_INIT, err = ERR_INIT;

	begin(&m, seed);
	if (!traced_open(&m.traced, &m.attach, &k->sys, ST_COMMAND, &state, &note, &err)) {
		st_release(k);
		run(&m);
		let_go(&m);
	}
	traced_close(m.traced);
	attach_done(&m.attach);
	st_check(k, !m.pmu.n_open && !m.pmu.bad_calls, "a counter stays open");
	return k->wrong;
}

int main(void)
{
	return orders_try(
		try_order, ROUNDS,
		"in each order, each process ends once, and the whole is all that was done");
}
