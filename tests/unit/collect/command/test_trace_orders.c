/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of a command, or of a running process, are traced while they start, execute, stop, are
 * killed and exit in random orders (scripted_tasks.h). Each task must start once, before its first
 * instruction, and exit once, with its true status. Its counts must be exactly its work. When the
 * tracer detaches, in the middle or at the end, no task may wait for it.
 */
#include <sys/wait.h>

#include "collect/command/job.h"
#include "orders.h"
#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "scripted_tasks.h"
#include "tap.h"

#define ROUNDS 3000
#define STEPS  200

struct model {
	struct st_kernel kernel;
	struct pmu pmu;
	struct event_set set;
	struct trace trace;
	struct job job;
	bool kept;                 /* the caller, not the tracer, waits for the command */
	uint64_t tasks, processes; /* sums of the counts in rows of exited ones */
	uint64_t exits, forks, processes_ended, processes_made;
};

static struct model *model_of(struct st_kernel *k)
{
	return k->context;
}

/* --- the counters --- */

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

/* --- the rows --- */

static void tell(void *context, const struct follow_row *row)
{
	struct model *m = context;
	uint64_t n = row->value && value_known(row->value[0]) ? (uint64_t)row->value[0].number : 0;

	switch (row->kind) {
	case FOLLOW_LWP_EXIT:
	case FOLLOW_FINI_LWP:
		m->tasks += n;
		break;
	case FOLLOW_EXEC:
		m->processes += n;
		break;
	case FOLLOW_EXIT:
		m->processes += n;
		m->exits++;
		break;
	case FOLLOW_FORK:
		m->forks++;
		break;
	default:
		break;
	}
}

/* --- the events --- */

static void check_birth(struct model *m, const struct trace_event *e)
{
	struct st_kernel *k = &m->kernel;
	struct st_life *life = st_life(k, e->task);

	st_check(k, life && life->traced, "a task is born that is not followed");
	if (k->wrong)
		return;
	st_check(k, !life->births++, "a task is born twice");
	st_check(k, life->process == e->process, "a task is born in another process");
	st_check(k, life->seized || !life->runs, "a task has run before it is born");
	/* A creator that was killed may not have reported the birth: then the parent at that time
	 * counts as the creator. */
	st_check(k, !e->creator || e->creator == life->creator || (life->by && life->by->over),
		 "another task has made it");
	life->before = life->work;
	m->processes_made += e->creator && e->task == e->process;
}

/* If another thread got the tid of the leader by execve, the leader has exited without an event. */
static void end_replaced(struct model *m, pid_t process, const struct st_life *one)
{
	struct st_kernel *k = &m->kernel;

	for (int i = 0; i < k->n_lives && !k->wrong; i++) {
		struct st_life *life = &k->life[i];

		if (life->process != process || life == one || life->births == life->ends)
			continue;
		st_check(k, life->replaced, "a task lives on without its process");
		life->ends++;
	}
}

static void check_exec(struct model *m, const struct trace_event *e)
{
	struct st_life *one = st_life(&m->kernel, e->task);

	/* If the thread is killed before the tracer asks for its former tid, that tid is unknown.
	 */
	st_check(&m->kernel, one && (e->former == one->former || e->former == e->task),
		 "another task has executed a program");
	end_replaced(m, e->process, one);
}

static void check_end(struct model *m, const struct trace_event *e)
{
	struct st_kernel *k = &m->kernel;
	struct st_life *life = st_life(k, e->task);

	st_check(k, life && life->births == 1, "a task ends that was not born");
	if (k->wrong)
		return;
	st_check(k, !life->ends++, "a task ends twice");
	st_check(k, life->process == e->process, "a task ends in another process");
	if (e->task == e->process)
		end_replaced(m, e->process, life);
	st_check(k, life->status == e->status, "how it ends is wrong");
	m->processes_ended += e->task == e->process;
}

static void take(struct model *m, const struct trace_event *e)
{
	static void (*const checks[])(struct model *, const struct trace_event *) = {
		[TRACE_BORN] = check_birth, [TRACE_EXEC] = check_exec, [TRACE_ENDED] = check_end};

	checks[e->kind](m, e);
	if (!job_handle_event(&m->job, e))
		trace_detach(&m->trace);
}

/* --- an order --- */

static void begin(struct model *m, uint64_t seed)
{
	struct event *e;
	struct trial trial;

	*m = (struct model){.kept = seed % 2};
	st_init(&m->kernel, seed);
	m->kernel.context = m;
	m->kernel.hooks = (struct st_hooks){on_made, on_worked, on_executed, on_ended};
	pmu_init(&m->pmu);
	pmu_task_add(&m->pmu, ST_COMMAND);
	event_set_init(&m->set);
	e = event_set_add(&m->set, "a");
	e->type = PERF_TYPE_HARDWARE;
	trial_init(&trial, &m->pmu.sys);
	plan_make(&m->set, &trial);
	trial_done(&trial);
	job_init(&m->job, &m->pmu.sys, &m->set, 1);
	m->job.tell = tell;
	m->job.context = m;
	m->job.follows_exec = m->job.verbose = true;
	trace_init(&m->trace, &m->kernel.sys, true);
}

static void end(struct model *m)
{
	job_done(&m->job);
	event_set_done(&m->set);
	st_check(&m->kernel, !m->pmu.n_open && !m->pmu.bad_calls, "a counter stays open");
}

static bool start_command(struct model *m)
{
	struct trace_event e = {.task = 0};

	m->job.command = true;
	m->kernel.keeps = m->kept;
	if (m->kept)
		m->trace.kept = ST_COMMAND;
	if (trace_command(&m->trace, ST_COMMAND, NULL))
		return false;
	while (!trace_next(&m->trace, &e)) {
		if (m->trace.kept_ended || !m->trace.tasks.n)
			return false;
		trace_wait(&m->trace);
	}
	take(m, &e);
	st_release(&m->kernel);
	return true;
}

static bool start_process(struct model *m)
{
	struct st_kernel *k = &m->kernel;
	const bool first_ends = !st_draw(k, 3);

	bool follows;

	k->reuses = false;
	st_add_threads(k, (int)st_draw(k, 4) + first_ends, first_ends);
	follows = !trace_process(&m->trace, ST_COMMAND, NULL);
	k->reuses = true;
	return follows;
}

static void check_lives(struct model *m)
{
	struct st_kernel *k = &m->kernel;
	uint64_t work = 0;

	for (int i = 0; i < k->n_lives; i++) {
		const struct st_life *life = &k->life[i];

		st_check(k, life->births == life->ends, "a task does not end");
		st_check(k, life->births || !life->traced || !life->runs || life->seized,
			 "a task is not born");
		work += life->births ? life->work - life->before : 0;
	}
	st_check(k, m->tasks == work, "rows of tasks are not what they have done");
	/* A leader that had exited before is not traced: the end of its process is not reported. */
	st_check(k, !k->life[0].births || m->processes == work,
		 "rows of processes are not what they have done");
	st_check(k, !k->life[0].births || m->exits == m->processes_ended,
		 "not each process has one last row");
	st_check(k, m->forks == m->processes_made, "not each process has a row of who made it");
}

/* Returns whether some event of this process is still to reach the tracer. */
static bool is_changing(const struct st_kernel *k, pid_t process)
{
	for (int i = 0; i < ST_TASKS; i++) {
		const struct st_task *t = &k->task[i];

		if (t->used && t->process->process == process &&
		    (t->dying || t->executes || t->event ||
		     st_is_reportable(k, t, WEXITED | WSTOPPED)))
			return true;
	}
	return false;
}

/* A task must start even if its creator has exited and cannot report the birth. */
static void check_waiting(struct st_kernel *k)
{
	for (int i = 0; i < ST_TASKS; i++) {
		const struct st_task *t = &k->task[i];
		const struct st_life *by = t->used ? t->life->by : NULL;

		st_check(k,
			 !by || !by->over || by->births != by->ends || !t->traced || !t->stopped ||
				 t->status || t->life->births || is_changing(k, by->process),
			 "a task waits for one that has ended");
	}
}

/* leaves: detach after STEPS steps, before all tasks have exited. */
static void follow(struct model *m, bool leaves)
{
	struct st_kernel *k = &m->kernel;
	struct trace_event e;

	for (int i = 0; !k->wrong && (!leaves || i < STEPS) && !m->trace.kept_ended; i++) {
		k->finishes = i > STEPS;
		st_check(k, i < 50 * STEPS, "a task waits for ever");
		if (trace_next(&m->trace, &e)) {
			take(m, &e);
			continue;
		}
		check_waiting(k);
		if (!st_run(k, 1 + st_draw(k, 5)) && !st_run(k, 200) && !st_is_alive(k))
			break;
	}
}

/* Detaches from the remaining tasks, which could not be detached at once. */
static void let_go(struct model *m)
{
	struct st_kernel *k = &m->kernel;
	struct trace_event e;

	while (m->trace.kept_ended && trace_next(&m->trace, &e))
		take(m, &e);
	trace_detach_all(&m->trace);
	k->finishes = true;
	for (int i = 0; !k->wrong && i < STEPS; i++) {
		st_check(k, !trace_next(&m->trace, &e), "an event of what was let go");
		st_run(k, 5);
	}
	st_check_let_go(k);
}

static const char *try_order(uint64_t seed)
{
	static struct model m;
	struct st_kernel *k = &m.kernel;
	const bool leaves = seed % 5 == 4;

	begin(&m, seed);
	if (seed % 3 == 2 && !m.kept ? start_process(&m) : start_command(&m)) {
		follow(&m, leaves);
		if (!leaves && !m.kept) {
			st_check(k, !m.trace.tasks.n, "a task waits for ever");
			check_lives(&m);
		}
	}
	let_go(&m);
	trace_done(&m.trace);
	end(&m);
	return k->wrong;
}

int main(void)
{
	return orders_try(
		try_order, ROUNDS,
		"in each order, each task is born and ends once, and its rows are all it does");
}
