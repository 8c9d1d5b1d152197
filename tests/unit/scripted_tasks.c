/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scripted_tasks.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#define STOP_STATUS(event, signal) ((event) << 16 | (signal) << 8 | 0x7f)

unsigned st_draw(struct st_kernel *k, unsigned n)
{
	k->seed = k->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(k->seed >> 33) % n;
}

void st_check(struct st_kernel *k, bool good, const char *what)
{
	if (!good && !k->wrong)
		k->wrong = what;
}

struct st_life *st_life(struct st_kernel *k, pid_t task)
{
	for (int i = k->n_lives; i-- > 0;)
		if (k->life[i].task == task && !k->life[i].replaced)
			return &k->life[i];
	return NULL;
}

struct st_task *st_find(struct st_kernel *k, pid_t task)
{
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].task == task)
			return &k->task[i];
	return NULL;
}

bool st_is_first(const struct st_task *t)
{
	return t->task == t->process->process;
}

int st_count_tasks(const struct st_kernel *k, const struct st_process *p)
{
	int n = 0;

	for (int i = 0; i < ST_TASKS; i++)
		n += k->task[i].used && k->task[i].process == p;
	return n;
}

/* --- what tasks do --- */

/* Returns whether an id is in use, or was in use by a task of which the tracer has not yet read the
 * event: the kernel reuses ids only after all others. */
static bool is_number_used(const struct st_kernel *k, pid_t number)
{
	for (int i = 0; i < ST_TASKS; i++) {
		const struct st_task *t = &k->task[i];

		if (!t->used)
			continue;
		if (t->task == number || t->process->process == number ||
		    t->life->former == number ||
		    ((t->event || t->stopped) && t->message == (unsigned long)number))
			return true;
	}
	return false;
}

/* Returns a new id, or now and then a free one that was in use before: but not of a task that the
 * tracer may be asking about at present, as the kernel has far more ids. */
static pid_t draw_number(struct st_kernel *k)
{
	const pid_t old = ST_COMMAND + (pid_t)st_draw(k, (unsigned)(k->next - ST_COMMAND) + 1);
	const bool again =
		old != ST_COMMAND && old < k->next && k->reuses && !k->handles && !st_draw(k, 3);

	return again && !is_number_used(k, old) ? old : k->next++;
}

static struct st_task *add_task(struct st_kernel *k, struct st_process *p, pid_t creator)
{
	struct st_task *t = k->task;

	while (t->used)
		t++;
	*t = (struct st_task){.used = true, .life = &k->life[k->n_lives++], .process = p};
	t->task = p->process ? draw_number(k) : (p->process = draw_number(k));
	*t->life = (struct st_life){.task = t->task, .process = p->process, .creator = creator};
	return t;
}

static struct st_process *add_process(struct st_kernel *k, pid_t parent)
{
	struct st_process *p = k->process;

	while (p->used)
		p++;
	*p = (struct st_process){.used = true, .parent = parent};
	return p;
}

static bool has_room(const struct st_kernel *k)
{
	int n = 0;

	for (int i = 0; i < ST_TASKS; i++)
		n += k->task[i].used;
	return n < ST_TASKS && k->n_lives < ST_LIVES;
}

/* event: the creator's event that reports the new task; 0: none, as it is not traced. */
static void make(struct st_kernel *k, struct st_task *by, bool process, int event)
{
	struct st_task *t =
		add_task(k, process ? add_process(k, by->process->process) : by->process, by->task);

	t->life->by = by->life;
	t->traced = event && by->traced;
	t->children = by->children;
	t->trap = t->life->traced = t->traced;
	if (t->traced) {
		by->event = event;
		by->message = (unsigned long)t->task;
	}
	if (event == PTRACE_EVENT_VFORK)
		by->vfork = t->process;
	if (k->hooks.made)
		k->hooks.made(k, t->task, by->task, process);
}

static void kill_task(struct st_task *t, int code)
{
	if (t->dead || t->dying)
		return;
	t->dying = t->life->over = true;
	t->code = code;
	t->stopped = t->listens = false;
	t->status = 0;
}

/* All other tasks of the process start to exit. */
static void kill_others(struct st_kernel *k, const struct st_task *but, struct st_process *p,
			int code)
{
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].process == p && &k->task[i] != but)
			kill_task(&k->task[i], code);
}

static void end_together(struct st_kernel *k, struct st_process *p, int code)
{
	if (p->ended_by_all)
		return;
	p->ended_by_all = true;
	p->code = code;
	kill_others(k, NULL, p, code);
}

static void free_task(struct st_kernel *k, struct st_task *t)
{
	struct st_process *p = t->process;

	t->used = false;
	if (!st_count_tasks(k, p))
		p->used = false;
}

/* Resumes the parent of a vforked process, if it waits. */
static void end_vfork(struct st_kernel *k, const struct st_process *p)
{
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].vfork == p)
			k->task[i].vfork = NULL;
}

static bool lives(const struct st_kernel *k, const struct st_process *p)
{
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].process == p && !k->task[i].dead)
			return true;
	return false;
}

void st_reap(struct st_kernel *k)
{
	bool again = true;

	while (again) {
		again = false;
		for (int i = 0; i < ST_TASKS; i++) {
			struct st_task *t = &k->task[i];

			if (!t->used || !t->dead || t->traced)
				continue;
			if (st_is_first(t) &&
			    (st_count_tasks(k, t->process) > 1 || t->process->parent == ST_TRACER))
				continue;
			free_task(k, t);
			again = true;
		}
	}
}

static void die(struct st_kernel *k, struct st_task *t)
{
	struct st_process *p = t->process;

	t->dead = t->life->over = true;
	t->dying = t->trap = t->stopped = t->listens = t->executes = false;
	t->event = t->status = 0;
	t->vfork = NULL;
	if (k->hooks.ended)
		k->hooks.ended(k, t->task);
	if (lives(k, p))
		return;
	end_vfork(k, p);
	for (int i = 0; i < ST_TASKS; i++)
		if (k->process[i].used && k->process[i].parent == p->process)
			k->process[i].parent = 1;
}

static void end_task(struct st_kernel *k, struct st_task *t)
{
	t->code = (int)st_draw(k, 3) << 8;
	die(k, t);
}

static void end_process(struct st_kernel *k, struct st_task *t)
{
	end_together(k, t->process, (int)st_draw(k, 3) << 8);
	die(k, t);
}

/* Begins execve(2): all other threads must exit first. */
static void begin_exec(struct st_kernel *k, struct st_task *t)
{
	t->executes = true;
	kill_others(k, t, t->process, 0);
}

/* Returns whether all other threads have exited; the first one may be left as a zombie. */
static bool can_execute(const struct st_kernel *k, const struct st_task *t)
{
	for (int i = 0; i < ST_TASKS; i++) {
		const struct st_task *other = &k->task[i];

		if (other->used && other != t && other->process == t->process &&
		    !(st_is_first(other) && other->dead))
			return false;
	}
	return true;
}

static void execute(struct st_kernel *k, struct st_task *t)
{
	struct st_task *first = st_find(k, t->process->process);
	const pid_t former = t->task;

	if (first && first != t) {
		first->life->replaced = true;
		first->used = false;
	}
	t->task = t->life->task = t->process->process;
	t->life->former = former;
	t->executes = false;
	end_vfork(k, t->process);
	if (k->hooks.executed)
		k->hooks.executed(k, t->task, former);
	if (!t->traced)
		return;
	t->event = PTRACE_EVENT_EXEC;
	t->message = (unsigned long)former;
}

static void stop(struct st_task *t, int event, int signal)
{
	t->stopped = true;
	t->status = STOP_STATUS(event, signal);
	t->event_stop = event == PTRACE_EVENT_STOP;
	t->alone = false;
}

void st_stop_process(struct st_kernel *k, struct st_process *p, int signal)
{
	if (p->stopped || p->ended_by_all)
		return;
	p->stopped = signal;
	for (int i = 0; i < ST_TASKS; i++)
		if (k->task[i].used && k->task[i].process == p && !k->task[i].dead)
			k->task[i].trap = k->task[i].traced;
}

/* Continues a stopped process. Each of its tasks stops once more, which reports the change; a task
 * that is stopped for the tracer does so once resumed. */
static void continue_process(struct st_kernel *k, struct st_process *p)
{
	p->stopped = 0;
	for (int i = 0; i < ST_TASKS; i++) {
		struct st_task *t = &k->task[i];

		if (!t->used || t->process != p || t->dead || !t->traced)
			continue;
		t->notified |= t->stopped;
		t->trap |= !t->stopped;
		t->listens = false;
	}
}

static void work(struct st_kernel *k, struct st_task *t)
{
	const uint64_t n = st_draw(k, 100);

	st_check(k, !t->process->stopped, "a task runs, although its process is stopped");
	t->life->runs = true;
	t->life->work += n;
	if (k->hooks.worked)
		k->hooks.worked(k, t->task, n);
}

static void create(struct st_kernel *k, struct st_task *t)
{
	static const int events[] = {PTRACE_EVENT_FORK, PTRACE_EVENT_VFORK, PTRACE_EVENT_CLONE};
	const unsigned what = st_draw(k, 7);

	if (!has_room(k))
		return;
	if (what < 3)
		make(k, t, false, PTRACE_EVENT_CLONE);
	else if (what < 6)
		make(k, t, true, events[what - 3]);
	else
		make(k, t, true, 0);
}

static void act(struct st_kernel *k, struct st_task *t)
{
	work(k, t);
	switch (k->finishes ? 20 + st_draw(k, 2) : st_draw(k, 24)) {
	case 0 ... 7:
		create(k, t);
		break;
	case 8 ... 10:
		begin_exec(k, t);
		break;
	case 11:
	case 12:
		if (t->traced)
			stop(t, 0, SIGUSR1);
		break;
	case 13:
		if (t->traced)
			stop(t, 0, SIGTSTP);
		else
			st_stop_process(k, t->process, SIGTSTP);
		break;
	case 20:
		end_task(k, t);
		break;
	case 21:
		end_process(k, t);
		break;
	default:
		break;
	}
}

static bool can_step(const struct st_kernel *k, const struct st_task *t)
{
	if (!t->used || t->dead)
		return false;
	if (t->dying || t->event)
		return true;
	if (t->stopped || t->listens || t->vfork || (t->executes && !can_execute(k, t)))
		return false;
	return t->trap || t->executes || (!t->waits && (!t->process->stopped || t->alone));
}

static void step(struct st_kernel *k, struct st_task *t)
{
	if (t->dying) {
		die(k, t);
	} else if (t->executes) {
		execute(k, t);
	} else if (t->event) {
		stop(t, t->event, SIGTRAP);
		t->event = 0;
	} else if (t->trap) {
		t->trap = false;
		stop(t, PTRACE_EVENT_STOP, t->process->stopped ? t->process->stopped : SIGTRAP);
	} else {
		act(k, t);
	}
	st_reap(k);
}

static struct st_process *draw_process(struct st_kernel *k, bool stopped)
{
	const unsigned from = st_draw(k, ST_TASKS);

	for (unsigned i = 0; i < ST_TASKS; i++) {
		struct st_process *p = &k->process[(from + i) % ST_TASKS];

		if (p->used && lives(k, p) && (p->stopped || !stopped))
			return p;
	}
	return NULL;
}

/* Continues or kills a random process. Returns whether it did. */
static bool interfere(struct st_kernel *k)
{
	struct st_process *stopped = draw_process(k, true), *any = draw_process(k, false);

	if (stopped && st_draw(k, 2))
		continue_process(k, stopped);
	else if (any && !st_draw(k, 40))
		end_together(k, any, SIGKILL);
	else
		return false;
	return true;
}

bool st_run(struct st_kernel *k, unsigned n)
{
	bool any = false;

	for (unsigned i = 0; i < n; i++) {
		const unsigned from = st_draw(k, ST_TASKS);
		struct st_task *t = NULL;

		if (!st_draw(k, 4))
			any |= interfere(k);
		for (unsigned j = 0; j < ST_TASKS && !t; j++)
			if (can_step(k, &k->task[(from + j) % ST_TASKS]))
				t = &k->task[(from + j) % ST_TASKS];
		if (t)
			step(k, t);
		any |= t != NULL;
	}
	return any;
}

/* --- the command --- */

void st_init(struct st_kernel *k, uint64_t seed)
{
	struct st_task *t;

	*k = (struct st_kernel){
		.sys = st_sys(),
		.seed = seed,
		.next = ST_COMMAND,
		.reuses = true,
	};
	t = add_task(k, add_process(k, ST_TRACER), 0);
	t->waits = true;
}

void st_release(struct st_kernel *k)
{
	struct st_task *t = st_find(k, ST_COMMAND);

	if (!t || t->dead || t->dying)
		return;
	t->waits = false;
	t->executes = true;
}

void st_add_threads(struct st_kernel *k, int n, bool first_ends)
{
	struct st_task *t = st_find(k, ST_COMMAND);

	t->waits = false;
	while (n-- > 0)
		make(k, t, false, 0);
	if (first_ends)
		end_task(k, t);
}

bool st_is_alive(struct st_kernel *k)
{
	for (int i = 0; i < ST_TASKS; i++)
		if (can_step(k, &k->task[i]) ||
		    st_is_reportable(k, &k->task[i], WEXITED | WSTOPPED))
			return true;
	return false;
}

void st_check_let_go(struct st_kernel *k)
{
	for (int i = 0; i < ST_TASKS; i++) {
		const struct st_task *t = &k->task[i];

		st_check(k, !t->used || t->dead || !t->traced || t->dying,
			 "a task is traced for ever");
	}
}
